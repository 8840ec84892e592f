"""Adaptive concurrency, tokens a minute, stopping, and failures inside of a success."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asking import QUICK, ask
from fakeclock import FakeClock
from loopback import Loopback, answer, later
from ragstone.errors import EndpointError, NoResponseError, StatusError, UsageError
from ragstone.http import Client, Limits, Retry
from ragstone.http.pace import Pace
from ragstone.http.room import Room

GOOD = answer(json={"ok": True})
FAST = Retry(first=0.01, longest=0.02, seed=1)


# ---- room --------------------------------------------------------------------------------------


async def crowd(room: Room, number: int, seen: list[int], most: list[int]) -> None:
    async def visit(who: int) -> None:
        await room.enter()
        seen.append(who)
        most[0] = max(most[0], room.inside)
        await asyncio.sleep(0)
        room.leave()

    await asyncio.gather(*map(visit, range(number)))


@given(most=st.integers(1, 8), number=st.integers(0, 40))
def test_never_more_inside_than_the_limit_and_in_order(most: int, number: int) -> None:
    room, seen, highest = Room(most), list[int](), [0]
    asyncio.run(crowd(room, number, seen, highest))
    assert seen == list(range(number))
    assert highest[0] == min(most, number)
    assert room.inside == 0


def test_a_room_that_is_widened_lets_in_who_waits() -> None:
    async def run() -> list[int]:
        room, inside = Room(1), []
        await room.enter()
        waiting = [asyncio.ensure_future(room.enter()) for _ in range(5)]
        await asyncio.sleep(0)
        inside.append(room.inside)
        room.widen(4)
        room.widen(2)  # which takes nothing back
        await asyncio.sleep(0)
        inside.append(room.inside)
        for _ in range(2):
            room.leave()
        await asyncio.gather(*waiting)
        return [*inside, room.inside]

    assert asyncio.run(run()) == [1, 4, 4]


def test_it_halves_once_for_all_that_were_on_their_way_and_grows_again() -> None:
    async def run() -> list[int]:
        room, limits = Room(16, adaptive=True), []
        numbers = [await room.enter() for _ in range(16)]
        for number in numbers:
            room.pushed_back(number)
            room.leave()
        limits.append(int(room.limit))
        room.pushed_back(await room.enter())
        limits.append(int(room.limit))
        for _ in range(200):
            room.succeeded()
        limits.append(int(room.limit))
        return limits

    assert asyncio.run(run()) == [8, 4, 16]


def test_one_place_is_always_left() -> None:
    async def run() -> float:
        room = Room(4, adaptive=True)
        for _ in range(20):
            room.pushed_back(await room.enter())
            room.leave()
        return room.limit

    assert asyncio.run(run()) == 1.0


def test_who_is_cancelled_while_waiting_takes_no_place() -> None:
    async def run() -> int:
        room = Room(1)
        await room.enter()
        first, second = (asyncio.create_task(room.enter()) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.sleep(0)
        room.leave()
        await asyncio.wait_for(second, 1)
        return room.inside

    assert asyncio.run(run()) == 1


def test_who_is_cancelled_as_it_is_let_in_gives_its_place_back() -> None:
    async def run() -> int:
        room = Room(1)
        await room.enter()
        first = asyncio.create_task(room.enter())
        await asyncio.sleep(0)
        room.leave()
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        return room.inside

    assert asyncio.run(run()) == 0


def many(url: str, number: int, **options: Any) -> tuple[list[Any], Client]:
    async def run() -> tuple[list[Any], Client]:
        async with Client(**options) as client:
            calls = [client.post_json(url, {}) for _ in range(number)]
            return await asyncio.gather(*calls, return_exceptions=True), client

    return asyncio.run(run())


def test_a_server_that_pushes_back_sees_fewer_requests_at_once() -> None:
    script = [*[later(0.05, answer(429))] * 8, *[later(0.02, GOOD)] * 100]
    limits = Limits(timeout=5, concurrency=8, adaptive=True)
    with Loopback(script) as server:
        found, client = many(server.url, 8, limits=limits, retry=FAST)
        assert [each.status for each in found] == [200] * 8
        assert client.at_once == 4 + 1
        assert {each.faults for each in found} == {("429",)}


# ---- tokens a minute ---------------------------------------------------------------------------


def test_tokens_and_requests_are_spaced_by_what_takes_longer(clock: FakeClock) -> None:
    async def run() -> list[float]:
        pace, starts = Pace(clock, 60, 6000), []
        for tokens in (50, 200, 400, 50):
            await pace.turn(tokens)
            starts.append(clock.now - 1000)
        return starts

    assert asyncio.run(run()) == [0.0, 1.0, 3.0, 7.0]


def test_what_was_really_spent_counts(clock: FakeClock) -> None:
    async def run() -> float:
        pace = Pace(clock, None, 600)
        await pace.turn(10)
        pace.spent(20)
        await pace.turn(10)
        return clock.now - 1000

    assert asyncio.run(run()) == 3.0


def test_a_limit_of_tokens_is_above_0() -> None:
    with pytest.raises(UsageError, match="tokens_per_minute is 0; a number above 0"):
        Limits(tokens_per_minute=0)


# ---- stopping ----------------------------------------------------------------------------------


@pytest.mark.parametrize("headers", [{}, {"Retry-After": "15"}], ids=["back-off", "Retry-After"])
def test_a_stopped_client_ends_its_waits_at_once(headers: dict[str, str]) -> None:
    async def run(url: str) -> list[Any]:
        async with Client(limits=QUICK, retry=Retry(first=15, longest=15)) as client:
            calls = [asyncio.create_task(client.post_json(url, {})) for _ in range(3)]
            await asyncio.sleep(0.2)
            client.stop()
            found = await asyncio.gather(*calls, return_exceptions=True)
            with pytest.raises(NoResponseError) as after:
                await client.post_json(url, {})
            return [*found, after.value]

    with Loopback(answer(503, headers=headers)) as server:
        start = time.monotonic()
        found = asyncio.run(run(server.url))
        assert time.monotonic() - start < 5
        assert [(each.reason, each.attempts) for each in found] == [("stopped", 1)] * 3 + [
            ("stopped", 0)
        ]
        assert len(server.requests) == 3


# ---- which failures are tried again ------------------------------------------------------------


def hidden(body: Any) -> int | None:
    return body["error"]["code"] if "error" in body else None


def test_a_status_within_a_success_is_treated_as_that_status() -> None:
    script = [answer(json={"error": {"code": 503}}), GOOD]
    with Loopback(script) as server:
        found = ask(server.url, retry=Retry(first=0.01, hidden=hidden))
        assert (found.attempts, found.faults, found.json) == (2, ("503",), {"ok": True})


def test_a_final_status_within_a_success_is_an_error_with_its_body() -> None:
    with (
        Loopback(answer(json={"error": {"code": 403, "message": "no"}})) as server,
        pytest.raises(StatusError, match=r"status 403.*message.*no") as caught,
    ):
        ask(server.url, retry=Retry(hidden=hidden))
    assert (caught.value.status, caught.value.attempts, caught.value.faults) == (403, 1, ("403",))


def test_statuses_that_are_tried_again_can_be_chosen() -> None:
    with Loopback([answer(520), GOOD]) as server:
        assert ask(server.url, retry=Retry(first=0.01, statuses=frozenset({520}))).attempts == 2
    with Loopback([answer(503), GOOD]) as server, pytest.raises(EndpointError):
        ask(server.url, retry=Retry(statuses=frozenset({520})))
