"""An endpoint that fails: each fault in its own words, and nothing half in the cache."""

from __future__ import annotations

import socket
import time
from pathlib import Path
from typing import Any

import pytest

from embedding import openai, vectors
from fakeclock import FakeClock
from loopback import Loopback, Step, answer, cut, hang_up, later, raw, reset
from ragstone.encoders import CheckedEncoder, encoder_config, open_encoder
from ragstone.errors import (
    BadResponseError,
    EndpointError,
    NoResponseError,
    StatusError,
)
from ragstone.store import Cache

TEXTS = ["a", "bb", "ccc"]


def opened(port: int, **more: Any) -> CheckedEncoder:
    cache = more.pop("cache", None)
    limits = {"attempts": 2, "timeout": 5.0, "concurrency": 1, **more.pop("limits", {})}
    table = {"endpoint": f"http://127.0.0.1:{port}/v1", "limits": limits, **more}
    return open_encoder("openai:m", encoder_config(table), cache=cache)


FAULTS: dict[str, tuple[Step, type[EndpointError], str, int]] = {
    "429": (answer(429, json={}), StatusError, "status 429 after 2 attempts", 2),
    "429 for hours": (
        answer(429, headers={"Retry-After": "7200"}),
        StatusError,
        "it asks for 7200 s of quiet; run it again after that",
        1,
    ),
    "quota used up": (
        answer(429, json={"error": {"code": "insufficient_quota", "message": "m"}}),
        StatusError,
        "insufficient_quota",
        1,
    ),
    "500": (answer(500, body=b"worker died"), StatusError, "'worker died'; see the endpoint", 2),
    "502": (answer(502), StatusError, "status 502 after 2 attempts", 2),
    "400": (
        answer(400, json={"error": {"message": "maximum context length is 8192 tokens"}}),
        StatusError,
        "maximum context length is 8192 tokens",
        1,
    ),
    "401": (answer(401), StatusError, "check the key", 1),
    "404": (answer(404), StatusError, "check the address", 1),
    "413": (answer(413), StatusError, "send less at once", 1),
    "200 with a hidden 503": (
        answer(json={"error": {"code": 503, "message": "no upstream"}}),
        StatusError,
        "status 503 after 2 attempts",
        2,
    ),
    "200 with an error": (
        answer(json={"error": {"message": "not today"}}),
        BadResponseError,
        "an error came back with status 200",
        1,
    ),
    "truncated JSON": (
        answer(body=b'{"data": [{"index": 0, "embedding": [0.1, 0.'),
        BadResponseError,
        "is not JSON",
        1,
    ),
    "NaN in JSON": (
        answer(body=b'{"data": [{"index": 0, "embedding": [NaN]}]}'),
        BadResponseError,
        "is not JSON",
        1,
    ),
    "empty": (answer(body=b""), BadResponseError, "the body is empty", 1),
    "HTML": (answer(body=b"<html>"), BadResponseError, "is not JSON", 1),
    "not UTF-8": (answer(body=b'{"data": "\xff"}'), BadResponseError, "not UTF-8", 1),
    "cut off": (cut(b'{"data": [', 5000), NoResponseError, "the answer was cut off", 2),
    "reset": (reset, NoResponseError, "the connection broke", 2),
    "hung up": (hang_up, NoResponseError, "closed without an answer", 2),
    "no HTTP": (raw(b"SSH-2.0-OpenSSH_9.6\r\n\r\n"), NoResponseError, "not an answer in HTTP", 2),
}


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(("step", "kind", "message", "sent"), FAULTS.values(), ids=FAULTS.keys())
def test_a_fault(
    step: Step,
    kind: type[EndpointError],
    message: str,
    sent: int,
    tmp_path: Path,
) -> None:
    path = tmp_path / "c.sqlite"
    with Loopback(step) as server:
        encoder = opened(server.port, cache=path)
        with pytest.raises(kind) as caught:
            encoder.encode(TEXTS)
        assert caught.value.exit_code == 2
        assert f"POST http://127.0.0.1:{server.port}/v1/embeddings: " in str(caught.value)
        assert message in str(caught.value)
        assert len(server.requests) == sent
    assert values(path) == []


def values(path: Path) -> list[bytes]:
    cache = Cache(path)
    found = [value for (value,) in cache._base.execute("SELECT value FROM entries")]
    cache.close()
    return found


@pytest.mark.parametrize("headers", [{}, {"Retry-After": "7"}], ids=["", "Retry-After"])
def test_a_limit_that_passes(headers: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    clocks: list[FakeClock] = []

    def clock() -> FakeClock:
        clocks.append(FakeClock())
        return clocks[-1]

    monkeypatch.setattr("ragstone.http.client.Clock", clock)
    with Loopback([answer(429, headers=headers), answer(500), openai]) as server:
        encoder = opened(server.port, limits={"attempts": 3})
        assert (encoder.encode(TEXTS) == vectors(TEXTS)).all()
        assert len(server.requests) == 3
    longest = max(clocks[0].slept)
    assert longest == pytest.approx(7.0) if headers else longest <= 1.0


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("fault", [answer(500), cut(b"{", 99), answer(json={"data": []})])
def test_batches_before_a_fault_are_kept_whole(fault: Step, tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    with Loopback([openai, openai, fault]) as server, pytest.raises(EndpointError):
        opened(server.port, cache=path, batch={"texts": 1}).encode(TEXTS)
    lengths = [len(value) for value in values(path)]
    assert lengths.count(24) == 2  # six numbers
    assert len(lengths) == 4  # with the two that describe the model
    with Loopback(openai) as server:
        assert (opened(server.port, cache=path).encode(TEXTS) == vectors(TEXTS)).all()
        (request,) = server.requests
    assert request.json["input"] == ["ccc"]


@pytest.mark.usefixtures("quick")
def test_nobody_listens(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    with pytest.raises(NoResponseError) as caught:
        opened(port, cache=tmp_path / "c.sqlite").encode(TEXTS)
    assert str(caught.value) == (
        f"POST http://127.0.0.1:{port}/v1/embeddings: no connection (Connection refused) after 2 "
        "attempts; is it up, and is the address right?"
    )
    assert values(tmp_path / "c.sqlite") == []


def test_an_answer_that_does_not_come(tmp_path: Path) -> None:
    with Loopback(later(15, openai)) as server:
        start = time.monotonic()
        with pytest.raises(NoResponseError, match=r"no complete answer within 0\.2 s"):
            opened(
                server.port,
                cache=tmp_path / "c.sqlite",
                limits={"timeout": 0.2, "attempts": 1, "concurrency": 4},
                batch={"texts": 1},
            ).encode(TEXTS)
        assert time.monotonic() - start < 5
    assert values(tmp_path / "c.sqlite") == []


def test_without_httpx(monkeypatch: pytest.MonkeyPatch) -> None:
    import builtins

    real = builtins.__import__

    def missing(name: str, *more: Any) -> Any:
        if name == "httpx":
            raise ImportError(name)
        return real(name, *more)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(Exception, match=r"the encoder openai:m needs an extra: .*ragstone\[http\]"):
        opened(1).encode(["a"])
