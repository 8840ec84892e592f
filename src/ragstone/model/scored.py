"""What has Scores: they themselves, a report, an evaluation."""

from __future__ import annotations

from pathlib import Path
from reprlib import repr as brief
from typing import Protocol

from ragstone.errors import UsageError
from ragstone.model.scores import Scores


class Scored(Protocol):
    """Anything that has Scores, as a report and an evaluation do."""

    @property
    def scores(self) -> Scores:
        """The value of every item."""


def scores_of(given: Scores | Scored, what: str) -> Scores:
    """Return the Scores of what somebody gave; raises UsageError for what has none.

    >>> scores_of("main.json", "the baseline")
    Traceback (most recent call last):
    ragstone.errors.UsageError: the baseline is 'main.json'; Scores or a report were expected, ...
    """
    if isinstance(given, Scores):
        return given
    found = getattr(given, "scores", None)
    if isinstance(found, Scores):
        return found
    is_path = isinstance(given, str | Path)
    hint = f", as read_report({str(given)!r}) returns it" if is_path else ""
    raise UsageError(f"{what} is {brief(given)}; Scores or a report were expected{hint}")
