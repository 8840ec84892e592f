"""Why a budget or a floor is not held against an aggregate."""

from __future__ import annotations

from collections.abc import Sequence

from ragstone.errors import count
from ragstone.gate.reason import Reason
from ragstone.measures import Aggregate

ADVISORY = "it is advisory"


def too_few_items(aggregate: Aggregate, items: int) -> str:
    """Say how many items a quantile would need; nothing where it has them, or none at all.

    >>> from ragstone.measures import parse_aggregate
    >>> too_few_items(parse_aggregate("latency_ms:p99"), 120)
    '120 items count, and p99 needs 300 to be gated'
    """
    if not items or items >= aggregate.least_items:
        return ""
    verb = "counts" if items == 1 else "count"
    return (
        f"{count(items, 'item')} {verb}, and {aggregate.how} needs {aggregate.least_items} "
        "to be gated"
    )


def waiver_reason(name: str, waived: str, not_applied: Sequence[str] = ()) -> Reason:
    """Say of a quantile of too few items that nothing is held against it.

    not_applied: the options that ask for it by name. What was asked for and cannot be done must
    not pass; a default that cannot be held is only said.

    >>> found = waiver_reason("latency_ms:p95", "2 items count", ["--floor latency_ms:p95=9"])
    >>> print(found.effect, found.message)
    inconclusive latency_ms:p95: 2 items count: --floor latency_ms:p95=9 not applied; measure more \
items, or leave it out
    """
    if not not_applied:
        message = f"{name}: {waived}; it is shown, and cannot fail this comparison"
        return Reason("too_few_items", "note", message, (name,))
    message = (
        f"{name}: {waived}: {', '.join(not_applied)} not applied; measure more items, or leave "
        f"{'it' if len(not_applied) == 1 else 'them'} out"
    )
    return Reason("too_few_items", "inconclusive", message, (name,))
