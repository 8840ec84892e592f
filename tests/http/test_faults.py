"""How a request fails: each fault in its own words, in bounded time."""

from __future__ import annotations

import asyncio
import builtins
import gzip
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from asking import ONCE, ask, failure
from fakeclock import FakeClock
from loopback import (
    Connection,
    Loopback,
    Request,
    Step,
    answer,
    cut,
    drip,
    endless,
    hang_up,
    head,
    later,
    raw,
    reset,
)
from ragstone.errors import (
    BadResponseError,
    EndpointError,
    ExitCode,
    NoResponseError,
    StatusError,
)
from ragstone.http import Client, Limits, Response, Retry
from ragstone.http.answer import NETWORK_FAULTS, SAYINGS

GOOD = answer(json={"hits": []})
SHORT = Limits(timeout=0.25, concurrency=1)


# ---- time --------------------------------------------------------------------------------------


def drip_of_headers(connection: Connection, _: Request) -> None:
    connection.send(b"HTTP/1.1 200 OK\r\n")
    for number in range(1000):
        connection.wait(0.02)
        connection.send(b"X-%d: y\r\n" % number)


SLOW = {
    "no answer": later(15, GOOD),
    "a drip of the body": drip(b" " * 1000, 0.02),
    "a drip of the headers": drip_of_headers,
}


@pytest.mark.parametrize("step", SLOW.values(), ids=SLOW.keys())
def test_the_whole_answer_has_to_be_there_in_time(step: Step) -> None:
    with Loopback(step) as server:
        start = time.monotonic()
        error = failure(server.url, limits=SHORT)
        assert time.monotonic() - start < 5
        assert str(error) == (
            f"POST {server.url}: no complete answer within 0.25 s; "
            "allow more time or send fewer requests at once"
        )
    assert (type(error), error.reason, error.status) == (NoResponseError, "timeout", None)


@pytest.mark.parametrize("step", SLOW.values(), ids=SLOW.keys())
def test_after_slow_answers_the_client_goes_on(step: Step, clock: FakeClock) -> None:
    with Loopback([step, step, GOOD]) as server:
        found = ask(server.url, limits=SHORT, clock=clock)
    assert (found.attempts, found.json) == (3, {"hits": []})


