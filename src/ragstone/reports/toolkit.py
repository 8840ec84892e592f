"""Reports of toolkit-rag-quality 1.0, its envelope and its legacy shape, read as ours.

Only reports of its `score` can be read. What it does not record, such as the digest of the
judgments, is absent from the signature and so never counts as a difference.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from msgspec import UNSET, Struct

from ragstone.errors import FormatError
from ragstone.model import Cell, Scalar, Scores, ScoresBuilder, Signature, Status
from ragstone.reports.problem import SENTENCE, child, shown
from ragstone.reports.report import Report
from ragstone.reports.score import ScoreDetails
from ragstone.reports.statement import (
    PREDICATE_TYPE,
    STATEMENT_TYPE,
    Digest,
    Input,
    Predicate,
    Statement,
    Subject,
    Tool,
)
from ragstone.reports.table import to_table

TOOL = "toolkit-rag-quality"
THEIRS = re.compile(r"https://github\.com/AKIVA-AI/[\w.-]+/report/v1", re.ASCII)
LEGACY = {
    "per_query": "rag.score",
    "per_query_diff": "rag.compare",
    "pairs": "rag.overlap",
    "leaks": "rag.leakage",
}
LIMIT = 10**9
SHA256 = re.compile("[0-9a-f]{64}")


class Metric(Struct, frozen=True):
    """What the tool calls a metric in a row and in the summary, and what we call it."""

    row: str
    summary: str
    name: str


METRICS = (
    Metric("recall", "recall_at_k", "R"),
    Metric("precision", "precision_at_k", "P"),
    Metric("ndcg", "ndcg_at_k", "nDCG"),
    Metric("mrr", "mrr_at_k", "RR"),
    Metric("ap", "map_at_k", "AP"),
    Metric("hit", "hit_rate_at_k", "Success"),
)
COUNTS = {
    "relevant_count": "relevant",
    "judged_count": "judged",
    "retrieved_count": "retrieved",
    "hit_count": "hits",
}
FACTS = (
    "queries",
    "unjudged_queries",
    "queries_without_results",
    "queries_without_relevant",
    "unscored_run_queries",
    "skipped_query_rows",
    "skipped_retrieved_rows",
)


def kind_of(document: Mapping[str, Any]) -> str | None:
    """Return the kind of one of the tool's reports, or None where it is none of them.

    >>> kind_of({"summary": {}, "per_query_diff": []})
    'rag.compare'
    """
    named = document.get("predicateType")
    if isinstance(named, str) and THEIRS.fullmatch(named):
        predicate = document.get("predicate")
        kind = predicate.get("kind") if isinstance(predicate, dict) else None
        return kind if isinstance(kind, str) else "unknown"
    if named is not None:
        return None
    found = (kind for key, kind in LEGACY.items() if isinstance(document.get(key), list))
    return next(found, None)


def read(document: Mapping[str, Any], name: str) -> Report:
    """Read a score report of the tool; raises FormatError with the path of what is wrong."""
    kind = kind_of(document)
    if kind != "rag.score":
        raise FormatError(
            f"is a report of kind {shown(kind)[1:-1]} of {TOOL}; one of its kind rag.score, or a "
            "report of kind ragstone.score, was expected",
            where=name,
        )
    if "predicate" not in document:
        return _Reading(name, "$", document).report({})
    predicate = document["predicate"]
    if predicate.get("verdict") == "error":
        summary = predicate.get("summary")
        message = summary.get("error") if isinstance(summary, dict) else None
        said = f"is the report of an error of {TOOL} ({shown(message, SENTENCE)})"
        raise FormatError(f"{said}; a report of scores was expected", where=name)
    return _Reading(name, "$.predicate", predicate).report(predicate)


class _Reading:
    """One report on its way in: where its parts are, and what to call the file in errors."""

    def __init__(self, name: str, path: str, holder: Mapping[str, Any]) -> None:
        self.name, self.path = name, path
        self.summary_path = f"{path}.summary"
        self.summary = self.part(holder, "summary", dict)
        rows, self.rows_path = holder, path
        if path != "$":
            rows, self.rows_path = self.part(holder, "details", dict), f"{path}.details"
        self.rows = self.part(rows, "per_query", list, self.rows_path)
        self.rows_path = f"{self.rows_path}.per_query"

    def fail(self, path: str, found: object, expected: str) -> NoReturn:
        raise FormatError(f"{path} is {shown(found)}; {expected} was expected", where=self.name)

    def part(
        self, holder: Mapping[str, Any], key: str, kind: type[Any], path: str | None = None
    ) -> Any:
        value = holder.get(key)
        if not isinstance(value, kind) or isinstance(value, bool):
            noun = {dict: "an object", list: "a list", int: "a whole number", str: "a text"}[kind]
            self.fail(child(path or self.path, key), value, noun)
        return value

    def count(self, holder: Mapping[str, Any], key: str, path: str, low: int = 0) -> int:
        value = self.part(holder, key, int, path)
        if not low <= value < LIMIT:
            self.fail(child(path, key), value, f"a whole number from {low} to {LIMIT - 1}")
        return int(value)

    def report(self, predicate: Mapping[str, Any]) -> Report:
        k = self.count(self.summary, "k", self.summary_path, 1)
        self._check_means()
        scores = self._scores(k)
        files = list(_files(predicate))
        tool = predicate.get("tool")
        version = tool.get("version") if isinstance(tool, dict) else None
        statement = Statement(
            type=STATEMENT_TYPE,
            predicate_type=PREDICATE_TYPE,
            subject=[
                Subject(name=file.name, digest=Digest(sha256=file.sha256))
                for file in files
                if file.role == "run"
            ],
            predicate=Predicate(
                kind="ragstone.score",
                tool=Tool(name=TOOL, version=str(version or "unknown")),
                created_at=str(predicate.get("created_at", "")),
                verdict=UNSET,
                exit_code=0,
                inputs=files,
                signature=dict(scores.signature),
                summary={
                    f"{metric.name}@{k}": self.summary[metric.summary]
                    for metric in METRICS
                    if metric.summary in self.summary
                },
                scores=to_table(scores),
                details=ScoreDetails(),
            ),
        )
        return Report(statement, self.name, scores)

    def _check_means(self) -> None:
        means = {m.summary: self.summary[m.summary] for m in METRICS if m.summary in self.summary}
        wrong = {name: mean for name, mean in means.items() if not _in_range(mean)}
        if wrong:
            found = ", ".join(f"{name} is {shown(mean)}" for name, mean in wrong.items())
            raise FormatError(
                f"in {self.summary_path}, {found}; numbers from 0 to 1 were expected",
                where=self.name,
            )

    def _scores(self, k: int) -> Scores:
        if not self.rows:
            self.fail(self.rows_path, [], "a row for each query")
        for place, row in enumerate(self.rows):
            if not isinstance(row, dict):
                self.fail(f"{self.rows_path}[{place}]", row, "an object")
        metrics = [metric for metric in METRICS if self._has(metric)]
        if not metrics:
            names = ", ".join(metric.row for metric in METRICS)
            self.fail(f"{self.rows_path}[0]", self.rows[0], f"a row with one of {names}")
        counts = [key for key in COUNTS if any(key in row for row in self.rows)]
        builder = ScoresBuilder(
            [f"{metric.name}@{k}" for metric in metrics], [COUNTS[key] for key in counts]
        )
        for place, row in enumerate(self.rows):
            self._add(builder, row, f"{self.rows_path}[{place}]", metrics, counts)
        return builder.build(self._signature(), facts=self._facts())

    def _has(self, metric: Metric) -> bool:
        found = any(metric.row in row for row in self.rows)
        if not found and metric.summary in self.summary:
            self.fail(f"{self.rows_path}[0].{metric.row}", None, "a number")
        return found

    def _add(
        self,
        builder: ScoresBuilder,
        row: Mapping[str, Any],
        path: str,
        metrics: list[Metric],
        counts: list[str],
    ) -> None:
        item = self.part(row, "id", str, path)
        if item in builder:
            message = f"{path}.id is {shown(item)} for the second time; ids are unique"
            raise FormatError(message, where=self.name)
        values = [self._value(row, metric.row, path) for metric in metrics]
        numbers = [self.count(row, key, path) for key in counts]
        empty = 0 in (row.get("retrieved_count"), row.get("relevant_count"))
        status = Status.DEFAULT if empty else Status.SCORED
        builder.add(item, [Cell(value, status) for value in values], numbers)

    def _value(self, row: Mapping[str, Any], key: str, path: str) -> float:
        value = row.get(key)
        if key == "hit" and isinstance(value, bool):
            return float(value)
        if not _in_range(value):
            self.fail(f"{path}.{key}", value, "a number from 0 to 1")
        return float(value)  # type: ignore[arg-type]

    def _signature(self) -> Signature:
        fields: dict[str, Scalar] = {}
        if "relevance_level" in self.summary:
            level = self.count(self.summary, "relevance_level", self.summary_path, 1)
            fields["relevance_level"] = level
        return Signature.of(fields)

    def _facts(self) -> dict[str, int]:
        facts = {
            key: self.count(self.summary, key, self.summary_path)
            for key in FACTS
            if key in self.summary
        }
        facts["duplicates_removed"] = sum(
            self.count(row, "duplicates_removed", f"{self.rows_path}[{place}]")
            for place, row in enumerate(self.rows)
            if "duplicates_removed" in row
        )
        return facts


def _in_range(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1 + 1e-9


def _files(predicate: Mapping[str, Any]) -> Iterator[Input]:
    """Return the inputs that are named as the tool names them: the judgments, then the run."""
    inputs = predicate.get("inputs")
    for role, file in zip(
        ("qrels", "run"), inputs if isinstance(inputs, list) else (), strict=False
    ):
        match file:
            case {"name": str(name), "digest": {"sha256": str(sha256)}} if SHA256.fullmatch(sha256):
                yield Input(role=role, name=name.rpartition("/")[2], sha256=sha256)
