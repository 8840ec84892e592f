"""The parts of a run scored in several processes, with the result of one."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ProcessPoolExecutor

from ragstone.formats import NotGroupedError, RunFile
from ragstone.model import Qrels
from ragstone.scoring.loop import Loop
from ragstone.scoring.plan import Plan

_shared: list[tuple[Plan, Qrels, RunFile]] = []


def run_parts(plan: Plan, qrels: Qrels, run: RunFile, facts: Counter[str], workers: int) -> Loop:
    """Score each part in a process of its own and merge them in the order of the file.

    Raises NotGroupedError when a query stands in two parts.
    """
    parts = run.parts(workers)
    whole = Loop(plan, qrels)
    with ProcessPoolExecutor(len(parts), initializer=_share, initargs=(plan, qrels, run)) as pool:
        for part, part_facts in pool.map(_score_part, parts):
            if any(query in whole.builder for query in qrels if query in part.builder):
                raise NotGroupedError
            whole.merge(part)
            facts.update(part_facts)
    if len(set(whole.unscored)) != len(whole.unscored):
        raise NotGroupedError
    return whole


def _share(plan: Plan, qrels: Qrels, run: RunFile) -> None:
    _shared[:] = [(plan, qrels, run)]


def _score_part(part: tuple[int, int | None]) -> tuple[Loop, Counter[str]]:
    plan, qrels, run = _shared[0]
    facts: Counter[str] = Counter()
    loop = Loop(plan, qrels)
    loop.run(run.results(facts, *part))
    return loop, facts
