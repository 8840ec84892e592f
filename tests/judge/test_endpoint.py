"""How endpoints are spoken to: the ladder of structured output, parameters, two APIs, configs."""

from __future__ import annotations

import json
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from fakeclock import FakeClock
from judging import (
    COST,
    GOOD,
    IN,
    OUT,
    THREE,
    by_item,
    config,
    judge_three,
    prompt_of,
    sample,
    says,
)
from loopback import Connection, Loopback, Request, Step, answer, later
from ragstone.errors import FormatError, InputError, UsageError
from ragstone.http import api_address
from ragstone.judge import (
    CallableJudge,
    JudgeConfig,
    JudgeLimits,
    Rates,
    Reply,
    judge_config,
    judge_samples,
    list_price,
    read_judge,
)
from ragstone.judge.dialects import DIALECTS, NoAnswerError
from ragstone.judge.protocol import CallFailedError, Message
from ragstone.judge.protocol import Request as Asked
from ragstone.model import Status
from ragstone.model.samples import Usage
from ragstone.store import Cache

good = says(GOOD)


def scored(judged: Any) -> list[Any]:
    return [cell.value for cell in judged.cells["coherence"]]


# ---- the ladder --------------------------------------------------------------------------------


def rung_of(body: dict[str, Any]) -> str:
    if "response_format" in body:
        return str(body["response_format"]["type"])
    return "tool" if "tools" in body else "text"


def takes(*rungs: str, status: int = 400, says_why: bool = True) -> Step:
    """A server that knows some ways of structured output only."""

    def step(connection: Connection, request: Request) -> None:
        rung = rung_of(request.json)
        if rung in rungs:
            call = {"function": {"name": "verdict", "arguments": GOOD}}
            done = says(None, tool_calls=[call]) if rung == "tool" else good
            done(connection, request)
            return
        why = {"json_schema": "response_format", "json_object": "response_format"}.get(rung, rung)
        message = f"{why} is not supported" if says_why else "bad request"
        answer(status, json={"error": {"message": message}})(connection, request)

    return step


@pytest.mark.parametrize(
    ("rungs", "refusals"),
    [
        (("json_schema", "json_object", "tool", "text"), 0),
        (("json_object", "text"), 1),
        (("tool", "text"), 2),
        (("text",), 3),
    ],
)
@pytest.mark.parametrize("says_why", [True, False])
def test_the_firmest_way_that_an_endpoint_takes_is_found_once(
    rungs: tuple[str, ...], refusals: int, *, says_why: bool
) -> None:
    with Loopback(takes(*rungs, says_why=says_why)) as server:
        judged = judge_three(server)
        sent = [rung_of(request.json) for request in server.requests]
    assert scored(judged) == [2 / 3] * 3
    assert sent[refusals:] == [rungs[0]] * 3
    assert len(set(sent[:refusals])) == refusals
    assert judged.totals["tested"].attempts == 3 + refusals  # refusals are counted


def test_at_the_foot_of_the_ladder_a_fence_is_read_and_the_refusals_are_counted() -> None:
    def step(connection: Connection, request: Request) -> None:
        fenced = says(f"Here you are:\n```json\n{GOOD}\n```\nAnything else?")
        refuse = answer(400, json={"error": {"message": "bad request"}})
        (fenced if rung_of(request.json) == "text" else refuse)(connection, request)

    with Loopback(step) as server:
        judged = judge_three(server)
    assert scored(judged) == [2 / 3] * 3
    totals = judged.totals["tested"]
    assert (totals.calls, totals.attempts, totals.repairs) == (3, 6, 0)
    assert totals.cost_usd == pytest.approx(3 * COST)


def test_the_rung_that_held_is_remembered_for_the_next_run(tmp_path: Path) -> None:
    with Loopback(takes("text")) as server, Cache(tmp_path / "cache.db") as cache:
        judge_three(server, cache=cache)
        before = len(server.requests)
        others = [sample(f"q{n}") for n in (4, 5)]
        judge_three(server, cache=cache, samples=others)
        assert [rung_of(each.json) for each in server.requests[before:]] == ["text", "text"]


def test_a_request_that_is_wrong_in_itself_teaches_nothing() -> None:
    refused = answer(400, json={"error": {"message": "bad request"}})
    with Loopback(by_item({"q1": refused}, takes("json_schema"))) as server:
        judged = judge_three(server)
        last = server.requests[-1]
    assert [cell.reason for cell in judged.cells["coherence"]] == [
        "status_400; 4 attempts",
        "",
        "",
    ]
    assert rung_of(last.json) == "json_schema"


