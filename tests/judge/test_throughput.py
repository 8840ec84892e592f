"""How much of what the endpoint could answer is asked: against a bare loop of the same requests."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from judging import GOOD, completion, sample
from quick_model import quick_model
from ragstone.judge import JudgeConfig, JudgeLimits, judge_samples
from ragstone.judge.asking import Filled
from ragstone.judge.dialects import SCHEMA, OpenAI
from ragstone.judge.prompting import tagged
from ragstone.judge.protocol import Request
from ragstone.judge.shapes import Choice
from ragstone.judge.tasks import SCALES
from ragstone.model import Status
from ragstone.store import Cache, Journal

AT_ONCE, CALLS, SECONDS, ROUNDS = 32, 640, 0.05, 3
SAMPLES = [sample(f"q{number}") for number in range(CALLS)]


def bodies() -> list[dict[str, Any]]:
    """Return what our client sends for these samples."""
    shape = Choice(tuple(SCALES["coherence"]))
    found = []
    for each in SAMPLES:
        values = {"question": "", "answer": tagged("answer", each.answer or "")}
        messages = Filled.of("coherence", "en", values).messages
        request = Request(messages, shape.schema(), shape.name)
        parameters = OpenAI().defaults()
        found.append(OpenAI().body(request, "tested", parameters, SCHEMA))
    return found


async def bare(url: str, todo: list[dict[str, Any]]) -> float:
    """Send bodies by httpx alone; return the seconds it takes."""
    rest = iter(todo)
    limits = httpx.Limits(max_connections=AT_ONCE, max_keepalive_connections=AT_ONCE)
    async with httpx.AsyncClient(limits=limits) as client:

        async def work() -> None:
            for body in rest:
                response = await client.post(f"{url}/chat/completions", json=body)
                assert response.json()["choices"]

        start = time.perf_counter()
        await asyncio.gather(*(work() for _ in range(AT_ONCE)))
        return time.perf_counter() - start


def ours(url: str, folder: Path) -> float:
    """Judge the samples, with a new cache and journal; return the seconds it takes."""
    judge = JudgeConfig(model="tested", endpoint=url, limits=JudgeLimits(concurrency=AT_ONCE))
    cache, journal = Cache(folder / "cache.db"), Journal.open(folder / "journal", {})
    start = time.perf_counter()
    judged = judge_samples(SAMPLES, ["coherence"], judge, cache=cache, journal=journal)
    seconds = time.perf_counter() - start
    cache.close()
    journal.close()
    assert {cell.status for cell in judged.cells["coherence"]} == {Status.SCORED}
    assert judged.asked == CALLS
    return seconds


@pytest.mark.slow
def test_at_least_eight_tenths_of_a_bare_loop(tmp_path: Path) -> None:
    todo = bodies()
    with quick_model(SECONDS, completion(GOOD)) as url:
        asyncio.run(bare(url, todo[:AT_ONCE]))
        pairs = []
        for number in range(ROUNDS):
            folder = tmp_path / str(number)
            folder.mkdir()
            pairs.append((asyncio.run(bare(url, todo)), ours(url, folder)))
    shares = [alone / judging for alone, judging in pairs]
    assert max(shares) >= 0.8, f"bare and judging seconds: {pairs}"
