"""The client: sends a request until it has an answer or knows that there will be none."""

from __future__ import annotations

import asyncio
import json as stdlib_json
import math
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from ragstone.errors import EndpointError, InputError, MissingExtraError, UsageError
from ragstone.http.address import check_url
from ragstone.http.answer import (
    EXCERPT,
    Fault,
    Reply,
    Response,
    decoded,
    fault_from,
    fault_of,
    stopped,
    timed_out,
    too_large,
)
from ragstone.http.mask import OURS, Mask, hide_in_logs, shown
from ragstone.http.pace import Clock, Pace
from ragstone.http.retry import Retry, retry_after
from ragstone.http.room import Room
from ragstone.http.wires import Wires

if TYPE_CHECKING:
    import httpx

ERROR_BYTES = 64 * 1024
"""What is read of the body of an answer that failed."""

ENVIRONMENT = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR")
"""What httpx reads; variables of proxies may be in lower case too."""

JSON_TYPE = "application/json"
_HEADER_NAME = re.compile(r"[\w!#$%&'*+.^`|~-]+", re.ASCII)

QUOTA_ADVICE = "the quota or the balance of this key is used up: look at its plan and billing"

OnRetry: TypeAlias = Callable[[str, str, int], None]

PUSH_BACK = frozenset({"429", "503", "529", "timeout"})
"""Faults by which an endpoint says that fewer requests at once would be better."""

DEFAULT_HEADERS = {
    "accept": JSON_TYPE,
    "accept-encoding": "gzip, deflate",
    "user-agent": "ragstone",
}


class Limits(Struct, frozen=True):
    """What a client keeps within.

    timeout: seconds for one attempt, from sending to the last byte, however slowly it drips;
    connecting has connect_timeout of it. concurrency: requests at once; adaptive: fewer while the
    endpoint pushes back. per_minute: requests a minute, attempts counted, evenly spaced.
    tokens_per_minute: of what each request says that it takes. max_bytes: of a body, unpacked.
    UsageError for others.
    """

    timeout: float = 60.0
    connect_timeout: float = 10.0
    concurrency: int = 16
    per_minute: float | None = None
    max_bytes: int = 64 * 1024 * 1024
    tokens_per_minute: float | None = None
    adaptive: bool = False

    def __post_init__(self) -> None:
        """Refuse limits within which nothing can be sent."""
        per_minute = 1.0 if self.per_minute is None else self.per_minute
        tokens = 1.0 if self.tokens_per_minute is None else self.tokens_per_minute
        for name, value in [
            ("timeout", self.timeout),
            ("connect_timeout", self.connect_timeout),
            ("concurrency", self.concurrency),
            ("per_minute", per_minute),
            ("tokens_per_minute", tokens),
            ("max_bytes", self.max_bytes),
        ]:
            if not 0 < value < math.inf:
                raise UsageError(f"{name} is {value:g}; a number above 0 was expected")


@dataclass(frozen=True, slots=True)
class _Call:
    """A request that may be sent more than once."""

    method: str
    url: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    content: bytes | None = field(repr=False)
    tokens: float = 0.0
    faults: list[str] = field(default_factory=list)


