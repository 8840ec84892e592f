"""The command `ragstone`: parses, calls, renders.

Layer: cli | pytest_plugin, the highest. A command's module is imported when the command is
called, so that `ragstone --help` imports click alone.
"""

import sys

try:
    from ragstone.cli.main import main
except KeyboardInterrupt:  # click takes long enough to import to be interrupted
    sys.stderr.write("error: interrupted\n")
    raise SystemExit(3) from None

__all__ = ["main"]
