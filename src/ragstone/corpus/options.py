"""What the options of a check of corpora may be."""

from __future__ import annotations

from typing import Any

from ragstone.errors import UsageError


def check_share(name: str, value: Any) -> None:
    """Raise UsageError for what is no number above 0 and of at most 1."""
    if isinstance(value, bool) or not 0 < value <= 1:
        raise UsageError(f"{name} is {value!r}; a number above 0 and of at most 1 was expected")


def check_whole(name: str, value: Any, least: int) -> None:
    """Raise UsageError for what is no whole number, or is below the least."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise UsageError(f"{name} is {value!r}; a whole number from {least} was expected")
