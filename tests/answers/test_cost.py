"""What ten thousand samples cost: the command as a whole, by every deterministic measure."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import answer_measures
import pytest

from sources import ROOT

MEASURED = """\
import json, process, sys
cost = process.run(json.loads(sys.argv[1]))
print(cost.cpu, cost.peak)
"""


@pytest.mark.slow
def test_ten_thousand_samples_by_all_measures(tmp_path: Path) -> None:
    samples, report = tmp_path / "samples.jsonl", tmp_path / "report.json"
    answer_measures.write(samples)
    command = answer_measures.command(samples, report)
    # from a small process: what the tests hold would count as memory of a child
    cpu, peak = map(float, subprocess.check_output(
        [sys.executable, "-c", MEASURED, json.dumps(command)], cwd=ROOT / "benchmarks",
    ).split())  # fmt: skip
    columns = json.loads(report.read_bytes())["predicate"]["scores"]["columns"]
    assert set(columns) == set(answer_measures.names())
    assert len(columns["BLEU"]["values"]) == answer_measures.SAMPLES
    assert cpu <= answer_measures.GOAL_CPU
    assert peak <= answer_measures.GOAL_MIB
