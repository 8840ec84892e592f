"""What judging will take, told before anything is asked: the same prompts, with made-up replies."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TypeVar

from msgspec import Struct

from ragstone.judge import tokens
from ragstone.judge.asking import Filled, request_key
from ragstone.judge.exchange import Exchange
from ragstone.judge.plan import AnyJudge, AnyMeasure, Plan, open_judges
from ragstone.judge.prompting import Language, language_of
from ragstone.judge.protocol import Judge, Request
from ragstone.judge.reading import read_object
from ragstone.judge.run import waited_for
from ragstone.judge.shapes import Shape
from ragstone.judge.spending import most
from ragstone.model.samples import Sample, Usage
from ragstone.store import Cache

T = TypeVar("T")


class Estimate(Struct, frozen=True):
    """What one judge will take, repairs and requests that are tried again not counted.

    calls: requests, each answer counted once, however many measures need it. cached: those that the
    cache answers. Tokens and cost are
    of the others: input_tokens are about 4 characters each, output_tokens those of replies of
    usual length. at_most_usd: with a reply as long as the limit of tokens for each, and an input
    of one token for each byte. Costs are None where there is no price.
    """

    judge: str
    model: str
    calls: int
    cached: int
    input_tokens: int
    output_tokens: int
    cost_usd: float | None
    at_most_usd: float | None


def estimate(
    samples: Sequence[Sample],
    measures: Sequence[AnyMeasure],
    judges: AnyJudge | Sequence[AnyJudge],
    *,
    repeat: int = 1,
    language: Language = "auto",
    cache: Cache | None = None,
) -> list[Estimate]:
    """Return what each judge would take; nothing is sent. Raises as `judge_samples` does."""
    plan = Plan.of(samples, measures, repeat=repeat, language=language)
    found: list[Estimate] = []

    async def all_of_them() -> None:
        for judge in open_judges(judges, unasked=True):
            found.append(await _Counter(plan, judge, cache).counted())
            await judge.aclose()

    waited_for(all_of_them)
    return found


class _Counter:
    """Counts what one judge would be asked."""

    def __init__(self, plan: Plan, judge: Judge, cache: Cache | None) -> None:
        self.plan, self.judge, self.cache = plan, judge, cache
        self.calls: dict[str, tuple[int, int, float]] = {}
        self.cached: set[str] = set()

    async def counted(self) -> Estimate:
        for repeat in range(self.plan.repeat):
            for sample in (each for each in self.plan.samples if each.error is None):
                for task in self.plan.tasks:
                    await task.run(sample, _Pretender(self, sample, repeat))
        paid = [taken for key, taken in self.calls.items() if key not in self.cached]
        sent, written = sum(each[0] for each in paid), sum(each[1] for each in paid)
        prices = self.judge.prices
        return Estimate(
            self.judge.name,
            self.judge.model,
            len(self.calls),
            len(self.cached),
            sent,
            written,
            prices.cost(Usage(sent, written)).usd if prices else None,
            sum(each[2] for each in paid) if prices else None,
        )

    def count(self, filled: Filled, shape: Shape[T], repeat: int) -> T:
        """Count one question, and answer it with what is in the cache, or with what is usual."""
        request = Request(filled.messages, shape.schema(), shape.name, repeat)
        key = request_key(self.judge, request, filled.prompt)
        kept = self.cache.get(key) if self.cache is not None else None
        exchange = Exchange.decoded(kept) if kept is not None else None
        expected = shape.expected(key)
        if exchange is not None and not exchange.reason:
            self.cached.add(key)
            expected = read_object(exchange.raw)
        sent = tokens.prompt(each.content for each in request.messages)
        written = tokens.about(json.dumps(expected, ensure_ascii=False))
        self.calls[key] = (sent, written, most(self.judge, request))
        return shape.read(expected)


class _Pretender:
    """Answers for the judge."""

    def __init__(self, counter: _Counter, sample: Sample, repeat: int) -> None:
        self._counter, self._repeat = counter, repeat
        self._language = language_of(sample, counter.plan.language)

    async def __call__(self, name: str, values: Mapping[str, str], shape: Shape[T]) -> T:
        prompt, _, chosen = name.partition(".")
        filled = Filled.of(prompt, chosen or self._language, values)
        return self._counter.count(filled, shape, self._repeat)
