"""The client against a real server: what it sends, when it tries again, how it says what failed."""

from __future__ import annotations

import asyncio
import gzip
import subprocess
import sys
import time
import zlib
from typing import Any

import pytest

from asking import ONCE, QUICK, ask, failure
from fakeclock import FakeClock
from loopback import (
    Connection,
    Loopback,
    Request,
    Step,
    answer,
    cut,
    echo,
    hang_up,
    head,
    later,
    raw,
    reset,
)
from ragstone.errors import (
    EndpointError,
    InputError,
    MissingExtraError,
    StatusError,
    UsageError,
)
from ragstone.http import Client, Limits, Response, Retry
from ragstone.http.pace import Pace

GOOD = answer(json={"hits": []})


# ---- a request and its answer ------------------------------------------------------------------


def test_json_goes_out_and_comes_back() -> None:
    with Loopback(echo) as server:
        found = ask(f"{server.url}?a=b%20c", {"query": "세탁기 \N{GRINNING FACE}", "k": 10})
    assert isinstance(found, Response)
    assert (found.status, found.attempts) == (200, 1)
    assert 0 < found.elapsed < 5
    assert found.headers["content-type"] == "application/json"
    assert found.json["json"] == {"query": "세탁기 \N{GRINNING FACE}", "k": 10}
    assert found.json["path"] == "/search?a=b%20c"
    assert found.json["headers"]["content-type"] == "application/json"
    assert found.json["headers"]["accept"] == "application/json"
    assert found.json["headers"]["user-agent"] == "ragstone"


def test_headers_of_the_client() -> None:
    async def main(url: str) -> Any:
        async with Client({"X-One": "1", "Accept": "a/b"}, limits=QUICK) as client:
            return (await client.post_json(url, {})).json

    with Loopback(echo) as server:
        seen = asyncio.run(main(server.url))["headers"]
    assert (seen["x-one"], seen["accept"]) == ("1", "a/b")


def test_a_get_has_no_body() -> None:
    async def main(url: str) -> Any:
        async with Client(limits=QUICK) as client:
            return (await client.request("GET", url)).json

    with Loopback(echo) as server:
        seen = asyncio.run(main(server.url))
        assert server.requests[0].method == "GET"
    assert seen["json"] is None
    assert "content-type" not in seen["headers"]


def test_connections_are_used_again_and_cookies_are_not_kept() -> None:
    async def main(url: str) -> None:
        async with Client(limits=QUICK) as client:
            for _ in range(5):
                await client.post_json(url, {})

    with Loopback(answer(json=1, headers={"Set-Cookie": "a=b"})) as server:
        asyncio.run(main(server.url))
        assert (len(server.requests), server.connections) == (5, 1)
        assert not any("cookie" in request.headers for request in server.requests)


@pytest.mark.parametrize("code", ["gzip", "deflate"])
def test_a_packed_body_is_unpacked(code: str) -> None:
    data = gzip.compress(b'{"a": 1}') if code == "gzip" else zlib.compress(b'{"a": 1}')
    with Loopback(answer(body=data, headers={"Content-Encoding": code})) as server:
        assert ask(server.url).json == {"a": 1}


@pytest.mark.parametrize("kind", ["text/plain", "application/json; charset=utf-8", ""])
def test_json_is_json_whatever_the_content_type_says(kind: str) -> None:
    body = b'\xef\xbb\xbf{"a": 1}'  # a byte-order mark does no harm
    with Loopback(answer(body=body, headers={"Content-Type": kind})) as server:
        assert ask(server.url).json == {"a": 1}


def test_what_json_cannot_hold_is_not_sent() -> None:
    with Loopback(GOOD) as server:
        for value, said in [
            (float("nan"), "not JSON compliant"),
            ({1}, "set"),
            ("\ud800", "surrogate"),
        ]:
            with pytest.raises(InputError, match=f"cannot be written as JSON: .*{said}"):
                ask(server.url, {"query": value})
        assert server.requests == []


# ---- tried again -------------------------------------------------------------------------------