def test_a_prompt_that_is_too_long_does_not_lower_the_rung() -> None:
    message = "This model's maximum context length is 10 tokens (response_format: 3)"
    steps = {"q1": answer(400, json={"error": {"message": message}})}
    with Loopback(by_item(steps, takes("json_schema"))) as server:
        judged = judge_three(server)
        assert len(server.requests) == 3
    assert judged.cells["coherence"][0].reason == "context_length"


def refuses(parameter: str, message: str) -> Step:
    def step(connection: Connection, request: Request) -> None:
        if parameter in request.json:
            refusal = answer(400, json={"error": {"message": message, "param": parameter}})
            refusal(connection, request)
        else:
            good(connection, request)

    return step


@pytest.mark.parametrize(
    ("parameter", "message", "instead"),
    [
        ("temperature", "'temperature' does not support 0 with this model", None),
        ("seed", "Unrecognized request argument supplied: seed", None),
        (
            "max_tokens",
            "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
            "max_completion_tokens",
        ),
    ],
)
def test_a_parameter_of_ours_that_is_refused_is_left_out_or_renamed(
    parameter: str, message: str, instead: str | None
) -> None:
    with Loopback(refuses(parameter, message)) as server:
        judged = judge_three(server)
        last = server.requests[-1].json
        assert len(server.requests) == 4
    assert scored(judged) == [2 / 3] * 3
    assert parameter not in last
    assert instead is None or last[instead] == 4096
    assert rung_of(last) == "json_schema"


def test_a_parameter_of_the_user_is_sent_whatever_the_endpoint_says() -> None:
    with Loopback(refuses("temperature", "temperature is not supported")) as server:
        judged = judge_three(server, config={"parameters": {"temperature": 0.3}})
        sent = {request.json["temperature"] for request in server.requests}
    assert sent == {0.3}
    assert {cell.status for cell in judged.cells["coherence"]} == {Status.FAILED}


def test_false_leaves_a_parameter_out_and_others_are_sent_as_they_are() -> None:
    given = {"seed": False, "top_p": 0.9, "max_completion_tokens": 99}
    with Loopback(good) as server:
        judge_three(server, config={"parameters": given})
        body = server.requests[0].json
    assert "seed" not in body
    assert "max_tokens" not in body
    assert (body["top_p"], body["max_completion_tokens"], body["temperature"]) == (0.9, 99, 0)


# ---- limits ------------------------------------------------------------------------------------


def test_no_more_than_so_many_requests_at_once() -> None:
    many = [sample(f"q{n}") for n in range(12)]
    with Loopback(later(0.03, good)) as server:
        judge_three(server, samples=many, limits={"concurrency": 3})
        assert server.most_at_once == 3


def test_requests_and_tokens_a_minute_are_kept_to(clock: FakeClock) -> None:
    with Loopback(good) as server:
        judge_three(server, clock=clock, limits={"requests_per_minute": 6, "concurrency": 1})
    assert clock.now - 1000 == pytest.approx(20, abs=0.5)
    other = FakeClock()
    with Loopback(good) as server:
        judge_three(server, clock=other, limits={"tokens_per_minute": 1200, "concurrency": 1})
    # 1,200 tokens each by their usage, so a minute lies between them
    assert other.now - 1000 == pytest.approx(120, abs=1)


# ---- Anthropic ---------------------------------------------------------------------------------

A_USAGE = {"input_tokens": 100, "output_tokens": 20, "cache_read_input_tokens": 900}


def message(blocks: list[dict[str, Any]], stop: str = "end_turn") -> Step:
    return answer(json={"content": blocks, "stop_reason": stop, "usage": A_USAGE, "model": "c-1"})


def anthropic(connection: Connection, request: Request) -> None:
    """Refuse output_config, and do as the tool says."""
    if "output_config" in request.json:
        refusal = {"type": "error", "error": {"message": "output_config: extra inputs"}}
        answer(400, json=refusal)(connection, request)
        return
    used = {"type": "tool_use", "id": "t", "name": "verdict", "input": json.loads(GOOD)}
    message([{"type": "text", "text": "Well."}, used], "tool_use")(connection, request)


