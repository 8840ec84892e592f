"""Why a budget or a floor is not held against an aggregate."""

from __future__ import annotations

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


def waiver_reason(aggregate: Aggregate, waived: str) -> Reason:
    """Say of a quantile that has a budget or a floor that it is not held against it."""
    message = f"{aggregate}: {waived}; it is shown, and cannot fail this comparison"
    return Reason("too_few_items", "note", message, (str(aggregate),))
