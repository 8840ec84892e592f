"""The cache, replay without a network, the journal, and what a kill leaves behind."""

from __future__ import annotations

import importlib
import json
import math
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from fakeclock import FakeClock
from judging import COST, GOOD, THREE, by_item, config, honest, judge_three, sample, says
from loopback import Connection, Loopback, answer, cut, later, reset
from loopback import Request as Asked
from ragstone.errors import InputError, MissingExtraError, UsageError
from ragstone.judge import (
    CallableJudge,
    JudgeConfig,
    Judged,
    JudgeLimits,
    Message,
    Rates,
    Request,
    estimate,
    judge_samples,
    rubric_of,
)
from ragstone.judge.asking import request_key
from ragstone.judge.endpoint import EndpointJudge
from ragstone.judge.plan import AnyMeasure, Plan, open_judges
from ragstone.judge.prompting import prompt
from ragstone.measures import JUDGED
from ragstone.model import ScoresBuilder, Status
from ragstone.model.samples import Nugget
from ragstone.store import Cache, Journal

good = says(GOOD)
RUBRIC = rubric_of(
    {
        "name": "polite",
        "question": "How polite is it?",
        "scale": [{"value": 1, "anchor": "rude"}, {"value": 5, "anchor": "warm"}],
    }
)
ALL: list[AnyMeasure] = [*map(str, JUDGED), RUBRIC]
WHOLE = {"reference": "It is blue. It is small.", "nuggets": (Nugget("It is blue."),)}
"""What a sample needs beside the usual for every judged measure to have a value."""


def outcome(judged: Judged) -> Any:
    """Return all that a report may take from it."""
    return (
        judged.items,
        judged.judges,
        judged.cells,
        judged.by_judge,
        judged.signatures,
        judged.failures,
        judged.totals,
    )


def test_offline_gives_the_same_from_the_cache_with_the_server_down(tmp_path: Path) -> None:
    samples = [sample(f"q{n}", **WHOLE) for n in range(4)]
    script = by_item({"q1": says("nonsense"), "q2": answer(500)}, honest())
    with Loopback(script) as server, Cache(tmp_path / "cache.db") as cache:
        judge = EndpointJudge(config(server), clock=FakeClock())
        first = judge_samples(samples, ALL, judge, cache=cache)
        asked, down = len(server.requests), config(server)
    scored, failed = Status.SCORED, Status.FAILED
    for measure in first.cells:
        found = [cell.status for cell in first.cells[measure]]
        assert found == [scored, failed, failed, scored], measure
    assert len(first.cells) == len(ALL) == 10
    with Cache(tmp_path / "cache.db", read_only=True) as cache:
        again = judge_samples(samples, ALL, down, cache=cache, offline=True)
    assert outcome(again) == outcome(first)
    assert (again.asked, again.spent_usd) == (0, 0.0)
    assert asked > 20
    assert first.totals["tested"].attempts == asked


@pytest.mark.parametrize("seed", range(4))
def test_whatever_an_endpoint_did_offline_gives_the_same(seed: int, tmp_path: Path) -> None:
    draw, lock = Random(seed), threading.Lock()
    troubles = [
        answer(500), answer(429), answer(400, body=b"no"), answer(json={"error": "x"}), reset,
        answer(body=b"\xff"), cut(b"{", 99), says(""), says("nonsense"), says(None, refusal="no"),
        says('{"verdicts": []}'), says('{"claims": []}'), says(GOOD, usage=None),
        says('{"verdict', finish="length"), says('{"verdict": NaN}'),
    ]  # fmt: skip

    def step(connection: Connection, asked: Asked) -> None:
        with lock:
            trouble = draw.choice(troubles) if draw.random() < 0.4 else honest()
        trouble(connection, asked)

    samples = [sample(f"q{n}", **WHOLE) for n in range(8)] + [sample("q8", error="down")]
    with Loopback(step) as server, Cache(tmp_path / "cache.db") as cache:
        limits = {"stop_after": 1000, "attempts": 2}
        judge = EndpointJudge(config(server, limits=limits), clock=FakeClock())
        first = judge_samples(samples, ALL, judge, cache=cache, repeat=2)
        asked, down = len(server.requests), config(server, limits=limits)
    with Cache(tmp_path / "cache.db", read_only=True) as cache:
        again = judge_samples(samples, ALL, down, cache=cache, offline=True, repeat=2)
    assert outcome(again) == outcome(first)
    assert first.totals["tested"].attempts == asked
    cells = [cell for found in first.cells.values() for cell in found]
    counted = Counter(cell.status for cell in cells)
    assert min(counted[Status.SCORED], counted[Status.FAILED]) > 10
    assert all(math.isfinite(cell.value) and 0 <= cell.value <= 5 for cell in cells)
    assert all(cell.reason and cell.value == 0 for cell in cells if cell.status is Status.FAILED)


