"""Support by overlap: how much of each sentence of an answer stands word for word in a context.

An n-gram stands in one context and never goes over two. Overlap rewards copying: a true sentence in
other words has little of it. It is not faithfulness.
"""

from __future__ import annotations

from collections.abc import Sequence

from ragstone.answers.view import View
from ragstone.errors import shortened
from ragstone.model import Cell

LISTED = 3
"""How many of the least supported sentences are noted."""

QUOTED = 160
"""Characters of a sentence that a note quotes."""


def mean_support(view: View) -> Cell:
    """Return the mean over sentences; the note has the spans of the least supported."""
    found = view.support
    return Cell(sum(found) / len(found), note=least_noted(view, found))


def least_support(view: View) -> Cell:
    """Return the share of the sentence that has the least."""
    return Cell(min(view.support))


def least_noted(view: View, found: Sequence[float]) -> str:
    """Write down the sentences that are not fully supported, the least first, with their spans.

    A span is START:END in code points of the answer. Sentences are quoted where that is allowed.
    """
    places = sorted((share, place) for place, share in enumerate(found) if share < 1)[:LISTED]
    return "; ".join(_noted(view, place, share) for share, place in places)


def _noted(view: View, place: int, share: float) -> str:
    each = view.sentences[place]
    quote = f" {shortened(' '.join(each.text.split()), QUOTED)!r}" if view.settings.quotes else ""
    return f"{each.start}:{each.end} {share:.2f}{quote}"
