"""Collects judgments as a reader meets them, and refuses what contradicts itself."""

from __future__ import annotations

import re
from collections import Counter

from ragstone.formats.source import Source
from ragstone.model import Qrels

_GRADE = re.compile(r"[+-]?0*\d{1,9}(\.0*)?", re.ASCII)
_LONG = re.compile(r"[+-]?\d+(\.0*)?", re.ASCII)


class Judgments:
    """Builds Qrels from rows; every reader of qrels fills one."""

    def __init__(self, source: Source, facts: Counter[str]) -> None:
        """Start empty; errors name `source`, and what is left out is counted in `facts`."""
        self._source, self._facts = source, facts
        self._grades: dict[str, dict[str, int]] = {}
        self._unjudged: list[str] = []
        self._known: dict[str, int] = {}
        self._rows = 0

    def add(self, line: int, query: str, doc: str, grade: str) -> None:
        """Add one judgment; `grade` is the text of an integer, `2.0` included."""
        value = self._known.get(grade)
        if value is None:
            value = self._known[grade] = self._integer(line, query, doc, grade)
        judged = self._grades.setdefault(query, {})
        before = judged.setdefault(doc, value)
        if before != value:
            raise self._source.error(
                f"document {doc!r} of query {query!r} has grade {value} here and {before} above; "
                "keep one of the two",
                line,
            )
        self._rows += 1

    def add_unjudged(self, query: str) -> None:
        """Note a query that was listed without a judgment."""
        self._unjudged.append(query)

    def qrels(self) -> Qrels:
        """Freeze; rows that said again what was known are counted as repeated judgments."""
        unique = sum(len(judged) for judged in self._grades.values())
        self._facts["repeated_judgments"] += self._rows - unique
        return Qrels(self._grades, tuple(self._unjudged), dict(self._facts))

    def _integer(self, line: int, query: str, doc: str, grade: str) -> int:
        if not _GRADE.fullmatch(grade):
            limit = " of at most nine digits" if _LONG.fullmatch(grade) else ""
            raise self._source.error(
                f"the grade of document {doc!r}, query {query!r} is {grade[:80]!r}; "
                f"a grade must be an integer{limit}",
                line,
            )
        return int(float(grade))