def test_offline_and_an_estimate_need_neither_key_nor_httpx(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TESTED_KEY", "sk-very-secret-0815")
    with Loopback(good) as server, Cache(tmp_path / "cache.db") as cache:
        judge = config(server, key="TESTED_KEY")
        judge_samples(THREE, ["coherence"], judge, cache=cache)
        monkeypatch.delenv("TESTED_KEY")
        monkeypatch.setitem(sys.modules, "httpx", None)
        judged = judge_samples(THREE, ["coherence"], judge, cache=cache, offline=True)
        assert [cell.value for cell in judged.cells["coherence"]] == [2 / 3] * 3
        assert estimate(THREE, ["coherence"], judge)[0].calls == 3
        with pytest.raises(MissingExtraError, match=r'a judge needs .*"ragstone\[judge\]"'):
            judge_samples(THREE, ["coherence"], config(server))
        with pytest.raises(UsageError, match="environment variable TESTED_KEY"):
            judge_samples(THREE, ["coherence"], judge)


def test_offline_and_an_estimate_need_no_code_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone_judge.py").write_text(f"def judge(messages, schema): return {GOOD!r}\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    judge = JudgeConfig(model="m", callable="gone_judge:judge")
    with Cache(tmp_path / "cache.db") as cache:
        first = judge_samples(THREE, ["coherence"], judge, cache=cache)
        (tmp_path / "gone_judge.py").unlink()
        monkeypatch.delitem(sys.modules, "gone_judge")
        importlib.invalidate_caches()
        again = judge_samples(THREE, ["coherence"], judge, cache=cache, offline=True)
        assert estimate(THREE, ["coherence"], judge)[0].calls == 3
        with pytest.raises(InputError, match="there is no module 'gone_judge'"):
            judge_samples(THREE, ["coherence"], judge, cache=cache)
    assert outcome(again) == outcome(first)
    assert [cell.value for cell in again.cells["coherence"]] == [2 / 3] * 3


def test_no_samples_are_no_cells() -> None:
    with Loopback(good) as server:
        judged = judge_three(server, samples=[])
    assert (judged.items, judged.cells) == ((), {"coherence": []})


def test_what_the_cache_does_not_have_fails_offline_by_name(tmp_path: Path) -> None:
    with Cache(tmp_path / "cache.db") as cache, Loopback(good) as server:
        judge_samples(THREE[:2], ["coherence"], config(server), cache=cache)
        judged = judge_samples(THREE, ["coherence"], config(server), cache=cache, offline=True)
        assert len(server.requests) == 2
    assert judged.cells["coherence"][2] == (0.0, Status.FAILED, 0.0, "not_in_cache", "")


def test_offline_needs_a_cache() -> None:
    with Loopback(good) as server, pytest.raises(InputError, match="offline answers come from"):
        judge_samples(THREE, ["coherence"], config(server), offline=True)


def test_a_second_run_asks_only_for_what_failed(tmp_path: Path) -> None:
    with Cache(tmp_path / "cache.db") as cache:
        with Loopback(by_item({"q2": says("nonsense")})) as server:
            assert judge_three(server, cache=cache).failures
        with Loopback(good) as server:
            judged = judge_three(server, cache=cache)
            assert len(server.requests) == 1
    assert [cell.value for cell in judged.cells["coherence"]] == [2 / 3] * 3
    assert judged.totals["tested"].cost_usd == pytest.approx(3 * COST)
    assert judged.spent_usd == pytest.approx(COST)


@pytest.mark.parametrize(
    "other",
    [
        {"model": "other"},
        {"provider": "elsewhere"},
        {"parameters": {"temperature": 0.5}},
    ],
    ids=lambda other: next(iter(other)),
)
def test_the_key_has_all_that_an_answer_depends_on(other: dict[str, Any], tmp_path: Path) -> None:
    with Cache(tmp_path / "cache.db") as cache, Loopback(good) as server:
        for options in ({}, other, {}, other):
            judge_three(server, cache=cache, config=options)
        assert len(server.requests) == 6


ASKED = Request((Message("user", "?"),), {"type": "object"}, "reply", 0)
PARTS: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "provider": ({"provider": "elsewhere"}, {}, {}),
    "model": ({"model": "m2"}, {}, {}),
    "parameters": ({"parameters": {"temperature": 1}}, {}, {}),
    "messages": ({}, {"messages": (Message("user", "!"),)}, {}),
    "the role of a message": ({}, {"messages": (Message("system", "?"),)}, {}),
    "schema": ({}, {"schema": {"type": "array"}}, {}),
    "repeat index": ({}, {"repeat": 1}, {}),
    "prompt version": ({}, {}, {"version": 2}),
    "prompt language": ({}, {}, {"language": "ko"}),
}


