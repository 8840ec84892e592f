"""Texts without secrets: addresses, bodies and messages as a reader may see them."""

from __future__ import annotations

import base64
import json
import logging
from collections.abc import Iterable, Iterator, Mapping
from contextvars import ContextVar
from urllib.parse import quote, unquote

from ragstone.errors import UsageError
from ragstone.http.address import split_url

HIDDEN = "***"
SHORTEST = 4
"""A shorter text is no secret, and masking it would garble every message."""

SHORTEST_VALUE = 8
"""As much for a value of an address: those of `?stream=true` are no secrets."""

OPEN_HEADERS = {"accept", "accept-encoding", "connection", "content-type", "user-agent"}
SCHEMES = {"apikey", "basic", "bearer", "digest", "token"}


def shown(url: str) -> str:
    """Return an address without user, password, values of its query and fragment.

    >>> shown("https://ann:secret@api.example/search?key=abcd&plain#top")
    'https://api.example/search?key=***&***'
    """
    parts = split_url(url)
    host = parts.hostname or ""
    host = f"[{host}]" if ":" in host else host
    port = f":{parts.port}" if parts.port is not None else ""
    query = "?" + "&".join(map(_hidden, parts.query.split("&"))) if parts.query else ""
    return f"{parts.scheme}://{host}{port}{parts.path}{query}"


def _hidden(pair: str) -> str:
    name, equals, _ = pair.partition("=")
    return f"{name}={HIDDEN}" if equals else HIDDEN


class Mask:
    """Knows the secrets of a client and takes them out of texts.

    >>> Mask({"Authorization": "Bearer sk-12345678"})("bad key sk-12345678")
    'bad key ***'
    """

    def __init__(self, headers: Mapping[str, str], secrets: Iterable[str] = ()) -> None:
        """Learn the values of headers, and other secrets."""
        self._known = list(secrets)
        for name, value in headers.items():
            if name.lower() not in OPEN_HEADERS:
                self._known += _header(value)

    def __call__(self, text: str, url: str = "") -> str:
        """Return the text with every secret hidden, those of an address too."""
        known = {*self._known, *(_address(url) if url else ())}
        found = {form for secret in known for form in _forms(secret) if len(form) >= SHORTEST}
        for secret in sorted(found, key=len, reverse=True):
            text = text.replace(secret, HIDDEN)
        return text

    def __repr__(self) -> str:
        """Say how much is hidden."""
        return f"<Mask of {len(self._known)} secrets>"


def _header(value: str) -> Iterator[str]:
    yield value
    yield from (word for word in value.split() if word.lower() not in SCHEMES)


def _address(url: str) -> Iterator[str]:
    parts = split_url(url)
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    if user or password:
        yield from (user, password, parts.netloc.rpartition("@")[0])
        yield base64.b64encode(f"{user}:{password}".encode()).decode()
    for pair in parts.query.split("&"):
        name, equals, value = pair.partition("=")
        if len(text := unquote(value if equals else name)) >= SHORTEST_VALUE:
            yield text


def _forms(secret: str) -> Iterator[str]:
    yield from (secret, quote(secret, safe=""), quote(secret))
    for text in (json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]):
        yield from (text, text.replace("/", "\\/"))


OURS: ContextVar[tuple[Mask, str] | None] = ContextVar("ours", default=None)
"""What to hide in the logs of the request on its way, and its address, where it is one of ours."""

LOGGERS = ("httpx", "httpcore.connection", "httpcore.http11", "httpcore.proxy")


class MaskedLogs(logging.Filter):
    """Hides our secrets in what httpx and httpcore log of our requests, if somebody listens."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record through, ours masked."""
        if ours := OURS.get():
            mask, url = ours
            if isinstance(record.args, tuple):
                record.args = tuple(map(_masked, record.args))
            record.msg, record.args = mask(record.getMessage(), url), ()
        return True


MASKED_LOGS = MaskedLogs()


def hide_in_logs() -> None:
    """Hide our secrets from now on; once is enough, and again does no harm."""
    for name in LOGGERS:
        logging.getLogger(name).addFilter(MASKED_LOGS)


def _masked(value: object) -> object:
    if type(value).__name__ != "URL":
        return value
    try:
        return shown(str(value))
    except UsageError:
        return HIDDEN
