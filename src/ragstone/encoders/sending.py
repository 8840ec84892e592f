"""Requests to an endpoint, several at once, for a caller that is not async."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, TypeVar

from ragstone.errors import first_of
from ragstone.http import Client

J = TypeVar("J")
R = TypeVar("R")


def as_done(
    opened: Callable[[], Client],
    ask: Callable[[Client, J], Awaitable[R]],
    jobs: Iterable[J],
    at_once: int,
) -> Iterator[tuple[int, R]]:
    """Yield the answer to each job, with its place, in the order in which they come.

    Works in a thread with an event loop of its own, so that it can be used where a loop runs
    already, as in a notebook. The first error, or a caller that goes away, ends all requests.
    """
    sender = _Sender(opened, ask, jobs, at_once)
    sender.start()
    try:
        yield from sender.answers()
    finally:
        sender.stop()


class _Sender(threading.Thread):
    def __init__(
        self,
        opened: Callable[[], Client],
        ask: Callable[[Client, Any], Awaitable[Any]],
        jobs: Iterable[Any],
        at_once: int,
    ) -> None:
        super().__init__(name="ragstone-encoder", daemon=True)
        self._opened, self._ask, self._at_once = opened, ask, at_once
        self._jobs = enumerate(jobs)
        self._queue: SimpleQueue[tuple[int, Any] | BaseException | None] = SimpleQueue()
        self._loop = asyncio.new_event_loop()
        self._task: asyncio.Task[None] | None = None
        self._stopped = False

    def answers(self) -> Iterator[tuple[int, Any]]:
        while (found := self._queue.get()) is not None:
            if isinstance(found, BaseException):
                raise found
            yield found

    def stop(self) -> None:
        """End what is on its way, and wait until it has ended."""
        self._stopped = True
        with suppress(RuntimeError):  # the loop is closed: it has ended by itself
            self._loop.call_soon_threadsafe(self._cancel)
        self.join()

    def run(self) -> None:
        end: BaseException | None = None
        try:
            with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
                runner.run(self._all())
        except BaseException as error:  # noqa: BLE001 - raised where the answers are taken
            end = first_of(error)
        self._queue.put(end)

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _all(self) -> None:
        self._task = asyncio.current_task()
        async with self._opened() as client, asyncio.TaskGroup() as group:
            for _ in range(self._at_once):
                group.create_task(self._work(client))

    async def _work(self, client: Client) -> None:
        for place, job in self._jobs:
            if self._stopped:
                return
            self._queue.put((place, await self._ask(client, job)))
