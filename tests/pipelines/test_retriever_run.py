"""Running: threads, loops, retries, timeouts, repetitions, failures, and what is said of them."""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

import ragstone
from ragstone.errors import InputError, RetrieverError
from ragstone.model import Run
from ragstone.pipelines import RetrieverRun, run_retriever
from ragstone.pipelines.workers import Task
from ragstone.store.journal import Journal

QUERIES = {f"q{n}": f"text {n}" for n in range(20)}


def search(text: str) -> list[tuple[str, float]]:
    number = int(text.split()[1])
    return [(f"d{number}", 2.0), (f"d{number + 1}", 1.0)]


async def search_async(text: str) -> list[tuple[str, float]]:
    await asyncio.sleep(0.001)
    return search(text)


class Searcher:
    """An object that can be called."""

    def __call__(self, text: str) -> list[tuple[str, float]]:
        return search(text)


class AsyncSearcher:
    """The same, as a coroutine."""

    async def __call__(self, text: str) -> list[tuple[str, float]]:
        return await search_async(text)


FORMS: dict[str, Any] = {
    "function": search,
    "async function": search_async,
    "object": Searcher(),
    "async object": AsyncSearcher(),
    "method": Searcher().__call__,
}


@pytest.mark.parametrize("concurrency", [1, 4])
@pytest.mark.parametrize("retriever", FORMS.values(), ids=FORMS)
def test_every_form_gives_the_same_run(retriever: Any, concurrency: int) -> None:
    run = run_retriever(retriever, QUERIES, concurrency=concurrency)
    assert list(run) == list(QUERIES)
    assert run["q7"] == {"d7": 2.0, "d8": 1.0}
    assert run.framework == "callable"
    assert isinstance(run, Run)
    assert all(len(record.latencies_ms) == 1 for record in run.records)


def test_the_run_is_scored_like_any_other() -> None:
    run = run_retriever(search, QUERIES)
    scores = ragstone.score({query: [f"d{query[1:]}"] for query in QUERIES}, run, ["RR"])
    assert ragstone.summary(scores) == {"RR": 1.0}