def key_of(
    judge: dict[str, Any], request: dict[str, Any], asked: dict[str, Any], name: str = "one"
) -> str:
    found = CallableJudge(lambda messages, schema: "", **{"model": "m", "name": name, **judge})
    by = replace(prompt("coherence", "en"), **asked)
    return request_key(found, replace(ASKED, **request), by)


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS.keys())
def test_each_part_of_the_key_makes_it_another(part: Any) -> None:
    assert key_of(*part) != key_of({}, {}, {})
    assert key_of(*part) == key_of(*part)


def test_names_prices_and_limits_are_no_part_of_the_key() -> None:
    other = {"prices": Rates(1.0, 2.0), "limits": JudgeLimits(timeout=1.0)}
    assert key_of(other, {}, {}, "other") == key_of({}, {}, {})


def test_two_functions_of_the_same_model_are_two_judges(tmp_path: Path) -> None:
    def opened(callable_: str) -> JudgeConfig:
        return JudgeConfig(model="m", callable=callable_)

    [one], [other], [again] = (
        open_judges(opened(each), unasked=True) for each in ("j:a", "j:b", "j:a")
    )
    keys = [request_key(each, ASKED, prompt("coherence", "en")) for each in (one, other, again)]
    assert keys[0] == keys[2] != keys[1]
    plan = Plan.of(THREE, ["coherence"])
    signed = [plan.signatures([each])["coherence"] for each in (one, other, again)]
    assert signed[0] == signed[2] != signed[1]
    assert signed[0]["judge_parameters"] == '{"callable":"j:a"}'


def test_a_cache_is_sqlite_with_a_log_and_json_in_it(tmp_path: Path) -> None:
    with Loopback(good) as server, Cache(tmp_path / "cache.db") as cache:
        judge_samples(THREE, ["coherence"], config(server), cache=cache)
    with closing(sqlite3.connect(tmp_path / "cache.db")) as base:
        assert base.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        values = [json.loads(value) for (value,) in base.execute("SELECT value FROM entries")]
    turns = [each["turns"][0] for each in values if "turns" in each]
    assert [turn["text"] for turn in turns] == [GOOD] * 3
    assert {"rung": "json_schema"} in [{"rung": each.get("rung")} for each in values]


def test_another_address_alone_does_not_change_the_key(tmp_path: Path) -> None:
    with Cache(tmp_path / "cache.db") as cache:
        for asked in (3, 0):
            with Loopback(good) as server:
                judge_three(server, cache=cache)
                assert len(server.requests) == asked


def test_the_cache_has_no_key_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TESTED_KEY", "sk-very-secret-0815")
    echo = by_item({"q2": answer(400, body=b"bad key sk-very-secret-0815")})
    with (
        Cache(tmp_path / "cache.db") as cache,
        Journal.open(tmp_path / "journal", {}) as journal,
        Loopback(echo) as server,
    ):
        judge_three(server, cache=cache, journal=journal, config={"key": "TESTED_KEY"})
    written = [path.read_bytes() for path in tmp_path.iterdir()]
    assert sum(map(len, written)) > 1000
    assert not any(b"0815" in data for data in written)


def test_what_two_measures_need_is_asked_once() -> None:
    samples = [sample("q1", reference="It is blue.")]
    with Loopback(honest()) as server:
        judged = judge_three(server, ["faithfulness", "claim_recall"], samples=samples)
        # claims of the answer, of the reference; verdicts on contexts, reference and answer
        assert len(server.requests) == 5
    assert judged.totals["tested"].calls == 5


def test_equal_samples_are_asked_about_once_and_each_has_its_value() -> None:
    twins = [sample("q1"), sample("q2", answer="This is item q1. It is blue.")]
    with Loopback(later(0.1, good)) as server:
        judged = judge_three(server, samples=twins)
        assert len(server.requests) == 1
    assert [cell.value for cell in judged.cells["coherence"]] == [2 / 3, 2 / 3]
    assert judged.totals["tested"].cost_usd == pytest.approx(COST)