AGAIN = {
    "408": answer(408),
    "409": answer(409),
    "425": answer(425),
    "429": answer(429),
    "500": answer(500),
    "502": answer(502),
    "503": answer(503),
    "504": answer(504),
    "529": answer(529),
    "reset": reset,
    "hang up": hang_up,
    "cut off": cut(b'{"hits": [', 100),
    "cut off in chunks": raw(head(200, {"Transfer-Encoding": "chunked"}) + b"5\r\n{\"a\""),
    "cut off in the head": raw(b"HTTP/1.1 200 OK\r\nContent-Le"),
}  # fmt: skip


@pytest.mark.parametrize("fault", AGAIN.values(), ids=AGAIN.keys())
def test_what_may_pass_is_tried_again(fault: Step, clock: FakeClock) -> None:
    with Loopback([fault, fault, GOOD]) as server:
        found = ask(server.url, {"query": "a"}, clock=clock)
        assert [request.json for request in server.requests] == [{"query": "a"}] * 3
    assert (found.json, found.attempts) == ({"hits": []}, 3)
    assert len(clock.slept) == 2


@pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 410, 413, 422, 451, 501, 505])
def test_what_will_not_pass_is_not(status: int, clock: FakeClock) -> None:
    with Loopback([answer(status), GOOD]) as server:
        error = failure(server.url, retry=Retry(), clock=clock)
        assert len(server.requests) == 1
    assert (error.status, error.attempts, error.reason) == (status, 1, "status")
    assert clock.slept == []


def test_attempts_are_counted_and_end(clock: FakeClock) -> None:
    with Loopback([answer(503), reset, answer(503, body=b"busy")]) as server:
        error = failure(server.url, retry=Retry(attempts=3), clock=clock)
        assert len(server.requests) == 3
    assert (type(error), error.attempts, error.status) == (StatusError, 3, 503)
    assert str(error) == (
        f"POST {server.url}: status 503 after 3 attempts: 'busy'; see the endpoint's own log"
    )


def test_what_was_tried_again_is_counted_by_its_reason(clock: FakeClock) -> None:
    async def main(url: str) -> Client:
        async with Client(limits=QUICK, clock=clock) as client:
            await client.post_json(url, {})
            await client.post_json(url, {})
            return client

    with Loopback([answer(503), reset, GOOD, answer(503), GOOD]) as server:
        assert asyncio.run(main(server.url)).retried == {"503": 2, "reset": 1}


def test_who_wants_to_is_told_of_each_further_attempt(clock: FakeClock) -> None:
    told: list[tuple[str, str, int]] = []
    with Loopback([answer(503), reset, GOOD]) as server:
        ask(server.url, clock=clock, on_retry=lambda *how: told.append(how))
    assert [(code, attempt) for code, _, attempt in told] == [("503", 1), ("reset", 2)]
    assert told[0][1] == "status 503"


def test_an_answer_can_be_final_by_what_it_says(clock: FakeClock) -> None:
    body = b'{"error": {"code": "insufficient_quota"}}'
    retry = Retry(exhausted=lambda status, body: status == 429 and b"insufficient_quota" in body)
    with Loopback([answer(429), answer(429, body=body), GOOD]) as server:
        error = failure(server.url, retry=retry, clock=clock)
    assert (error.status, error.attempts) == (429, 2)
    assert "used up: look at its plan and billing" in str(error)
    assert "fewer requests" not in str(error)
    assert error.body == body.decode()


def test_waits_grow_and_are_the_same_for_a_seed() -> None:
    def waits(seed: int) -> list[float]:
        clock = FakeClock()
        with Loopback(answer(500)) as server:
            failure(server.url, retry=Retry(attempts=6, longest=4.0, seed=seed), clock=clock)
        return clock.slept

    first = waits(1)
    assert waits(1) == first != waits(2)
    assert all(
        upper / 2 <= wait <= upper for wait, upper in zip(first, [0.5, 1, 2, 4, 4], strict=True)
    )


RETRY_AFTER = {
    "seconds": ({"Retry-After": "7"}, 7.0),
    "a date": ({"Retry-After": "Sat, 01 Jan 2000 00:00:19 GMT"}, 20.0),
    "a date by the server's clock": (
        {"Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:32 GMT"},
        5.0,
    ),
}


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(("headers", "seconds"), RETRY_AFTER.values(), ids=RETRY_AFTER.keys())
def test_retry_after_is_kept_to(
    status: int, headers: dict[str, str], seconds: float, clock: FakeClock
) -> None:
    with Loopback([answer(status, headers=headers), GOOD]) as server:
        assert ask(server.url, clock=clock).attempts == 2
    assert sum(clock.slept) == seconds


