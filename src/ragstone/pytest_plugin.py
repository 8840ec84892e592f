"""A pytest plugin: the fixture `ragstone_gate` fails a test when retrieval got worse.

    def test_search(ragstone_gate):
        ragstone_gate.check("run.trec", "qrels.tsv", baseline="baselines/search.json")

    def test_live(ragstone_gate):
        ragstone_gate.check(
            search, "qrels.tsv", queries="queries.jsonl", baseline="baselines/search.json",
            measures=["nDCG@10", "R@100"], budgets=["ndcg=1"], alpha=0.05,
        )

`pytest --ragstone-update-baseline` writes the baselines instead of comparing with them.

Layer: cli | pytest_plugin. Every test run of an environment in which ragstone is installed imports
this module, so it imports pytest and the standard library alone until a gate checks something.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

if TYPE_CHECKING:
    from ragstone.gate import Comparison, MeasureComparison
    from ragstone.model import Scores
    from ragstone.reports import Input, Report

File: TypeAlias = "str | PathLike[str]"

PROPERTY = "ragstone"
UPDATE = "--ragstone-update-baseline"
REPORT_DIR = "--ragstone-report-dir"
COLOURS = {"PASSED": "green", "FAILED": "red", "UNDECIDED": "yellow", "UPDATED": "yellow"}
STATUS = {
    "pass": "PASSED",
    "not_significant": "PASSED",
    "fail": "FAILED",
    "not_comparable": "FAILED",
    "inconclusive": "UNDECIDED",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the plugin's two options."""
    group = parser.getgroup("ragstone", "retrieval quality")
    group.addoption(
        UPDATE,
        action="store_true",
        help="Write the baselines of ragstone_gate instead of comparing with them.",
    )
    group.addoption(
        REPORT_DIR,
        metavar="DIR",
        help="Write the score and the comparison of each ragstone_gate check as reports into DIR.",
    )


