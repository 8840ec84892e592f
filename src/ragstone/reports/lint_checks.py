"""Whether a report of lint agrees with itself and with the checks that there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ragstone.lint import CHECKS, Finding, Lint
from ragstone.reports.checks import differs
from ragstone.reports.problem import DETAILS, Problem, shown
from ragstone.reports.statement import Statement


def lint_faults(statement: Statement) -> Iterator[Problem]:
    """Check the verdict, which checks were done, and each finding."""
    predicate, details = statement.predicate, statement.predicate.details
    wanted = "fail" if details.failed else "pass"
    if predicate.finding != wanted:
        because = "it follows from the findings"
        yield differs("$.predicate.verdict", predicate.finding, wanted, because)
    if predicate.summary:
        yield Problem("$.predicate.summary", "is not empty; lint measures nothing")
    yield from _kind_faults(details)
    roles = {each.role for each in predicate.inputs}
    for place, finding in enumerate(details.findings):
        yield from _finding_faults(finding, roles, f"{DETAILS}.findings[{place}]")


def _kind_faults(details: Lint) -> Iterator[Problem]:
    """Check that each check is named once, and that what was found was looked for."""
    skipped = [each.kind for each in details.not_possible]
    named = Counter([*details.checked, *skipped, *details.ignored])
    for kind in CHECKS:
        if named[kind] != 1:
            message = f"names {kind} {named[kind]} times; checked, not_possible or ignored, once"
            yield Problem(DETAILS, message)
    found = [finding.kind for finding in details.findings]
    if found != [kind for kind in details.checked if kind in set(found)]:
        message = "are not of kinds that were checked, each once and in their order"
        yield Problem(f"{DETAILS}.findings", message)


def _finding_faults(finding: Finding, roles: set[str], path: str) -> Iterator[Problem]:
    if finding.kind not in CHECKS:
        message = f"is {shown(finding.kind)}, which this version of ragstone does not know"
        yield Problem(f"{path}.kind", message)
        return
    declared = CHECKS[finding.kind]
    for field in ("severity", "meaning"):
        said, wanted = getattr(finding, field), getattr(declared, field)
        if said != wanted:
            yield differs(f"{path}.{field}", said, wanted, f"it follows from {finding.kind}")
    if len(finding.examples) > finding.count:
        message = f"are {len(finding.examples)}, more than the count of {finding.count}"
        yield Problem(f"{path}.examples", message)
    for place, example in enumerate(finding.examples):
        if example.role not in roles:
            message = f"is {shown(example.role)}, which is no role of an input"
            yield Problem(f"{path}.examples[{place}].role", message)