@pytest.mark.parametrize(
    "value", ["0", "0.01", "Sat, 01 Jan 1990 00:00:00 GMT", "soon", "-1", "1e9", ""]
)
def test_retry_after_that_asks_for_nothing(value: str, clock: FakeClock) -> None:
    with Loopback([answer(429, headers={"Retry-After": value}), GOOD]) as server:
        assert ask(server.url, clock=clock).attempts == 2
    assert 0.25 <= sum(clock.slept) <= 0.5


def test_more_quiet_than_there_is_patience_for_is_a_failure_at_once(clock: FakeClock) -> None:
    with Loopback([answer(429, body=b"", headers={"Retry-After": "3600"}), GOOD]) as server:
        error = failure(server.url, retry=Retry(), clock=clock)
        assert len(server.requests) == 1
    assert clock.slept == []
    assert str(error) == (
        f"POST {server.url}: status 429; it asks for 3600 s of quiet; run it again after that"
    )


def test_everyone_waits_when_one_is_told_to() -> None:
    async def main(url: str) -> None:
        async with Client(limits=QUICK, retry=Retry(first=0.0)) as client:
            first = asyncio.create_task(client.post_json(url, 0))
            while not client.retried:
                await asyncio.sleep(0.001)
            await asyncio.gather(first, *(client.post_json(url, n) for n in range(1, 4)))

    with Loopback([answer(429, headers={"Retry-After": "0.3"}), GOOD]) as server:
        asyncio.run(asyncio.wait_for(main(server.url), 10))
        first, *others = [request.at for request in server.requests]
    assert len(others) == 4
    assert min(others) - first >= 0.29


def test_a_pause_that_grows_while_one_waits(clock: FakeClock) -> None:
    async def main() -> None:
        pace = Pace(clock, per_minute=None)
        pace.quiet(10)
        waiting = asyncio.create_task(pace.turn())
        await asyncio.sleep(0)
        pace.quiet(25)
        pace.quiet(5)
        await waiting

    asyncio.run(asyncio.wait_for(main(), 5))
    assert clock.slept == [10.0, 15.0]


# ---- limits -------------------------------------------------------------------------------------


def many(url: str, number: int, **options: Any) -> list[Response]:
    async def main() -> list[Response]:
        async with Client(**options) as client:
            return await asyncio.gather(*(client.post_json(url, n) for n in range(number)))

    return asyncio.run(asyncio.wait_for(main(), 20))


@pytest.mark.parametrize("at_once", [1, 3, 8])
def test_as_many_requests_at_once_as_allowed_and_no_more(at_once: int) -> None:
    def full(connection: Connection, request: Request) -> None:
        end = time.monotonic() + 5
        while server.most_at_once < at_once and time.monotonic() < end:
            connection.wait(0.001)
        later(0.002, echo)(connection, request)

    with Loopback(full) as server:
        found = many(server.url, 24, limits=Limits(concurrency=at_once))
        assert server.most_at_once == at_once
        assert server.connections <= at_once
    assert [response.json["json"] for response in found] == list(range(24))


def test_requests_are_spaced_over_the_minute(clock: FakeClock) -> None:
    times: list[float] = []

    def noted(connection: Connection, request: Request) -> None:
        times.append(clock.now)
        GOOD(connection, request)

    with Loopback(noted) as server:
        many(server.url, 6, limits=Limits(per_minute=30, concurrency=1), clock=clock)
    assert times == [1000.0 + 2 * n for n in range(6)]


def test_requests_at_once_are_spaced_too(clock: FakeClock) -> None:
    async def main() -> None:
        pace = Pace(clock, per_minute=30)
        await asyncio.gather(*(pace.turn() for _ in range(4)))

    asyncio.run(main())
    assert clock.slept == [2.0, 4.0, 6.0]


