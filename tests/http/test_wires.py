"""Connections: as many as there are requests at once, and each is used again."""

from __future__ import annotations

import asyncio
import time

import httpx
import pytest

from asking import ONCE, QUICK
from loopback import Connection, Loopback, Request, echo, hang_up, later
from ragstone.errors import EndpointError
from ragstone.http import Client


def test_a_wave_of_requests_uses_the_connections_of_the_one_before() -> None:
    def together(connection: Connection, request: Request) -> None:
        end = time.monotonic() + 5
        while server.most_at_once < 8 and time.monotonic() < end:
            connection.wait(0.001)
        later(0.002, echo)(connection, request)

    async def main(url: str) -> None:
        async with Client(limits=QUICK) as client:
            for _ in range(3):
                await asyncio.gather(*(client.post_json(url, n) for n in range(8)))
            for number in range(8):
                await client.post_json(url, number)

    with Loopback(together) as server:
        asyncio.run(main(server.url))
        assert (len(server.requests), server.connections) == (32, 8)


def test_a_connection_that_broke_is_replaced() -> None:
    steps = iter([hang_up, echo, echo])

    def scripted(connection: Connection, request: Request) -> None:
        next(steps)(connection, request)

    async def main(url: str) -> list[int]:
        async with Client(limits=QUICK, retry=ONCE) as client:
            with pytest.raises(EndpointError):
                await client.post_json(url, 0)
            return [(await client.post_json(url, number)).json["json"] for number in (1, 2)]

    with Loopback(scripted) as server:
        assert asyncio.run(main(server.url)) == [1, 2]
        assert server.connections == 2


def test_certificates_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read, real = [], httpx.create_ssl_context

    def counted() -> object:
        read.append(1)
        return real()

    async def main(url: str) -> None:
        async with Client(limits=QUICK) as client:
            await asyncio.gather(*(client.post_json(url, n) for n in range(8)))

    monkeypatch.setattr(httpx, "create_ssl_context", counted)
    with Loopback(later(0.01, echo)) as server:
        asyncio.run(main(server.url))
    assert len(read) == 1
