"""Endpoints behind HTTP: a real server on loopback, its answers and its faults."""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from loopback import Loopback, Request, answer, cut, drip, later, reset
from ragstone.cli.main import run as run_here
from ragstone.errors import InputError, MissingExtraError, RetrieverError, UsageError
from ragstone.http import Retry
from ragstone.pipelines import Endpoint, run_retriever

QUERIES = {"q1": "one", "q2": "two", "q3": "three"}
GOOD = {"hits": [{"key": "a", "s": 2.5, "body": "A"}, {"key": "b", "s": 1.5, "body": "B"}]}
RESULTS = "hits[].{id: key, score: s, text: body}"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retry without long waits."""
    monkeypatch.setattr("ragstone.http.Retry", partial(Retry, first=0.001))


def search(connection: Any, request: Request) -> None:
    """Answer with what was asked."""
    number = len(request.json["query"])
    found = {"results": [{"id": f"d{number}", "score": 2}, {"id": "x", "score": 1}]}
    later(0.01, answer(json=found))(connection, request)


@pytest.mark.parametrize("concurrency", [1, 3])
def test_the_usual_shape_needs_no_mapping(concurrency: int) -> None:
    with Loopback(search) as server:
        run = run_retriever(server.url, QUERIES, k=7, concurrency=concurrency)
    assert run.framework == "http"
    assert run["q3"] == {"d5": 2.0, "x": 1.0}
    assert sorted(request.json["query"] for request in server.requests) == ["one", "three", "two"]
    assert {request.json["k"] for request in server.requests} == {7}
    assert all(request.method == "POST" for request in server.requests)
    assert server.most_at_once == concurrency
    assert all(9 < record.latencies_ms[0] < 5000 for record in run.records)


@pytest.mark.parametrize(
    "found",
    [["a", "b"], [["a", 2], ["b", 1]], {"documents": ["a", "b"]}, {"hits": [{"_id": "a"}, "b"]},
     {"matches": [{"id": "a", "score": 2}, {"id": "b", "score": 1}], "took": 3}],
    ids=repr,
)  # fmt: skip
def test_shapes_that_are_understood(found: Any) -> None:
    with Loopback(answer(json=found)) as server:
        assert list(run_retriever(server.url, QUERIES)["q1"]) == ["a", "b"]


def test_a_mapping_both_ways_texts_and_headers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEARCH_KEY", "sk-1234567")
    monkeypatch.setenv("TENANT", "acme")
    with Loopback(answer(json=GOOD)) as server:
        endpoint = Endpoint(
            server.url,
            request='{"q": {"text": query}, "top_k": k, "mode": \'hybrid\', "deep": `true`}',
            results=RESULTS,
            headers=["Authorization=Bearer SEARCH_KEY", "x-tenant = TENANT"],
        )
        run = run_retriever(endpoint, {"q1": 'a "quoted" 세탁기'}, k=5, keep_text=True)
    assert server.requests[0].json == {
        "q": {"text": "a \"quoted\" 세탁기"}, "top_k": 5, "mode": "hybrid", "deep": True
    }  # fmt: skip
    assert server.requests[0].headers["authorization"] == "Bearer sk-1234567"
    assert server.requests[0].headers["x-tenant"] == "acme"
    assert run["q1"] == {"a": 2.5, "b": 1.5}
    assert run.records[0].texts == ["A", "B"]


# ---- faults that pass ---------------------------------------------------------------------------

PASSING = {
    "429 with Retry-After": answer(429, headers={"Retry-After": "0.05"}, json={"detail": "slow"}),
    "500": answer(500, body=b"oops"),
    "503": answer(503, body=b""),
    "cut off": cut(b'{"results": [', 500),
    "reset": reset,
}


@pytest.mark.parametrize("fault", PASSING.values(), ids=PASSING)
def test_a_fault_that_passes_is_not_seen(fault: Any) -> None:
    script = [fault, search, fault, fault, search, search]
    with Loopback(script) as server:
        run = run_retriever(server.url, QUERIES)
    assert [run[query] for query in QUERIES] == [{"d3": 2.0, "x": 1.0}] * 2 + [
        {"d5": 2.0, "x": 1.0}
    ]
    assert len(server.requests) == 6


def test_retry_after_is_waited_for_and_is_no_latency() -> None:
    with Loopback([answer(429, headers={"Retry-After": "0.3"}, json={}), search]) as server:
        run = run_retriever(server.url, {"q1": "one"})
    first, second = server.requests
    assert second.at - first.at >= 0.3
    assert run.records[0].latencies_ms[0] < 290


def test_how_often_it_is_tried() -> None:
    for retries, expected in ((0, 1), (2, 3), (None, 4)):
        with Loopback(answer(500, body=b"oops")) as server, pytest.raises(RetrieverError):
            run_retriever(server.url, {"q1": "one"}, retries=retries)
        assert len(server.requests) == expected


# ---- faults that stay ---------------------------------------------------------------------------

STAYING = {
    "500": (answer(500, body=b"no index"), "status 500 after 2 attempts: 'no index'"),
    "401": (answer(401, json={"error": "key"}), 'status 401: \'{"error": "key"}\'; check the key'),
    "a redirect": (answer(301, headers={"Location": "/x"}, json={}), "redirects are not followed"),
    "slow": (later(9, search), "no complete answer within 0.2 s after 2 attempts"),
    "dripping": (drip(b'{"results": []}' * 9, 0.05), "no complete answer within 0.2 s"),
    "cut off": (cut(b'{"results": [', 500), "the answer was cut off"),
    "malformed": (answer(body=b'{"results": [}'), "is not JSON"),
    "HTML": (answer(body=b"<html>", headers={"Content-Type": "text/html"}), "(text/html) is not"),
    "empty": (answer(body=b""), "the body is empty"),
    "not UTF-8": (answer(body=b'["\xff"]'), "the body is not UTF-8: 0xff"),
}


@pytest.mark.parametrize("concurrency", [1, 2])
@pytest.mark.parametrize(("fault", "message"), STAYING.values(), ids=STAYING)
def test_a_fault_that_stays(fault: Any, message: str, concurrency: int) -> None:
    with Loopback(fault) as server, pytest.raises(RetrieverError) as caught:
        run_retriever(server.url, QUERIES, retries=1, timeout=0.2, concurrency=concurrency)
    said = str(caught.value)
    assert message in said
    assert "the retriever failed: POST http://127.0.0.1:" in said
    assert said.startswith("query 'q")
    assert "--on-error record" in said


def test_a_connection_that_is_refused() -> None:
    with Loopback(search) as server:
        url = server.url
    with pytest.raises(RetrieverError, match=r"no connection .* after 2 attempts; is it up, and"):
        run_retriever(url, QUERIES, retries=1)


def test_a_query_that_fails_is_recorded() -> None:
    with Loopback([search, answer(400, json={"detail": "too short"}), search]) as server:
        run = run_retriever(server.url, QUERIES, on_error="record")
    [failed] = run.failed
    assert failed.query == "q2"
    assert 'status 400: \'{"detail": "too short"}\'' in (failed.error or "")
    assert run["q3"] == {"d5": 2.0, "x": 1.0}


# ---- answers of another shape -------------------------------------------------------------------

WRONG: dict[str, tuple[Any, str | None, str]] = {
    "no list": (
        {"took": 3, "hits": {"total": 1}}, None,
        "the answer is an object with took, hits; name the place of the results in it with",
    ),
    "nothing that is known": (
        {"data": ["a"]}, None, "the answer is an object with data (a list); name the place"
    ),
    "scores are no results": ({"took": 3, "total": 9}, None, "an object with took, total; name"),
    "null": (None, None, "the answer is None; name the place of the results in it"),
    "the mapping finds nothing": (
        {"documents": []}, "hits[].id",
        "--results 'hits[].id' finds None and no list in the answer, which is an object with "
        "documents (a list)",
    ),
    "the mapping finds no list": (
        GOOD, "hits[0]", "--results 'hits[0]' finds an object with key, s, body and no list"
    ),
    "the mapping finds no id": (
        GOOD, "hits[].{id: name, score: s}", "rank 1: the result has no id and no metadata; return "
    ),
    "a score that is a text": (
        {"hits": [{"id": "a", "score": "high"}]}, None, "the score of 'a' is 'high'; a number was"
    ),
    "a function that cannot take it": (
        {"hits": 3}, "sort_by(hits, &score)", "--results 'sort_by(hits, &score)': In function sort"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("found", "results", "message"), WRONG.values(), ids=WRONG)
def test_another_shape(found: Any, results: str | None, message: str) -> None:
    with Loopback(answer(json=found)) as server, pytest.raises(InputError) as caught:
        run_retriever(Endpoint(server.url, results=results), QUERIES)
    assert message in str(caught.value)
    assert str(caught.value).startswith("query 'q1'")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"results": "hits["}, "--results 'hits[': Invalid jmespath expression"),
        ({"request": "{query}"}, "--request '{query}': "),
        ({"headers": ["Authorization"]}, "--header 'Authorization': NAME=ENVVAR was expected"),
        ({"headers": ["A=NO_SUCH_VARIABLE"]}, "no environment variable NO_SUCH_VARIABLE; set it"),
        ({"headers": ["A=sk-12345-secret"]}, "no environment variable that is named there; set"),
    ],
)
def test_what_cannot_be_is_said_before_anything_is_sent(
    options: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError) as caught:
        Endpoint("http://127.0.0.1:9/search", **options)
    assert message in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_request_without_the_query() -> None:
    with Loopback(search) as server, pytest.raises(InputError) as caught:
        run_retriever(Endpoint(server.url, request="{q: text, k: k}"), QUERIES)
    assert "gives {'q': None, 'k': 100}, without the query; the names are query" in str(
        caught.value
    )
    assert server.requests == []


def test_addresses_that_are_none() -> None:
    with pytest.raises(UsageError, match="starts with http"):
        Endpoint("https:///search")
    assert (
        repr(Endpoint("https://a:b@h.example/x?key=1")) == "Endpoint('https://h.example/x?key=***')"
    )


@pytest.mark.parametrize("missing", ["httpx", "jmespath"])
def test_a_missing_extra(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(MissingExtraError, match=r'pip install "ragstone\[http\]"'):
        run_retriever(Endpoint("http://127.0.0.1:9/search", results="a"), QUERIES)


# ---- the command --------------------------------------------------------------------------------


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SEARCH_KEY", "sk-1234567")
    Path("queries.jsonl").write_text('{"id": "q1", "text": "one"}\n{"id": "q2", "text": "two"}\n')
    table = [f"results = '{RESULTS}'", "k = 9", "keep-text = true", "[retriever.header]",
             "Authorization = 'Bearer SEARCH_KEY'"]  # fmt: skip
    Path("x.toml").write_text("\n".join(["[retriever]", *table]) + "\n")
    with Loopback(answer(json=GOOD)) as server:
        flags = ["--retriever", f"{server.url}?token=abcdefgh9", "--queries", "queries.jsonl",
                 "--config", "x.toml", "--request", '{"query": query, "top_k": k}']  # fmt: skip
        assert run_here(["run-retriever", *flags, "--out", "run.jsonl"]) == 0
    assert server.requests[0].json == {"query": "one", "top_k": 9}
    assert server.requests[0].headers["authorization"] == "Bearer sk-1234567"
    row = json.loads(Path("run.jsonl").read_text().splitlines()[0])
    assert row["results"] == [{"id": "a", "score": 2.5}, {"id": "b", "score": 1.5}]
    assert row["retrieved"] == [{"id": "a", "text": "A"}, {"id": "b", "text": "B"}]
    assert "(http); latency" in capfd.readouterr().err
    with Loopback([answer(json=GOOD), answer(500, body=b"token abcdefgh9 sk-1234567")]) as server:
        flags[1] = f"{server.url}?token=abcdefgh9"
        assert run_here(["run-retriever", *flags, "--out", "b.jsonl", "--retries", "0"]) == 2
    said = capfd.readouterr().err + Path("b.jsonl.journal").read_text()
    assert "token=***" in said
    assert "1 of 2 queries are kept in b.jsonl.journal" in said
    assert "sk-1234567" not in said
    assert "abcdefgh9" not in said
