"""A judge against a server that fails in every way: the state of each item, and what it cost."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from statistics import median
from typing import Any, NamedTuple

import pytest

from fakeclock import FakeClock
from judging import (
    COST,
    GOOD,
    IN,
    OUT,
    THREE,
    by_item,
    completion,
    config,
    honest,
    judge_three,
    sample,
    says,
)
from loopback import (
    Connection,
    Loopback,
    Request,
    Step,
    answer,
    cut,
    drip,
    hang_up,
    later,
    raw,
    reset,
)
from ragstone.judge import judge_samples
from ragstone.model import Status

good = says(GOOD)
FAST = {"timeout": 1.0}


def error(status: int, code: str, message: str = "no", **headers: str) -> Step:
    body = {"error": {"message": message, "code": code, "type": code}}
    return answer(status, json=body, headers={k.replace("_", "-"): v for k, v in headers.items()})


class Case(NamedTuple):
    """What the server does for q2, and what becomes of it.

    reason: of the failure; empty where it is scored in the end. attempts: requests for q2. replies:
    those of them that were answered, and so cost money. uncertain: those that may have.
    """

    steps: Sequence[Step] | Step
    reason: str
    attempts: int
    replies: int
    uncertain: int = 0
    limits: dict[str, Any] = {}  # noqa: RUF012


TOO_LONG = "This model's maximum context length is 8192 tokens; your messages have 9000."
CUT = '{"reason": "It reads w'

CASES = {
    "429 without Retry-After": Case([error(429, "rate_limit_exceeded"), good], "", 2, 1),
    "429 with Retry-After": Case([error(429, "slow", Retry_After="7"), good], "", 2, 1),
    "429 again and again": Case(error(429, "rate_limit_exceeded"), "rate_limited", 3, 0),
    "Retry-After of an hour": Case(error(429, "slow", Retry_After="3600"), "rate_limited", 1, 0),
    "500": Case([answer(500), good], "", 2, 1),
    "500 again and again": Case(answer(500), "status_500", 3, 0),
    "502": Case([answer(502, body=b"<html>Bad gateway"), good], "", 2, 1),
    "408 and 409": Case([answer(408), answer(409), good], "", 3, 1),
    "529": Case([error(529, "overloaded_error"), good], "", 2, 1),
    "529 again and again": Case(error(529, "overloaded_error"), "status_529", 3, 0),
    "501 is final": Case(answer(501, body=b"no"), "status_501", 1, 0),
    "400": Case(error(400, "bad_request", "model is odd"), "status_400", 1, 0),
    "a read timeout": Case([later(3, good), good], "", 2, 1, 1, FAST),
    "read timeouts": Case(later(3, good), "timeout", 3, 0, 3, FAST),
    "a slow drip": Case(drip(b" " * 500, 0.02), "timeout", 3, 0, 3, FAST),
    "closed without an answer": Case([hang_up, good], "", 2, 1, 1),
    "a broken connection": Case([reset, good], "", 2, 1, 1),
    "a body that is cut off": Case([cut(b'{"choices"', 500), good], "", 2, 1, 1),
    "no HTTP": Case([raw(b"SSH-2.0-x\r\n"), good], "", 2, 1, 1),
    "a body that is no JSON": Case(answer(body=b"<html>"), "not_json", 1, 0, 1),
    "an empty body": Case(answer(body=b""), "empty", 1, 0, 1),
    "bytes that are not UTF-8": Case(answer(body=b'{"choices": "\xff"}'), "not_utf8", 1, 0, 1),
    "200 with an error body": Case(answer(json={"error": "model crashed"}), "error_body", 1, 0),
    "200 with an error of 503": Case([answer(json={"error": {"code": 503}}), good], "", 2, 1),
    "200 with another body": Case(answer(json={"hello": 1}), "not_an_answer", 1, 0),
    "a context that is too long": Case(
        error(400, "context_length_exceeded", TOO_LONG), "context_length", 1, 0
    ),
    "cut by the limit of tokens": Case([says(CUT, finish="length"), good], "", 2, 2),
    "cut twice": Case(says(CUT, finish="length"), "truncated", 2, 2),
    "prose around JSON": Case(says(f"Here it is: {GOOD} I hope it helps."), "", 1, 1),
    "a fence": Case(says(f"```json\n{GOOD}\n```"), "", 1, 1),
    "a thought before": Case(says(f"<think>{{hm}}</think>{GOOD}"), "", 1, 1),
    "a repair that works": Case([says("I think it is good."), good], "", 2, 2),
    "no JSON twice": Case(says("I think it is good."), "not_json", 2, 2),
    "a wrong enum": Case(says('{"reason": "", "verdict": "great"}'), "wrong_verdict", 2, 2),
    "duplicate keys": Case(
        says('{"reason": "", "verdict": "mostly", "verdict": "partly"}'), "duplicate_keys", 2, 2
    ),
    "NaN": Case(says('{"reason": NaN, "verdict": "mostly"}'), "not_finite", 2, 2),
    "two objects": Case(says(f"{GOOD}\n{GOOD}"), "several_objects", 2, 2),
    "a list": Case(says(f"[{GOOD}]"), "not_an_object", 2, 2),
    "a field that is missing": Case(says('{"Verdict": "mostly"}'), "missing_field", 2, 2),
    "half of a surrogate pair": Case(
        says('{"reason": "\\ud800", "verdict": "mostly"}'), "not_text", 2, 2
    ),
    "a refusal": Case(says(None, refusal="I cannot judge this."), "refusal", 1, 1),
    "a filter of contents": Case(says("", finish="content_filter"), "refusal", 1, 1),
    "a filter of prompts": Case(error(400, "content_filter"), "refusal", 1, 0),
    "empty content": Case(says(""), "empty", 2, 2),
    "null content": Case(says(None), "empty", 2, 2),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_one_item_is_in_trouble_and_the_others_are_not(case: Case, clock: FakeClock) -> None:
    with Loopback(by_item({"q2": case.steps})) as server:
        start = time.monotonic()
        judged = judge_three(server, limits=case.limits, clock=clock)
        assert time.monotonic() - start < 8
        assert len(server.requests) == 2 + case.attempts
    assert judged.items == ("q1", "q2", "q3")
    first, second, third = judged.cells["coherence"]
    assert (first.value, third.value) == (2 / 3, 2 / 3)
    assert (first.status, third.status) == (Status.SCORED, Status.SCORED)
    if case.reason:
        times = f"; {case.attempts} attempts" if case.attempts > 1 else ""
        assert second == (0.0, Status.FAILED, 0.0, f"{case.reason}{times}", "")
        [failure] = judged.failures
        assert failure[:6] == ("q2", "coherence", "tested", 0, case.reason, case.attempts)
        assert failure.message
    else:
        assert (second.value, second.status, second.reason) == (2 / 3, Status.SCORED, "")
        assert judged.failures == ()
    totals = judged.totals["tested"]
    replies = 2 + case.replies
    assert (totals.calls, totals.attempts) == (3, 2 + case.attempts)
    assert (totals.input_tokens, totals.output_tokens) == (replies * IN, replies * OUT)
    assert totals.cost_usd == pytest.approx(replies * COST)
    assert (totals.unpriced, totals.uncertain) == (0, case.uncertain)
    assert judged.stop is None


VERDICT = {"id": 1, "quote": "This is item", "verdict": "supported"}
COUNTS = {
    "too few": ([VERDICT], "wrong_count"),
    "too many": ([{**VERDICT, "id": n} for n in (1, 2, 3)], "wrong_count"),
    "none": ([], "wrong_count"),
    "an id twice": ([VERDICT, VERDICT], "wrong_ids"),
    "an id that was not asked for": ([VERDICT, {**VERDICT, "id": 7}], "wrong_ids"),
    "a word that was not offered": (
        [VERDICT, {**VERDICT, "id": 2, "verdict": "ok"}],
        "wrong_verdict",
    ),
}


@pytest.mark.parametrize(("given", "reason"), COUNTS.values(), ids=COUNTS.keys())
@pytest.mark.parametrize("repaired", [True, False])
def test_as_many_verdicts_as_claims_or_a_repair_or_a_failure(
    given: list[Any], reason: str, *, repaired: bool
) -> None:
    wrong = says(json.dumps({"verdicts": given}))
    steps = [honest(), wrong, honest() if repaired else wrong]  # claims, verdicts, a repair
    with Loopback(by_item({"q2": steps}, honest())) as server:
        start = time.monotonic()
        judged = judge_three(server, ["faithfulness"])
        assert time.monotonic() - start < 8
        assert len(server.requests) == 7
    assert judged.items == ("q1", "q2", "q3")
    first, second, third = judged.cells["faithfulness"]
    assert (first.value, first.status, third.value, third.status) == (1.0, Status.SCORED) * 2
    if repaired:
        assert (second.value, second.status, judged.failures) == (1.0, Status.SCORED, ())
    else:
        assert second == (0.0, Status.FAILED, 0.0, f"{reason}; 2 attempts", "")
        [failure] = judged.failures
        assert failure[:6] == ("q2", "faithfulness", "tested", 0, reason, 2)
        assert failure.raw == json.dumps({"verdicts": given})
    totals = judged.totals["tested"]
    assert (totals.calls, totals.attempts, totals.repairs) == (6, 7, 1)
    assert totals.cost_usd == pytest.approx(7 * COST)
    assert judged.stop is None


AGAIN = (408, 409, 429, 500, 502, 503, 504, 520, 529, 599)
FINAL = (400, 403, 405, 410, 413, 418, 422, 425, 451, 501, 505)


@pytest.mark.parametrize("status", [*AGAIN, *FINAL])
def test_only_what_may_pass_is_asked_again(status: int, clock: FakeClock) -> None:
    # q1 first, so that it is known how to ask and no refusal is taken for one of the format
    with Loopback(by_item({"q2": [answer(status, body=b"no"), good]})) as server:
        judged = judge_three(server, limits={"concurrency": 1}, clock=clock)
        asked = len(server.requests)
    again = status in AGAIN
    reasons = [cell.reason for cell in judged.cells["coherence"]]
    assert reasons == ["", "" if again else f"status_{status}", ""]
    assert asked == judged.totals["tested"].attempts == (4 if again else 3)
    assert judged.totals["tested"].cost_usd == pytest.approx((3 if again else 2) * COST)
    assert judged.stop is None


def test_an_endpoint_that_pushes_back_is_asked_less_at_once(clock: FakeClock) -> None:
    at_once: list[int] = []

    def counted(step: Step) -> Step:
        def count(connection: Connection, request: Request) -> None:
            at_once.append(server.at_once)
            step(connection, request)

        return count

    slow, busy = later(0.05, good), later(0.05, error(429, "slow"))
    # the first is alone, until it is known how to ask; then eight at once are too many
    with Loopback([counted(each) for each in (good, *[busy] * 8, slow)]) as server:
        samples = [sample(f"q{number}") for number in range(60)]
        judged = judge_three(server, samples=samples, limits={"concurrency": 8}, clock=clock)
    assert [cell.reason for cell in judged.cells["coherence"]] == [""] * 60
    assert max(at_once[:9]) > 6
    # those eight come again; who comes in after them finds half of the room, and it grows slowly
    assert median(at_once[17:22]) <= 6
    assert judged.totals["tested"].attempts == len(at_once) == 68
    assert judged.totals["tested"].cost_usd == pytest.approx(60 * COST)


def test_retry_after_is_kept_to_by_number_and_by_date(clock: FakeClock) -> None:
    date = "Sat, 01 Jan 2000 00:00:29 GMT"  # the clock's first moment is ten seconds before
    sent = "Sat, 01 Jan 2000 00:00:19 GMT"
    steps = [
        error(429, "slow", Retry_After="7"),
        error(429, "slow", Retry_After=date, Date=sent),
        good,
    ]
    with Loopback(by_item({"q2": steps})) as server:
        judged = judge_three(server, clock=clock)
    assert judged.cells["coherence"][1].status is Status.SCORED
    assert {7.0, 10.0} <= set(clock.slept)


def test_missing_usage_is_unpriced_and_not_free() -> None:
    with Loopback(by_item({"q2": says(GOOD, usage=None)})) as server:
        judged = judge_three(server)
    totals = judged.totals["tested"]
    assert judged.items == ("q1", "q2", "q3")
    assert [cell.status for cell in judged.cells["coherence"]] == [Status.SCORED] * 3
    assert (totals.unpriced, totals.input_tokens) == (1, 2 * IN)
    assert totals.cost_usd == pytest.approx(2 * COST)
    assert judged.spent_usd > 2 * COST  # what it may have cost is counted for the cap


def test_without_a_price_nothing_is_priced() -> None:
    with Loopback(good) as server:
        judged = judge_three(server, config={"prices": None})
    assert (judged.totals["tested"].cost_usd, judged.totals["tested"].unpriced) == (None, 3)


def test_a_refused_connection_fails_every_item_and_then_nothing_more_is_tried() -> None:
    with Loopback(good) as server:
        pass
    start = time.monotonic()
    judged = judge_three(server, limits={"stop_after": 2, "concurrency": 1})
    assert time.monotonic() - start < 5
    reasons = [cell.reason for cell in judged.cells["coherence"]]
    assert reasons == ["refused; 3 attempts", "refused; 3 attempts", "endpoint_down"]
    assert judged.stop is not None
    assert (judged.stop.reason, judged.stop.exit_code) == ("endpoint_down", 2)
    assert "2 requests failed one after the other" in judged.stop.message
    assert judged.items == ("q1", "q2", "q3")
    totals = judged.totals["tested"]
    # nothing was connected, so nothing can have been billed
    assert (totals.calls, totals.attempts, totals.uncertain) == (2, 6, 0)
    assert (totals.cost_usd, judged.spent_usd) == (0.0, 0.0)


def test_an_endpoint_that_hangs_is_given_up_after_two_timeouts_and_said_to_after_the_first(
    clock: FakeClock,
) -> None:
    samples = [sample(f"q{number}") for number in range(20)]
    limits = {"timeout": 0.4, "attempts": 4, "concurrency": 16, "stop_after": 5}
    told: list[str] = []
    with Loopback(later(30, good)) as server:
        start = time.monotonic()
        judged = judge_three(
            server, samples=samples, limits=limits, clock=clock, notice=told.append
        )
        took = time.monotonic() - start
        asked = len(server.requests)
    assert told == ["judge tested: no complete answer within 0.4 s; attempt 2 of 4"]
    # the first alone, then as many as are left in the room, which a timeout halves; some twice
    assert 1 + 8 <= asked <= 1 + 2 * 8
    assert took < 3 * 0.4 + 1
    assert judged.stop is not None
    assert (judged.stop.reason, judged.stop.exit_code) == ("endpoint_down", 2)
    said = "5 attempts and no answer, the last with: no complete answer within 0.4 s"
    assert judged.stop.message.startswith(said)
    assert {cell.reason for cell in judged.cells["coherence"]} == {"endpoint_down"}
    assert judged.spent_usd > 0  # what nobody knows of may have been billed


def test_timeouts_of_an_endpoint_that_has_answered_are_no_reason_to_give_it_up(
    clock: FakeClock,
) -> None:
    samples = [sample(f"q{number}") for number in range(8)]
    late = {f"q{number}": [later(3, good), good] for number in range(1, 8)}
    limits = {"timeout": 0.4, "stop_after": 3}
    with Loopback(by_item(late)) as server:
        judged = judge_three(server, samples=samples, limits=limits, clock=clock)
    assert judged.stop is None
    assert [cell.reason for cell in judged.cells["coherence"]] == [""] * 8


def test_failures_with_successes_between_do_not_stop_the_run() -> None:
    samples = [sample(f"q{number}") for number in range(15)]
    down = {f"q{number}": answer(500) for number in range(2, 15, 3)}
    limits = {"stop_after": 3, "concurrency": 1, "attempts": 1}
    with Loopback(by_item(down)) as server:
        judged = judge_three(server, samples=samples, limits=limits)
    assert judged.stop is None
    assert [cell.reason for cell in judged.cells["coherence"]] == ["", "", "status_500"] * 5


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (error(429, "insufficient_quota", "You exceeded your current quota"), "quota_exhausted"),
        (error(400, "invalid", "Your credit balance is too low"), "quota_exhausted"),
        (error(402, "payment_required"), "quota_exhausted"),
        (answer(json={"error": {"code": "insufficient_quota"}}), "quota_exhausted"),
        (error(401, "invalid_api_key"), "unauthorised"),
        (error(404, "model_not_found"), "not_found"),
    ],
    ids=["429", "400", "402", "200", "401", "404"],
)
def test_what_would_fail_all_others_too_stops_the_run_at_once(step: Step, reason: str) -> None:
    with Loopback(by_item({"q2": step})) as server:
        start = time.monotonic()
        judged = judge_three(server, limits={"concurrency": 1})
        assert time.monotonic() - start < 5
        asked = len(server.requests)
    assert judged.items == ("q1", "q2", "q3")
    scored = sum(cell.status is Status.SCORED for cell in judged.cells["coherence"])
    totals = judged.totals["tested"]
    assert totals.cost_usd == pytest.approx(scored * COST)
    assert (totals.attempts, totals.uncertain) == (asked, 0)
    first, second, third = judged.cells["coherence"]
    assert first.status is Status.SCORED
    assert (second.status, second.reason) == (Status.FAILED, reason)
    # at the most one request was on its way beside it
    assert third.status is Status.SCORED or third == (0.0, Status.FAILED, 0.0, reason, "")
    assert asked <= 3
    assert judged.stop is not None
    assert (judged.stop.reason, judged.stop.judge) == (reason, "tested")


def test_a_stop_ends_what_waits_for_another_attempt() -> None:
    steps = {"q1": error(503, "x"), "q2": later(0.3, error(401, "invalid_api_key"))}
    with Loopback(by_item(steps)) as server:
        judge = config(server, limits={"attempts": 9})
        start = time.monotonic()
        # q3 first, so that it is known how to ask
        judged = judge_samples((THREE[2], THREE[0], THREE[1]), ["coherence"], judge)
        assert time.monotonic() - start < 3
    assert [cell.reason for cell in judged.cells["coherence"]] == [
        "",
        "unauthorised",
        "unauthorised",
    ]


def test_the_reply_as_it_was_is_kept_for_whoever_looks() -> None:
    with Loopback(by_item({"q2": says("nonsense")})) as server:
        [failure] = judge_three(server).failures
        [redacted] = judge_three(server, redact=True).failures
    assert failure.raw == "nonsense"
    assert (redacted.raw, redacted.message, redacted.reason) == ("", "", "not_json")


def test_what_an_endpoint_says_of_a_text_is_redacted_too() -> None:
    echo = answer(401, body=b"no: This is item q1. It is blue.")
    with Loopback(echo) as server:
        plain, redacted = judge_three(server), judge_three(server, redact=True)
    assert "It is blue" in repr(plain)
    assert "It is blue" not in repr(redacted)
    assert redacted.stop is not None
    assert redacted.stop.reason == "unauthorised"


def test_no_key_is_in_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TESTED_KEY", "sk-very-secret-0815")
    echo = answer(400, body=b'{"error": "Incorrect key sk-very-secret-0815"}')
    with Loopback(by_item({"q2": echo})) as server:
        judged = judge_three(server, config={"key": "TESTED_KEY"})
        assert server.requests[0].headers["authorization"] == "Bearer sk-very-secret-0815"
    assert "0815" not in repr(judged)
    assert "***" in judged.failures[0].raw


def test_a_repair_says_what_was_wrong_and_shows_the_reply() -> None:
    with Loopback(by_item({"q2": [says('{"verdict": "great"}'), good]})) as server:
        judge_three(server)
        [*_, before, said, asked] = [
            request.json["messages"]
            for request in server.requests
            if "item q2" in str(request.json)
        ][-1]
    assert before["role"] == "user"
    assert said == {"role": "assistant", "content": '{"verdict": "great"}'}
    assert "'verdict' is 'great'; one of coherent, mostly, partly, incoherent" in asked["content"]


def test_a_reply_that_was_cut_is_asked_for_again_with_more_room() -> None:
    with Loopback(by_item({"q2": [says(CUT, finish="length"), good]})) as server:
        judge_three(server)
        sizes = [each.json["max_tokens"] for each in server.requests]
    assert sorted(sizes) == [4096, 4096, 4096, 8192]


def test_completions_of_parts_and_tool_calls_are_read() -> None:
    call = {"function": {"name": "verdict", "arguments": GOOD}}
    parts = [{"type": "text", "text": GOOD[:9]}, {"type": "text", "text": GOOD[9:]}]
    steps = {
        "q1": says(None, tool_calls=[call]),
        "q2": answer(json={**completion(""), "choices": [{"message": {"content": parts}}]}),
        "q3": says(None, tool_calls=[{"function": {"arguments": json.loads(GOOD)}}]),
    }
    with Loopback(by_item(steps)) as server:
        judged = judge_three(server)
    assert [cell.value for cell in judged.cells["coherence"]] == [2 / 3] * 3
