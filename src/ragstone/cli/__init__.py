"""The command `ragstone`: parses, calls, renders.

Layer: cli | pytest_plugin, the highest. A command's module is imported when the command is
called, so that `ragstone --help` imports click alone.
"""

from ragstone.cli.main import main

__all__ = ["main"]
