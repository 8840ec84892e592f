"""Abstention where there is no answer, and over-refusal where there is one."""

from __future__ import annotations

from ragstone.answers.view import View, nothing
from ragstone.model import Cell

ANSWERABLE_MISSING = "answerable_not_recorded"


def abstention(view: View) -> Cell:
    """Tell of a question that has no answer whether it was left without one."""
    if view.sample.answerable is None:
        return nothing(ANSWERABLE_MISSING)
    return nothing("answerable") if view.sample.answerable else Cell(float(view.abstains))


def over_refusal(view: View) -> Cell:
    """Tell of a question that has an answer whether it was left without one."""
    if view.sample.answerable is None:
        return nothing(ANSWERABLE_MISSING)
    return Cell(float(view.abstains)) if view.sample.answerable else nothing("unanswerable")
