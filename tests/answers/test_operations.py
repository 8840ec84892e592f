"""Latency, tokens and cost of samples."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.answers.operations import OPERATIONS, Operations, operations, recorded
from ragstone.errors import InputError, UnknownNameError, UsageError
from ragstone.formats.prices import PriceList, read_prices
from ragstone.gate import check_floors, check_measured, compare
from ragstone.measures import Aggregate, parse_measure, summary
from ragstone.model import Scores, Signature, Status
from ragstone.model.prices import Rates
from ragstone.model.samples import WARM_UP, Latency, Sample, Usage

PRICES = PriceList({"known-a": Rates(1.0, 4.0)}, listed=False)
WHOLE = Sample(
    "q1",
    model="known-a",
    usage=Usage(1000, 200, 300, 50),
    latency_ms=Latency(total=120.0, retrieval=20.0, first_token=45.0, generation=95.0),
)


def told(scores: Scores, name: str) -> list[tuple[float | None, str]]:
    column = scores[name]
    return [(column.value(i), column.reasons.get(i, "")) for i in range(len(scores))]


def test_every_operation_of_a_sample() -> None:
    scores = operations([WHOLE], prices=PRICES)
    assert {name: column.values[0] for name, column in scores.columns.items()} == {
        "latency_ms": 120.0,
        "retrieval_ms": 20.0,
        "first_token_ms": 45.0,
        "generation_ms": 95.0,
        "input_tokens": 1000.0,
        "output_tokens": 200.0,
        "cached_input_tokens": 300.0,
        "reasoning_tokens": 50.0,
        "cost_usd": 0.0018,
    }
    assert tuple(scores.columns) == OPERATIONS


def test_only_what_is_recorded_is_a_column() -> None:
    bare = Sample("q", query="?", answer="!")
    assert operations([bare]).columns == {}
    assert operations([bare]).items == ("q",)
    timed = Sample("p", latency_ms=Latency(total=5.0))
    assert list(operations([bare, timed]).columns) == ["latency_ms"]
    used = Sample("p", usage=Usage(input_tokens=5))
    assert list(operations([bare, used]).columns) == ["input_tokens", "cost_usd"]
    asked = operations([bare], ["latency", "cost"])
    assert told(asked, "latency_ms") == [(None, "latency_missing")]
    assert told(asked, "cost_usd") == [(None, "usage_missing")]


def test_a_cost_that_is_said_wins_over_prices() -> None:
    said = Sample("q1", model="known-a", usage=Usage(1000, 200), cost_usd=0.5)
    scores = operations([said], prices=PRICES)
    assert told(scores, "cost_usd") == [(0.5, "")]
    assert scores["cost_usd"].signature == Signature.of(measure_version=1)
    free = operations([Sample("q1", model="mystery", usage=Usage(1, 1), cost_usd=0.0)])
    assert told(free, "cost_usd") == [(0.0, "")]  # said to be 0, not unknown


def test_a_failed_sample_has_what_was_measured_and_else_failed() -> None:
    slow = Sample("a", error="timeout after 30 s", latency_ms=Latency(total=30_000.0))
    gone = Sample("b", error="connection refused")
    paid = Sample("c", error="cut off", model="known-a", usage=Usage(1000, 200))
    scores = operations([slow, gone, paid], prices=PRICES)
    assert told(scores, "latency_ms") == [
        (30_000.0, ""),
        (None, "system_failed"),
        (None, "system_failed"),
    ]
    assert told(scores, "cost_usd") == [
        (None, "system_failed"),
        (None, "system_failed"),
        (0.0018, ""),
    ]
    assert scores["latency_ms"].tally()[Status.FAILED] == 2
    found = compare(scores, scores, budgets=["latency_ms=5"])
    assert (found.verdict, found.exit_code) == ("inconclusive", 5)


def test_the_first_call_is_kept_but_has_no_latency() -> None:
    first = Sample(
        "a", tags=(WARM_UP,), latency_ms=Latency(total=9000.0, retrieval=10.0), cost_usd=0.1
    )
    other = Sample("b", latency_ms=Latency(total=100.0, retrieval=10.0), cost_usd=0.1)
    scores = operations([first, other])
    assert told(scores, "latency_ms") == [(None, "warm_up"), (100.0, "")]
    assert told(scores, "retrieval_ms") == [(None, "warm_up"), (10.0, "")]
    assert summary(scores)["cost_usd:sum"] == 0.2
    assert scores.facts == {"failed_samples": 0, "warm_up_samples": 1}
    assert check_measured(scores, max_not_applicable=0) == ()  # it is excused
    counted = operations([first, other], count_warm_up=True)
    assert told(counted, "latency_ms") == [(9000.0, ""), (100.0, "")]
    found = compare(scores, counted, budgets=["latency_ms=5"])
    assert found.reasons[0].message.startswith(
        "warm_up is 'left out' in the baseline and 'counted' in the candidate: "
    )


def test_names_that_are_none_of_operations() -> None:
    with pytest.raises(UsageError, match="'nDCG@10' is no measure of operations; there is: lat"):
        operations([WHOLE], ["nDCG@10"])
    with pytest.raises(UnknownNameError, match="did you mean"):
        operations([WHOLE], ["latencyms"])
    with pytest.raises(InputError, match="item 'q1' has two rows"):
        operations([WHOLE, WHOLE], prices=PRICES)


def test_every_operation_is_declared() -> None:
    for name in OPERATIONS:
        assert str(parse_measure(name)) == name
        assert recorded(Sample("q"), name) is None
        assert (recorded(WHOLE, name) is None) == (name == "cost_usd")


number = st.none() | st.floats(0, 1e6)
count = st.none() | st.integers(0, 10**6)
samples = st.lists(
    st.builds(
        Sample,
        id=st.uuids().map(str),
        model=st.sampled_from([None, "known-a", "mystery"]),
        usage=st.none() | st.builds(Usage, count, count),
        cost_usd=number,
        latency_ms=st.none() | st.builds(Latency, number, number),
        error=st.sampled_from([None, "broken"]),
        tags=st.sampled_from([(), (WARM_UP,)]),
    ),
    max_size=8,
    unique_by=lambda sample: sample.id,
)


@given(samples)
def test_nothing_is_ever_a_silent_number(drawn: list[Sample]) -> None:
    """A value that counts was recorded, or follows from a price; the others have a reason."""
    scores = operations(drawn, OPERATIONS, prices=PRICES)
    place = {item: i for i, item in enumerate(scores.items)}
    for name, column in scores.columns.items():
        for sample in drawn:
            i = place[sample.id]
            status, value = Status(column.status[i]), recorded(sample, name)
            assert status.counts is (i not in column.reasons)
            assert status is not Status.DEFAULT
            if not status.counts:
                continue
            if value is None:
                assert (name, sample.model) == ("cost_usd", "known-a")
                assert sample.usage is not None
                spent = (sample.usage.input_tokens or 0) + 4 * (sample.usage.output_tokens or 0)
                value = spent / 1e6
            assert math.isclose(column.values[i], value)


# ---- case 94 ------------------------------------------------------------------------------------

CALLS: list[dict[str, Any]] = [
    {"id": "q1", "model": "known-a", "input_tokens": 1000, "output_tokens": 200, "latency_ms": 120},
    {"id": "q2", "model": "mystery", "input_tokens": 9000, "output_tokens": 900, "latency_ms": 300},
    {"id": "q3", "model": "known-a", "latency_ms": None},
]
TABLE = {"known-a": {"input_per_1m": 1.0, "output_per_1m": 4.0}}


def sample_of(call: dict[str, Any]) -> Sample:
    usage = Usage(call.get("input_tokens"), call.get("output_tokens"))
    return Sample(
        call["id"],
        model=call["model"],
        usage=None if usage == Usage() else usage,
        latency_ms=Latency(total=call["latency_ms"]),
    )


@pytest.fixture(params=["inline", "folder"])
def case_94(request: pytest.FixtureRequest, tmp_path: Path) -> Scores:
    calls, path = CALLS, tmp_path / "prices.json"
    path.write_text(json.dumps(TABLE))
    if request.param == "folder":
        folder = request.getfixturevalue("shared") / "cases" / "94-cost-unknown-price"
        lines = (folder / "calls.jsonl").read_text().splitlines()
        calls, path = [json.loads(line) for line in lines], folder / "prices.json"
    return operations(map(sample_of, calls), prices=read_prices(path))


def test_94_an_unknown_price_is_not_0(case_94: Scores) -> None:
    assert told(case_94, "cost_usd") == [
        (0.0018, ""),
        (None, "price_unknown"),
        (None, "usage_missing"),
    ]
    total = Aggregate(parse_measure("cost_usd"), "sum").of(case_94["cost_usd"])
    assert (total, len(list(case_94["cost_usd"].counted())), len(case_94)) == (0.0018, 1, 3)
    assert told(case_94, "latency_ms") == [(120.0, ""), (300.0, ""), (None, "latency_missing")]
    assert summary(case_94)["latency_ms"] == 210.0
    assert summary(case_94)["latency_ms:p95"] == 291.0


def test_94_a_gate_on_missing_costs_does_not_pass(case_94: Scores) -> None:
    options: list[dict[str, Any]] = [
        {"budgets": ["cost_usd:sum=0.01abs"]},
        {"budgets": ["cost_usd=10%"]},
        {"floors": ["cost_usd:sum=1"]},
        {"max_item_drops": ["cost_usd=0.01"]},
    ]
    for option in options:
        found = compare(case_94, case_94, **option)
        assert (found.verdict, found.exit_code) == ("inconclusive", 5)
        assert "not measured: q2, q3; why: 1 price_unknown, 1 usage_missing" in (
            found.reasons[0].message
        )
    missing = check_measured(case_94, max_not_applicable=0)
    assert [each.measures for each in missing] == [
        ("cost_usd",),
        ("input_tokens", "output_tokens"),
        ("latency_ms",),
    ]
    assert check_floors(case_94, ["cost_usd:sum=1"])[0].passed  # of what is known


def test_a_costlier_model_without_a_price_does_not_pass() -> None:
    def run(model: str) -> Scores:
        return operations([WHOLE, Sample("q2", model=model, usage=Usage(1000, 200))], prices=PRICES)

    found = compare(run("known-a"), run("mystery"), budgets=["cost_usd:sum=1%"])
    assert (found.verdict, found.reasons[0].code) == ("inconclusive", "coverage_changed")
    assert "q2 not applicable: price_unknown" in found.reasons[0].message


# ---- prices are a part of what is compared -------------------------------------------------------


def priced(model: str, rates: Rates) -> Scores:
    prices = PriceList({model: rates}, listed=False)
    return operations([Sample("q1", model=model, usage=Usage(1000, 200))], prices=prices)


def test_other_prices_of_the_same_model_are_not_compared() -> None:
    found = compare(
        priced("m", Rates(1.0, 4.0)), priced("m", Rates(0.5, 4.0)), budgets=["cost_usd=5"]
    )
    assert (found.verdict, found.reasons[0].code) == ("fail", "signature_mismatch")
    assert found.reasons[0].message == (
        "price of m is '1 in, 4 out' in the baseline and '0.5 in, 4 out' in the candidate: "
        "cost_usd cannot be compared; measure both with the same price of m"
    )


def test_another_model_is_the_system_s_doing() -> None:
    found = compare(
        priced("m", Rates(1.0, 4.0)), priced("n", Rates(2.0, 8.0)), budgets=["cost_usd=5"]
    )
    assert (found.verdict, [each.code for each in found.reasons]) == ("fail", ["budget_exceeded"])
    assert found["cost_usd"].change_pct == pytest.approx(100)


def test_a_signature_knows_the_prices_after_the_samples() -> None:
    taken = Operations(PRICES)
    assert taken.signature("cost_usd") == Signature.of(measure_version=1)
    taken.cells(WHOLE)
    assert dict(taken.signature("cost_usd")) == {
        "measure_version": 1,
        "price of known-a": "1 in, 4 out",
    }
    assert dict(taken.signature("latency_ms")) == {"measure_version": 1, "warm_up": "left out"}
    assert dict(taken.signature("input_tokens")) == {"measure_version": 1}