def test_anthropic_is_asked_in_its_own_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TESTED_KEY", "sk-ant-0815")
    with Loopback(anthropic) as server:
        judged = judge_three(server, config={"api": "anthropic", "key": "TESTED_KEY"})
        first, *_, last = server.requests
    assert scored(judged) == [2 / 3] * 3
    assert first.target == "/v1/messages"
    assert first.headers["x-api-key"] == "sk-ant-0815"
    assert first.headers["anthropic-version"] == "2023-06-01"
    assert first.json["output_config"]["format"]["type"] == "json_schema"
    assert last.json["tool_choice"] == {"type": "tool", "name": "verdict"}
    assert last.json["system"].startswith("You judge how coherent")
    assert [each["role"] for each in last.json["messages"]] == ["user"]
    assert "seed" not in last.json
    totals = judged.totals["tested"]
    assert (totals.input_tokens, totals.cached_input_tokens) == (3000, 2700)


def test_azure_is_asked_at_its_deployment_with_its_own_header(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TESTED_KEY", "azure-0815")
    path = "/openai/deployments/judge/chat/completions?api-version=2024-10-21"
    with Loopback(good) as server:
        here = f"http://127.0.0.1:{server.port}{path}"
        # the header is told from the host, *.azure.com, which no test can be
        judge = JudgeConfig(model="d", endpoint=here, key="TESTED_KEY", key_header="api-key")
        judged = judge_samples(THREE, ["coherence"], judge)
        asked = {(each.target, each.headers["api-key"]) for each in server.requests}
        assert "authorization" not in server.requests[0].headers
    assert scored(judged) == [2 / 3] * 3
    assert asked == {(path, "azure-0815")}
    theirs = JudgeConfig(model="d", endpoint=f"https://n.openai.azure.com{path}", key="TESTED_KEY")
    assert theirs.secret_headers("authorization") == {"api-key": "azure-0815"}


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (message([{"type": "text", "text": "no"}], "refusal"), "refusal"),
        (message([{"type": "text", "text": '{"reason'}], "max_tokens"), "truncated; 2 attempts"),
        (message([]), "empty; 2 attempts"),
        (answer(json={"type": "error", "error": {"type": "invalid"}}), "error_body"),
    ],
)
def test_anthropic_fails_by_the_same_reasons(step: Step, reason: str) -> None:
    fine = message([{"type": "text", "text": GOOD}])
    with Loopback(by_item({"q2": step}, fine)) as server:
        judged = judge_three(server, config={"api": "anthropic"})
    assert [cell.reason for cell in judged.cells["coherence"]] == ["", reason, ""]


@pytest.mark.parametrize("name", list(DIALECTS))
@pytest.mark.parametrize(
    "body",
    [None, [], "x", {}, {"choices": []}, {"choices": [{}]}, {"choices": [None]}, {"content": "x"}],
)
def test_a_body_that_is_no_answer_is_told_as_such(name: str, body: Any) -> None:
    with pytest.raises(NoAnswerError):
        DIALECTS[name].read(body)


@pytest.mark.parametrize(
    "usage",
    [None, [], "many", {"prompt_tokens": "12"}, {"prompt_tokens": -1}, {"prompt_tokens": True}],
)
def test_a_usage_that_is_none_is_not_0(usage: Any) -> None:
    body = {"choices": [{"message": {"content": "x"}}], "usage": usage}
    assert DIALECTS["openai"].read(body).usage is None


def test_details_of_usage_are_read() -> None:
    usage = {
        "prompt_tokens": IN,
        "completion_tokens": OUT,
        "prompt_tokens_details": {"cached_tokens": 7},
        "completion_tokens_details": {"reasoning_tokens": 9},
    }
    body = {"choices": [{"message": {"content": "x"}}], "usage": usage}
    assert DIALECTS["openai"].read(body).usage == Usage(IN, OUT, 7, 9)
    assert Rates(1.0, 4.0, 0.5).cost(Usage(1000, 0, 400)).usd == pytest.approx(0.0008)


# ---- addresses, keys, configs ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("endpoint", "expected"),
    [
        ("http://h/v1", "http://h/v1/chat/completions"),
        ("http://h/v1/", "http://h/v1/chat/completions"),
        ("http://h/v1/chat/completions", "http://h/v1/chat/completions"),
        (
            "https://n.openai.azure.com/openai/deployments/d/chat/completions?api-version=1",
            "https://n.openai.azure.com/openai/deployments/d/chat/completions?api-version=1",
        ),
        ("https://h/api?version=2", "https://h/api/chat/completions?version=2"),
    ],
)
def test_the_path_of_the_api_is_added_where_it_is_missing(endpoint: str, expected: str) -> None:
    assert api_address(endpoint, "/chat/completions") == expected


