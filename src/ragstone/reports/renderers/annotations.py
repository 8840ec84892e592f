"""A comparison as annotations: GitHub's workflow commands, GitLab's Code Quality report."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, get_args

from msgspec import Struct

from ragstone.errors import one_line
from ragstone.gate import Comparison, MeasureComparison, Reason
from ragstone.reports import numbers
from ragstone.reports.renderers.compare import headline
from ragstone.reports.renderers.page import shorten

Level = Literal["error", "warning", "notice"]

MOST = 10
"""How many annotations of a level GitHub shows of one step; it drops the others unsaid."""

LONGEST = 2000
"""Characters of a message, far below the 64 KiB at which GitHub cuts it off."""

QUERIES = 9
LEVELS: dict[str, Level] = {"fail": "error", "inconclusive": "warning"}
SEVERITIES = {"error": "major", "warning": "minor", "notice": "info"}


class Annotation(Struct, frozen=True):
    """One finding: how grave, what it is about, in plain words."""

    level: Level
    title: str
    message: str


def annotate(comparison: Comparison) -> list[Annotation]:
    """List what a comparison found, the gravest first.

    Reasons to fail are errors. Reasons for no decision, and measures that are over budget but not
    significantly, or only advisory, are warnings. The queries that lost most are one notice.
    """
    found = [_of_reason(each) for each in comparison.reasons if each.effect in LEVELS]
    found += [
        Annotation("warning", each.name, "; ".join(each.notes))
        for each in comparison.measures
        if each.result == "not_significant" or (each.waived and each.over_budget)
    ]
    if comparison.most_regressed:
        found.append(_queries(comparison))
    if comparison.verdict == "pass":
        level: Level = (
            "warning" if any(_unapplied(each) for each in comparison.measures) else "notice"
        )
        found.append(Annotation(level, "comparison", str(headline(comparison))))
    return found


def of_error(message: str) -> list[Annotation]:
    """Say that there was no comparison at all."""
    return [Annotation("error", "no comparison", message)]


def github(found: Sequence[Annotation], path: str = "") -> str:  # noqa: ARG001 - one interface
    r"""Write workflow commands, a line each, at most ten of a level.

    >>> github([Annotation("error", "R@5, R@9", "100%\n::stop::")])
    '::error title=ragstone%3A R@5%2C R@9::100%25\\n::stop::\n'
    """
    lines = (
        f"::{each.level} title={_property(f'ragstone: {each.title}')}::{_data(each.message)}\n"
        for each in _within_limits(found)
    )
    return "".join(lines)


def gitlab(found: Sequence[Annotation], path: str = "") -> str:
    """Write a Code Quality report: a JSON array, each entry at line 1 of `path`.

    An entry's fingerprint stays the same from run to run, so GitLab can tell new from known.
    """
    entries, seen = [], Counter[str]()
    for each in found:
        known = f"{each.level}\n{each.title}\n{path}"
        place = f"{known}\n{seen[known]}".encode("utf-8", "backslashreplace")
        seen[known] += 1
        entries.append(
            {
                "description": _short(f"{each.title}: {each.message}"),
                "check_name": f"ragstone-{each.level}",
                "fingerprint": hashlib.sha256(place).hexdigest(),
                "severity": SEVERITIES[each.level],
                "location": {"path": path, "lines": {"begin": 1}},
            }
        )
    return json.dumps(entries, indent=2) + "\n"


WRITERS: dict[str, Callable[[Sequence[Annotation], str], str]] = {
    "github": github,
    "gitlab": gitlab,
}


def _unapplied(each: MeasureComparison) -> bool:
    """Tell whether something that was asked for was not applied, since it is advisory."""
    return bool(each.advisory and each.not_applied)


def _of_reason(reason: Reason) -> Annotation:
    about = f"{', '.join(reason.measures)} {reason.code}" if reason.measures else reason.code
    return Annotation(LEVELS[reason.effect], about, reason.message)


def _queries(comparison: Comparison) -> Annotation:
    shown = comparison.most_regressed[:QUERIES]
    lost = [
        f"{shorten(each.id)} {numbers.value(each.baseline)} to {numbers.value(each.candidate)}"
        for each in shown
    ]
    more = comparison.counts.worse - len(shown)
    said = "; ".join(lost) + (f"; and {more:,} more" if more > 0 else "")
    return Annotation("notice", f"most regressed queries ({comparison.primary})", said)


def _within_limits(found: Sequence[Annotation]) -> Iterator[Annotation]:
    """Keep ten of a level; where there are more, the tenth says how many."""
    for level in get_args(Level):
        of_level = [each for each in found if each.level == level]
        kept = of_level if len(of_level) <= MOST else of_level[: MOST - 1]
        yield from kept
        if more := len(of_level) - len(kept):
            yield Annotation(level, "more", f"and {more} more; the report has all")


def _short(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"


def _data(text: str) -> str:
    return _short(text).replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
