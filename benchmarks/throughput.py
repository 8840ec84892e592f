"""Judged throughput: ours beside a bare loop of httpx that sends the same requests."""

from __future__ import annotations

import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
from quick_model import quick_model

from ragstone.judge import JudgeConfig, JudgeLimits, judge_samples
from ragstone.judge.asking import Filled
from ragstone.judge.dialects import SCHEMA, OpenAI
from ragstone.judge.prompting import tagged
from ragstone.judge.protocol import Request
from ragstone.judge.shapes import Choice
from ragstone.judge.tasks import SCALES
from ragstone.model import Status
from ragstone.model.samples import Sample
from ragstone.store import Cache, Journal

AT_ONCE, CALLS, SECONDS = 32, 1_920, 0.05
SAMPLES = [
    Sample(f"q{number}", answer=f"Item {number} opened in May. It is red.")
    for number in range(CALLS)
]
SAID = json.dumps({"reason": "It reads well.", "verdict": "mostly"})
COMPLETION = {
    "id": "c1",
    "object": "chat.completion",
    "model": "tested-1",
    "choices": [
        {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": SAID}}
    ],
    "usage": {"prompt_tokens": 1000, "completion_tokens": 200, "total_tokens": 1200},
}


def measure(rounds: int) -> list[tuple[float, float]]:
    """Return the seconds of both for each round, the bare loop first; they run in turn."""
    todo = bodies()
    with quick_model(SECONDS, COMPLETION) as url:
        asyncio.run(bare(url, todo[:AT_ONCE]))
        return [(asyncio.run(bare(url, todo)), ours(url, SAMPLES)) for _ in range(rounds)]


def rows() -> Iterator[str]:
    """Yield the line of the table."""
    pairs = measure(5)
    ratio = statistics.median(alone / judging for alone, judging in pairs)
    theirs, mine = (CALLS / statistics.median(each) for each in zip(*pairs, strict=True))
    yield (
        f"| coherence of {CALLS:,} samples, a model of 50 ms, 32 at once, cache and journal | "
        f"bare loop of httpx | calls a second | {mine:,.0f} | {theirs:,.0f} | {ratio:.2f} | "
        "0.8 or more | - |"
    )


def bodies() -> list[dict[str, Any]]:
    """Return what our client sends for these samples."""
    shape = Choice(tuple(SCALES["coherence"]))
    found = []
    for each in SAMPLES:
        values = {"question": tagged("question", ""), "answer": tagged("answer", each.answer or "")}
        messages = Filled.of("coherence", "en", values).messages
        request = Request(messages, shape.schema(), shape.name)
        found.append(OpenAI().body(request, "tested", OpenAI().defaults(), SCHEMA))
    return found


async def bare(url: str, todo: list[dict[str, Any]]) -> float:
    """Send bodies by httpx alone; return the seconds it takes."""
    rest, start = iter(todo), time.perf_counter()
    limits = httpx.Limits(max_connections=AT_ONCE, max_keepalive_connections=AT_ONCE)
    async with httpx.AsyncClient(limits=limits) as client:

        async def work() -> None:
            for body in rest:
                response = await client.post(f"{url}/chat/completions", json=body)
                assert response.json()["choices"]

        await asyncio.gather(*(work() for _ in range(AT_ONCE)))
        return time.perf_counter() - start


def ours(url: str, samples: Sequence[Sample]) -> float:
    """Judge the samples, with a new cache and journal; return the seconds it takes."""
    judge = JudgeConfig(model="tested", endpoint=url, limits=JudgeLimits(concurrency=AT_ONCE))
    with (
        tempfile.TemporaryDirectory() as folder,
        Cache(Path(folder) / "cache.db") as cache,
        Journal.open(Path(folder) / "journal", {}) as journal,
    ):
        start = time.perf_counter()
        judged = judge_samples(samples, ["coherence"], judge, cache=cache, journal=journal)
        seconds = time.perf_counter() - start
    assert {cell.status for cell in judged.cells["coherence"]} == {Status.SCORED}
    assert judged.asked == len(samples)
    return seconds