@pytest.mark.parametrize(
    ("endpoint", "options", "header", "value"),
    [
        ("https://api.openai.com/v1", {}, "authorization", "Bearer k-openai"),
        ("https://api.anthropic.com/v1", {}, "x-api-key", "k-anthropic"),
        ("https://n.openai.azure.com/x", {"key": "MINE"}, "api-key", "k-mine"),
        ("https://gateway.example/v1", {"key": "MINE"}, "authorization", "Bearer k-mine"),
        ("https://h.example/v1", {"key": "MINE", "key_header": "X-Key"}, "X-Key", "k-mine"),
    ],
)
def test_a_key_goes_where_the_api_wants_it(
    endpoint: str,
    options: dict[str, Any],
    header: str,
    value: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "MINE"):
        monkeypatch.setenv(name, f"k-{name.split('_')[0].lower()}")
    found = JudgeConfig(model="m", endpoint=endpoint, **options)
    assert found.secret_headers(DIALECTS[found.dialect].header) == {header: value}


def test_no_key_goes_to_a_host_that_it_was_not_named_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-mine")
    with Loopback(good) as server:
        judge_three(server)
        assert "authorization" not in server.requests[0].headers


def test_a_key_that_is_not_set_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    judge = JudgeConfig(model="gpt-x", endpoint="https://api.openai.com/v1")
    with pytest.raises(UsageError, match=r"judge gpt-x: .*environment variable OPENAI_API_KEY"):
        judge_samples(THREE, ["coherence"], judge)


FILE = """
model = "gpt-4o-mini"
endpoint = "https://api.openai.com/v1"
key = "MY_KEY"
name = "mini"

[parameters]
temperature = 0.0

[limits]
requests_per_minute = 500
tokens_per_minute = 200_000
concurrency = 8

[prices]
input = 0.15
output = 0.6
"""


def test_a_file_says_all_of_it(tmp_path: Path) -> None:
    path = tmp_path / "judge.toml"
    path.write_text(FILE)
    found = read_judge(path)
    assert (found.name, found.model, found.key) == ("mini", "gpt-4o-mini", "MY_KEY")
    assert found.limits == JudgeLimits(
        requests_per_minute=500, tokens_per_minute=200_000, concurrency=8
    )
    assert found.known_prices == Rates(0.15, 0.6)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({}, "missing required field `model`"),
        ({"model": ""}, "model is empty"),
        ({"model": "m"}, "one of endpoint and callable"),
        ({"model": "m", "endpoint": "http://h", "callable": "a:b"}, "one of endpoint and callable"),
        ({"model": "m", "endpoint": "http://h", "api": "x"}, "api is 'x'; openai or anthropic"),
        ({"model": "m", "endpoint": "http://h", "api_key": "sk"}, "unknown field `api_key`; known"),
        (
            {"model": "m", "endpoint": "http://h", "limits": {"rpm": 1}},
            "unknown field `rpm` at `limits`; known: requests_per_minute, tokens_per_minute, conc",
        ),
        (
            {"model": "m", "endpoint": "http://h", "prices": {"in": 1, "input": 1, "output": 1}},
            "unknown field `in` at `prices`; known: input, output, cached_input",
        ),
        (
            {"model": "m", "endpoint": "http://h", "limits": {"timeout": "60 s"}},
            "Expected `float`, got `str` at `limits.timeout`",
        ),
        ({"model": "m", "endpoint": "http://h", "limits": {"timeout": 0}}, "timeout is 0"),
        ({"model": "m", "endpoint": "http://h", "prices": {"input": 1}}, "missing .*`output`"),
        ({"model": "m", "endpoint": "http://h", "prices": {"input": -1, "output": 1}}, "-1"),
    ],
)
def test_a_config_that_cannot_be_is_refused(table: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        judge_config(table)


def test_a_file_that_is_no_config_is_named(tmp_path: Path) -> None:
    path = tmp_path / "judge.toml"
    path.write_text("model = gpt")
    with pytest.raises(FormatError, match=r"judge\.toml: not TOML"):
        read_judge(path)
    path.write_text("model = 'm'")
    with pytest.raises(FormatError, match=r"judge\.toml: .*one of endpoint and callable"):
        judge_samples(THREE, ["coherence"], path)


def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError, match="starts with http"):
        JudgeConfig(model="m", endpoint="localhost:1234")


def test_an_address_that_is_none_is_told_with_the_file_and_one_that_fits(tmp_path: Path) -> None:
    path = tmp_path / "judge.toml"
    path.write_text('model = "m"\nendpoint = "localhost:1234/v1"')
    with pytest.raises(
        FormatError, match=r"judge\.toml: an address .* as https://api\.openai\.com/v1;"
    ):
        read_judge(path)


