"""The order of a ranking as trec_eval sees it: score descending, then document id descending."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import islice
from operator import gt, sub

# Rounding to a float moves a number by at most 2**-24 of its size, or half the least float.
FLOAT_GAP = 2.0**-23 * (1 + 2.0**-20)
LEAST_GAP = 2.0**-148
MOST = 2.0**127


def in_order(scores: Sequence[float]) -> bool:
    """Tell whether scores fall strictly."""
    return all(map(gt, scores, islice(scores, 1, None)))


def far_apart(scores: Sequence[float]) -> bool:
    """Tell whether scores fall by so much each that they fall strictly as floats too."""
    if len(scores) < 2:
        return True
    most = max(abs(scores[0]), abs(scores[-1]))
    gap = min(map(sub, scores, islice(scores, 1, None)))
    return gap > most * FLOAT_GAP + LEAST_GAP and most < MOST


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
    if far_apart(scores):
        return docs, False
    rounded = as_float32(scores)
    if in_order(rounded):
        return docs, False
    nine, ten = by_score(docs, rounded), by_score(docs, scores)
    return (nine if trec_eval == 9 else ten), nine != ten
