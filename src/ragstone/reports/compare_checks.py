"""Whether a comparison agrees with itself. Its two reports are not there to be asked again."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ragstone.errors import InputError
from ragstone.gate import Comparison, Diff, FloorResult, ItemLimit, MeasureComparison
from ragstone.gate.budget import exceeds
from ragstone.gate.decision import Change
from ragstone.gate.evidence import SCALES
from ragstone.gate.item_limits import beyond_limit
from ragstone.measures import Aggregate, parse_aggregate
from ragstone.reports.checks import differs, same
from ragstone.reports.faults import length_faults, order_faults
from ragstone.reports.problem import DETAILS, Problem, child
from ragstone.reports.statement import Statement


def compare_faults(statement: Statement) -> Iterator[Problem]:
    """Check the verdict, the summary, each measure, the diff and what is drawn from it."""
    predicate, details = statement.predicate, statement.predicate.details
    because = "it follows from the reasons"
    if predicate.finding != details.verdict:
        yield differs("$.predicate.verdict", predicate.finding, details.verdict, because)
    if predicate.exit_code != details.exit_code:
        code = int(details.exit_code)
        yield differs("$.predicate.exit_code", predicate.exit_code, code, because)
    candidates = {each.name: each.candidate for each in details.measures}
    if predicate.summary != candidates:
        message = "does not have the candidate's value of each measure of the details"
        yield Problem("$.predicate.summary", message)
    broken = list(_diff_faults(details.diff))
    yield from broken
    floors = {floor.name: floor for floor in details.floors}
    limits = {limit.measure: limit for limit in details.item_limits}
    for place, each in enumerate(details.measures):
        path = f"{DETAILS}.measures[{place}]"
        try:
            aggregate = parse_aggregate(each.name)
        except InputError as error:
            message = f"is not a measure that this version of ragstone knows: {error}"
            yield Problem(f"{path}.name", message)
            continue
        yield from _name_faults(each, aggregate, path)
        yield from _change_faults(each, aggregate, path)
        yield from _below_faults(each, floors.get(each.name), path)
        yield from _limit_faults(each, aggregate, limits.get(each.measure), path)
        if not broken:
            yield from _evidence_faults(each, aggregate, details.diff, path)
    if not broken:
        yield from _drawn_faults(details)


def _below_faults(
    each: MeasureComparison, floor: FloorResult | None, path: str
) -> Iterator[Problem]:
    below = floor is not None and floor.failed
    if each.below_floor != below:
        yield differs(f"{path}.below_floor", each.below_floor, below, "it follows from the floors")


def _limit_faults(
    each: MeasureComparison, aggregate: Aggregate, limit: ItemLimit | None, path: str
) -> Iterator[Problem]:
    """Check the limit of an item, which the usual aggregate of a measure tells of."""
    usual = limit is not None and aggregate == Aggregate.default(aggregate.measure)
    wanted = limit.limit if limit and usual else None
    if each.item_limit != wanted:
        because = "it follows from the limits of items"
        yield differs(f"{path}.item_limit", each.item_limit, wanted, because)


def _name_faults(each: MeasureComparison, aggregate: Aggregate, path: str) -> Iterator[Problem]:
    declared, because = aggregate.measure.declaration, f"it follows from {each.name}"
    wanted = {
        "name": str(aggregate),
        "measure": str(aggregate.measure),
        "direction": declared.direction.value,
        "unit": declared.unit,
    }
    for field, value in wanted.items():
        if getattr(each, field) != value:
            yield differs(f"{path}.{field}", getattr(each, field), value, because)


def _change_faults(each: MeasureComparison, aggregate: Aggregate, path: str) -> Iterator[Problem]:
    """Check that the change, its percent and over_budget follow from the two values."""
    if each.change is None:
        return
    if each.baseline is None or each.candidate is None:
        yield Problem(f"{path}.change", f"is {each.change}, though one side has no value")
        return
    change, because = Change(aggregate, each.baseline, each.candidate), "it follows from the values"
    if not same(each.change, change.absolute):
        yield differs(f"{path}.change", each.change, change.absolute, because)
    if not same(each.change_pct, change.percent):
        yield differs(f"{path}.change_pct", each.change_pct, change.percent, because)
    scale = max(abs(each.baseline), abs(each.candidate))
    over = each.margin is not None and exceeds(change.worsening, each.margin, scale)
    if each.over_budget != over:
        because = "it follows from the values and the margin"
        yield differs(f"{path}.over_budget", each.over_budget, over, because)


def _evidence_faults(
    each: MeasureComparison, aggregate: Aggregate, diff: Diff, path: str
) -> Iterator[Problem]:
    """Check the counts and p-values, and the change against the differences of the queries."""
    if each.evidence is None or each.coverage is None or each.measure not in diff.columns:
        return
    evidence, column, pairs = each.evidence, diff.columns[each.measure], each.coverage.pairs
    deltas = [delta for delta in column.deltas if delta is not None]
    worse = sum(worsening > 0 for worsening in column.worsenings)
    wanted = {"worse": worse, "unchanged": pairs - evidence.worse - evidence.better}
    for field, value in wanted.items():
        if getattr(evidence, field) != value:
            because = "it follows from the diff and the pairs"
            yield differs(f"{path}.evidence.{field}", getattr(evidence, field), value, because)
    for field in ("p_value", "p_value_other", "smallest_p"):
        p = getattr(evidence, field)
        if p is not None and not 0 <= p <= 1:
            yield Problem(f"{path}.evidence.{field}", f"is {p}; a p-value is from 0 to 1")
    how = aggregate.how
    if how in SCALES and pairs and each.change is not None:
        change = math.fsum(deltas) / pairs * SCALES[how](pairs)
        if not math.isclose(each.change, change, rel_tol=1e-9, abs_tol=1e-9):
            yield differs(f"{path}.change", each.change, change, "it follows from the diff")


def _diff_faults(diff: Diff) -> Iterator[Problem]:
    path = f"{DETAILS}.diff"
    yield from order_faults(diff.items, f"{path}.items")
    for name, column in diff.columns.items():
        for field in ("baseline", "candidate"):
            place = f"{child(f'{path}.columns', name)}.{field}"
            yield from length_faults(getattr(column, field), len(diff.items), place)


def _drawn_faults(details: Comparison) -> Iterator[Problem]:
    """Check what is counted and listed of the diff."""
    if details.counts.changed != len(details.diff.items):
        path, changed = f"{DETAILS}.counts.changed", len(details.diff.items)
        yield differs(path, details.counts.changed, changed, "so many are in the diff")
    for place, limit in enumerate(details.item_limits):
        if limit.beyond != beyond_limit(details.diff, limit.measure, limit.limit):
            path = f"{DETAILS}.item_limits[{place}].beyond"
            message = f"are not the queries that are beyond {limit.limit} in the diff"
            yield Problem(path, message)
    if details.primary is None:
        return
    wanted = details.diff.regressed(details.primary, details.settings.top)
    if list(details.most_regressed) != wanted:
        message = f"are not the queries that fell most under {details.primary} in the diff"
        yield Problem(f"{DETAILS}.most_regressed", message)
