"""Where calls run: in this thread, in threads, or in an event loop.

All three have one shape: `submit` hands in a task, `finished` waits for the next call that is done.
The thread that asks is always the main one, so that Ctrl-C is heard.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, Protocol

from ragstone.pipelines.search import CallTimeoutError, Search, Timed

FIRST_PAUSE, LONGEST_PAUSE = 0.2, 10.0  # seconds before a call is tried again


class Task(NamedTuple):
    """One call: of which query, its text, which repetition, and which attempt at it."""

    position: int
    text: str
    repetition: int = 0
    attempt: int = 0

    @property
    def pause(self) -> float:
        """Seconds to wait before another attempt: twice as long each time."""
        return min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (self.attempt - 1)) if self.attempt else 0.0


class Call(NamedTuple):
    """A call that is done: what came back and how long it took, or how it failed."""

    task: Task
    results: Any
    seconds: float
    error: BaseException | None = None


class Workers(Protocol):
    """Runs calls; `window` tasks at a time keep it busy."""

    window: int

    def submit(self, task: Task) -> None:
        """Take a task."""

    def finished(self) -> Call:
        """Wait for a call to be done."""

    def stop(self) -> None:
        """Take no more; calls that are running may run on."""


def workers(search: Search, concurrency: int, timeout: float | None) -> Workers:
    """Choose where calls run: in threads only where one alone would not do."""
    if search.is_async:
        return Loop(search, concurrency, timeout)
    if concurrency > 1 or timeout is not None:
        return Threads(search, concurrency, timeout)
    return Inline(search)


def run(search: Search, task: Task) -> Call:
    """Call once; every failure of the user's code is caught here."""
    if task.attempt:
        time.sleep(task.pause)
    start = time.perf_counter()
    try:
        results = search.finish(search.call(task.text))
    except (Exception, SystemExit) as error:  # noqa: BLE001 - the user's code
        return Call(task, None, time.perf_counter() - start, error)
    return Call(task, results, time.perf_counter() - start)


class Inline:
    """Calls in the thread that asks."""

    window = 1

    def __init__(self, search: Search) -> None:
        """Keep what is called."""
        self._search, self._tasks = search, deque[Task]()

    def submit(self, task: Task) -> None:
        """Take a task."""
        self._tasks.append(task)

    def finished(self) -> Call:
        """Call now."""
        return run(self._search, self._tasks.popleft())

    def stop(self) -> None:
        """Forget what is left."""
        self._tasks.clear()


class Threads:
    """Calls in threads. One that hangs is left behind, and another takes its place."""

    def __init__(self, search: Search, concurrency: int, timeout: float | None) -> None:
        """Start the threads; they end with the process, whatever they are doing."""
        self.window = 2 * concurrency
        self._search, self._timeout = search, timeout
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()
        self._done: SimpleQueue[Call] = SimpleQueue()
        self._started: dict[Task, float] = {}
        self._left: set[Task] = set()
        for _ in range(concurrency):
            self._start()

    def submit(self, task: Task) -> None:
        """Take a task."""
        self._tasks.put(task)

    def finished(self) -> Call:
        """Wait for the next call that is done or has taken too long."""
        while True:
            try:
                call = self._done.get(timeout=self._patience())
            except Empty:
                if late := self._late():
                    return late
                continue
            if call.task not in self._left:
                return call

    def stop(self) -> None:
        """Let the threads end after their call."""
        with suppress(Empty):
            while True:
                self._tasks.get_nowait()
        for _ in range(self.window):
            self._tasks.put(None)

    def _start(self) -> None:
        threading.Thread(target=self._work, name="ragstone-call", daemon=True).start()

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            self._started[task] = time.monotonic() + task.pause
            call = run(self._search, task)
            del self._started[task]
            self._done.put(call)
            if task in self._left:  # another thread has taken this one's place
                return

    def _patience(self) -> float | None:
        """Seconds until the oldest call is late; a short while where none has begun."""
        if self._timeout is None:
            return None
        running = [start for task, start in self._running() if task not in self._left]
        due = min(running) + self._timeout if running else time.monotonic() + self._timeout
        return max(0.001, min(due - time.monotonic(), self._timeout))

    def _running(self) -> list[tuple[Task, float]]:
        return list(self._started.copy().items())

    def _late(self) -> Call | None:
        """Give up the first call that has taken too long."""
        limit = self._timeout or 0.0
        for task, start in self._running():
            if task not in self._left and time.monotonic() - start >= limit:
                self._left.add(task)
                self._start()
                return Call(task, None, limit, _too_long(limit))
        return None


class Loop:
    """Calls in an event loop of its own, in a thread of its own."""

    def __init__(self, search: Search, concurrency: int, timeout: float | None) -> None:
        """Start the loop."""
        self.window = 2 * concurrency
        self._search = search
        self._timeout = None if search.keeps_trying else timeout
        self._done: SimpleQueue[Call] = SimpleQueue()
        self._loop = asyncio.new_event_loop()
        # Frameworks run what is not asynchronous in the default executor, which is small.
        self._threads = ThreadPoolExecutor(concurrency, thread_name_prefix="ragstone-call")
        self._loop.set_default_executor(self._threads)
        self._waiting: asyncio.Queue[Task] = asyncio.Queue()
        self._takers = [self._loop.create_task(self._take()) for _ in range(concurrency)]
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def submit(self, task: Task) -> None:
        """Take a task."""
        self._loop.call_soon_threadsafe(self._waiting.put_nowait, task)

    def finished(self) -> Call:
        """Wait for the next call that is done."""
        return self._done.get()

    def stop(self) -> None:
        """Cancel what is running, close what the search holds open, end the loop."""
        with suppress(Exception):
            asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(timeout=2)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=2)
        self._threads.shutdown(wait=False, cancel_futures=True)
        if not self._loop.is_running():
            self._loop.close()

    async def _take(self) -> None:
        while True:
            self._done.put(await self._run(await self._waiting.get()))

    async def _run(self, task: Task) -> Call:
        if task.attempt:
            await asyncio.sleep(task.pause)
        results: Any = None
        failure: BaseException | None = None
        start = time.perf_counter()
        try:
            async with asyncio.timeout(self._timeout) as limit:
                results = await self._results(task)
        except TimeoutError as error:
            failure = _too_long(self._timeout or 0.0) if limit.expired() else error
        except (Exception, SystemExit) as error:  # noqa: BLE001 - the user's code
            failure = error
        seconds = time.perf_counter() - start
        if isinstance(results, Timed):
            results, seconds = results
        return Call(task, results, seconds, failure)

    async def _results(self, task: Task) -> Any:
        results = await self._search.call(task.text)
        return results if isinstance(results, Timed) else self._search.finish(results)

    async def _end(self) -> None:
        for taker in self._takers:
            taker.cancel()
        await asyncio.gather(*self._takers, return_exceptions=True)
        if self._search.close is not None:
            await self._search.close()
        await self._loop.shutdown_asyncgens()  # those that a call left in the middle


def _too_long(limit: float) -> CallTimeoutError:
    return CallTimeoutError(f"no answer within {limit:g} s, which is --timeout")
