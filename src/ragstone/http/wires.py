"""Connections of httpx, one for each request that is on its way.

A pool of httpcore 1.0 looks at every connection whenever a request comes or goes, and gives one
that is free to all that come at the same moment, of which but one gets it: with 32 requests at
once that is half of what a request costs. So each connection is a client of its own here.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any


class Wires:
    """Lends clients that have one connection each, the one that was last in use first.

    Proxies and certificates are those of the environment. Raises what httpx raises where they
    cannot be used.
    """

    def __init__(self, library: ModuleType, connect_timeout: float) -> None:
        """Read the environment; the first request connects."""
        self._httpx = library
        self._timeout = library.Timeout(None, connect=connect_timeout)
        self._certificates = library.create_ssl_context()
        self._all: list[Any] = []
        self._free = [self._opened()]

    @contextmanager
    def one(self) -> Iterator[Any]:
        """Lend a client; a new one where all are in use."""
        wire = self._free.pop() if self._free else self._opened()
        try:
            yield wire
        finally:
            self._free.append(wire)

    async def aclose(self) -> None:
        """Close the connections."""
        for wire in self._all:
            await wire.aclose()

    def _opened(self) -> Any:
        client = self._httpx.AsyncClient(
            limits=self._httpx.Limits(max_keepalive_connections=1),
            timeout=self._timeout,
            verify=self._certificates,
        )
        self._all.append(client)
        return client
