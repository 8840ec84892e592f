"""Data sets of a few lines, and what lint says of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragstone.formats import Source
from ragstone.lint import Lint, lint

NAMES = {
    "queries": "queries.jsonl",
    "qrels": "qrels",
    "corpus": "corpus.jsonl",
    "run": "run",
}
Rows = list[dict[str, Any]]
Linted = Callable[..., Lint]


def jsonl(rows: Rows) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


@pytest.fixture(scope="session")
def linted(tmp_path_factory: pytest.TempPathFactory) -> Linted:
    """Return a function that writes files, given as text or as rows, and checks them."""
    folder: Path = tmp_path_factory.mktemp("lint")

    def run(*, options: dict[str, Any] | None = None, **files: str | Rows) -> Lint:
        sources: Any = {}
        for role, content in files.items():
            path = folder / NAMES[role]
            text = content if isinstance(content, str) else jsonl(content)
            path.write_text(text, encoding="utf-8", errors="surrogatepass")
            sources[role] = Source(path)
        return lint(sources, **(options or {}))

    return run


@pytest.fixture(scope="session")
def said(linted: Linted) -> Callable[..., list[str]]:
    """Return a function that gives the examples of one kind as `role:line message`."""

    def of(kind: str, **files: Any) -> list[str]:
        result = linted(**files)
        assert kind in result.checked
        findings = [each for each in result.findings if each.kind == kind]
        assert all(each.count == len(each.examples) for each in findings)
        return [
            f"{each.role}{f':{each.line}' if each.line else ''} {each.message}"
            for found in findings
            for each in found.examples
        ]

    return of
