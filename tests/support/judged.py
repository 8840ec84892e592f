"""Comparisons of every outcome, from plain lists of values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ragstone.gate import Comparison, compare
from ragstone.model import Cell, Scores, ScoresBuilder, Signature, Status


def scores(
    columns: dict[str, Sequence[float | None]], ids: Sequence[str] = (), **signature: str
) -> Scores:
    """Build Scores; None is an item that failed."""
    builder = ScoresBuilder(list(columns))
    rows = list(zip(*columns.values(), strict=True))
    failed = Cell(0.0, Status.FAILED, reason="timeout")
    for item, row in zip(ids or [f"q{n}" for n in range(len(rows))], rows, strict=True):
        builder.add(item, [failed if value is None else Cell(value) for value in row])
    return builder.build(Signature.of(signature))


def passing(**options: Any) -> Comparison:
    """Nothing changed; Judged is not gated."""
    same = scores({"nDCG@10": [1.0, 0.5], "Judged@10": [1.0, 1.0]})
    return compare(same, same, **options)


def failing(ids: Sequence[str] = (), n: int = 12, **options: Any) -> Comparison:
    """All of n queries lost what they had under nDCG@10; AP@10 and Judged@10 did not change."""
    before = scores({"nDCG@10": [1.0] * n, "AP@10": [1.0] * n, "Judged@10": [1.0] * n}, ids)
    after = scores({"nDCG@10": [0.0] * n, "AP@10": [1.0] * n, "Judged@10": [1.0] * n}, ids)
    return compare(before, after, **options)


def not_significant() -> Comparison:
    """Over budget, but by the test it may be chance: 7 worse and 6 better."""
    before = scores({"RR@10": [0.5] * 13})
    after = scores({"RR@10": [0.0] * 7 + [0.75] * 6})
    return compare(before, after, alpha=0.05)


def undecided() -> Comparison:
    """A query failed to be measured in the candidate."""
    return compare(scores({"RR@10": [1.0, 1.0]}), scores({"RR@10": [1.0, None]}))


def advisory(**options: Any) -> Comparison:
    """RR@10 fell, but a judge measured it whom nobody has calibrated."""
    own = {"RR@10": Signature.of(judge="m", prompt="p")}
    sides = []
    for value in (1.0, 0.5):
        builder = ScoresBuilder(["RR@10"])
        for number in range(3):
            builder.add(f"q{number}", [Cell(value)])
        sides.append(builder.build(columns=own))
    return compare(*sides, **options)


def dropped() -> Comparison:
    """One query under RR@10 fell by more than one may; the mean and the median did not."""
    before, after = scores({"RR@10": [0.5] * 9}), scores({"RR@10": [0.0, 1.0] + [0.5] * 7})
    return compare(before, after, max_item_drops=["RR@10=0.4"], budgets=["RR@10:p50=2"])


def incomparable() -> Comparison:
    """The two speak about other queries."""
    return compare(
        scores({"RR@10": [1.0], "Judged@10": [1.0]}, ["a"]),
        scores({"RR@10": [1.0], "Judged@10": [1.0]}, ["b"]),
    )