def test_k_goes_to_a_function_that_must_have_it() -> None:
    def deep(text: str, k: int) -> list[str]:
        return [f"d{n}" for n in range(k)]

    async def deeper(text: str, *, top_k: int) -> list[str]:
        return deep(text, top_k)

    def own(text: str, k: int = 3) -> list[str]:
        return deep(text, k)

    assert len(run_retriever(deep, {"q": "x"}, k=7)["q"]) == 7
    assert len(run_retriever(deeper, {"q": "x"}, k=7)["q"]) == 7
    assert len(run_retriever(own, {"q": "x"}, k=7)["q"]) == 3


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (Searcher, "that is a class; write module:Class() for an instance of it"),
        (lambda: search, "write module:factory() where it makes one"),
        (object(), "expected a LangChain retriever (invoke)"),
        (3, "the retriever, a int, cannot be called with a query"),
    ],
)
def test_what_is_no_retriever(given: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        run_retriever(given, QUERIES)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": 0}, "k is a whole number of at least 1"),
        ({"concurrency": True}, "concurrency is a whole number"),
        ({"concurrency": 1001}, "concurrency is at most 1,000, got 1001"),
        ({"timeout": 0}, "timeout is a number of seconds above 0"),
        ({"timeout": math.nan}, "timeout is a number of seconds above 0"),
        ({"timeout": math.inf}, "and at most 1,000,000, got inf"),
        ({"timeout": 1e300}, "and at most 1,000,000, got 1e\\+300"),
        ({"retries": -1}, "retries is a whole number of at least 0"),
        ({"on_error": "skip"}, "on_error is fail or record"),
        ({"framework": "langchian"}, "unknown framework 'langchian'; did you mean langchain?"),
        ({"framework": "llamaindex"}, "cannot be called with a query; an index becomes"),
    ],
)
def test_options_that_cannot_be(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        run_retriever(search, QUERIES, **options)


def test_queries_that_are_none() -> None:
    with pytest.raises(InputError, match="no query"):
        run_retriever(search, {})
    with pytest.raises(InputError, match="dict of ids and texts"):
        run_retriever(search, {"q": 3})  # type: ignore[dict-item]


def test_a_retriever_that_cannot_be_made_ready() -> None:
    class Cold:
        def warm_up(self) -> None:
            raise OSError("no model in /models")

        def run(self, query: str) -> list[str]:
            return []

    with pytest.raises(InputError) as caught:
        run_retriever(Cold(), QUERIES)
    assert "could not be made ready: OSError: no model in /models (" in str(caught.value)
    assert "in warm_up)" in str(caught.value)


def test_texts_that_utf8_cannot_hold() -> None:
    found = [{"id": "a", "text": "half \ud800"}]
    run = run_retriever(lambda text: found, QUERIES, keep_text=True)
    assert run.records[0].texts == ["half \\ud800"]


# ---- several at once ----------------------------------------------------------------------------


@pytest.mark.parametrize("sleep", [time.sleep, asyncio.sleep], ids=["threads", "loop"])
def test_several_at_once_but_never_more(sleep: Callable[[float], Any]) -> None:
    running, most, lock = 0, 0, threading.Lock()

    def enter(step: int) -> None:
        nonlocal running, most
        with lock:
            running += step
            most = max(most, running)

    def blocking(text: str) -> list[str]:
        enter(1)
        sleep(0.01)
        enter(-1)
        return ["a"]

    async def cooperative(text: str) -> list[str]:
        enter(1)
        await sleep(0.01)
        enter(-1)
        return ["a"]

    retriever = blocking if sleep is time.sleep else cooperative
    start = time.perf_counter()
    run_retriever(retriever, {f"q{n}": "x" for n in range(64)}, concurrency=8)
    assert most == 8
    assert time.perf_counter() - start < 0.4  # 0.64 one by one


# ---- failures -----------------------------------------------------------------------------------


class Flaky:
    """Fails at first."""

    def __init__(self, failures: int) -> None:
        self.failures, self.calls = failures, Counter[str]()

    def __call__(self, text: str) -> list[str]:
        self.calls[text] += 1
        if text == "text 3" and self.calls[text] <= self.failures:
            raise ConnectionError("index is away")
        return ["a"]


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pauses of a millisecond."""
    monkeypatch.setattr("ragstone.pipelines.workers.FIRST_PAUSE", 0.001)


@pytest.mark.parametrize("concurrency", [1, 4])
def test_a_call_that_fails_is_tried_again(concurrency: int) -> None:
    flaky = Flaky(2)
    run = run_retriever(flaky, QUERIES, retries=2, concurrency=concurrency)
    assert run["q3"] == {"a": 1.0}
    assert flaky.calls["text 3"] == 3
    assert flaky.calls.total() == 22


@pytest.mark.parametrize("concurrency", [1, 4])
def test_a_call_that_goes_on_failing_names_query_error_and_place(concurrency: int) -> None:
    with pytest.raises(RetrieverError) as caught:
        run_retriever(Flaky(9), QUERIES, retries=1, concurrency=concurrency)
    said = str(caught.value)
    assert "query 'q3': the retriever failed: ConnectionError: index is away" in said
    assert "test_retriever_run.py:" in said
    assert "in __call__" in said
    assert "--on-error record" in said
    assert isinstance(caught.value.__cause__, ConnectionError)


def test_a_query_that_fails_can_be_kept_without_results() -> None:
    run = run_retriever(Flaky(9), QUERIES, on_error="record")
    assert run["q3"] == {}
    [failed] = run.failed
    assert failed.query == "q3"
    assert (failed.error or "").startswith("ConnectionError: index is away (")
    assert run["q4"] == {"a": 1.0}
    [warning] = [line for line in run.warnings() if "failed" in line]
    assert warning.startswith("1 of 20 queries failed and are kept without results, which scores 0")


def test_a_query_that_failed_is_asked_again_when_a_run_goes_on(tmp_path: Path) -> None:
    path, flaky = tmp_path / "run.journal", Flaky(1)
    with Journal.open(path, {}) as journal:
        first = run_retriever(flaky, QUERIES, on_error="record", kept=journal)
    assert [each.query for each in first.failed] == ["q3"]
    with Journal.open(path, {}, resume=True) as journal:
        second = run_retriever(flaky, QUERIES, on_error="record", kept=journal)
    assert second.failed == []
    assert list(second) == list(QUERIES)
    assert flaky.calls.total() == 21
    assert second.records[5] == first.records[5]


def test_a_run_in_which_everything_failed_is_none() -> None:
    def broken(text: str) -> list[str]:
        raise ValueError("no index")

    with pytest.raises(RetrieverError, match="every query failed; the first, 'q0': ValueError: no"):
        run_retriever(broken, QUERIES, on_error="record")


def test_what_is_no_result_is_not_tried_again() -> None:
    calls = []

    def odd(text: str) -> Any:
        calls.append(text)
        return "abc"

    with pytest.raises(InputError, match="query 'q0': 'abc' came back"):
        run_retriever(odd, QUERIES, retries=3)
    assert len(calls) == 1


def test_what_is_no_result_can_be_recorded_but_not_a_result_without_an_id() -> None:
    run = run_retriever(
        lambda text: None if text == "text 3" else ["a"], QUERIES, on_error="record"
    )
    assert [each.query for each in run.failed] == ["q3"]
    with pytest.raises(InputError, match="query 'q0', rank 1: the result has no id"):
        run_retriever(lambda text: [{"text": "x"}], QUERIES, on_error="record")


def test_a_plain_function_that_gives_a_coroutine() -> None:
    with pytest.raises(InputError, match="not async; make it `async def`"):
        run_retriever(lambda text: search_async(text), QUERIES)  # noqa: PLW0108


def test_an_exit_in_the_retriever_is_a_failure() -> None:
    def leaving(text: str) -> list[str]:
        raise SystemExit(0)

    for concurrency in (1, 2):
        with pytest.raises(RetrieverError, match="SystemExit"):
            run_retriever(leaving, QUERIES, concurrency=concurrency)


# ---- timeouts -----------------------------------------------------------------------------------


def hangs(text: str) -> list[str]:
    if text == "text 3":
        time.sleep(1.5)
    return ["a"]


async def hangs_async(text: str) -> list[str]:
    if text == "text 3":
        await asyncio.sleep(5)
    return ["a"]


@pytest.mark.parametrize("concurrency", [1, 3])
@pytest.mark.parametrize("retriever", [hangs, hangs_async])
def test_a_call_that_takes_too_long(retriever: Any, concurrency: int) -> None:
    start = time.perf_counter()
    run = run_retriever(
        retriever, QUERIES, concurrency=concurrency, timeout=0.1, retries=1, on_error="record"
    )
    assert time.perf_counter() - start < 1.0
    [failed] = run.failed
    assert failed.query == "q3"
    assert failed.error == "no answer within 0.1 s, which is --timeout"
    assert all(run[query] == {"a": 1.0} for query in QUERIES if query != "q3")


def test_what_a_call_left_in_the_middle_is_closed_with_the_loop() -> None:
    left, closed = [], []

    async def pages() -> AsyncIterator[str]:
        try:
            yield "d1"
            yield "d2"
        finally:
            await asyncio.sleep(0)  # needs the loop
            closed.append(True)

    async def first_page(text: str) -> list[str]:
        left.append(pages())
        return [await anext(left[-1])]

    assert len(run_retriever(first_page, QUERIES).records) == len(QUERIES)
    assert len(closed) == len(left) == len(QUERIES)


def test_a_timeout_of_the_retrievers_own_is_its_error() -> None:
    async def impatient(text: str) -> list[str]:
        raise TimeoutError("the index did not answer")

    with pytest.raises(RetrieverError, match="TimeoutError: the index did not answer"):
        run_retriever(impatient, QUERIES, timeout=5)


def test_pauses_double_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ragstone.pipelines.workers.FIRST_PAUSE", 0.2)
    pauses = [Task(0, "", attempt=attempt).pause for attempt in (0, 1, 2, 3, 12)]
    assert pauses == [0.0, 0.2, 0.4, 0.8, 10.0]


# ---- repetitions --------------------------------------------------------------------------------


@pytest.mark.parametrize("concurrency", [1, 4])
def test_repetitions_keep_all_latencies_and_the_first_ranking(concurrency: int) -> None:
    calls = Counter[str]()

    def counted(text: str) -> list[tuple[str, float]]:
        calls[text] += 1
        return [("a", 1.0 / calls[text])]

    run = run_retriever(counted, QUERIES, repeat=3, concurrency=concurrency)
    assert set(calls.values()) == {3}
    assert all(len(record.latencies_ms) == 3 for record in run.records)
    assert run["q1"] == {"a": 1.0}
    assert run.latency_ms("q1") == sorted(run.records[1].latencies_ms)[1]


def test_repetitions_that_differ_name_the_query() -> None:
    calls = Counter[str]()

    def shaky(text: str) -> list[str]:
        calls[text] += 1
        return ["a", "b"] if text != "text 3" or calls[text] == 1 else ["a", "c"]

    with pytest.raises(InputError) as caught:
        run_retriever(shaky, QUERIES, repeat=2)
    assert "query 'q3': two calls gave different ids, 'b' and 'c' at rank 2" in str(caught.value)


# ---- warnings -----------------------------------------------------------------------------------


def warned(found: Any, judged: tuple[str, ...] = (), **options: Any) -> list[str]:
    run: RetrieverRun = run_retriever(lambda text: found, QUERIES, **options)
    return run.warnings(judged)


def test_duplicates_are_counted() -> None:
    [line] = warned(["a", "b", "a"], k=3)
    assert line.startswith("20 results listed again for the same query, removed")
    run = run_retriever(lambda text: ["a", "a"], QUERIES)
    assert run.facts == {"duplicates_removed": 20}


def test_an_order_that_is_not_of_the_scores_is_kept() -> None:
    found = [("a", 0.1), ("b", 0.3)]
    [line] = warned(found, k=2)
    assert "20 of 20 rankings do not fall by score (distances, or a reranker?)" in line
    run = run_retriever(lambda text: found, QUERIES)
    assert run["q1"] == {"a": 2.0, "b": 1.0}
    assert run.records[1].scores == [0.1, 0.3]


def test_a_retriever_that_was_asked_for_few() -> None:
    [line] = warned(["a", "b", "c", "d"])
    assert line.startswith("every query has 4 results and --k is 100: was the retriever asked for")
    assert run_retriever(lambda text: ["a"], {"q": "x"}).warnings() == []
    assert warned(["a", "b"], k=2) == []


def test_nothing_at_all() -> None:
    assert warned([]) == ["no query has a result"]


@pytest.mark.parametrize(
    ("found", "judged", "advice"),
    [
        ("p1#0", "p1", "--fold-to-parent '^(.*)#'"),
        ("p1_12", "p1", "--fold-to-parent '^(.*)_'"),
        ("p1|0", "p1", "--fold-to-parent '^(.*)\\|'"),
        ("8c0e", "p1", "--id-key takes the id from the metadata"),
    ],
)
def test_ids_that_nobody_judged(found: str, judged: str, advice: str) -> None:
    [line] = warned([found], (judged,), k=1)
    assert f"none of the 1 retrieved ids is judged: the retriever has ids like '{found}'" in line
    assert advice in line
    assert warned([found], (judged, found), k=1) == []
