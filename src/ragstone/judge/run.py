"""Judges samples: every value is kept as it comes, in any order; results have that of the items."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ragstone.errors import InputError, first_of
from ragstone.judge.asking import Asker, AskFailedError, Filled, Stop, StoppedError
from ragstone.judge.exchange import Exchange, Totals
from ragstone.judge.judged import Failure, Judged, combined
from ragstone.judge.ladder_cache import recall, remember
from ragstone.judge.plan import AnyJudge, AnyMeasure, Plan, open_judges, who
from ragstone.judge.prompting import Language, language_of
from ragstone.judge.shapes import Shape
from ragstone.judge.spending import Ledger, check_cap
from ragstone.judge.tasks import Task
from ragstone.model import Cell, Status
from ragstone.model.samples import Sample
from ragstone.progress import Progress, Silent
from ragstone.store import Cache

T = TypeVar("T")
SYSTEM_FAILED = "system_failed"
"""Why a sample with an error has no value; it is no failure of a judge, who is not asked."""

SLACK = 2
"""Units that are worked on for each request that may be on its way."""


class Kept(Protocol):
    """Where finished units are kept, so that a run can be continued: `store.Journal`."""

    @property
    def done(self) -> Mapping[str, Any]:
        """What was kept before, by unit."""

    def append(self, key: str, record: Any) -> None:
        """Keep a unit."""


class Unit(NamedTuple):
    """One task for one sample, once; by their places in the plan."""

    repeat: int
    position: int
    task: int


class Outcome(Struct, frozen=True, omit_defaults=True):
    """What became of a unit: its cells, how each failed, and what was said."""

    cells: dict[str, Cell]
    exchanges: dict[str, Exchange] = {}
    attempts: int = 0
    message: str = ""
    raw: str = ""
    stopped: bool = False

    @property
    def failed(self) -> bool:
        """Whether there is no value for want of an answer."""
        return any(cell.status is Status.FAILED for cell in self.cells.values())


def judge_samples(
    samples: Iterable[Sample],
    measures: Sequence[AnyMeasure],
    judges: AnyJudge | Sequence[AnyJudge],
    *,
    repeat: int = 1,
    language: Language = "auto",
    cache: Cache | None = None,
    offline: bool = False,
    journal: Kept | None = None,
    max_cost_usd: float | None = None,
    redact: bool = False,
    progress: Progress | None = None,
    notice: Callable[[str], None] | None = None,
) -> Judged:
    """Have samples judged.

    measures: names of judged measures, and rubrics. judges: configs, files with them, or anything
    that is a Judge; they are closed at the end. repeat: independent answers for each value.
    language: of the prompts; auto takes that of the sample. cache: where exchanges are kept and
    looked for; offline: look there only. journal: where finished units are kept and taken from;
    what failed is asked again. max_cost_usd: ask nothing that may cost more than this in all.
    redact: no texts in notes and failures. notice: is told once a judge, in a line, how an attempt
    failed that is made again, so that somebody who waits knows for what.

    Failed values are cells, not exceptions. Raises InputError and UsageError for what cannot be
    judged at all: an unknown measure, a missing key, a second sample with the same id.
    """
    plan = Plan.of(samples, measures, repeat=repeat, language=language)
    asked = open_judges(judges, unasked=offline)
    check_cap(asked, max_cost_usd)
    if offline and cache is None:
        raise InputError("offline answers come from a cache; name the file with it")
    ledger = Ledger(max_cost_usd)
    askers = [Asker(each, ledger, cache, offline=offline, notice=notice) for each in asked]
    run = Run(plan, askers, ledger, journal, progress)
    waited_for(run.all)
    return run.result(redact=redact)


def waited_for(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run to the end, in a thread of its own where a loop is running here, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(work())
        return
    failure: list[BaseException] = []

    def run() -> None:
        try:
            asyncio.run(work())
        except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
            failure.append(error)

    thread = threading.Thread(target=run, name="ragstone-judge-loop", daemon=True)
    thread.start()
    thread.join()
    if failure:
        raise failure[0]


class Run:
    """One run on its way."""

    def __init__(
        self,
        plan: Plan,
        askers: Sequence[Asker],
        ledger: Ledger,
        journal: Kept | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Ask nothing yet."""
        self.plan, self.ledger = plan, ledger
        self.judges = [asker.judge for asker in askers]
        self._journal, self._progress = journal, progress or Silent()
        self._askers = askers
        self._outcomes: list[dict[Unit, Outcome]] = [{} for _ in askers]
        self._used: list[set[str]] = [set() for _ in askers]
        self._languages = [language_of(sample, plan.language) for sample in plan.samples]

    def _units(self) -> Iterator[Unit]:
        for repeat in range(self.plan.repeat):
            for position in range(len(self.plan.samples)):
                for task in range(len(self.plan.tasks)):
                    yield Unit(repeat, position, task)

    async def all(self) -> None:
        """Ask all judges, all at the same time, and close them."""
        total = len(self.plan.samples) * len(self.plan.tasks) * self.plan.repeat
        self._progress.start(total * len(self.judges))
        try:
            for asker in self._askers:
                recall(asker)
            async with asyncio.TaskGroup() as group:
                for number, judge in enumerate(self.judges):
                    todo = self._open(number)
                    for _ in range(min(total, SLACK * judge.concurrency)):
                        group.create_task(self._work(number, todo))
            for asker in self._askers:
                remember(asker)
        except ExceptionGroup as several:
            raise first_of(several) from None
        finally:
            self._progress.finish()
            for judge in self.judges:
                await judge.aclose()

    def _open(self, number: int) -> Iterator[Unit]:
        """Take what the journal has, and go through the rest as it is asked for."""
        for unit in self._units():
            kept = self._kept(number, unit)
            if kept is not None:
                good = {key: each for key, each in kept.exchanges.items() if not each.reason}
                encoded = {key: each.encoded() for key, each in good.items()}
                self._askers[number].known.update(encoded)
            if kept is None or kept.failed:
                yield unit
            else:
                self._done(number, unit, kept)

    def _kept(self, number: int, unit: Unit) -> Outcome | None:
        key = self._key(number, unit)
        if self._journal is None or key not in self._journal.done:
            return None
        try:
            return msgspec.convert(self._journal.done[key], Outcome)
        except msgspec.ValidationError:  # of another version
            return None

    def _key(self, number: int, unit: Unit) -> str:
        item = self.plan.samples[unit.position].id
        task = self.plan.tasks[unit.task].name
        return f"{self.judges[number].name}|{task}|{unit.repeat}|{item}"

    async def _work(self, number: int, todo: Iterator[Unit]) -> None:
        for unit in todo:
            outcome = await self._unit(self._askers[number], unit)
            if self._journal is not None and not outcome.stopped:
                record = msgspec.to_builtins(outcome)
                self._journal.append(self._key(number, unit), record)
            self._done(number, unit, outcome)

    def _done(self, number: int, unit: Unit, outcome: Outcome) -> None:
        """Keep what became of a unit; what was said is kept once, by the asker."""
        self._used[number].update(outcome.exchanges)
        self._outcomes[number][unit] = replace(outcome, exchanges={})
        self._progress.advance()

    async def _unit(self, asker: Asker, unit: Unit) -> Outcome:
        sample, language = self.plan.samples[unit.position], self._languages[unit.position]
        task = self.plan.tasks[unit.task]
        if sample.error is not None:  # the system's failure: there is nothing to judge
            return Outcome(_failed(task, SYSTEM_FAILED, 0))
        said: dict[str, Exchange] = {}

        async def ask(name: str, values: Mapping[str, str], shape: Shape[T]) -> T:
            prompt, _, chosen = name.partition(".")
            filled = Filled.of(prompt, chosen or language, values)
            return await asker.ask(filled, shape, unit.repeat, said)

        try:
            cells = await task.run(sample, ask)
        except StoppedError:
            reason = asker.stop.reason if asker.stop else "stopped"
            return Outcome(_failed(task, reason, 0), said, stopped=True)
        except AskFailedError as error:
            cells = _failed(task, error.reason, error.attempts)
            return Outcome(cells, said, error.attempts, str(error), error.raw)
        except InputError as error:  # half of a surrogate pair, which no request can hold
            return Outcome(_failed(task, "not_text", 0), said, 0, str(error))
        return Outcome({name: cells[name] for name in task.measures}, said)

    def result(self, *, redact: bool = False) -> Judged:
        """Put everything together, in the order of the items."""
        names = [judge.name for judge in self.judges]
        runs = {
            name: {measure: self._runs(number, measure) for measure in self.plan.measures}
            for number, name in enumerate(names)
        }
        if redact:
            runs = {n: {m: _redacted(r) for m, r in by.items()} for n, by in runs.items()}
        by_judge = {
            name: {m: [combined(cells) for cells in zip(*r, strict=True)] for m, r in by.items()}
            for name, by in runs.items()
        }
        cells = {
            measure: [
                combined(each)
                for each in zip(*(by_judge[name][measure] for name in names), strict=True)
            ]
            for measure in self.plan.measures
        }
        return Judged(
            tuple(sample.id for sample in self.plan.samples),
            tuple(map(who, self.judges)),
            cells,
            by_judge,
            runs,
            self.plan.signatures(self.judges),
            self.plan.weighted,
            tuple(self._failures(redact=redact)),
            {name: self._totals(number) for number, name in enumerate(names)},
            self._stop(redact=redact),
            sum(asker.asked for asker in self._askers),
            self.ledger.spent + self.ledger.feared,
        )

    def _runs(self, number: int, measure: str) -> list[list[Cell]]:
        tasks = enumerate(self.plan.tasks)
        task = next(place for place, task in tasks if measure in task.measures)
        found = self._outcomes[number]
        return [
            [
                found[Unit(repeat, position, task)].cells[measure]
                for position in range(len(self.plan.samples))
            ]
            for repeat in range(self.plan.repeat)
        ]

    def _failures(self, *, redact: bool) -> Iterator[Failure]:
        for unit in self._units():
            for number, judge in enumerate(self.judges):
                outcome = self._outcomes[number][unit]
                for measure, cell in outcome.cells.items():
                    if not _is_failure(cell) or measure not in self.plan.measures:
                        continue
                    yield Failure(
                        self.plan.samples[unit.position].id,
                        measure,
                        judge.name,
                        unit.repeat,
                        cell.reason.partition(";")[0],
                        outcome.attempts,
                        "" if redact else outcome.message,
                        "" if redact else outcome.raw,
                    )

    def _totals(self, number: int) -> Totals:
        known = self._askers[number].known
        exchanges = (Exchange.decoded(known[key]) for key in self._used[number])
        found = [each for each in exchanges if each is not None]
        return Totals.of(found, self.judges[number].prices)

    def _stop(self, *, redact: bool) -> Stop | None:
        found = next((asker.stop for asker in self._askers if asker.stop is not None), None)
        if found is None or not redact or found.reason == "spend_cap":
            return found
        return replace(found, message="what the endpoint said is left out")


def _failed(task: Task, reason: str, attempts: int) -> dict[str, Cell]:
    times = f"; {attempts} attempts" if attempts > 1 else ""
    return {name: Cell(0.0, Status.FAILED, reason=f"{reason}{times}") for name in task.measures}


def _is_failure(cell: Cell) -> bool:
    return cell.status is Status.FAILED and cell.reason != SYSTEM_FAILED


def _redacted(runs: Sequence[Sequence[Cell]]) -> list[list[Cell]]:
    return [[cell._replace(note="") for cell in cells] for cells in runs]
