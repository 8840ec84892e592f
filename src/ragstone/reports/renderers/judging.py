"""What a person sees of the judges of an evaluation."""

from __future__ import annotations

from collections.abc import Iterator

from ragstone.reports import numbers
from ragstone.reports.judging import JudgeAgreement, Judging
from ragstone.reports.renderers.page import Table, Text, Tone

LISTED = 3


def blocks(said: Judging | None) -> Iterator[Text | Table]:
    """Draw what judging took, what failed, and how sure the judges are."""
    if said is None:
        return
    yield _totals(said)
    if said.failures:
        rows = [(each.measure, each.reason, f"{each.verdicts:,}") for each in said.failures]
        heads = ("measure", "reason", "verdicts")
        yield Table.of(heads, rows, "Verdicts that failed", left=["reason"])
    if said.spread:
        yield _spread(said)
    if said.agreement:
        yield _agreement(said)
    if said.stop is not None:
        yield Text(f"judging stopped: {said.stop.message}", Tone.BAD)


def _totals(said: Judging) -> Table:
    heads = ("judge", "model", "calls", "attempts", "input tokens", "output tokens", "cost")
    rows = [
        (
            each.name,
            each.model,
            f"{each.calls:,}",
            f"{each.attempts:,}",
            f"{each.input_tokens:,}",
            f"{each.output_tokens:,}",
            _cost(each.cost_usd, each.unpriced + each.uncertain),
        )
        for each in said.judges
    ]
    return Table.of(heads, rows, "Judges", left=["model"])


def _cost(cost: float | None, unknown: int) -> str:
    if cost is None:
        return "unknown"
    return f"${cost:,.4f}" + (f" and {unknown:,} unknown" if unknown else "")


def _spread(said: Judging) -> Table:
    heads = (
        "measure",
        "judge",
        "repeats",
        "items",
        "changed",
        "sd of a verdict",
        "smallest visible change",
    )
    rows = [
        (
            each.measure,
            each.judge or "their mean",
            f"{each.repeats:,}",
            f"{each.items:,}",
            f"{each.changed:,}",
            numbers.value(each.within_sd),
            numbers.value(each.smallest_change),
        )
        for each in said.spread
    ]
    return Table.of(heads, rows, "Spread between repeats", left=["judge"])


def _agreement(said: Judging) -> Table:
    heads = ("measure", "judges", "items", "equal", "leaning", "kappa", "furthest apart")
    rows = [
        (
            each.measure,
            f"{each.first}, {each.second}",
            f"{each.items:,}",
            "n/a" if each.exact is None else f"{each.exact:.0%}",
            numbers.change(each.mean_difference),
            numbers.value(each.kappa),
            _furthest(each),
        )
        for each in said.agreement
    ]
    return Table.of(heads, rows, "Agreement between judges", left=["judges", "furthest apart"])


def _furthest(pair: JudgeAgreement) -> str:
    named = ", ".join(each.item for each in pair.differ[:LISTED])
    more = pair.differing - LISTED
    return named + (f" and {more:,} more" if more > 0 else "") or "none"
