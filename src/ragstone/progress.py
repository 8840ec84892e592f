"""How far a long task is: what it reports, whoever draws it.

Layer: model | registry | progress | processes | usercode. Imports errors only.
"""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Is told of each step; `start` comes first, `finish` last, also after an error."""

    def start(self, total: int | None) -> None:
        """Begin a task of so many steps; None where nobody knows."""

    def advance(self, steps: int = 1) -> None:
        """Count steps that are done."""

    def finish(self) -> None:
        """End the task, whether it is complete or not."""


class Silent:
    """Draws nothing.

    >>> progress: Progress = Silent()
    >>> progress.start(2)
    >>> progress.advance()
    >>> progress.finish()
    """

    def start(self, total: int | None) -> None:
        """Ignore it."""

    def advance(self, steps: int = 1) -> None:
        """Ignore it."""

    def finish(self) -> None:
        """Ignore it."""
