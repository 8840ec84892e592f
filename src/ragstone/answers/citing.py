"""Citations: what an answer says it stands on, and whether it does.

After ALCE (Gao et al. 2023), with overlap in place of an entailment model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ragstone.answers.view import View, nothing, share_in
from ragstone.model import Cell
from ragstone.model.samples import Citation, Sample

SUPPORTED = 0.5
"""The share of a sentence's n-grams that its contexts must have."""

NO_CITATIONS = "no_citations"
_MARK = re.compile(r"\[([^\[\]\n]{1,80})\]")
_POSITION = re.compile(r"\d{1,3}", re.ASCII)
_RANGE = re.compile(r"(\d{1,3})\s*[-–]\s*(\d{1,3})", re.ASCII)  # noqa: RUF001


class Cited(NamedTuple):
    """One context that is cited: its place among the contexts, None where there is none such.

    sentence: the place of the sentence that cites it; None where nobody knows.
    """

    context: int | None
    sentence: int | None


@lru_cache(1)
def citations_of(view: View) -> list[Cited]:
    """Return the citations of an answer: its `citations`, or else the marks in it.

    A mark such as [1] or [2, 3] names positions from 1, or ids of contexts. Other words in
    brackets cite nothing.
    """
    given = view.sample.citations
    found = marks(view.sample) if given is None else given
    starts = [each.start for each in view.sentences]
    return [
        Cited(_place(view.sample, name), _sentence(starts, each.start))
        for each in found
        for name in each.contexts
    ]


def marks(sample: Sample) -> list[Citation]:
    """Return what the brackets in an answer cite.

    >>> marks(Sample("q", answer="Open [1][3-4], says [sic] Ada."))
    [Citation(contexts=(1,), start=5, end=8, extra={}), Citation(contexts=(3, 4), start=8, \
end=13, extra={})]
    """
    ids = {each.id for each in sample.contexts or () if each.id is not None}
    found = []
    for mark in _MARK.finditer(sample.answer or ""):
        names = [name for part in re.split(r"[,;]", mark[1]) for name in _names(part.strip(), ids)]
        if names:
            found.append(Citation(tuple(names), mark.start(), mark.end()))
    return found


def precision(view: View) -> Cell:
    """Return the share of citations whose context alone supports the sentence that cites it."""
    cited = [each for each in citations_of(view) if each.sentence is not None]
    if not cited:
        return nothing(NO_CITATIONS)
    return Cell(sum(_supports(view, each.sentence, [each.context]) for each in cited) / len(cited))


def recall(view: View) -> Cell:
    """Return the share of sentences that the contexts they cite support together."""
    by_sentence: dict[int, list[int | None]] = {}
    for each in citations_of(view):
        if each.sentence is not None:
            by_sentence.setdefault(each.sentence, []).append(each.context)
    held = sum(_supports(view, place, contexts) for place, contexts in by_sentence.items())
    return Cell(held / len(view.sentences))


def validity(view: View) -> Cell:
    """Return the share of citations that name a context which is there."""
    cited = citations_of(view)
    if not cited:
        return nothing(NO_CITATIONS)
    return Cell(sum(each.context is not None for each in cited) / len(cited))


def _supports(view: View, sentence: int | None, contexts: Sequence[int | None]) -> bool:
    if sentence is None:
        return False
    there = [view.context_grams[each] for each in contexts if each is not None]
    return share_in(view.sentence_grams[sentence], frozenset().union(*there)) >= SUPPORTED


def _names(part: str, ids: set[str]) -> Iterator[str | int]:
    if part in ids and not _POSITION.fullmatch(part):
        yield part
    elif _POSITION.fullmatch(part):
        yield int(part)
    elif (span := _RANGE.fullmatch(part)) and int(span[1]) <= int(span[2]):
        yield from range(int(span[1]), int(span[2]) + 1)


def _place(sample: Sample, name: str | int) -> int | None:
    """Return the place of a cited context, from 0: by its position, or else by its id."""
    contexts = sample.contexts or ()
    if isinstance(name, int) and 1 <= name <= len(contexts):
        return name - 1
    return next((i for i, each in enumerate(contexts) if each.id == str(name)), None)


def _sentence(starts: Sequence[int], start: int | None) -> int | None:
    """Return the sentence in which a citation begins, or behind which it stands."""
    if start is None:
        return 0 if len(starts) == 1 else None
    before = [place for place, each in enumerate(starts) if each <= start]
    return before[-1] if before else (0 if starts else None)
