"""The same inputs give the same bytes, whatever the seed of the hashes and the order of rows."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping

import pytest

SCORE = """
import sys
from ragstone.gate import check_floors, compare
from ragstone.reports import Input, build_compare, build_score, encode_report
from ragstone.scoring import score

queries = [f"q{n}" for n in range(20)]
if sys.argv[1] == "reversed":
    queries.reverse()
qrels = {q: {f"d{n}": n % 3 for n in range(5)} for q in queries}
before = {q: [f"d{(n * int(q[1:])) % 7}" for n in range(6)] for q in queries}
after = {q: [f"d{(n + int(q[1:])) % 7}" for n in range(6)] for q in queries}
inputs = [Input(role=role, name=role, sha256="0" * 64) for role in ("qrels", "run")]
names = ["nDCG@10", "R@5:micro", "Judged@5", "AP", "num_ret"]
sides = [score(qrels, run, names) for run in (before, after)]
reports = [
    build_score(sides[0], inputs, floors=check_floors(sides[0], ["AP=0.5"])),
    build_score(sides[0], inputs, rows="worst:3:AP"),
    build_compare(compare(*sides, alpha=0.05), inputs),
]
for report in reports:
    sys.stdout.buffer.write(encode_report(report))
"""


def run(code: str, *arguments: str, environment: Mapping[str, str] = {}) -> bytes:
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        check=True,
        capture_output=True,
        env={**os.environ, "SOURCE_DATE_EPOCH": "1750000000", **environment},
    )
    assert done.stderr == b""
    return done.stdout


@pytest.fixture(scope="module")
def written() -> bytes:
    return run(SCORE, "sorted", environment={"PYTHONHASHSEED": "0"})


@pytest.mark.parametrize("seed", ["1", "42", "random"])
def test_the_seed_of_the_hashes_does_not_matter(written: bytes, seed: str) -> None:
    assert run(SCORE, "sorted", environment={"PYTHONHASHSEED": seed}) == written


def test_the_order_of_the_rows_does_not_matter(written: bytes) -> None:
    assert run(SCORE, "reversed") == written


def test_neither_locale_nor_time_zone_matter(written: bytes) -> None:
    environment = {"LC_ALL": "C", "TZ": "Asia/Tokyo", "PYTHONUTF8": "0"}
    assert run(SCORE, "sorted", environment=environment) == written


LOADED = """
import sys
{code}
print(*sorted(sys.modules))
"""


def loaded(code: str) -> set[str]:
    return set(run(LOADED.format(code=code)).decode().split())


SCORED = """
from ragstone.reports import build_score, encode_report, parse_report
from ragstone.scoring import score
report = build_score(score({"q": ["a"]}, {"q": ["b", "a"]}, ["RR"]), [])
parse_report(encode_report(report), "x").scores
"""


def test_a_score_needs_neither_numpy_nor_rich_nor_the_gate() -> None:
    found = loaded(SCORED)
    assert "ragstone.reports.score" in found
    assert not {"numpy", "rich", "ragstone.gate", "ragstone.reports.toolkit"} & found


def test_only_the_kind_in_use_is_loaded() -> None:
    code = "from ragstone.reports import KINDS; KINDS['ragstone.{}'].details_type()"
    assert "ragstone.gate" not in loaded(code.format("error"))
    assert "ragstone.gate" in loaded(code.format("compare"))


def test_the_package_itself_loads_none_of_it() -> None:
    found = loaded("import ragstone")
    assert not {"msgspec", "ragstone.reports", "ragstone.store"} & found