@contextmanager
def full_backlog() -> Iterator[int]:
    """Listen on a port that takes no connection."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        port = int(listener.getsockname()[1])
        fillers = [socket.socket() for _ in range(4)]
        try:
            for filler in fillers:
                filler.setblocking(False)
                filler.connect_ex(("127.0.0.1", port))
            yield port
        finally:
            for filler in fillers:
                filler.close()


def test_connecting_has_a_limit_of_its_own() -> None:
    with full_backlog() as port:
        start = time.monotonic()
        error = failure(f"http://127.0.0.1:{port}/", limits=Limits(connect_timeout=0.3))
        assert time.monotonic() - start < 5
    assert (type(error), error.reason) == (NoResponseError, "connect_timeout")
    assert "no connection in time (ConnectTimeout); is it up and reachable?" in str(error)


# ---- no answer, or a part of one ---------------------------------------------------------------

BROKEN = {
    "reset": (reset, "reset", "the connection broke (Connection reset by peer); is it still up?"),
    "hang up": (
        hang_up,
        "reset",
        "the connection was closed without an answer (Server disconnected without sending a "
        "response.); see the endpoint's log",
    ),
    "cut": (cut(b'{"hits": [', 100), "truncated", "the answer was cut off (peer closed"),
    "chunk": (
        raw(head(200, {"Transfer-Encoding": "chunked"}) + b'50\r\n{"a": 1'),
        "truncated",
        "the answer was cut off (peer closed",
    ),
    "not HTTP": (raw(b"SSH-2.0-OpenSSH_9.2\r\n\r\n"), "protocol", "not an answer in HTTP ("),
    "not packed": (
        answer(body=b"plain", headers={"Content-Encoding": "gzip"}),
        "encoding",
        "the body cannot be unpacked (",
    ),
}


@pytest.mark.parametrize(("step", "reason", "said"), BROKEN.values(), ids=BROKEN.keys())
def test_an_answer_that_breaks_off(step: Step, reason: str, said: str) -> None:
    with Loopback(step) as server:
        error = failure(server.url)
        assert str(error).startswith(f"POST {server.url}: {said}")
    assert (error.reason, error.status, error.exit_code) == (reason, None, ExitCode.INPUT)
    assert type(error) is (BadResponseError if reason == "encoding" else NoResponseError)


def test_nobody_listens(clock: FakeClock) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/search"
        error = failure(url, retry=Retry(attempts=2), clock=clock)
    assert (type(error), error.reason, error.attempts) == (NoResponseError, "refused", 2)
    assert str(error) == (
        f"POST {url}: no connection (Connection refused) after 2 attempts; "
        "is it up, and is the address right?"
    )


def test_a_host_that_nobody_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    error = failure("http://search.example/")
    assert (type(error), error.reason) == (NoResponseError, "unknown_host")
    assert "the host is not known (Name or service not known); is its name right?" in str(error)


def test_every_name_in_the_tables_is_an_error_of_httpx_or_of_sockets() -> None:
    import httpx

    for name in (*NETWORK_FAULTS, *(name for name, _ in SAYINGS)):
        home = next(home for home in (httpx, socket, builtins) if hasattr(home, name))
        assert issubclass(getattr(home, name), Exception)


# ---- statuses ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "advice"),
    [
        (400, "check what is sent"),
        (401, "check the key and the header it goes into"),
        (404, "check the address"),
        (418, "check address, key and request"),
        (429, "send fewer requests at once or per minute, or try later"),
        (500, "see the endpoint's own log"),
    ],
)
def test_a_status_says_what_to_do(status: int, advice: str) -> None:
    with Loopback(answer(status, body=b'{"detail": "no\n such thing"}')) as server:
        error = failure(server.url)
        assert str(error) == (
            f'POST {server.url}: status {status}: \'{{"detail": "no such thing"}}\'; {advice}'
        )
    assert (type(error), error.status) == (StatusError, status)


def test_the_message_has_the_first_200_characters_of_the_body() -> None:
    with Loopback(answer(500, body=("é" * 199 + "xy" + "\x1b[31m" * 99).encode())) as server:
        error = failure(server.url)
    assert f": '{'é' * 199}x'; see" in str(error)
    assert "\x1b" not in str(error)


def test_a_body_of_a_failure_may_be_anything() -> None:
    for body, said in [(b"\xff\xfe", "'\ufffd\ufffd'"), (b"\x1b[2J", r"'\x1b[2J'"), (b" ", "")]:
        with Loopback(answer(500, body=body)) as server:
            error = failure(server.url)
        assert f"status 500{': ' if said else ''}{said}; see" in str(error)


def test_an_endless_body_of_a_failure_is_read_in_part() -> None:
    def failed(connection: Connection, request: Request) -> None:
        connection.send(head(500, {"Content-Length": "99999999"}) + b"a" * 70_000)
        connection.wait(0.01)
        connection.send(b"b" * 9)
        connection.wait(15)

    with Loopback(failed) as server:
        error = failure(server.url)
    assert error.body == "a" * 65_536


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(status: int) -> None:
    with Loopback(GOOD) as other:
        to = f"http://ann:pw@127.0.0.1:{other.port}/there?key=abc"
        with Loopback(answer(status, headers={"Location": to})) as server:
            error = failure(server.url, headers={"Authorization": "Bearer sk-12345678"})
        assert other.requests == []
    assert (type(error), error.reason, error.status) == (StatusError, "redirect", status)
    assert (
        "redirects are not followed; give the final address, "
        f"http://127.0.0.1:{other.port}/there?key=***"
    ) in str(error)


@pytest.mark.parametrize("location", ["/else?a=b", "http://127.0.0.1:1/else?a=b"])
def test_where_a_redirect_goes(location: str) -> None:
    with Loopback(answer(307, headers={"Location": location})) as server:
        error = failure(server.url)
    host = "http://127.0.0.1:1" if location.startswith("http") else server.url.rpartition("/")[0]
    assert str(error).endswith(f"give the final address, {host}/else?a=***")


@pytest.mark.parametrize("location", ["mailto:a@b", "http://[", "http://xn--/", "http://a:b/", "?"])
def test_a_redirect_to_what_is_no_address(location: str, clock: FakeClock) -> None:
    with Loopback(answer(307, headers={"Location": location})) as server:
        error = failure(server.url, retry=Retry(), clock=clock)
    assert (type(error), error.reason, error.attempts) == (StatusError, "redirect", 1)
    assert "redirects are not followed; give the final address" in str(error)


# ---- bodies ------------------------------------------------------------------------------------

UNREADABLE = {
    "prose": (b"Sorry", "not_json", "the body (application/json) is not JSON: JSON is malformed"),
    "half": (b'{"a": [1', "not_json", "is not JSON: Input data was truncated"),
    "two": (b"{} {}", "not_json", "is not JSON: JSON is malformed: trailing characters"),
    "NaN": (b'{"score": NaN}', "not_json", "is not JSON: JSON is malformed"),
    "infinite": (b'{"score": 1e999}', "not_json", "is not JSON: Number out of range"),
    "deep": (b"[" * 100_000, "not_json", "the body is nested too deep"),
    "empty": (b"", "empty", "the body is empty; JSON is expected; check the address"),
    "blank": (b" \r\n", "empty", "the body is empty"),
    "latin": ("é".encode("latin-1"), "not_utf8", "the body is not UTF-8: 0xe9 at byte 0"),
    "korean": ('{"a": "검색"}'.encode("euc-kr"), "not_utf8", "not UTF-8: 0xb0 at byte 7"),
    "half a letter": ('"é'.encode()[:-1], "not_utf8", "not UTF-8: 0xc3 at byte 1"),
}


@pytest.mark.parametrize(("body", "reason", "said"), UNREADABLE.values(), ids=UNREADABLE.keys())
def test_a_body_that_cannot_be_read(body: bytes, reason: str, said: str, clock: FakeClock) -> None:
    with Loopback(answer(body=body)) as server:
        error = failure(server.url, retry=Retry(), clock=clock)
        assert len(server.requests) == 1
        assert str(error).startswith(f"POST {server.url}: ")
    assert said in str(error)
    assert (type(error), error.reason, error.status) == (BadResponseError, reason, 200)


def test_a_page_instead_of_json() -> None:
    page = b"<!doctype html><title>Sign in</title>"
    with Loopback(answer(body=page, headers={"Content-Type": "text/html; charset=x"})) as server:
        error = failure(server.url)
    assert re.search(r"the body \(text/html\) is not JSON: .* \(byte 0\): '<!doctype", str(error))
    assert str(error).endswith("</title>'; JSON is expected; check the address")


def test_a_body_without_a_content_type() -> None:
    with Loopback(raw(head(200, {"Content-Length": "3"}) + b"abc")) as server:
        assert "the body (without a content type) is not JSON" in str(failure(server.url))


SMALL = Limits(timeout=10, max_bytes=1000)
LARGE = {
    "as long as it says": answer(body=b" " * 1001),
    "endless": endless,
    "unpacked": answer(body=gzip.compress(b" " * 1001), headers={"Content-Encoding": "gzip"}),
}


@pytest.mark.parametrize("step", LARGE.values(), ids=LARGE.keys())
def test_a_body_above_the_limit(step: Step) -> None:
    with Loopback(step) as server:
        error = failure(server.url, limits=SMALL)
        assert str(error) == (
            f"POST {server.url}: the body is larger than 1,000 bytes; "
            "ask for fewer results or less of each"
        )
    assert (type(error), error.reason) == (BadResponseError, "too_large")


@pytest.mark.parametrize("step", [endless, answer(500, body=b" " * 200_000)], ids=["200", "500"])
def test_after_bodies_that_were_not_read_to_the_end_the_client_goes_on(step: Step) -> None:
    async def main(url: str) -> Response:
        limits = Limits(timeout=10, concurrency=1, max_bytes=1000)
        async with Client(limits=limits, retry=ONCE) as client:
            for _ in range(2):
                with pytest.raises(EndpointError):
                    await client.post_json(url, {})
            return await client.post_json(url, {})

    with Loopback([step, step, GOOD]) as server:
        assert asyncio.run(asyncio.wait_for(main(server.url), 5)).json == {"hits": []}


def test_a_body_at_the_limit() -> None:
    with Loopback(answer(body=b"1" + b" " * 999)) as server:
        assert ask(server.url, limits=SMALL).json == 1


# ---- certificates and proxies ------------------------------------------------------------------


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate for 127.0.0.1 that nobody has signed, with its key."""
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl")
    command = (
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
        "-subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 -keyout both.pem -out cert.pem"
    )
    subprocess.run(command.split(), cwd=tmp_path, check=True, capture_output=True)
    with (tmp_path / "both.pem").open("ab") as both:
        both.write((tmp_path / "cert.pem").read_bytes())
    return tmp_path


