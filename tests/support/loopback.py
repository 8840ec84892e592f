"""A real HTTP server on loopback that does what a script says, faults included.

    with Loopback([answer(503), answer(json={"hits": []})]) as server:
        ... send to server.url, then look at server.requests

Each request takes the next step of the script; the last one is repeated.
"""

from __future__ import annotations

import json as stdlib_json
import socket
import socketserver
import ssl
import struct
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Self

LONGEST = 20.0
"""Seconds after which the server gives up on anything, so that no test hangs."""


@dataclass(frozen=True)
class Request:
    """What came in."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes
    at: float

    @property
    def json(self) -> Any:
        """The body, decoded."""
        return stdlib_json.loads(self.body)


@dataclass
class Connection:
    """What a step writes to; `open` tells whether another request may come."""

    socket: socket.socket
    stopped: threading.Event
    open: bool = True

    def send(self, data: bytes) -> None:
        """Write bytes."""
        self.socket.sendall(data)

    def wait(self, seconds: float) -> None:
        """Do nothing for a while, or until the server stops."""
        self.stopped.wait(min(seconds, LONGEST))

    def close(self) -> None:
        """End the connection in order."""
        self.open = False

    def reset(self) -> None:
        """Break the connection off, as a server that dies does."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.open = False


Step = Callable[[Connection, Request], None]


def head(status: int, headers: Mapping[str, str]) -> bytes:
    """Return a status line and headers."""
    lines = [f"HTTP/1.1 {status} Whatever", *(f"{n}: {v}" for n, v in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode()


def answer(
    status: int = 200,
    *,
    json: Any = None,
    body: bytes | None = None,
    headers: Mapping[str, str] | None = None,
) -> Step:
    """Answer with JSON or with bytes."""
    data = stdlib_json.dumps(json, ensure_ascii=False).encode() if body is None else body
    found = {"Content-Type": "application/json", "Content-Length": str(len(data))}
    whole = head(status, {**found, **(headers or {})}) + data
    return lambda connection, _: connection.send(whole)


def echo(connection: Connection, request: Request) -> None:
    """Answer with what was sent."""
    seen = {"path": request.target, "headers": dict(request.headers), "json": None}
    if request.body:
        seen["json"] = request.json
    answer(json=seen)(connection, request)


def later(seconds: float, step: Step) -> Step:
    """Wait before a step."""

    def wait(connection: Connection, request: Request) -> None:
        connection.wait(seconds)
        step(connection, request)

    return wait


def drip(body: bytes, pause: float) -> Step:
    """Answer one byte at a time."""

    def send(connection: Connection, _: Request) -> None:
        connection.send(head(200, {"Content-Length": str(len(body))}))
        for byte in body:
            connection.wait(pause)
            connection.send(bytes([byte]))

    return send


def raw(data: bytes) -> Step:
    """Send bytes as they are, then close."""

    def send(connection: Connection, _: Request) -> None:
        connection.send(data)
        connection.close()

    return send


def cut(body: bytes, length: int) -> Step:
    """Promise more bytes than are sent, then close."""
    return raw(head(200, {"Content-Length": str(length)}) + body)


def reset(connection: Connection, _: Request) -> None:
    """Break off without an answer."""
    connection.reset()


def hang_up(connection: Connection, _: Request) -> None:
    """Close in order without an answer."""
    connection.close()


def endless(connection: Connection, _: Request) -> None:
    """Send a body that has no end, as long as somebody reads it."""
    connection.send(head(200, {"Transfer-Encoding": "chunked"}))
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        connection.send(b"10000\r\n" + b" " * 65536 + b"\r\n")


class Loopback:
    """A server in threads of its own; entered, it listens."""

    def __init__(self, script: Iterable[Step] | Step, tls: ssl.SSLContext | None = None) -> None:
        """Keep what to do for each request; one step alone is repeated."""
        self._script = [script] if callable(script) else list(script)
        self._tls, self._lock = tls, threading.Lock()
        self._stopped = threading.Event()
        self.requests: list[Request] = []
        self.connections = 0
        self.at_once = self.most_at_once = 0

    def __enter__(self) -> Self:
        """Listen."""
        loopback = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                loopback._serve(self.request)

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True
            block_on_close = False
            request_queue_size = 128

            def handle_error(self, *_: Any) -> None:
                """Say nothing of clients that have gone."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop."""
        self._stopped.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(LONGEST)

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        """The address of an endpoint."""
        return f"{'https' if self._tls else 'http'}://127.0.0.1:{self.port}/search"

    def _serve(self, plain: socket.socket) -> None:
        with self._lock:
            self.connections += 1
        with suppress(OSError):
            plain.settimeout(LONGEST)
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            end = self._tls.wrap_socket(plain, server_side=True) if self._tls else plain
            with end, end.makefile("rb") as reader:
                connection = Connection(end, self._stopped)
                for request in _requests(reader):
                    self._answer(connection, request)
                    if not connection.open or self._stopped.is_set():
                        return

    def _answer(self, connection: Connection, request: Request) -> None:
        with self._lock:
            step = self._script[min(len(self.requests), len(self._script) - 1)]
            self.requests.append(request)
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            step(connection, request)
        finally:
            with self._lock:
                self.at_once -= 1


def _requests(reader: Any) -> Iterator[Request]:
    while line := reader.readline():
        method, target, _ = line.decode("latin-1").split(" ", 2)
        headers: dict[str, str] = {}
        while (field_line := reader.readline().strip()) != b"":
            name, _, value = field_line.decode("latin-1").partition(":")
            headers[name.lower()] = value.strip()
        body = reader.read(int(headers.get("content-length", "0")))
        yield Request(method, target, headers, body, time.monotonic())
