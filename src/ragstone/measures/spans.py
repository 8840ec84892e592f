"""Measures of places: how much of the gold spans the retrieved chunks cover, in characters.

The definitions are those of token-wise retrieval evaluation (Smith and Troynikov, Evaluating
Chunking Strategies for Retrieval, 2024) on characters.
"""

from __future__ import annotations

from typing import Any

from ragstone.errors import UsageError
from ragstone.measures.declaration import Area, Cutoff, Empty
from ragstone.measures.kernels import ratio
from ragstone.measures.measure import declare
from ragstone.measures.ranking import Cover, Ranking


def _cover(ranking: Ranking) -> Cover:
    if ranking.cover is None:
        raise UsageError(
            "SpanRecall, SpanPrecision and SpanIoU are about places in documents; "
            f"`{Area.SPANS.command}` computes them"
        )
    return ranking.cover


def span_recall(ranking: Ranking, *, k: int | None) -> float:
    """Gold characters that the first k chunks cover, over all gold characters."""
    cover = _cover(ranking)
    return ratio(cover.at(k)[0], cover.gold)


def span_precision(ranking: Ranking, *, k: int | None) -> float:
    """Gold characters that the first k chunks cover, over all characters of these chunks."""
    return ratio(*_cover(ranking).at(k))


def span_iou(ranking: Ranking, *, k: int | None) -> float:
    """Intersection over union of the gold characters and those of the first k chunks."""
    return ratio(_cover(ranking).at(k)[0], _union(ranking, k=k))


def _gold(ranking: Ranking, *, k: int | None) -> float:  # noqa: ARG001
    return float(_cover(ranking).gold)


def _read(ranking: Ranking, *, k: int | None) -> float:
    return float(_cover(ranking).at(k)[1])


def _union(ranking: Ranking, *, k: int | None) -> float:
    cover = _cover(ranking)
    found, read = cover.at(k)
    return float(cover.gold + read - found)


_SPANS: dict[str, Any] = {
    "area": Area.SPANS,
    "cutoff": Cutoff.RANK,
    "empty": Empty.NO_RESULTS,
}

SpanRecall = declare(
    ["span_recall"],
    name="SpanRecall",
    kernel=span_recall,
    denominator=_gold,
    help="gold characters that the first k chunks cover, over all gold characters",
    **_SPANS,
)
SpanPrecision = declare(
    ["span_precision"],
    name="SpanPrecision",
    kernel=span_precision,
    denominator=_read,
    help="gold characters that the first k chunks cover, over all characters of the chunks",
    **_SPANS,
)
SpanIoU = declare(
    ["span_iou"],
    name="SpanIoU",
    kernel=span_iou,
    denominator=_union,
    help="gold characters that the first k chunks cover, over those of either (Jaccard)",
    **_SPANS,
)