def secure(certificate: Path) -> Loopback:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate / "both.pem")
    return Loopback(GOOD, tls=context)


def test_a_certificate_is_checked(certificate: Path, clock: FakeClock) -> None:
    with secure(certificate) as server:
        error = failure(server.url, retry=Retry(), clock=clock)
        assert server.requests == []
    assert (type(error), error.reason, error.attempts) == (NoResponseError, "tls", 1)
    assert "the certificate is not trusted (" in str(error)
    assert str(error).endswith("; SSL_CERT_FILE names the certificates to trust")


def test_a_certificate_can_be_trusted(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate / "cert.pem"))
    with secure(certificate) as server:
        assert ask(server.url).json == {"hits": []}


def test_the_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with Loopback(GOOD) as proxy:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{proxy.port}")
        assert ask("http://search.example/a").json == {"hits": []}
        assert proxy.requests[0].target == "http://search.example/a"
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        with Loopback(answer(json=1)) as server:
            assert ask(server.url).json == 1


def test_a_proxy_that_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    with Loopback(raw(head(407, {"Content-Length": "0"}))) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", f"http://ann:secret@127.0.0.1:{proxy.port}")
        error = failure("https://search.example/a")
    assert (type(error), error.reason) == (NoResponseError, "proxy")
    assert "the proxy failed (407" in str(error)
    assert "secret" not in str(error)