def test_prices_come_from_the_public_lists_and_are_unknown_elsewhere() -> None:
    found = list_price("gpt-4o-mini", "https://api.openai.com/v1")
    assert found is not None
    assert (found.output or 0) > (found.input or 0) > (found.cached_input or 0) > 0
    assert list_price("gpt-4o-mini", "http://127.0.0.1:1/v1") is None
    assert list_price("no-such-model-0815") is None


# ---- functions ---------------------------------------------------------------------------------

ASKED = Asked((Message("user", "?"),))


def test_a_function_may_be_async_and_may_know_its_usage() -> None:
    async def judge(messages: Any, schema: Any) -> Reply:
        return Reply(GOOD, usage=Usage(10, 5))

    judged = judge_samples(THREE, ["coherence"], CallableJudge(judge, prices=Rates(1.0, 2.0)))
    assert scored(judged) == [2 / 3] * 3
    assert judged.totals[judged.judges[0].name].cost_usd == pytest.approx(3 * 20e-6)


def test_a_function_that_hangs_holds_up_nobody() -> None:
    hanging = threading.Event()

    def judge(messages: list[dict[str, str]], schema: Any) -> str:
        if "item q2" in messages[-1]["content"]:
            hanging.wait(30)
        return GOOD

    start = time.monotonic()
    judged = judge_samples(
        THREE, ["coherence"], CallableJudge(judge, limits=JudgeLimits(timeout=1))
    )
    hanging.set()
    assert time.monotonic() - start < 10
    assert [cell.reason for cell in judged.cells["coherence"]] == ["", "timeout", ""]


@pytest.mark.parametrize("wrong", [RuntimeError("boom"), SystemExit(3), KeyError("x")])
def test_what_a_function_raises_is_a_failure_of_its_item(wrong: BaseException) -> None:
    def judge(messages: list[dict[str, str]], schema: Any) -> str:
        if "item q2" in messages[-1]["content"]:
            raise wrong
        return GOOD

    judged = judge_samples(THREE, ["coherence"], CallableJudge(judge))
    assert [cell.reason for cell in judged.cells["coherence"]] == ["", "callable_error", ""]
    [failure] = judged.failures
    assert "test_endpoint.py:" in failure.message
    assert str(wrong) in judged.failures[0].message


def test_what_a_function_returns_has_to_be_a_reply() -> None:
    judged = judge_samples(THREE, ["coherence"], CallableJudge(lambda messages, schema: None))
    assert "not a NoneType" in judged.failures[0].message
    with pytest.raises(UsageError, match="int cannot be"):
        CallableJudge(3)  # type: ignore[arg-type]


class Odd:
    """An object that JSON does not know."""


HALF = '{"reason": "\\ud800", "verdict": 5}'
ODD_REPLIES: dict[str, tuple[Any, str]] = {
    "half a pair in a dict": ({"reason": "\ud800", "verdict": 5}, "not_text"),
    "half a pair in a text": ('{"reason": "\ud800", "verdict": 5}', "not_text"),
    "half a pair, escaped": (HALF, "not_text"),
    "half a pair in a Reply": (Reply('{"reason": "\ud800", "verdict": 5}'), "not_text"),
    "half a pair in a field of a Reply": (Reply(GOOD, model="\ud800"), "callable_error"),
    "NaN": ({"reason": "", "verdict": float("nan")}, "not_finite"),
    "infinity": ({"reason": "", "verdict": float("inf")}, "not_finite"),
    "a key that is a tuple": ({("a", 1): 5}, "callable_error"),
    "a key that is a number": ({1: 5}, "missing_field"),
    "an object": ({"reason": Odd(), "verdict": 5}, "callable_error"),
    "a Reply without a text": (Reply(None), "callable_error"),  # type: ignore[arg-type]
    "tokens that are a text": (
        Reply(GOOD, usage=Usage("many")),  # type: ignore[arg-type]
        "callable_error",
    ),
    "tokens below 0": (Reply(GOOD, usage=Usage(-1, 5)), "callable_error"),
    "no attempt": (Reply(GOOD, attempts=0), "callable_error"),
    "a failure with half a pair": (CallFailedError("odd", "\ud800", raw="\ud800"), "odd"),
}


