"""docs/report.md shows a report as it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from fenced import Page, blocks
from ragstone import __version__
from ragstone.reports import validate_report
from sources import ROOT

PAGE = ROOT / "docs" / "report.md"


def test_the_example_is_what_its_commands_write(tmp_path: Path) -> None:
    found = list(blocks(PAGE.read_text("utf-8"), "docs/report.md"))
    commands = next(block for block in found if block.language == "console")
    shown = next(block for block in found if block.language == "json")
    Page(tmp_path).run(commands)
    data = (tmp_path / "score.json").read_bytes()
    written: dict[str, Any] = json.loads(data)
    facts = written["predicate"]["scores"]["facts"]
    assert set(facts) > {"queries", "queries_without_results"}
    written["predicate"]["scores"]["facts"] = {name: n for name, n in facts.items() if n}
    written["predicate"]["tool"]["version"] = "0.1.0"
    assert json.loads(shown.text) == written
    assert __version__.encode() in data
    assert validate_report(data, "score.json", tmp_path).ok


def test_every_field_is_described() -> None:
    text = PAGE.read_text("utf-8")
    schema = json.loads((ROOT / "schemas" / "report.v1.json").read_bytes())
    parts = schema["$defs"]
    for part in ("Table", "TableColumn", "ragstone.score", "ScoreDetails", "ErrorDetails", "Floor"):
        for name in parts[part]["properties"]:
            assert f"`{name}`" in text or f"`predicate.{name}`" in text, f"{part}.{name}"
