"""Files of samples and judges for `ragstone evaluate --judge`, against a server on this machine."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from commands import Done, ragstone
from loopback import Loopback


def write_samples(folder: Path, items: Iterable[str]) -> None:
    """Write samples that have what every judged measure takes, and whose answers name them."""
    rows = [
        {
            "id": item,
            "query": "What is it?",
            "answer": f"This is item {item}. It is blue.",
            "contexts": [{"id": f"d-{item}", "text": f"This is item {item}. It is blue."}],
            "reference": "It is blue.",
            "nuggets": [{"text": "It is blue."}],
        }
        for item in items
    ]
    write_lines(folder / "samples.jsonl", rows)


def write_lines(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """Write JSON lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def write_judge(folder: Path, server: Loopback, name: str = "judge", more: str = "") -> None:
    """Write the file of a judge that asks a server."""
    (folder / f"{name}.toml").write_text(
        f'name = "{name}"\nmodel = "tested"\nendpoint = "http://127.0.0.1:{server.port}/v1"\n{more}'
        "[limits]\ntimeout = 5.0\nattempts = 1\nconcurrency = 1\nstop_after = 2\n"
        "[prices]\ninput = 1.0\noutput = 4.0\n"
    )


def evaluate(folder: Path, *more: str) -> Done:
    """Evaluate the samples by the judge, printing errors only."""
    args = ("--samples", "samples.jsonl", "--judge", "judge.toml", "-q", *more)
    return ragstone("evaluate", *args, cwd=folder)


def predicate(folder: Path, name: str = "out.json") -> dict[str, Any]:
    """Return the predicate of a report."""
    found: dict[str, Any] = json.loads((folder / name).read_text())["predicate"]
    return found