def test_scores_from_the_cells_do_not_depend_on_the_order_of_answers(tmp_path: Path) -> None:
    samples = [sample(f"q{n}") for n in range(8)]
    delays = {f"q{n}": later(0.01 * (8 - n), good) for n in range(8)}
    with Loopback(by_item(delays)) as server:
        judged = judge_three(server, samples=samples)
    assert judged.items == tuple(f"q{n}" for n in range(8))
    builder = ScoresBuilder(["coherence"])
    for item, cell in zip(judged.items, judged.cells["coherence"], strict=True):
        builder.add(item, [cell])
    assert len(builder.build(columns=judged.signatures)) == 8


# ---- the journal -------------------------------------------------------------------------------


def test_a_journal_is_gone_on_with_and_failures_are_asked_again(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    samples = [sample(f"q{n}", **WHOLE) for n in range(3)]
    broken = by_item({"q2": says("nonsense")}, honest())
    with Journal.open(path, {}) as journal, Loopback(broken) as server:
        first = judge_three(server, ALL, samples=samples, journal=journal)
    assert {failure.item for failure in first.failures} == {"q2"}
    with Journal.open(path, {}, resume=True) as journal, Loopback(honest()) as server:
        again = judge_three(server, ALL, samples=samples, journal=journal)
        about = {request.json["messages"][-1]["content"] for request in server.requests}
    assert all("item q2" in text for text in about)
    assert again.failures == ()
    assert {c.status for cells in again.cells.values() for c in cells} == {Status.SCORED}
    assert again.cells["coherence"][:2] == first.cells["coherence"][:2]
    with Loopback(honest()) as server:
        whole = judge_three(server, ALL, samples=samples)
    assert outcome(again) == outcome(whole)


def test_what_a_journal_belongs_to_is_told_by_the_plan(tmp_path: Path) -> None:
    with Loopback(good) as server:
        judge = EndpointJudge(config(server))
        one = Plan.of(THREE, ["coherence"]).identity([judge])
        assert one == Plan.of(THREE, ["coherence"]).identity([judge])
        for other in (
            Plan.of(THREE[:2], ["coherence"]),
            Plan.of(THREE, ["toxicity"]),
            Plan.of(THREE, ["coherence"], repeat=2),
            Plan.of(THREE, ["coherence"], language="ko"),
        ):
            assert other.identity([judge]) != one


CHILD = """
import sys
from pathlib import Path
from judging import sample
from ragstone.judge import JudgeConfig, JudgeLimits, JudgePrices, judge_samples
from ragstone.store import Journal

port, folder = int(sys.argv[1]), Path(sys.argv[2])
judge = JudgeConfig(
    model="tested", endpoint=f"http://127.0.0.1:{port}/v1", prices=JudgePrices(input=1, output=4),
    limits=JudgeLimits(concurrency=2),
)
samples = [sample(f"q{number}") for number in range(20)]
with Journal.open(folder / "journal", {}, resume=True) as journal:
    judge_samples(samples, ["coherence", "toxicity"], judge, journal=journal)
"""


def test_a_run_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    samples = [sample(f"q{number}") for number in range(20)]
    measures = ["coherence", "toxicity"]
    with Loopback(later(0.03, honest())) as server:
        support = str(Path(__file__).parents[1] / "support")
        code = f"import sys; sys.path.insert(0, {support!r})\n{CHILD}"
        arguments = [sys.executable, "-c", code, str(server.port), str(tmp_path)]
        with subprocess.Popen(arguments) as child:
            end = time.monotonic() + 20
            while len(server.requests) < 12 and time.monotonic() < end:
                time.sleep(0.01)
            child.send_signal(signal.SIGKILL)
        time.sleep(0.1)  # for the requests that were on their way
        before = len(server.requests)
        assert 12 <= before < 40
        judge = config(server, limits={"concurrency": 2})
        with Journal.open(tmp_path / "journal", {}, resume=True) as journal:
            assert len(journal.done) >= 8
            judged = judge_samples(samples, measures, judge, journal=journal)
        # only what was on its way when the process died is asked twice
        assert 40 <= len(server.requests) <= 42
        whole = judge_samples(samples, measures, judge)
    assert outcome(judged) == outcome(whole)
    assert {c.status for cells in judged.cells.values() for c in cells} == {Status.SCORED}
    assert judged.items == tuple(each.id for each in samples)
    assert judged.totals["tested"].cost_usd == pytest.approx(40 * COST)
