"""The report of `overlap`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec import UNSET, Struct, UnsetType

from ragstone.corpus.overlap.result import Overlap, OverlapCluster, OverlapPair, OverlapSide
from ragstone.corpus.overlap.settings import OverlapSettings
from ragstone.model import Scalar
from ragstone.reports.report import Report, build
from ragstone.reports.statement import Input, Verdict

if TYPE_CHECKING:
    from ragstone.gate import Allowance

TOKENS = "mixed-1"  # raised when documents are cut otherwise


class SideCounts(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What was counted of one corpus; `rate` is the share of its documents that overlap."""

    documents: int
    empty: int
    short: int | UnsetType = UNSET
    overlapping: int
    rate: float
    truncated: bool = False


class OverlapDetails(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Counts of each corpus, pairs of texts that overlap, and clusters of documents.

    b is absent where a corpus was compared with itself. redundant: how many documents of b, or of
    the one corpus, can go so that no pair is left; max_overlap: how many may be, if that was
    asked. bands, rows, candidates, miss_probability: how MinHash was cut, how many pairs it brought
    together, and the probability that it missed a pair at the threshold.
    """

    a: SideCounts
    b: SideCounts | UnsetType = UNSET
    redundant: int
    max_overlap: str | UnsetType = UNSET
    candidates: int | UnsetType = UNSET
    bands: int | UnsetType = UNSET
    rows: int | UnsetType = UNSET
    miss_probability: float | UnsetType = UNSET
    pairs: list[OverlapPair]
    clusters: list[OverlapCluster]


def build_overlap(
    result: Overlap, inputs: Iterable[Input], *, max_overlap: Allowance | None = None
) -> Report:
    """Make the report of a comparison of corpora.

    max_overlap: how many of the documents of b, or of the one corpus, may be redundant; more
    fail. Without it nothing is judged.
    """
    last = result.a if result.b is None else result.b
    number = len(result.redundant)
    allowed = max_overlap is None or max_overlap.allows(number, last.documents)
    compared = result.settings.method != "exact"
    details = OverlapDetails(
        a=_counts(result.a, compared),
        b=UNSET if result.b is None else _counts(result.b, compared),
        redundant=number,
        max_overlap=UNSET if max_overlap is None else str(max_overlap),
        candidates=result.candidates if result.bands else UNSET,
        bands=result.bands.bands if result.bands else UNSET,
        rows=result.bands.rows if result.bands else UNSET,
        miss_probability=result.miss if result.bands else UNSET,
        pairs=result.pairs,
        clusters=result.clusters,
    )
    verdict: Verdict = "pass" if allowed else "fail"
    return Report(
        build(
            "ragstone.overlap",
            details,
            inputs,
            verdict=None if max_overlap is None else verdict,
            exit_code=0 if allowed else 4,
            signature=_signature(result.settings),
        )
    )


def _counts(side: OverlapSide, compared: bool) -> SideCounts:
    return SideCounts(
        documents=side.documents,
        empty=side.empty,
        short=side.short if compared else UNSET,
        overlapping=side.overlapping,
        rate=side.rate,
        truncated=side.truncated,
    )


def _signature(settings: OverlapSettings) -> dict[str, Scalar]:
    fields: dict[str, Scalar] = {"method": settings.method, "tokens": TOKENS}
    if settings.method != "exact":
        fields |= {
            "threshold": float(settings.threshold),
            "shingle": settings.shingle,
            "char_shingle": settings.char_shingle,
        }
    if settings.method == "minhash":
        fields |= {"num_perm": settings.permutations, "seed": settings.seed}
    return fields
