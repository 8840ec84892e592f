"""The order of a ranking as trec_eval sees it: score descending, then document id descending."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import islice
from operator import gt


def in_order(scores: Sequence[float]) -> bool:
    """Tell whether scores fall strictly."""
    return all(map(gt, scores, islice(scores, 1, None)))


def as_float32(scores: Sequence[float]) -> list[float]:
    """Round scores to C floats, as trec_eval 9 stores them; beyond their range is infinite."""
    return array("f", scores).tolist()


def by_score(docs: Sequence[bytes], scores: Sequence[float]) -> list[bytes]:
    """Sort documents by score, then by id, both descending."""
    return [doc for _, doc in sorted(zip(scores, docs, strict=True), reverse=True)]


def rank(docs: list[bytes], scores: list[float], trec_eval: int) -> tuple[list[bytes], bool]:
    """Return the documents in trec_eval's order, and whether versions 9 and 10 order otherwise.

    Scores that fall strictly as floats fall strictly as doubles too, which is most of all runs.
    """
    rounded = as_float32(scores)
    if in_order(rounded):
        return docs, False
    nine, ten = by_score(docs, rounded), by_score(docs, scores)
    return (nine if trec_eval == 9 else ten), nine != ten
