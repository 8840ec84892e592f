"""What a person sees of the checks of a data set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import UNSET

from ragstone.errors import count
from ragstone.lint import Example, Finding, Lint
from ragstone.reports.renderers.page import Page, Table, Text, Tone, shorten
from ragstone.reports.report import Report

TONES = {"error": Tone.BAD, "warning": Tone.WARNING}
LONGEST = 160


def page(report: Report) -> Page:
    """Draw the findings, examples of each with their places, and which checks were not done."""
    details: Lint = report.details
    names = {each.role: each.name for each in report.inputs}
    blocks: list[Text | Table] = []
    if details.findings:
        blocks.append(_findings(details))
        blocks.append(_examples(details, names))
    blocks += _undone(details)
    return Page(_headline(details), tuple(blocks))


def _headline(details: Lint) -> Text:
    verdict = "FAIL" if details.failed else "PASS"
    counts = [
        count(sum(each.count for each in details.of("error")), "error"),
        count(sum(each.count for each in details.of("warning")), "warning"),
    ]
    done = count(len(details.checked), "check")
    said = f"{verdict}: {', '.join(counts)} in {done}"
    return Text(said, Tone.BAD if details.failed else Tone.GOOD)


def _findings(details: Lint) -> Table:
    rows = [
        (each.kind, Text(each.severity, TONES[each.severity]), f"{each.count:,}", each.meaning)
        for each in _worst_first(details)
    ]
    heads = ("finding", "severity", "count", "what it means")
    return Table.of(heads, rows, left=["severity", "what it means"])


def _examples(details: Lint, names: Mapping[str, str]) -> Table:
    rows: list[tuple[str, str, str]] = []
    for finding in _worst_first(details):
        rows += [
            (finding.kind, _place(each, names), shorten(each.message, LONGEST))
            for each in finding.examples
        ]
        more = finding.count - len(finding.examples)
        if more and finding.examples:
            rows.append((finding.kind, "", f"and {more:,} more"))
    return Table.of(("finding", "where", "what is there"), rows, left=["where", "what is there"])


def _worst_first(details: Lint) -> list[Finding]:
    return [*details.of("error"), *details.of("warning")]


def _place(example: Example, names: Mapping[str, str]) -> str:
    name = shorten(names.get(example.role, example.role))
    return name if example.line is UNSET else f"{name}:{example.line}"


def _undone(details: Lint) -> Iterator[Text]:
    by_need: dict[str, list[str]] = {}
    for each in details.not_possible:
        needs = " and ".join(f"--{need}" for need in each.needs)
        by_need.setdefault(needs, []).append(each.kind)
    for needs, kinds in sorted(by_need.items()):
        yield Text(f"not checked without {needs}: {', '.join(kinds)}", Tone.QUIET)
    if details.ignored:
        yield Text(f"not checked as told: {', '.join(details.ignored)}", Tone.QUIET)
