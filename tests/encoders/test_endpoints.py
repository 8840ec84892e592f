"""What is sent to OpenAI-compatible endpoints and to Ollama, and what is made of the answer."""

from __future__ import annotations

import asyncio
import base64
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from embedding import DIMENSIONS, ollama, openai, openai_body, vectors
from loopback import Connection, Loopback, Request, Step, answer, later
from ragstone.encoders import EncoderConfig, encoder_config, open_encoder
from ragstone.encoders.ollama import ollama_model
from ragstone.encoders.openai import openai_model
from ragstone.errors import BadResponseError, InputError, StatusError, UsageError

TEXTS = ["서울은 수도다", "a", "bb", "ccc", "Zürich 🏔"]


def config(server: Loopback, path: str = "/v1", /, **more: Any) -> EncoderConfig:
    return encoder_config({"endpoint": f"http://127.0.0.1:{server.port}{path}", **more})


def same(found: Any, texts: Sequence[str]) -> bool:
    return bool((found == vectors(texts)).all())


# ---- OpenAI ------------------------------------------------------------------------------------


def test_a_request_and_its_answer() -> None:
    with Loopback(openai) as server:
        encoder = open_encoder("openai:m-small", config(server))
        assert same(encoder.encode(TEXTS), TEXTS)
        (request,) = server.requests
    assert (request.method, request.target) == ("POST", "/v1/embeddings")
    assert request.json == {"model": "m-small", "input": sorted(TEXTS, key=lambda t: (len(t), t))}
    assert "authorization" not in request.headers
    assert encoder.name == "openai:m-small"
    assert dict(encoder.signature) == {"encoder": "openai", "encoder_model": "m-small"}


def test_what_a_config_says_is_sent_and_signed() -> None:
    more: dict[str, Any] = {
        "dimensions": 4,
        "prompt": "query: ",
        "parameters": {"encoding_format": "base64", "user": "r"},
        "revision": "2024-02",
    }
    with Loopback(openai) as server:
        encoder = open_encoder("openai:m", config(server, **more))
        assert (encoder.encode(["a"]) == vectors(["query: a"], 4)).all()
        assert server.requests[0].json == {
            "model": "m",
            "input": ["query: a"],
            "dimensions": 4,
            "encoding_format": "base64",
            "user": "r",
        }
    assert dict(encoder.signature) == {
        "encoder": "openai",
        "encoder_model": "m",
        "encoder_dimensions": 4,
        "encoder_parameters": '{"encoding_format":"base64","user":"r"}',
        "encoder_prompt": "query: ",
        "encoder_revision": "2024-02",
    }


def shuffled(connection: Connection, request: Request) -> None:
    body = openai_body(request.json["input"])
    body["data"] = body["data"][::-1]
    answer(json=body)(connection, request)


def unnumbered(connection: Connection, request: Request) -> None:
    body = openai_body(request.json["input"])
    for item in body["data"]:
        del item["index"]
    answer(json=body)(connection, request)


@pytest.mark.parametrize("step", [shuffled, unnumbered])
def test_the_index_says_whose_a_vector_is(step: Step) -> None:
    with Loopback(step) as server:
        assert same(open_encoder("openai:m", config(server)).encode(TEXTS), TEXTS)


