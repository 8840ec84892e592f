"""`ragstone evaluate --estimate`: what a judge would take, as a table or for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ragstone.cli.evaluate_judge import Asking, cache_of
from ragstone.cli.output import print_bytes, print_page
from ragstone.errors import count

if TYPE_CHECKING:
    from ragstone.judge import Estimate
    from ragstone.model.samples import Sample
    from ragstone.reports.renderers.page import Page


def print_estimate(
    samples: Sequence[Sample], asked: Asking, format_: str | None, options: Mapping[str, Any]
) -> None:
    """Print what judging would take, as a table unless told otherwise; nothing is sent."""
    from ragstone.judge import estimate

    measures = asked.judged(samples)
    with cache_of(options, read_only=True) as cache:
        found = estimate(samples, measures, asked.judges, repeat=options["repeat"], cache=cache)
    names = [each if isinstance(each, str) else each.measure for each in measures]
    if format_ == "json":
        print_bytes(_json(len(samples), names, found))
    else:
        print_page(_page(len(samples), names, found), format_ or "table")


def _json(samples: int, measures: Sequence[str], found: Sequence[Estimate]) -> bytes:
    """Return it for programs; sums are null where one of the judges has no price."""
    import msgspec

    said = {
        "samples": samples,
        "measures": measures,
        "judges": found,
        "cost_usd": _sum([each.cost_usd for each in found]),
        "at_most_usd": _sum([each.at_most_usd for each in found]),
    }
    return msgspec.json.format(msgspec.json.encode(said), indent=2) + b"\n"


def _sum(costs: Sequence[float | None]) -> float | None:
    known = [cost for cost in costs if cost is not None]
    return sum(known) if len(known) == len(costs) else None


def _page(samples: int, measures: Sequence[str], found: Sequence[Estimate]) -> Page:
    from ragstone.reports.renderers.page import Page, Table, Text

    rows = [
        (
            each.judge,
            each.model,
            f"{each.calls:,}",
            f"{each.cached:,}",
            f"{each.input_tokens:,}",
            f"{each.output_tokens:,}",
            _dollars(each.cost_usd),
            _dollars(each.at_most_usd),
        )
        for each in found
    ]
    heads = ("judge", "model", "calls", "in the cache", "input tokens", "output tokens")
    table = Table.of((*heads, "cost", "at most"), rows, left=["model"])
    said = f"{count(samples, 'sample')}; {', '.join(measures)}; nothing was asked"
    return Page(Text(said), (table,))


def _dollars(cost: float | None) -> str:
    return "unknown" if cost is None else f"${cost:,.4f}"