@pytest.fixture
def ragstone_gate(request: pytest.FixtureRequest) -> Gate:
    """Compare retrieval with a baseline, and fail the test where it got worse."""
    return Gate(request.node, request.config)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print one line for each measure that a gate checked."""
    lines: dict[str, list[str]] = {}
    for report in (each for reports in terminalreporter.stats.values() for each in reports):
        said = [str(value) for name, value in getattr(report, "user_properties", ())
                if name == PROPERTY]  # fmt: skip
        if len(said) > len(lines.get(report.nodeid, ())):
            lines[report.nodeid] = said
    if lines:
        terminalreporter.section("ragstone")
    for node, said in lines.items():
        for line in said:
            status, _, rest = line.partition(" ")
            colour = {COLOURS[status]: True} if status in COLOURS else {}
            terminalreporter.write_line(f"{status} {node} {rest}", **colour)


class Gate:
    """What `ragstone_gate` is: checks of one test."""

    def __init__(self, node: pytest.Item, config: pytest.Config) -> None:
        """Remember the test, and what its results are to be done with."""
        self._node = node
        self._checks = 0
        self._update: bool = config.getoption(UPDATE)
        folder = config.getoption(REPORT_DIR)
        self._folder = None if folder is None else Path(config.invocation_params.dir, folder)

    def check(
        self,
        run: Any,
        qrels: Any = None,
        *,
        baseline: File,
        budgets: Mapping[str, str | float] | Iterable[str] = (),
        measures: Iterable[str] | None = None,
        alpha: float | None = None,
        relevance_level: int = 1,
        queries: File | Mapping[str, str] | None = None,
        retriever: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> Comparison:
        """Fail the test where the run is worse than the baseline; return the comparison.

        run: the path of a run, a Run, a dict or lists as `ragstone.score` takes them, Scores, or,
        with queries, a retriever: a function of a query's text, an object of a framework, or
        `module:attribute`. qrels: a path, Qrels or a dict; not needed for Scores. queries: a path,
        or a dict of ids and texts; those that qrels judge are run. retriever: options of
        `ragstone.pipelines.run_retriever`, such as k. baseline: the path of a report; with
        `--ragstone-update-baseline` it is written. measures: by default those of the baseline,
        or the six measures at 5. budgets, alpha and other options are those of
        `ragstone.compare`.
        """
        __tracebackhide__ = True
        from ragstone.errors import RagstoneError

        self._checks += 1
        try:
            measures = self._measures(Path(baseline), measures)
            given = _Given(run, qrels, queries, dict(retriever or {}), relevance_level)
            candidate = given.report(measures)
            if self._update:
                return self._updated(Path(baseline), candidate)
            comparison = self._compared(
                Path(baseline), candidate, budgets=budgets, alpha=alpha, **options
            )
        except RagstoneError as error:
            raise pytest.fail.Exception(f"ragstone: {error}") from error.__cause__
        if comparison.verdict != "pass":
            pytest.fail(_failure(comparison))
        return comparison

    def _measures(self, baseline: Path, given: Iterable[str] | None) -> list[str] | None:
        """Return what to compute; a baseline that is not there can only be written."""
        __tracebackhide__ = True
        if not baseline.is_file() and not self._update:
            pytest.fail(
                f"ragstone: {baseline}: there is no baseline yet; run pytest with {UPDATE} to "
                "write it, then commit it"
            )
        if given is not None:
            return [given] if isinstance(given, str) else [str(measure) for measure in given]
        from ragstone.reports import read_report

        return list(read_report(baseline).aggregates) if baseline.is_file() else None

    def _compared(self, baseline: Path, candidate: Report, **options: Any) -> Comparison:
        from ragstone.formats import Source
        from ragstone.gate import compare
        from ragstone.reports import describe, read_report

        before, after = read_report(baseline), candidate.scores
        aggregates = (*before.aggregates, *candidate.aggregates)
        comparison = compare(before.scores, after, aggregates=aggregates, **options)
        self._say(_line(each) for each in comparison.measures)
        self._write(describe("baseline", Source(baseline)), candidate, comparison)
        return comparison

    def _updated(self, baseline: Path, candidate: Report) -> Comparison:
        from ragstone.gate import compare
        from ragstone.reports import write_report

        write_report(candidate, baseline)
        self._say([f"UPDATED {baseline}"])
        return compare(candidate.scores, candidate.scores, aggregates=candidate.aggregates)

    def _say(self, lines: Iterable[str]) -> None:
        """Send lines to the end of the output, from another process too; and into JUnit XML."""
        self._node.user_properties.extend((PROPERTY, line) for line in lines)

    def _write(self, baseline: Input, candidate: Report, comparison: Comparison) -> None:
        """Write both reports of a check, where a folder for them was named."""
        if self._folder is None:
            return
        from ragstone.reports import Input, build_compare, encode_report, write_report

        name = file_name(self._node.nodeid, self._checks)
        data = encode_report(candidate)
        after = Input(
            role="candidate", name=f"{name}.score.json", sha256=hashlib.sha256(data).hexdigest()
        )
        write_report(candidate, self._folder / after.name)
        report = build_compare(comparison, [baseline, after], signature=candidate.scores.signature)
        write_report(report, self._folder / f"{name}.compare.json")


class _Given:
    """What a check was given, and how it becomes a report."""

    def __init__(
        self, run: Any, qrels: Any, queries: Any, options: dict[str, Any], level: int
    ) -> None:
        self.run, self.qrels, self.queries = run, qrels, queries
        self.options, self.level = options, level
        self.inputs: list[Input] = []

    def report(self, measures: list[str] | None) -> Report:
        """Score the run, or take the Scores, and make the report that a baseline is."""
        from ragstone.measures import parse_aggregate
        from ragstone.model import Scores
        from ragstone.reports import build_score

        if isinstance(self.run, Scores):
            parsed = None if measures is None else [parse_aggregate(name) for name in measures]
            return build_score(self.run, [], aggregates=parsed)
        from ragstone.scoring import as_aggregates

        aggregates = as_aggregates(measures)
        return build_score(self._scored(aggregates), self.inputs, aggregates=aggregates)

    def _scored(self, aggregates: Any) -> Scores:
        from ragstone.errors import UsageError
        from ragstone.formats import open_run, read_qrels
        from ragstone.scoring import score

        if self.qrels is None:
            raise UsageError("qrels are needed: a path, Qrels, or a dict")
        qrels = read_qrels(self._open("qrels", self.qrels)) if _is_path(self.qrels) else self.qrels
        run = self.run
        if self.queries is not None:
            run = self._retrieved(qrels)
        elif _is_path(run):
            run = open_run(self._open("run", run))
        elif callable(run) or any(hasattr(run, name) for name in ("invoke", "retrieve", "run")):
            raise UsageError("a retriever needs queries: a path, or a dict of ids and texts")
        return score(qrels, run, aggregates, relevance_level=self.level)

    def _retrieved(self, qrels: Any) -> Any:
        from ragstone.errors import InputError
        from ragstone.formats import read_queries
        from ragstone.model import Qrels
        from ragstone.pipelines import run_retriever

        queries = read_queries(self.queries) if _is_path(self.queries) else self.queries
        judged = Qrels.of(qrels)
        asked = {query: text for query, text in queries.items() if query in judged}
        if not asked:
            raise InputError("the qrels judge none of the queries; their ids must be the same text")
        return run_retriever(self.run, asked, **self.options)

    def _open(self, role: str, path: File) -> Any:
        from ragstone.formats import Source
        from ragstone.reports import describe

        source = Source(Path(path))
        self.inputs.append(describe(role, source))
        return source


def file_name(node: str, check: int) -> str:
    """Return the name of a check's files: readable, short, and of no other check.

    >>> file_name("tests/test_a.py::test_b[x/y]", 1)
    'tests-test_a.py-test_b-x-y-f85c6ad3'
    """
    readable = re.sub(r"[^\w.]+", "-", node, flags=re.ASCII).strip("-.")[-80:]
    digest = hashlib.sha256(node.encode("utf-8", "backslashreplace")).hexdigest()[:8]
    return f"{readable}-{digest}" + (f"-{check}" if check > 1 else "")


def _is_path(value: object) -> bool:
    return isinstance(value, str | PathLike)


def _line(each: MeasureComparison) -> str:
    """Say in one line what became of a measure; its first word is the status."""
    from ragstone.reports import numbers

    budgeted = each.budgeted and not each.without_percent
    status = STATUS.get(each.result, "SKIPPED") if each.limited or budgeted else "SKIPPED"
    before, after = (numbers.value(x, each.unit) for x in (each.baseline, each.candidate))
    parts = [f"{each.name}: {before} to {after}"]
    if each.comparable:
        parts[0] += f" ({numbers.percent(each.change_pct)})"
    parts.append(f"budget {each.budget}" if budgeted else "not gated")
    if each.floor is not None:
        parts.append(f"floor {each.floor:g}")
    if each.evidence:
        parts.append(f"p {numbers.p_value(each.evidence.p_value)}")
    return f"{status} {', '.join(parts)}"


def _failure(comparison: Comparison) -> str:
    """Say why the test fails: the verdict, its reasons, the queries, and what to do."""
    from ragstone.reports.renderers.compare import headline
    from ragstone.reports.renderers.page import shorten

    lines = [f"ragstone: {headline(comparison)}"]
    lines += [f"  {each.message}" for each in comparison.reasons if each.effect != "note"]
    worst = comparison.most_regressed
    if worst:
        more = comparison.counts.worse - len(worst)
        listed = [f"{shorten(each.id)} {each.baseline:.4g} to {each.candidate:.4g}"
                  for each in worst]  # fmt: skip
        listed += [f"and {more:,} more"] if more > 0 else []
        lines.append(f"  most regressed queries ({comparison.primary}): {', '.join(listed)}")
    return "\n".join([*lines, f"  if this is what you want: pytest {UPDATE}"])