def test_a_second_run_sends_nothing(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite"
    batch: Any = {"texts": 2, "characters": 1000}
    with Loopback(openai) as server:
        for _ in range(2):
            encoder = open_encoder("openai:m", config(server, batch=batch), cache=path)
            assert same(encoder.encode(TEXTS), TEXTS)
            assert len(server.requests) == 3
        assert sorted(t for r in server.requests for t in r.json["input"]) == sorted(TEXTS)
        port = server.port
    # The server is down, and nobody needs it.
    closed = encoder_config({"endpoint": f"http://127.0.0.1:{port}/v1"})
    closed = replace(closed, key="NOT_SET")  # and nobody needs a key
    offline = open_encoder("openai:m", closed, cache=path, offline=True)
    assert same(offline.encode(TEXTS), TEXTS)
    with pytest.raises(InputError, match="1 of 1 texts are not in the cache"):
        offline.encode(["new"])


def test_offline_sends_nothing_at_all() -> None:
    with Loopback(openai) as server:
        encoder = open_encoder("openai:m", config(server), offline=True)
        with pytest.raises(InputError, match="there is none, and offline nothing is sent"):
            encoder.encode(["a"])
        assert server.connections == 0


def test_batches_are_sent_at_once_but_no_more_than_told() -> None:
    texts = [f"text {n}" for n in range(12)]
    more: dict[str, Any] = {"batch": {"texts": 1}, "limits": {"concurrency": 3}}
    with Loopback(later(0.05, openai)) as server:
        assert same(open_encoder("openai:m", config(server, **more)).encode(texts), texts)
        assert len(server.requests) == 12
        assert 2 <= server.most_at_once <= 3


def test_it_works_where_an_event_loop_runs_already() -> None:
    async def notebook() -> Any:
        return encoder.encode(TEXTS)

    with Loopback(openai) as server:
        encoder = open_encoder("openai:m", config(server))
        assert same(asyncio.run(notebook()), TEXTS)


def test_nothing_runs_on_when_the_caller_goes_away() -> None:
    with Loopback(later(0.2, openai)) as server:
        model = openai_model("m", config(server, limits={"concurrency": 1}))
        rows = model.vectors([["a"]] * 50)
        next(rows)
        rows.close()  # type: ignore[attr-defined]
        sent = len(server.requests)
        assert sent <= 3
        assert not [t for t in threading.enumerate() if t.name == "ragstone-encoder"]


# ---- where it is, and the key ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("endpoint", "url"),
    [
        ("", "https://api.openai.com/v1/embeddings"),
        ("http://localhost:8000/v1/", "http://localhost:8000/v1/embeddings"),
        ("http://localhost:8000/v1/embeddings", "http://localhost:8000/v1/embeddings"),
        (
            "https://r.openai.azure.com/openai/deployments/d?api-version=2024-10-21",
            "https://r.openai.azure.com/openai/deployments/d/embeddings?api-version=2024-10-21",
        ),
    ],
)
def test_the_address(endpoint: str, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-12345678")
    assert openai_model("m", EncoderConfig(endpoint=endpoint))._place.url == url


def headers(monkeypatch: pytest.MonkeyPatch, more: dict[str, Any], **environment: str) -> Any:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return openai_model("m", encoder_config(more)).headers


def test_the_key_goes_to_openai_and_to_its_base_url_only(monkeypatch: pytest.MonkeyPatch) -> None:
    key = {"OPENAI_API_KEY": "sk-12345678"}
    bearer = {"authorization": "Bearer sk-12345678"}
    assert headers(monkeypatch, {}, **key) == bearer
    assert headers(monkeypatch, {"endpoint": "https://api.openai.com/v1"}) == bearer
    assert headers(monkeypatch, {"endpoint": "https://other.example/v1"}) == {}
    base = {"OPENAI_BASE_URL": "https://other.example/v1"}
    assert headers(monkeypatch, {}, **base) == bearer
    monkeypatch.delenv("OPENAI_API_KEY")
    assert headers(monkeypatch, {}) == {}  # a server of one's own may want none


def test_other_keys_are_those_the_config_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "abcdefgh")
    azure, other = "https://r.openai.azure.com/openai/v1", "https://o.example/v1"
    tables: list[dict[str, Any]] = [
        {"endpoint": other},
        {"endpoint": azure},
        {"endpoint": azure, "key_header": "Authorization"},
        {"endpoint": other, "headers": {"x-team": "MY_KEY"}},
    ]
    found = [headers(monkeypatch, {"key": "MY_KEY", **table}) for table in tables]
    assert found == [
        {"authorization": "Bearer abcdefgh"},
        {"api-key": "abcdefgh"},
        {"Authorization": "Bearer abcdefgh"},
        {"x-team": "abcdefgh", "authorization": "Bearer abcdefgh"},
    ]


def test_a_key_that_is_not_set() -> None:
    with pytest.raises(UsageError) as caught:
        open_encoder("openai:m")
    assert str(caught.value) == (
        "encoder openai:m: the header authorization: there is no environment variable "
        "OPENAI_API_KEY; set it to the header's value, which is never given on the command line"
    )
    with pytest.raises(UsageError, match="key_header goes with key"):
        openai_model("m", encoder_config({"endpoint": "http://x.example", "key_header": "k"}))
    with pytest.raises(UsageError, match="starts with http:// or https://"):
        openai_model("m", encoder_config({"endpoint": "x.example"}))


KEY = "sk-proj-Zq81Ld0vWm73"


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    "step",
    [
        answer(401, json={"error": {"message": f"Incorrect API key provided: {KEY}."}}),
        answer(json={"error": {"message": f"Incorrect API key provided: {KEY}."}}),
        answer(json={"error": f"bad key {KEY}"}),
        answer(500, body=KEY.encode()),
        answer(body=f"<html>{KEY}</html>".encode()),
        answer(json={"data": [{"index": 0, "embedding": KEY}]}),
        answer(json={"data": KEY}),
    ],
)
def test_a_key_is_in_no_message_and_no_file(
    step: Step, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with Loopback([openai, step]) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.port}/v1")
        encoder = open_encoder("openai:m", cache=tmp_path / "c.sqlite")
        encoder.encode(["fine"])
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
        with pytest.raises(Exception, match="embeddings") as caught:
            encoder.encode(["a"])
    shown = [str(caught.value), repr(caught.value), repr(encoder), repr(encoder.model)]
    assert not any(
        KEY in text for text in [*shown, str(encoder.signature), repr(vars(caught.value))]
    )
    assert not any(KEY.encode() in file.read_bytes() for file in tmp_path.iterdir())


