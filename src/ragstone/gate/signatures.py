"""Where the signatures of two columns differ."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from ragstone.errors import listed
from ragstone.gate.policy import Policy
from ragstone.gate.reason import Code, Reason
from ragstone.gate.side import Side
from ragstone.measures import PRICE_OF, Measure
from ragstone.model import Scalar

_MISMATCHES: Mapping[str, tuple[Code, str]] = MappingProxyType(
    {
        "relevance_level": (
            "relevance_level_mismatch",
            "score both with the same --relevance-level",
        ),
        "judgments": ("judgments_mismatch", "score both with the same --qrels"),
    }
)
_LONGEST = 40  # characters of a value in a message
_DIGEST = re.compile("[0-9a-f]{17,}")  # known by its first few


def signature_reasons(
    old: Side, new: Side, shared: list[Measure], policy: Policy
) -> Iterator[Reason]:
    """Go through the fields that differ, and those that only one side has.

    A field that differs refuses its columns, and fails where one of them is gated. A field that
    one side lacks, as with an older tool, is noted.
    """
    differing = defaultdict[tuple[str, Scalar, Scalar], list[Measure]](list)
    unknown = defaultdict[tuple[str, str], list[Measure]](list)
    for measure in shared:
        was, now = (side.scores.signature_of(str(measure)) for side in (old, new))
        differ, one_sided = was.differences(now)
        for field in differ:
            differing[field, was[field], now[field]].append(measure)
        for field in one_sided:
            if field.startswith(PRICE_OF):  # a model that one side alone used
                continue
            unknown[new.name if field in was else old.name, field].append(measure)
    for difference, measures in differing.items():
        yield _mismatch(difference, measures, shared, policy)
    yield from _unknowns(unknown, shared)


def _mismatch(
    difference: tuple[str, Scalar, Scalar],
    measures: list[Measure],
    shared: list[Measure],
    policy: Policy,
) -> Reason:
    field, was, now = difference
    code, advice = _MISMATCHES.get(
        field, ("signature_mismatch", f"measure both with the same {field}")
    )
    names = tuple(map(str, measures))
    whose = "no measure can" if measures == shared else f"{listed(names)} cannot"
    return Reason(
        code,
        "fail" if any(map(policy.gates, measures)) else "note",
        f"{field} is {_short(was)} in the baseline and {_short(now)} in the candidate: "
        f"{whose} be compared; {advice}",
        names,
    )


def _unknowns(
    unknown: Mapping[tuple[str, str], list[Measure]], shared: list[Measure]
) -> Iterator[Reason]:
    """Say together what one side does not say of the same measures."""
    fields = defaultdict[tuple[str, tuple[Measure, ...]], list[str]](list)
    for (side, field), measures in unknown.items():
        fields[side, tuple(measures)].append(field)
    for (side, group), names in fields.items():
        of = "" if list(group) == shared else f" of {listed([str(each) for each in group])}"
        yield Reason(
            "signature_unknown",
            "note",
            f"the {side} does not say the {listed(sorted(names))}{of}; "
            "what the other side says is assumed to hold for both",
            tuple(map(str, group)),
        )


def _short(value: Scalar) -> str:
    text = repr(value)
    longest = 16 if _DIGEST.fullmatch(str(value)) else _LONGEST
    return text if len(text) <= longest + 4 else f"{text[:longest]}...{text[0]}"