class Client:
    """Sends JSON and receives JSON; close it with `aclose` or use it in `async with`.

    headers: sent with every request; their values are never shown. secrets: other texts that are
    never shown, such as keys that go into a body. Proxies are those of HTTP_PROXY, HTTPS_PROXY and
    NO_PROXY, certificates are checked, redirects are not followed, cookies are not kept.

    on_retry: is told before each further attempt how the last one failed, as a code and in words,
    and how many have been made.

    Raises MissingExtraError where httpx is not installed: `feature` and `extra` are what it names.
    """

    def __init__(
        self,
        headers: Mapping[str, str] | None = None,
        *,
        limits: Limits | None = None,
        retry: Retry | None = None,
        secrets: Iterable[str] = (),
        clock: Clock | None = None,
        on_retry: OnRetry | None = None,
        feature: str = "an HTTP endpoint",
        extra: str = "http",
    ) -> None:
        """Open nothing yet; the first request connects."""
        self.limits, self.retry = limits or Limits(), retry or Retry()
        self.retried: Counter[str] = Counter()
        self._headers = checked_headers(headers or {})
        self._mask = Mask(self._headers, secrets)
        self._clock, self._on_retry = clock or Clock(), on_retry
        self._pace = Pace(self._clock, self.limits.per_minute, self.limits.tokens_per_minute)
        self._random = self.retry.random()
        self._room = Room(self.limits.concurrency, adaptive=self.limits.adaptive)
        self._addresses: dict[str, httpx.URL] = {}  # the last one, which is parsed once
        self._httpx = _httpx(feature, extra)
        try:
            self._wires = Wires(self._httpx, self.limits.connect_timeout)
        except (ImportError, OSError, ValueError, self._httpx.InvalidURL):
            raise UsageError(_bad_environment()) from None

    def __repr__(self) -> str:
        """Show the limits, and nothing of the headers."""
        return f"<Client {self.limits}>"

    async def __aenter__(self) -> Client:
        """Return the client."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the connections."""
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections."""
        await self._wires.aclose()

    @property
    def at_once(self) -> int:
        """How many requests may be on their way now; fewer than the limit where adaptive."""
        return int(self._room.limit)

    def stop(self) -> None:
        """Send nothing more: whatever waits fails at once, what is on its way may still succeed."""
        self._pace.stop()

    def spent(self, more: float) -> None:
        """Correct the tokens that the last requests were thought to take."""
        self._pace.spent(more)

    async def post_json(self, url: str, json: Any, *, tokens: float = 0.0) -> Response:
        """Send a POST request; see `request`."""
        return await self.request("POST", url, json, tokens=tokens)

    async def request(
        self,
        method: str,
        url: str,
        json: Any = None,
        *,
        tokens: float = 0.0,
    ) -> Response:
        """Send a request, again where that may help, and return the answer.

        json: the body; None for none. tokens: what it takes of tokens_per_minute, each time it is
        sent.

        Raises EndpointError: NoResponseError where there is no whole answer, StatusError for a
        status outside 2xx, BadResponseError for a body that is no JSON; UsageError for what is no
        address; InputError for a body that JSON cannot hold.
        """
        call = self._call(method, url, json)
        call = replace(call, tokens=tokens) if tokens else call
        number = await self._room.enter()
        try:
            return await self._answered(call, number)
        finally:
            self._room.leave()

    async def _answered(self, call: _Call, number: int) -> Response:
        attempt = 1
        while True:
            await self._pace.turn(call.tokens)
            if self._pace.stopped:
                raise self._error(call, stopped(), attempt - 1)
            found = await self._attempt(call, attempt)
            if isinstance(found, Response):
                self._room.succeeded()
                return found
            call.faults.append(found.code)
            if found.code in PUSH_BACK:
                self._room.pushed_back(number)
            await self._before_next(call, found, attempt)
            attempt += 1

    def _call(self, method: str, url: str, json: Any) -> _Call:
        if url not in self._addresses:
            self._check(url)
        sent = {**DEFAULT_HEADERS, **self._headers}
        if json is None:
            return _Call(method, url, sent, None)
        return _Call(method, url, {"content-type": JSON_TYPE, **sent}, encoded(json))

    def _check(self, url: str) -> None:
        check_url(url)
        try:
            address = self._httpx.URL(url)
            host = address.host
        except (ValueError, self._httpx.InvalidURL):
            host = ""
        if not host:
            raise UsageError(f"{shown(url)} is no address that can be sent to")
        self._addresses = {url: address}

    async def _attempt(self, call: _Call, attempt: int) -> Response | Fault:
        start = self._clock.monotonic()
        ours = OURS.set((self._mask, call.url))
        try:
            async with asyncio.timeout(self.limits.timeout):
                found = await self._reply(call)
        except TimeoutError:
            return timed_out(self.limits.timeout)
        except (self._httpx.HTTPError, self._httpx.InvalidURL, UnicodeError) as error:
            return fault_from(error)
        finally:
            OURS.reset(ours)
        if isinstance(found, Fault):
            return found
        fault, value = self._read(found, call.url)
        if fault is not None:
            return fault
        elapsed = self._clock.monotonic() - start
        return Response(found.status, value, found.headers, attempt, elapsed, tuple(call.faults))

    def _read(self, reply: Reply, url: str) -> tuple[Fault | None, Any]:
        fault, value = fault_of(reply, url, self.retry.statuses), None
        if fault is None:
            fault, value = decoded(reply)
        if fault is None and self.retry.hidden and (status := self.retry.hidden(value)):
            fault = fault_of(replace(reply, status=status), url, self.retry.statuses)
        return fault, value

    async def _reply(self, call: _Call) -> Reply | Fault:
        request = self._httpx.Request(
            call.method,
            self._addresses.get(call.url, call.url),
            headers=dict(call.headers),
            content=call.content,
        )
        with self._wires.one() as wire:
            answer = await wire.send(request, stream=True)
            try:
                failed = not answer.is_success
                limit = ERROR_BYTES if failed else self.limits.max_bytes
                body, whole = await _body(answer, limit)
            finally:
                await answer.aclose()
        if not whole and not failed:
            return too_large(limit)
        return Reply(answer.status_code, dict(answer.headers), body)

    async def _before_next(self, call: _Call, fault: Fault, attempt: int) -> None:
        """Wait before the next attempt, or raise if there is none."""
        asked = None
        if fault.reply is not None:
            asked = retry_after(fault.reply.headers, self._clock.wall())
        if self._is_exhausted(fault):
            raise self._error(call, replace(fault, advice=QUOTA_ADVICE), attempt)
        if not fault.again:
            raise self._error(call, fault, attempt)
        if asked is not None and asked > self.retry.patience:
            advice = f"it asks for {asked:g} s of quiet; run it again after that"
            raise self._error(call, replace(fault, advice=advice), attempt)
        if attempt >= self.retry.attempts:
            raise self._error(call, fault, attempt)
        self.retried[fault.code] += 1
        if self._on_retry is not None:
            self._on_retry(fault.code, self._mask(fault.problem, call.url), attempt)
        if asked:
            self._pace.quiet(asked)
        await self._pace.rest(self.retry.wait(attempt, asked, self._random))

    def _is_exhausted(self, fault: Fault) -> bool:
        reply, tells = fault.reply, self.retry.exhausted
        return reply is not None and tells is not None and tells(reply.status, reply.body)

    def _error(self, call: _Call, fault: Fault, attempt: int) -> EndpointError:
        reply = fault.reply
        body = self._mask(reply.body.decode("utf-8", "replace"), call.url) if reply else ""
        excerpt = f": {' '.join(body.split())[:EXCERPT]!r}" if body.strip() else ""
        times = f" after {attempt} attempts" if attempt > 1 else ""
        problem = self._mask(fault.problem, call.url)
        return fault.kind(
            f"{call.method} {shown(call.url)}: {problem}{times}{excerpt}; {fault.advice}",
            reason=fault.reason,
            status=reply.status if reply else None,
            attempts=attempt,
            body=body,
            faults=tuple(call.faults),
        )


async def _body(answer: httpx.Response, limit: int) -> tuple[bytes, bool]:
    """Read a body; return it and whether that is all of it."""
    parts: list[bytes] = []
    room = limit
    async for part in answer.aiter_bytes():
        parts.append(part[:room])
        room -= len(part)
        if room < 0:
            return b"".join(parts), False
    return b"".join(parts), True


def encoded(json: Any) -> bytes:
    """Return the bytes of a body; raises InputError for what JSON cannot hold.

    >>> encoded({"query": "세탁기", "k": 10}).decode()
    '{"query":"세탁기","k":10}'
    """
    try:
        text = stdlib_json.dumps(json, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode()
    except (ValueError, TypeError, RecursionError) as error:
        said = "a lone surrogate" if isinstance(error, UnicodeError) else str(error)
        raise InputError(f"the request cannot be written as JSON: {said}") from None


def checked_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Return headers, their names in lower case; raises UsageError, which shows no value."""
    for name, value in headers.items():
        if not _HEADER_NAME.fullmatch(name):
            raise UsageError(f"{name!r:.80} is no name of a header")
        if not (value.isascii() and value.isprintable()) or value != value.strip():
            raise UsageError(
                f"the value of the header {name} cannot be sent: it has a line break, blanks at an "
                "end, or characters beyond ASCII; look at where it comes from"
            )
    return {name.lower(): value for name, value in headers.items()}


def _bad_environment() -> str:
    """Name the variables that httpx refused; their values may hold a password."""
    named = [name for name in ENVIRONMENT if os.environ.get(name) or os.environ.get(name.lower())]
    return (
        f"{' or '.join(named) or 'the environment'} cannot be used: a proxy is an http:// or "
        "https:// address, SSL_CERT_FILE a file and SSL_CERT_DIR a folder that is there"
    )


def _httpx(feature: str, extra: str) -> ModuleType:
    try:
        import httpx
    except ImportError:
        raise MissingExtraError(feature, extra) from None
    hide_in_logs()
    return httpx
