"""What came back: an answer that can be used, or how it failed."""

from __future__ import annotations

import codecs
import errno
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin

import msgspec

from ragstone.errors import (
    BadResponseError,
    EndpointError,
    NoResponseError,
    StatusError,
    UsageError,
)
from ragstone.http.mask import shown
from ragstone.http.retry import AGAIN

FINAL_ADDRESS = "redirects are not followed; give the final address"

EXCERPT = 200
"""Characters of a body in a message."""


@dataclass(frozen=True, slots=True)
class Response:
    """A successful answer.

    json: its body, decoded. headers: names in lower case. attempts: how often the request was sent.
    elapsed: seconds from sending the last attempt to the last byte of its answer, without waits.
    faults: codes of the attempts before, such as `timeout` or `429`.
    """

    status: int
    json: Any = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    attempts: int
    elapsed: float
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """What the wire gave: status, headers, and the body, whole or as far as it was wanted."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def media_type(self) -> str:
        """The content type without parameters; empty where there is none."""
        return self.headers.get("content-type", "").partition(";")[0].strip()


@dataclass(frozen=True, slots=True)
class Fault:
    """How an attempt failed: the error it becomes, and whether another attempt may help."""

    kind: type[EndpointError]
    reason: str
    problem: str
    advice: str
    again: bool = False
    reply: Reply | None = None

    @property
    def code(self) -> str:
        """The reason, or the status: `timeout`, `429`."""
        return str(self.reply.status) if self.reply and self.reason == "status" else self.reason


def fault_of(reply: Reply, url: str, statuses: frozenset[int] = AGAIN) -> Fault | None:
    """Return what is wrong with an answer by its status; None for a success."""
    status = reply.status
    if 200 <= status < 300:
        return None
    if 300 <= status < 400:
        advice = f"{FINAL_ADDRESS}{_target(reply, url)}"
        return Fault(StatusError, "redirect", f"status {status}", advice, reply=reply)
    advice = _status_advice(status)
    return Fault(StatusError, "status", f"status {status}", advice, status in statuses, reply)


def _target(reply: Reply, url: str) -> str:
    try:
        return f", {shown(urljoin(url, reply.headers['location']))}"
    except (KeyError, ValueError, UsageError):
        return ""


STATUS_ADVICE = {
    400: "check what is sent",
    401: "check the key and the header it goes into",
    403: "check the key and what it may do",
    404: "check the address",
    405: "check the address and the method",
    413: "send less at once",
    422: "check what is sent",
    429: "send fewer requests at once or per minute, or try later",
}


def _status_advice(status: int) -> str:
    other = "see the endpoint's own log" if status >= 500 else "check address, key and request"
    return STATUS_ADVICE.get(status, other)


# Names of httpx's errors and of what is behind them, the most special first:
# reason, problem, advice, whether another attempt may help.
NETWORK_FAULTS = {
    "ConnectTimeout": ("connect_timeout", "no connection in time", "is it up and reachable?", True),
    "ProxyError": ("proxy", "the proxy failed", "check HTTP_PROXY, HTTPS_PROXY, NO_PROXY", True),
    "gaierror": ("unknown_host", "the host is not known", "is its name right?", True),
    "ConnectError": ("refused", "no connection", "is it up, and is the address right?", True),
    "RemoteProtocolError": ("protocol", "not an answer in HTTP", "check the address", True),
    "LocalProtocolError": ("request", "the request is not valid HTTP", "check the headers", False),
    "DecodingError": ("encoding", "the body cannot be unpacked", "see the endpoint's log", False),
    "InvalidURL": ("redirect", "a redirect to what is no address", FINAL_ADDRESS, False),
    "UnicodeError": ("redirect", "a redirect to what is no address", FINAL_ADDRESS, False),
    "NetworkError": ("reset", "the connection broke", "is it still up?", True),
    "HTTPError": ("network", "the request failed", "see the endpoint's log", True),
}

# What the error behind a name may say -> a more exact fault.
SAYINGS = {
    ("RemoteProtocolError", "Invalid URL in location header"): (
        "redirect",
        "a redirect to what is no address",
        FINAL_ADDRESS,
        False,
    ),
    ("RemoteProtocolError", "complete message body"): (
        "truncated",
        "the answer was cut off",
        "see the endpoint's log",
        True,
    ),
    ("RemoteProtocolError", "without sending a response"): (
        "reset",
        "the connection was closed without an answer",
        "see the endpoint's log",
        True,
    ),
    ("ConnectError", "CERTIFICATE_VERIFY_FAILED"): (
        "tls",
        "the certificate is not trusted",
        "SSL_CERT_FILE names the certificates to trust",
        False,
    ),
}


KINDS = {"encoding": BadResponseError, "redirect": StatusError}
"""What is more than no response, by reason."""


def fault_from(error: BaseException) -> Fault:
    """Return the fault of an error of httpx, known by the names of its class and of its causes."""
    chain = list(_causes(error))
    names = {kind.__name__ for each in chain for kind in type(each).__mro__}
    name = next(name for name in NETWORK_FAULTS if name in names)
    said = " ".join(_said(chain).split())
    found = (fault for (of, part), fault in SAYINGS.items() if of == name and part in said)
    reason, problem, advice, again = next(found, NETWORK_FAULTS[name])
    return Fault(
        KINDS.get(reason, NoResponseError), reason, f"{problem} ({said or name})", advice, again
    )


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    for _ in range(20):
        if error is None:
            return
        yield error
        error = error.__cause__ or error.__context__


def _said(chain: list[BaseException]) -> str:
    """Return what the system said, where it did; what httpx makes of it says less."""
    for error in reversed(chain):
        if isinstance(error, OSError) and error.strerror:
            plain = error.errno in errno.errorcode and "SSL" not in type(error).__name__
            return os.strerror(error.errno) if plain and error.errno else error.strerror
    return str(chain[0])


def stopped() -> Fault:
    """Return the fault of a request that is not sent any more."""
    return Fault(NoResponseError, "stopped", "not sent: the client was stopped", "run it again")


def timed_out(seconds: float) -> Fault:
    """Return the fault of an answer that is not complete in time."""
    return Fault(
        NoResponseError,
        "timeout",
        f"no complete answer within {seconds:g} s",
        "allow more time or send fewer requests at once",
        again=True,
    )


def too_large(limit: int) -> Fault:
    """Return the fault of a body above the limit."""
    return Fault(
        BadResponseError,
        "too_large",
        f"the body is larger than {limit:,} bytes",
        "ask for fewer results or less of each",
    )


def decoded(reply: Reply) -> tuple[Fault | None, Any]:
    """Return the JSON of a body, or the fault that says why there is none."""
    body = reply.body.removeprefix(codecs.BOM_UTF8)
    problem = _not_utf8(body)
    if problem:
        return Fault(BadResponseError, "not_utf8", problem, "UTF-8 is expected", reply=reply), None
    try:
        return None, msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError) as error:
        return _not_json(reply, error), None


def _not_utf8(body: bytes) -> str:
    try:
        body.decode()
    except UnicodeDecodeError as error:
        return f"the body is not UTF-8: {body[error.start]:#04x} at byte {error.start}"
    return ""


def _not_json(reply: Reply, error: Exception) -> Fault:
    if not reply.body.strip():
        reason, problem = "empty", "the body is empty"
    elif isinstance(error, RecursionError):
        reason, problem = "not_json", "the body is nested too deep"
    else:
        found = reply.media_type or "without a content type"
        reason, problem = "not_json", f"the body ({found}) is not JSON: {error}"
    advice = "JSON is expected; check the address"
    return Fault(BadResponseError, reason, problem, advice, reply=reply)