# ---- Ollama ------------------------------------------------------------------------------------


def test_ollama_and_the_digest_of_its_model(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    with Loopback(ollama("abc")) as server:
        encoder = open_encoder("ollama:bge-m3", config(server, ""), cache=path)
        assert same(encoder.encode(TEXTS), TEXTS)
        tags, embed = server.requests
        assert (tags.method, tags.target) == ("GET", "/api/tags")
        assert (embed.method, embed.target) == ("POST", "/api/embed")
        assert embed.json == {
            "model": "bge-m3",
            "input": sorted(TEXTS, key=lambda t: (len(t), t)),
            "truncate": False,
        }
    assert dict(encoder.signature) == {
        "encoder": "ollama",
        "encoder_model": "bge-m3",
        "encoder_revision": "abc",
    }
    with Loopback(ollama("abc")) as server:  # the same model: only its digest is asked for
        encoder = open_encoder("ollama:bge-m3", config(server, ""), cache=path)
        assert same(encoder.encode(TEXTS), TEXTS)
        assert [request.target for request in server.requests] == ["/api/tags"]
    with Loopback(ollama("abc")) as server:  # offline: nothing is
        encoder = open_encoder("ollama:bge-m3", config(server, ""), cache=path, offline=True)
        assert same(encoder.encode(TEXTS), TEXTS)
        assert server.connections == 0
    with Loopback(ollama("pulled-anew")) as server:  # another model under the same name
        encoder = open_encoder("ollama:bge-m3", config(server, ""), cache=path)
        encoder.encode(TEXTS)
        assert [request.target for request in server.requests] == ["/api/tags", "/api/embed"]


@pytest.mark.parametrize(
    ("step", "revision"),
    [
        (answer(404, json={"error": "no such path"}), None),
        (answer(json={"models": []}), None),
        (answer(json={"odd": 1}), None),
        (answer(json={"models": [{"name": "bge-m3:567m", "digest": "x"}]}), None),
        (answer(json={"models": [{"name": "bge-m3", "digest": "x"}]}), "x"),
    ],
)
def test_an_ollama_that_lists_no_digest(step: Step, revision: str | None) -> None:
    with Loopback(step) as server:
        encoder = open_encoder("ollama:bge-m3", config(server, ""))
        assert encoder.signature.get("encoder_revision") == revision


def test_an_ollama_model_with_a_word_of_the_user() -> None:
    with Loopback(ollama()) as server:
        more: dict[str, Any] = {
            "revision": "mine",
            "dimensions": DIMENSIONS,
            "parameters": {"truncate": True},
        }
        encoder = open_encoder("ollama:bge-m3", config(server, "", **more))
        encoder.encode(["a"])
        (request,) = server.requests
    assert request.json == {
        "model": "bge-m3",
        "input": ["a"],
        "truncate": True,
        "dimensions": DIMENSIONS,
    }
    assert encoder.signature["encoder_revision"] == "mine"


def test_where_ollama_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def url(**more: Any) -> str:
        return str(ollama_model("m", EncoderConfig(**more))._place.url)

    assert url() == "http://127.0.0.1:11434/api/embed"
    monkeypatch.setenv("OLLAMA_HOST", "gpu-box")
    assert url() == "http://gpu-box:11434/api/embed"
    assert url(endpoint="https://o.example/base") == "https://o.example/base/api/embed"
    monkeypatch.setenv("O_KEY", "12345678")
    assert ollama_model("m", EncoderConfig(key="O_KEY")).headers == {
        "authorization": "Bearer 12345678"
    }


def test_a_text_that_ollama_will_not_cut() -> None:
    refusal = answer(400, json={"error": "the input length exceeds the context length"})
    with Loopback([answer(json={"models": []}), refusal]) as server:
        encoder = open_encoder("ollama:m", config(server, ""))
        with pytest.raises(StatusError, match="exceeds the context length") as caught:
            encoder.encode(["long"])
    assert str(caught.value).endswith(
        "; to let it cut long texts, write truncate = true under [parameters] in the encoder's "
        "config"
    )
    assert caught.value.status == 400


# ---- answers that are no vectors ---------------------------------------------------------------


def data(*embeddings: Any) -> Any:
    return {"data": [{"index": n, "embedding": each} for n, each in enumerate(embeddings)]}


def b64(*numbers: float) -> str:
    return base64.b64encode(np.array(numbers, dtype="<f4").tobytes()).decode()


ODD = {
    "shorter": (data([1.0]), "count", "1 vectors came back for 2 texts"),
    "longer": (data([1.0], [1.0], [1.0]), "count", "3 vectors came back for 2 texts"),
    "an index twice": (
        {"data": [{"index": 0, "embedding": [1.0]}] * 2},
        "index",
        "the indexes of 2 embeddings are not 0 to 1",
    ),
    "an index too far": (
        {"data": [{"index": n, "embedding": [1.0]} for n in (1, 2)]},
        "index",
        "the indexes of 2 embeddings are not 0 to 1",
    ),
    "another dimension": (data([1.0], [1.0, 2.0]), "dimension", "different lengths"),
    "no numbers": (data([], []), "dimension", "not a list of numbers"),
    "null": (data([None], [1.0]), "shape", "no list of embeddings"),
    "text": (data(["1"], ["2"]), "shape", "no list of embeddings"),
    "too large": (data([1e39], [1.0]), "not_finite", "NaN or infinity"),
    "base64 of NaN": (data(b64(float("nan")), b64(1.0)), "not_finite", "NaN or infinity"),
    "base64 cut": (data(b64(1.0, 2.0)[:-4], b64(1.0)), "base64", "no base64 of float32"),
    "base64 that is none": (data("no-base-64!", b64(1.0)), "base64", "no base64 of float32"),
    "base64 of nothing": (data("", ""), "base64", "no base64 of float32"),
    "a list": ([[1.0], [1.0]], "shape", "no list of embeddings"),
    "Ollama's": ({"embeddings": [[1.0], [1.0]]}, "shape", "no list of embeddings"),
    "an error": (
        {"error": {"message": "model\n is loading"}},
        "error_body",
        "an error came back with status 200: \"{'message': 'model",
    ),
}


@pytest.mark.parametrize(("body", "reason", "message"), ODD.values(), ids=ODD.keys())
def test_an_answer_that_cannot_be_used(
    body: Any, reason: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "c.sqlite"
    with Loopback([answer(json=body), openai]) as server:
        encoder = open_encoder("openai:m", config(server), cache=path)
        with pytest.raises(BadResponseError) as caught:
            encoder.encode(["a", "b"])
        assert (caught.value.reason, caught.value.exit_code) == (reason, 2)
        start = f"POST http://127.0.0.1:{server.port}/v1/embeddings: "
        assert str(caught.value).startswith(start)
        assert message in str(caught.value)
        assert len(server.requests) == 1  # asking again would give the same
        assert same(encoder.encode(["a", "b"]), ["a", "b"])  # nothing of it was kept
        assert len(server.requests) == 2


def test_ollama_answers_that_cannot_be_used() -> None:
    for body, message in [
        ({"embeddings": [[1.0]]}, "1 vectors came back for 2 texts"),
        ({"embeddings": [[1.0], ["x"]]}, "no list of embeddings"),
        ({"embedding": [1.0]}, "no list of embeddings"),
        ({"error": "model is loading"}, "an error came back with status 200: 'model is loading'"),
    ]:
        with Loopback(answer(json=body)) as server:
            encoder = open_encoder("ollama:m", config(server, "", revision="1"))
            with pytest.raises(BadResponseError, match=message):
                encoder.encode(["a", "b"])


def test_dimensions_that_differ_between_batches_and_from_the_cache(tmp_path: Path) -> None:
    def growing(connection: Connection, request: Request) -> None:
        texts = request.json["input"]
        answer(json=openai_body(texts, 5 if "bb" in texts else 6))(connection, request)

    path = tmp_path / "c.sqlite"
    more: dict[str, Any] = {"batch": {"texts": 1}, "limits": {"concurrency": 1}}
    with Loopback(growing) as server:
        encoder = open_encoder("openai:m", config(server, **more), cache=path)
        with pytest.raises(BadResponseError, match="a vector of 5 numbers came back where 6"):
            encoder.encode(["a", "bb"])
    with Loopback(growing) as server:
        encoder = open_encoder("openai:m", config(server, **more), cache=path)
        with pytest.raises(BadResponseError, match=f"as in the cache {path}; if the model behind"):
            encoder.encode(["bb"])
    more = {"dimensions": 4, "parameters": {"dimensions": 6}}
    with Loopback(openai) as server:
        encoder = open_encoder("openai:m", config(server, **more))
        with pytest.raises(BadResponseError, match="of 6 numbers came back where 4 were expected"):
            encoder.encode(["a"])
