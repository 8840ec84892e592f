"""The cap on spending, what is told before, repeats, and several judges."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from judging import COST, GOOD, THREE, by_item, config, honest, judge_three, sample, says
from loopback import Loopback, later
from ragstone.errors import InputError, UsageError
from ragstone.judge import CallableJudge, JudgePrices, Rates, estimate, judge_samples
from ragstone.judge.endpoint import EndpointJudge
from ragstone.judge.exchange import Exchange, Totals, Turn
from ragstone.judge.spending import Ledger
from ragstone.model import Status
from ragstone.store import Cache

good = says(GOOD)
TWENTY = [sample(f"q{number}") for number in range(20)]


# ---- the cap -----------------------------------------------------------------------------------


def test_a_cap_stops_the_run_before_it_is_passed() -> None:
    with Loopback(later(0.01, good)) as server:
        judged = judge_three(server, samples=TWENTY, max_cost_usd=0.04)
        asked = len(server.requests)
    assert judged.stop is not None
    assert (judged.stop.reason, judged.stop.exit_code) == ("spend_cap", 5)
    assert "the cap is 0.04" in judged.stop.message
    cells = judged.cells["coherence"]
    scored = [cell for cell in cells if cell.status is Status.SCORED]
    assert len(scored) == asked < 20
    assert {cell.reason for cell in cells if cell not in scored} == {"spend_cap"}
    assert judged.totals["tested"].cost_usd == pytest.approx(asked * COST)
    assert judged.spent_usd <= 0.04
    # a request is thought to cost less than 0.02, so not much is left when it stops
    assert judged.spent_usd > 0.04 - 0.02 - COST


def test_a_cap_before_the_first_request_has_cost_nothing() -> None:
    with Loopback(good) as server:
        judged = judge_three(server, max_cost_usd=0.0)
        assert len(server.requests) == 0
    totals = judged.totals["tested"]
    assert (totals.calls, totals.cost_usd, totals.unpriced) == (0, 0.0, 0)


def test_a_reply_without_usage_has_an_unknown_cost() -> None:
    with Loopback(says(GOOD, usage=None)) as server:
        totals = judge_three(server).totals["tested"]
    assert (totals.cost_usd, totals.unpriced) == (None, 3)


def test_a_timeout_that_may_have_been_billed_has_an_unknown_cost() -> None:
    gone = Turn(reason="timeout", faults=("timeout",))
    rates = Rates(1.0, 2.0)
    for turn, cost in [(gone, None), (replace(gone, faults=("refused",)), 0.0)]:
        totals = Totals.of([Exchange((turn,), turn.reason)], rates)
        assert totals.cost_usd == cost
        assert Totals.of([Exchange((turn,), turn.reason)], None).cost_usd is None


def test_a_cap_that_is_wide_enough_changes_nothing() -> None:
    with Loopback(good) as server:
        judged = judge_three(server, samples=TWENTY, max_cost_usd=1.0)
    assert judged.stop is None
    assert judged.spent_usd == pytest.approx(20 * COST)


def test_what_the_endpoint_does_not_say_is_counted_at_its_most() -> None:
    with Loopback(says(GOOD, usage=None)) as server:
        judged = judge_three(server, samples=TWENTY, max_cost_usd=0.1)
        assert len(server.requests) < 7
    assert judged.stop is not None
    assert "perhaps" in judged.stop.message
    assert judged.spent_usd <= 0.1


def test_attempts_that_may_have_been_billed_count_at_their_most_and_nothing_follows() -> None:
    hanging = by_item({"q0": good}, later(3, good))
    with Loopback(hanging) as server:
        limits = {"timeout": 0.3, "attempts": 3, "concurrency": 1}
        judged = judge_three(server, samples=TWENTY, limits=limits, max_cost_usd=0.05)
        asked = len(server.requests)
    assert judged.stop is not None
    assert judged.stop.reason == "spend_cap"
    reasons = Counter(cell.reason for cell in judged.cells["coherence"])
    timeouts = reasons["timeout; 3 attempts"]
    assert timeouts in {1, 2}  # one more may have been waiting for its turn
    assert reasons == {"": 1, "timeout; 3 attempts": timeouts, "spend_cap": 19 - timeouts}
    assert asked == 1 + 3 * timeouts
    totals = judged.totals["tested"]
    assert totals.cost_usd == pytest.approx(COST)
    assert totals.uncertain == 3 * timeouts
    # each of the attempts at the most that it can have cost
    assert judged.spent_usd > 3 * timeouts * 0.01


def test_a_cap_without_a_price_is_refused_before_anything_is_asked() -> None:
    with Loopback(good) as server:
        with pytest.raises(UsageError, match="there is no price for the judge tested"):
            judge_three(server, config={"prices": None}, max_cost_usd=1.0)
        assert server.requests == []


@pytest.mark.parametrize("cap", [-1.0, float("nan"), float("inf")])
def test_a_cap_is_an_amount(cap: float) -> None:
    with Loopback(good) as server, pytest.raises(UsageError, match="0 or a number above it"):
        judge_three(server, max_cost_usd=cap)


def test_at_a_cap_of_0_the_cache_alone_answers(tmp_path: Path) -> None:
    with Loopback(good) as server, Cache(tmp_path / "cache.db") as cache:
        judge_three(server, samples=THREE[:2], cache=cache)
        judged = judge_three(server, cache=cache, max_cost_usd=0.0)
        assert len(server.requests) == 2
    assert [cell.reason for cell in judged.cells["coherence"]] == ["", "", "spend_cap"]
    assert judged.stop is not None
    assert judged.spent_usd == 0.0


def test_at_a_cap_of_0_what_costs_nothing_is_asked() -> None:
    free = {"prices": JudgePrices(input=0.0, output=0.0)}
    with Loopback(good) as server:
        judged = judge_three(server, config=free, max_cost_usd=0.0)
    assert judged.stop is None
    assert [cell.value for cell in judged.cells["coherence"]] == [2 / 3] * 3


@given(
    cap=st.floats(0.1, 2.0),
    amounts=st.lists(st.tuples(st.floats(0.0, 0.5), st.floats(0.0, 1.0)), max_size=12),
)
def test_spent_and_set_aside_never_pass_the_cap(
    cap: float, amounts: list[tuple[float, float]]
) -> None:
    async def run() -> None:
        ledger, highest = Ledger(cap), 0.0

        async def request(most: float, share: float) -> None:
            nonlocal highest
            if await ledger.set_aside(most):
                highest = max(highest, ledger._total)
                await asyncio.sleep(0)
                ledger.settle(most, most * share, 0.0)

        await asyncio.wait_for(asyncio.gather(*(request(*each) for each in amounts)), 5)
        assert highest <= cap
        assert ledger.spent <= cap * (1 + 1e-9)
        assert not ledger._aside

    asyncio.run(run())


# ---- the estimate ------------------------------------------------------------------------------


def test_an_estimate_asks_nothing_and_counts_the_calls_exactly(tmp_path: Path) -> None:
    measures = ["faithfulness", "answer_correctness", "coherence"]
    samples = [sample("q1", reference="It is blue."), sample("q2", contexts=())]
    with Loopback(honest()) as server, Cache(tmp_path / "cache.db") as cache:
        [told] = estimate(samples, measures, config(server), cache=cache)
        assert server.requests == []
        judged = judge_three(server, measures, samples=samples, cache=cache)
        assert told.calls == len(server.requests) == judged.totals["tested"].calls
        [after] = estimate(samples, measures, config(server), cache=cache)
    assert (after.calls, after.cached) == (told.calls, told.calls)
    assert (after.input_tokens, after.cost_usd, after.at_most_usd) == (0, 0.0, 0.0)
    assert told.cached == 0
    assert told.input_tokens > 500 * told.calls / 2
    assert told.cost_usd is not None
    assert told.at_most_usd is not None
    assert 0 < told.cost_usd < told.at_most_usd


def test_claims_of_different_answers_are_thought_to_be_different() -> None:
    samples = [sample(f"q{number}", reference="It is blue.") for number in range(4)]
    with Loopback(honest()) as server:
        [told] = estimate(samples, ["claim_recall", "faithfulness"], config(server))
        judged = judge_three(server, ["claim_recall", "faithfulness"], samples=samples)
    # claims of each answer and of the one reference; three verdicts for each
    assert told.calls == judged.totals["tested"].calls == 4 + 1 + 4 * 3


def test_an_estimate_without_a_price_has_no_cost() -> None:
    judge = CallableJudge(lambda messages, schema: "")
    [told] = estimate(THREE, ["coherence"], judge, repeat=2)
    assert (told.calls, told.cost_usd, told.at_most_usd) == (6, None, None)


# ---- repeats -----------------------------------------------------------------------------------


def test_repeats_are_asked_for_each_and_kept_apart(tmp_path: Path) -> None:
    other = says('{"reason": "", "verdict": "partly"}')
    script = by_item({"q2": [good, other, good]})
    with Loopback(script) as server, Cache(tmp_path / "cache.db") as cache:
        judge = config(server, limits={"concurrency": 1})
        judged = judge_samples(THREE, ["coherence"], judge, repeat=3, cache=cache)
        seeds = sorted(request.json["seed"] for request in server.requests)
        again = judge_samples(THREE, ["coherence"], judge, repeat=3, cache=cache)
        assert len(server.requests) == 9
    assert seeds == [0] * 3 + [1] * 3 + [2] * 3
    assert again.cells == judged.cells
    assert judged.repeat == 3
    assert [cell.value for cell in judged.cells["coherence"]] == pytest.approx(
        [2 / 3, (2 / 3 + 1 / 3 + 2 / 3) / 3, 2 / 3]
    )
    spread = judged.spread("coherence")
    assert spread is not None
    assert (spread.items, spread.repeats, spread.changed) == (3, 3, 1)
    # one item of three varies, with values 2/3, 1/3, 2/3
    assert spread.within_sd == pytest.approx(((1 / 3) ** 2 / 3 / 3) ** 0.5)
    assert spread.means == pytest.approx((2 / 3, 5 / 9, 2 / 3))


def test_one_repeat_has_no_spread() -> None:
    with Loopback(good) as server:
        judged = judge_three(server)
    assert judged.spread("coherence") is None


def test_a_repeat_that_fails_makes_the_value_fail() -> None:
    with Loopback(by_item({"q2": [good, says("nonsense")]})) as server:
        judge = config(server, limits={"concurrency": 1})
        judged = judge_samples(THREE, ["coherence"], judge, repeat=2)
    assert [cell.status for cell in judged.cells["coherence"]] == [
        Status.SCORED,
        Status.FAILED,
        Status.SCORED,
    ]
    assert [failure.repeat for failure in judged.failures] == [1]


# ---- several judges ----------------------------------------------------------------------------


def test_several_judges_agree_and_differ_by_name() -> None:
    stern = by_item({"q2": says('{"reason": "", "verdict": "incoherent"}')})
    with Loopback(good) as mild, Loopback(stern) as other:
        judges = [
            EndpointJudge(config(mild, name="mild")),
            EndpointJudge(config(other, name="stern", model="tested-2")),
        ]
        judged = judge_samples(THREE, ["coherence"], judges)
    assert [cell.value for cell in judged.by_judge["stern"]["coherence"]] == [2 / 3, 0.0, 2 / 3]
    assert [cell.value for cell in judged.cells["coherence"]] == pytest.approx(
        [2 / 3, 1 / 3, 2 / 3]
    )
    [agreed] = judged.agreements("coherence")
    assert (agreed.first, agreed.second, agreed.items) == ("mild", "stern", 3)
    assert agreed.exact == pytest.approx(2 / 3)
    assert agreed.mean_difference == pytest.approx(-2 / 9)
    assert [each.item for each in agreed.differ] == ["q2"]
    assert judged.signatures["coherence"]["judge"] == "openai:tested + openai:tested-2"
    assert set(judged.totals) == {"mild", "stern"}


def test_the_order_of_judges_changes_no_signature_and_no_value() -> None:
    with Loopback(good) as server:
        one, two = config(server, name="one"), config(server, name="two", model="m2")
        forth = judge_samples(THREE, ["coherence"], [one, two])
        back = judge_samples(THREE, ["coherence"], [two, one])
    assert forth.signatures == back.signatures
    assert forth.cells == back.cells


def test_two_judges_of_one_name_are_refused() -> None:
    with (
        Loopback(good) as server,
        pytest.raises(UsageError, match="two judges are called 'tested'"),
    ):
        judge_samples(THREE, ["coherence"], [config(server), config(server)])


def test_no_judge_is_refused() -> None:
    with pytest.raises(UsageError, match="need a judge"):
        judge_samples(THREE, ["coherence"], [])


def test_two_samples_of_one_id_are_refused() -> None:
    judge = CallableJudge(lambda messages, schema: "", prices=Rates(1, 1))
    with pytest.raises(InputError, match="two samples have the id 'q1'"):
        judge_samples([THREE[0], THREE[0]], ["coherence"], judge)
