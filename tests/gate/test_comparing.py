"""The whole flow: properties that hold for all scores."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ragstone.gate import Comparison, compare
from ragstone.model import Cell, Scores, Status

values = st.sampled_from([n / 16 for n in range(17)])
cells = st.one_of(
    values.map(Cell),
    st.just(Cell(0.0, Status.DEFAULT)),
    st.just(Cell(0.0, Status.FAILED, reason="timeout")),
    st.just(Cell(0.0, Status.NOT_APPLICABLE)),
)
names = ["AP", "nDCG@10", "toxic"]


@st.composite
def columns(draw: st.DrawFn, cell: st.SearchStrategy[Any] = cells, sides: int = 2) -> Any:
    """Draw, for each side, a list of cells per measure, of one length."""
    size = draw(st.integers(1, 8))
    column = st.lists(cell, min_size=size, max_size=size)
    return [{name: draw(column) for name in names} for _ in range(sides)]


@settings(max_examples=40)
@given(columns(sides=1))
def test_identical_runs_pass_with_p_1(make: Any, drawn: Any) -> None:
    scores = make(drawn[0])
    found = compare(scores, scores, max_not_applicable="100%", max_failed="100%", alpha=0.05)
    assert found.verdict == "pass"
    for measure in found.measures:
        if measure.evidence is not None:
            assert measure.evidence.p_value in (1.0, None)
            assert (measure.change, measure.over_budget) == (0.0, False)
            assert (measure.evidence.worse, measure.evidence.better) == (0, 0)
    assert (found.diff.items, found.most_regressed) == ((), ())
    assert (found.counts.changed, found.counts.worse_under_any) == (0, 0)


@settings(max_examples=40)
@given(columns())
def test_the_order_of_rows_and_columns_does_not_matter(make: Any, drawn: Any) -> None:
    def shuffled(side: Any) -> Scores:
        size = len(side["AP"])
        ids = [f"q{n + 1}" for n in reversed(range(size))]
        built: Scores = make({name: side[name][::-1] for name in reversed(names)}, ids=ids)
        return built

    plain = compare(*map(make, drawn), floors=["toxic=0.5"], budgets=["ndcg=3"])
    other = compare(*map(shuffled, drawn), floors=["toxic=0.5"], budgets=["ndcg=3"])
    assert msgspec.json.encode(plain) == msgspec.json.encode(other)


@settings(max_examples=40)
@given(columns(cell=values))
def test_the_other_direction_mirrors(make: Any, drawn: Any) -> None:
    old, new = map(make, drawn)
    for there, back in zip(compare(old, new).measures, compare(new, old).measures, strict=True):
        assert there.change == -(back.change or 0.0)
        assert there.evidence is not None
        assert back.evidence is not None
        assert there.evidence.p_value == back.evidence.p_value
        assert (there.evidence.worse, there.evidence.better) == (
            back.evidence.better,
            back.evidence.worse,
        )
        assert not (there.over_budget and back.over_budget)


@given(
    st.lists(st.floats(0.01, 1), min_size=2, max_size=12),
    st.floats(0.01, 99),
    st.sampled_from(["RR", "toxic"]),
)
def test_a_worsening_of_the_budget_passes_and_one_more_fails(
    make: Any, drawn: list[float], budget: float, name: str
) -> None:
    worse = 1 if name == "toxic" else -1
    baseline = make({name: drawn})
    for excess, verdict in ((0.0, "pass"), (1e-6, "fail")):
        factor = 1 + worse * budget / 100 * (1 + excess)
        candidate = make({name: [value * factor for value in drawn]})
        assert compare(baseline, candidate, budgets={name: budget}).verdict == verdict


@settings(max_examples=40)
@given(columns())
def test_a_verdict_follows_from_the_results(make: Any, drawn: Any) -> None:
    found = compare(*map(make, drawn))
    results = {measure.result for measure in found.measures}
    if found.verdict == "pass":
        assert results <= {"pass", "not_gated"}
    assert ("fail" in results) <= (found.verdict == "fail")
    codes = {0: "pass", 4: "fail", 5: "inconclusive"}
    assert codes[found.exit_code] == found.verdict


@settings(max_examples=40)
@given(columns())
def test_a_comparison_is_json_and_back(make: Any, drawn: Any) -> None:
    found = compare(*map(make, drawn), alpha=0.05, floors=["AP=0.5"], aggregates=["AP:p95"])
    text = msgspec.json.encode(found)
    assert msgspec.json.decode(text, type=Comparison) == found
    assert b"NaN" not in text
    assert b"Infinity" not in text


@settings(max_examples=40)
@given(columns(cell=values))
def test_what_only_gets_better_never_fails(make: Any, drawn: Any) -> None:
    old, new = drawn
    assume(old != new)
    best = {
        name: list(map(min if name == "toxic" else max, old[name], new[name])) for name in names
    }
    budgets = dict.fromkeys(names, "0")
    assert compare(make(old), make(best), budgets=budgets).verdict == "pass"


def test_the_schema_can_be_made() -> None:
    schema = msgspec.json.schema(Comparison)
    properties = schema["$defs"]["Reason"]["properties"]
    assert "k_mismatch" in properties["code"]["enum"]


def test_measures_are_listed_quality_first_then_by_name_and_cutoff(make: Any) -> None:
    columns = ("wait_ms", "nDCG@10", "nDCG@5", "R@5", "AP", "P(rel=2)@5", "P@5", "num_ret")
    scores = make({name: [1.0] for name in columns})
    found = [measure.name for measure in compare(scores, scores).measures]
    assert found == ["AP", "nDCG@5", "nDCG@10", "P@5", "P(rel=2)@5", "R@5", "num_ret", "wait_ms"]


def test_an_unknown_aggregate_is_not_found(make: Any) -> None:
    scores = make({"RR": [1.0]})
    with pytest.raises(KeyError):
        compare(scores, scores)["AP"]


def test_a_pass_on_no_items_is_not_believed(make: Any) -> None:
    scores = make({"RR": []})
    found = compare(scores, scores, max_failed="100%")
    assert found.verdict == "inconclusive"
    assert found.reasons[0].message.startswith("RR has no value in the reports: no item counts")


SCRIPT = """
import sys
import ragstone.gate
assert "numpy" not in sys.modules
import msgspec
from ragstone.gate import compare
from ragstone.model import Cell, ScoresBuilder
def scores(shift):
    builder = ScoresBuilder(["RR", "AP", "nDCG@10"])
    for n in range(40):
        builder.add(f"q{n}", [Cell((n * k + shift) % 7 / 7) for k in (1, 2, 3)])
    return builder.build()
found = compare(scores(0), scores(2), budgets={"map": 1, "mrr": "off"}, permutations=200)
print(msgspec.json.encode(found).decode())
"""


def test_bytes_are_the_same_under_any_hash_seed_and_numpy_waits() -> None:
    found = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "42")
    }
    assert len(found) == 1
