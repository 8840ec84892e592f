"""Scores in trec_eval's own lines, for scripts that read its output."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ragstone.measures import Aggregate
from ragstone.model import Scores

ALL = "all"


def render(scores: Scores, aggregates: Iterable[Aggregate], per_query: bool = False) -> str:
    """Print measure, query and value a line, separated by tabs.

    Names are trec_eval's where it has the measure, padded to 22 as trec_eval pads them; counts
    are whole numbers, all else has four decimals. Queries ascend, `all` comes last.
    """
    wanted = list(aggregates)
    lines = list(_queries(scores, wanted)) if per_query else []
    for each in wanted:
        lines.append(_line(each, ALL, each.of(scores[str(each.measure)])))
    return "".join(lines)


def _queries(scores: Scores, wanted: list[Aggregate]) -> Iterator[str]:
    once = {each.measure: Aggregate.default(each.measure) for each in wanted}
    for position, query in enumerate(scores.items):
        for measure, usual in once.items():
            yield _line(usual, query, scores[str(measure)].value(position))


def _line(aggregate: Aggregate, query: str, value: float | None) -> str:
    measure = aggregate.measure
    suffix = str(aggregate).removeprefix(str(measure))
    name = measure.trec_name + suffix
    shown = _number(value, measure.declaration.aggregate == "sum")
    return f"{name:<22}\t{query}\t{shown}\n"


def _number(value: float | None, is_count: bool) -> str:
    if value is None:
        return "n/a"
    return f"{value:.0f}" if is_count and value.is_integer() else f"{value:6.4f}"