@pytest.mark.parametrize("name", ODD_REPLIES)
def test_what_a_function_returns_and_nobody_can_keep_fails_its_item_alone(
    name: str, tmp_path: Path
) -> None:
    value, reason = ODD_REPLIES[name]

    def judge(messages: list[dict[str, str]], schema: Any) -> Any:
        if "item q2" not in messages[1]["content"]:
            return GOOD
        if isinstance(value, Exception):
            raise value
        return value

    with Cache(tmp_path / "cache.db") as cache:
        judged = judge_samples(THREE, ["coherence"], CallableJudge(judge), cache=cache)
    assert [cell.reason.partition(";")[0] for cell in judged.cells["coherence"]] == ["", reason, ""]
    assert json.dumps(judged.failures[0], ensure_ascii=False).encode()


def test_functions_run_at_once_up_to_the_limit() -> None:
    running, most, lock = 0, 0, threading.Lock()

    def judge(messages: Any, schema: Any) -> str:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.03)
        with lock:
            running -= 1
        return GOOD

    many = [sample(f"q{n}") for n in range(12)]
    judge_samples(many, ["coherence"], CallableJudge(judge, limits=JudgeLimits(concurrency=4)))
    assert most == 4


MODULE = f"""
def plain(messages, schema):
    return '''{GOOD}'''

def factory():
    return plain

broken = 1 / 0 if False else None
"""


@pytest.mark.parametrize("attribute", ["plain", "factory()"])
def test_a_config_may_name_a_function(
    attribute: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_tested_judge.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "my_tested_judge", raising=False)
    judge = JudgeConfig(model="mine-1", callable=f"my_tested_judge:{attribute}")
    judged = judge_samples(THREE, ["coherence"], judge)
    assert scored(judged) == [2 / 3] * 3
    assert judged.judges == (("mine-1", "callable", "mine-1"),)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("my_judge", "module:attribute"),
        ("no_such_module_0815:f", "there is no module 'no_such_module_0815'"),
        ("json:no_such", r"judge m: callable 'json:no_such': module 'json' has no 'no_such'"),
    ],
)
def test_a_function_that_is_not_there_is_named(spec: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        judge_samples(THREE, ["coherence"], JudgeConfig(model="m", callable=spec))


@pytest.mark.parametrize(
    ("function", "problem"),
    [
        (lambda prompt: GOOD, "missing a required argument: 'prompt'"),
        (lambda messages: GOOD, "got an unexpected keyword argument 'schema'"),
        (lambda messages, /, schema: GOOD, "'messages'"),
        (lambda messages, schema, model: GOOD, "missing a required argument: 'model'"),
    ],
    ids=["another name", "one too few", "not by keyword", "one too many"],
)
def test_a_function_that_cannot_be_called_so_is_refused_before_it_is(
    function: Any, problem: str
) -> None:
    with pytest.raises(UsageError) as caught:
        CallableJudge(function, name="mine")
    said = str(caught.value)
    assert said.startswith("judge mine: it cannot be called with the keywords messages and schema")
    assert problem in said
    assert said.endswith("; def judge(messages, schema) was expected")


def test_a_function_may_take_more_if_it_need_not_be_given() -> None:
    def judge(messages: Any, schema: Any, *, temperature: float = 0.0, **more: Any) -> str:
        return GOOD

    assert scored(judge_samples(THREE, ["coherence"], CallableJudge(judge))) == [2 / 3] * 3


async def _inside() -> Any:
    return judge_samples(THREE, ["coherence"], CallableJudge(lambda messages, schema: GOOD))


def test_it_works_where_a_loop_is_running_as_in_a_notebook() -> None:
    import asyncio

    assert scored(asyncio.run(_inside())) == [2 / 3] * 3


def test_a_judge_is_asked_in_the_language_of_the_sample() -> None:
    korean = sample("q1", query="무엇입니까?", answer="이것은 item q1입니다. 파란색입니다.")
    with Loopback(good) as server:
        judge_three(server, samples=[korean, THREE[1]], limits={"concurrency": 1})
        texts = sorted(map(prompt_of, (request for request in server.requests)))
        judge_three(server, samples=[korean], language="en")
        assert "You judge" in prompt_of(server.requests[-1])
    assert ["판정" in text for text in texts] == [False, True]
    assert scored(judge_samples([korean], ["coherence"], CallableJudge(_good))) == [2 / 3]


def _good(messages: Any, schema: Any) -> str:
    return GOOD


def test_a_config_of_a_test_is_what_users_write() -> None:
    with Loopback(good) as server:
        assert judge_samples(THREE, ["coherence"], config(server)).stop is None
