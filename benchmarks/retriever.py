"""What run-retriever costs beside calling the retriever in a loop.

Overhead is CPU time of the process, since a loop over an instant retriever waits for nothing;
throughput is wall time of a retriever that waits 20 ms, as one behind a network does.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ragstone.pipelines import RetrieverRunner, Settings
from ragstone.store.journal import Journal

RESULTS = [(f"document-{n}", 100.0 - n * 0.37) for n in range(100)]
DICTS = [{"id": doc, "score": score} for doc, score in RESULTS]
WAIT = 0.02

Search = Callable[[str], Any]


def instant(_: str) -> list[tuple[str, float]]:
    return RESULTS


def instant_dicts(_: str) -> list[dict[str, Any]]:
    return DICTS


def waiting(_: str) -> list[tuple[str, float]]:
    time.sleep(WAIT)
    return RESULTS


async def waiting_async(_: str) -> list[tuple[str, float]]:
    await asyncio.sleep(WAIT)
    return RESULTS


INSTANT: dict[str, Search] = {"(id, score) pairs": instant, "dicts": instant_dicts}
WAITING: dict[str, Search] = {"in threads": waiting, "async": waiting_async}


def texts(number: int) -> dict[str, str]:
    return {f"q{n}": f"what is said of number {n}?" for n in range(number)}


def run(folder: Path, retriever: Search, number: int, concurrency: int = 1) -> None:
    """Run as the command does, journal and all."""
    runner = RetrieverRunner(retriever, texts(number), Settings(concurrency=concurrency))
    journal = Journal.open(folder / "bench.journal", {})
    runner.keep_in(journal)
    runner.run()
    journal.remove()


def loop(retriever: Search, number: int) -> None:
    """Call one by one, with nothing around it."""
    if asyncio.iscoroutinefunction(retriever):
        asyncio.run(loop_async(retriever, number))
        return
    for text in texts(number).values():
        retriever(text)


async def loop_async(retriever: Search, number: int) -> None:
    for text in texts(number).values():
        await retriever(text)


def spent(clock: Callable[[], float], work: Callable[[], None]) -> float:
    start = clock()
    work()
    return clock() - start


def overhead(folder: Path, retriever: Search, number: int, rounds: int = 5) -> float:
    """Return the milliseconds of CPU that a query costs more than the call itself."""
    clock = time.process_time
    found = [
        spent(clock, lambda: run(folder, retriever, number))
        - spent(clock, lambda: loop(retriever, number))
        for _ in range(rounds)
    ]
    return statistics.median(found) / number * 1000


def speedup(folder: Path, retriever: Search, number: int, rounds: int = 3) -> float:
    """Return how many times faster 16 queries at once are than one by one."""
    clock = time.perf_counter
    few = number // 16
    found = [
        spent(clock, lambda: loop(retriever, few))
        / spent(clock, lambda: run(folder, retriever, few * 16, concurrency=16))
        * 16
        for _ in range(rounds)
    ]
    return statistics.median(found)


def retriever(folder: Path) -> Iterator[str]:
    """100 results a query: overhead at concurrency 1, throughput at concurrency 16."""
    for name, search in INSTANT.items():
        cost = overhead(folder, search, 2_000)
        yield row(f"run-retriever, 100 {name}: more than a loop", "cpu ms a query", cost, "0.2")
    for name, search in WAITING.items():
        times = speedup(folder, search, 1_600)
        yield row(f"run-retriever, 20 ms {name}, 16 at once", "throughput", times, "14 or more")


def row(what: str, figure: str, value: float, goal: str) -> str:
    """Return a line of the table of `make bench`."""
    return f"| {what} | one by one | {figure} | {value:.3f} | - | - | {goal} | - |"