def test_attempts_count_as_requests(clock: FakeClock) -> None:
    with Loopback([answer(500), answer(500), GOOD]) as server:
        retry = Retry(first=0.0)
        many(server.url, 1, limits=Limits(per_minute=6), retry=retry, clock=clock)
    assert clock.now == 1020.0


def test_a_request_that_is_cancelled_gives_its_place_back() -> None:
    async def main(server: Loopback) -> Response:
        async with Client(limits=Limits(concurrency=1)) as client:
            first = asyncio.create_task(client.post_json(server.url, {}))
            while not server.requests:
                await asyncio.sleep(0.01)
            first.cancel()
            with pytest.raises(asyncio.CancelledError):
                await first
            return await client.post_json(server.url, {})

    with Loopback([later(30, GOOD), GOOD]) as server:
        assert asyncio.run(asyncio.wait_for(main(server), 20)).json == {"hits": []}


def test_a_request_that_fails_gives_its_place_back() -> None:
    async def main(url: str) -> Response:
        async with Client(limits=Limits(concurrency=1), retry=ONCE) as client:
            for _ in range(3):
                with pytest.raises(EndpointError):
                    await client.post_json(url, {})
            return await client.post_json(url, {})

    with Loopback([answer(400), reset, cut(b"{", 9), GOOD]) as server:
        assert asyncio.run(asyncio.wait_for(main(server.url), 10)).json == {"hits": []}


# ---- what is refused before anything is sent ----------------------------------------------------


@pytest.mark.parametrize(
    "url",
    [
        "",
        "host.example/search",
        "ftp://host.example/",
        "http://",
        "http:///search",
        "http://host.example:99999/",
        "http://host.example:x/",
        "http://host.example/a b",
        "http://host.example/a\nb",
        "http://[::1/",
        "file:///etc/passwd",
    ],
)
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(UsageError, match="starts with http:// or https:// and has a host"):
        ask(url)


def test_a_host_that_cannot_be() -> None:
    with pytest.raises(
        UsageError, match=r"http://xn--/\?key=\*\*\* is no address that can be sent to"
    ):
        ask("http://xn--/?key=1")


def test_headers_that_cannot_be_sent_are_named_and_not_shown() -> None:
    for value in ("Bearer sk-secret\n", " sk-secret", "sk-secret\x00", "sk-secrét"):
        with pytest.raises(UsageError, match="the value of the header X-Key cannot be") as caught:
            Client({"X-Key": value})
        assert "secr" not in str(caught.value)
    with pytest.raises(UsageError, match="'X Key' is no name of a header"):
        Client({"X Key": "1"})


@pytest.mark.parametrize(
    "limits",
    [
        {"timeout": 0.0},
        {"timeout": float("nan")},
        {"connect_timeout": -1.0},
        {"concurrency": 0},
        {"per_minute": 0.0},
        {"max_bytes": 0},
    ],
)
def test_limits_within_which_nothing_can_be_sent(limits: dict[str, Any]) -> None:
    [name] = limits
    with pytest.raises(UsageError, match=f"^{name} is .*; a number above 0 was expected$"):
        Limits(**limits)
    with pytest.raises(UsageError, match="attempts is 0; at least 1 was expected"):
        Retry(attempts=0)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("HTTP_PROXY", "gopher://ann:secret@proxy.example"),
        ("http_proxy", "http://ann:secret@proxy.example:port"),
        ("ALL_PROXY", "socks5://ann:secret@proxy.example:1"),
        ("SSL_CERT_FILE", "/secret/not/there.pem"),
    ],
)
def test_an_environment_that_cannot_be(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(UsageError, match=f"^{name.upper()} cannot be used: a proxy is") as caught:
        Client()
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(("extra", "feature"), [("http", "an HTTP endpoint"), ("judge", "a judge")])
def test_without_httpx_the_install_line_is_given(
    extra: str, feature: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(MissingExtraError) as caught:
        Client(extra=extra, feature=feature)
    assert str(caught.value) == f'{feature} needs an extra: pip install "ragstone[{extra}]"'


def test_importing_the_client_does_not_import_httpx() -> None:
    code = "import sys, ragstone.http; print({'httpx', 'ssl', 'socket'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert "httpx" not in done.stdout
