"""The parts of a run scored in several processes, with the result of one."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ProcessPoolExecutor

from ragstone.formats import NotGroupedError, RunFile
from ragstone.model import Qrels
from ragstone.processes import begin_worker, interrupts_held
from ragstone.scoring.loop import Loop, Outcome
from ragstone.scoring.plan import Plan

_shared: list[tuple[Plan, Qrels, RunFile]] = []


def run_parts(plan: Plan, qrels: Qrels, run: RunFile, facts: Counter[str], workers: int) -> Loop:
    """Score each part in a process of its own and merge them in the order of the file.

    Raises NotGroupedError when a query stands in two parts.
    """
    parts = run.parts(workers)
    loop = Loop(plan, qrels)
    with ProcessPoolExecutor(len(parts), initializer=_share, initargs=(plan, qrels, run)) as pool:
        with interrupts_held():
            scored = pool.map(_score_part, parts)
        for outcome, part_facts in scored:
            if any(query in loop.outcome.builder for query in qrels if query in outcome.builder):
                raise NotGroupedError
            loop.outcome.merge(outcome)
            facts.update(part_facts)
    if len(set(loop.outcome.unscored)) != len(loop.outcome.unscored):
        raise NotGroupedError
    return loop


def _share(plan: Plan, qrels: Qrels, run: RunFile) -> None:
    begin_worker()
    _shared[:] = [(plan, qrels, run)]


def _score_part(part: tuple[int, int | None]) -> tuple[Outcome, Counter[str]]:
    plan, qrels, run = _shared[0]
    facts: Counter[str] = Counter()
    loop = Loop(plan, qrels)
    loop.run(run.results(facts, *part))
    return loop.outcome, facts
