"""Running the checks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated

from msgspec import UNSET, Meta, Struct

from ragstone.errors import UsageError
from ragstone.formats import Source
from ragstone.formats.places import locate
from ragstone.lint.check import CHECKS
from ragstone.lint.dataset import Dataset
from ragstone.lint.finding import Example, Finding, Role, Severity, Spot, Tally

Near = Annotated[float, Meta(gt=0, le=1)]


class NotPossible(Struct, frozen=True, kw_only=True):
    """A check that could not be done, and what it lacked: roles of files, or `grades`."""

    kind: str
    needs: list[str]


class Lint(Struct, frozen=True, kw_only=True):
    """What was found, which checks were done, which were not possible and which not wanted.

    `grades` is empty where no scale was given. With `strict` warnings fail too.
    """

    findings: list[Finding]
    checked: list[str]
    not_possible: list[NotPossible]
    ignored: list[str]
    grades: list[int]
    near: Near
    strict: bool

    @property
    def failed(self) -> bool:
        """Whether there is an error, or under `strict` any finding."""
        return any(self.strict or each.severity == "error" for each in self.findings)

    def of(self, severity: Severity) -> list[Finding]:
        """Return the findings of one severity."""
        return [each for each in self.findings if each.severity == severity]


def lint(
    sources: Mapping[Role, Source],
    *,
    field: str | None = None,
    qrels_format: str = "auto",
    run_format: str = "auto",
    grades: tuple[int, ...] | None = None,
    near: float = 0.9,
    ignore: Iterable[str] = (),
    strict: bool = False,
    top: int = 10,
) -> Lint:
    """Check what is there: queries, qrels, corpus and run, each optional.

    field: where the text of a query is. grades: their scale. near: the Jaccard index of their
    sets of words from which queries are near-duplicates. ignore: kinds that are not looked for.
    top: how many examples are kept of each kind. Raises UsageError where there is nothing to
    check or a kind is unknown, and FormatError for a file that cannot be read.
    """
    if not 0 < near <= 1:
        raise UsageError(f"near is {near:g}; a share above 0 and up to 1 was expected")
    ignored = {CHECKS.resolve(kind) for kind in ignore}
    dataset = Dataset(
        sources,
        field=field,
        qrels_format=qrels_format,
        run_format=run_format,
        grades=grades,
        near=near,
        top=top,
    )
    wanted = [check for kind, check in CHECKS.items() if kind not in ignored]
    possible = [check for check in wanted if dataset.given.issuperset(check.needs)]
    if not possible:
        raise UsageError("nothing to check: name --queries, --qrels, --corpus or --run")
    tallies = {check.kind: check.run(dataset) for check in possible}
    return Lint(
        findings=_findings(tallies, dataset),
        checked=list(tallies),
        not_possible=[
            NotPossible(kind=each.kind, needs=[n for n in each.needs if n not in dataset.given])
            for each in wanted
            if each.kind not in tallies
        ],
        ignored=[kind for kind in CHECKS if kind in ignored],
        grades=list(grades or ()),
        near=near,
        strict=strict,
    )


def _findings(tallies: Mapping[str, Tally], dataset: Dataset) -> list[Finding]:
    found = {kind: tally for kind, tally in tallies.items() if tally.count}
    wanted = {spot.judgment for tally in found.values() for spot in tally if spot.judgment}
    lines = locate(dataset.judgments.source, dataset.judgments.format, wanted) if wanted else {}
    return [
        Finding(
            kind=kind,
            severity=CHECKS[kind].severity,
            count=tally.count,
            meaning=CHECKS[kind].meaning,
            examples=[_example(spot, lines) for spot in tally],
        )
        for kind, tally in found.items()
    ]


def _example(spot: Spot, lines: Mapping[tuple[str, str | None], int]) -> Example:
    line = lines.get(spot.judgment) if spot.judgment else spot.line
    return Example(role=spot.role, line=line or UNSET, message=spot.message)
