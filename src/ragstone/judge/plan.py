"""What is to be asked: of which samples, for which measures, by which judges, how often."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from ragstone.errors import UsageError
from ragstone.judge.config import JudgeConfig, read_judge
from ragstone.judge.judged import Who, check_ids
from ragstone.judge.prompting import Language, prompt_hash
from ragstone.judge.protocol import Judge
from ragstone.judge.rubric import Rubric
from ragstone.judge.tasks import Task, task_of
from ragstone.measures import Measure, parse_measure
from ragstone.model import Signature
from ragstone.model.samples import Sample
from ragstone.store.plain import canonical

AnyJudge: TypeAlias = Judge | JudgeConfig | str | Path
AnyMeasure: TypeAlias = str | Measure | Rubric


@dataclass(frozen=True)
class Plan:
    """All of it, checked."""

    samples: tuple[Sample, ...]
    measures: tuple[str, ...]
    tasks: tuple[Task, ...]
    repeat: int = 1
    language: Language = "auto"

    @classmethod
    def of(
        cls,
        samples: Iterable[Sample],
        measures: Sequence[AnyMeasure],
        *,
        repeat: int = 1,
        language: Language = "auto",
    ) -> Plan:
        """Find what is asked for each measure; raises UnknownNameError and UsageError."""
        if repeat < 1:
            raise UsageError(f"repeat is {repeat}; at least 1 was expected")
        found = tuple(samples)
        check_ids([sample.id for sample in found])
        named: dict[str, Task] = {}
        for measure in measures:
            name, task = _task(measure)
            if isinstance(measure, Rubric) and name in named:
                raise UsageError(
                    f"two rubrics are called {measure.name!r}; give each a name of its own"
                )
            named[name] = task
        tasks = tuple({task.name: task for task in named.values()}.values())
        return cls(found, tuple(named), tasks, repeat, language)

    @property
    def weighted(self) -> frozenset[str]:
        """The measures whose values have denominators."""
        return frozenset().union(*(task.weighted for task in self.tasks)) & set(self.measures)

    def signatures(self, judges: Sequence[Judge]) -> dict[str, Signature]:
        """Return what makes a column comparable, by measure."""
        return {
            name: self._signature(name, task, judges)
            for task in self.tasks
            for name in task.measures
            if name in self.measures
        }

    def _signature(self, name: str, task: Task, judges: Sequence[Judge]) -> Signature:
        asked = sorted(
            (f"{each.provider}:{each.model}", canonical(dict(each.parameters)).decode())
            for each in judges
        )
        return Signature.of(
            {"rubric": rubric_hash(task.more)} if task.more else None,
            judge=" + ".join(model for model, _ in asked),
            judge_parameters=" + ".join(parameters for _, parameters in asked),
            measure_version=parse_measure(name).declaration.version,
            prompt=prompt_hash(task.prompts, self.language, task.more),
            prompt_language=self.language,
            repeat=self.repeat,
        )

    def identity(self, judges: Sequence[Judge]) -> dict[str, Any]:
        """Return what must be the same for a journal to be gone on with, as plain JSON."""
        digest = hashlib.sha256()
        for sample in self.samples:
            digest.update(msgspec.json.encode(sample, order="deterministic") + b"\n")
        signatures = {name: dict(each) for name, each in self.signatures(judges).items()}
        return {"samples": digest.hexdigest(), "measures": signatures}


def open_judges(judges: AnyJudge | Sequence[AnyJudge], *, unasked: bool = False) -> list[Judge]:
    """Return judges that can be asked; raises InputError where one cannot be, or is there twice.

    unasked: nobody will ask them, so that no code of the user need be there.
    """
    given = [judges] if isinstance(judges, str | Path | JudgeConfig) else judges
    several = list(given) if isinstance(given, Sequence) else [given]
    found = [_opened(each, unasked=unasked) for each in several]
    names = [each.name for each in found]
    if not names:
        raise UsageError("judged measures need a judge; name a file with one")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise UsageError(f"two judges are called {twice!r}; give each a name of its own")
    return found


def _opened(judge: AnyJudge, *, unasked: bool) -> Judge:
    if isinstance(judge, str | Path):
        judge = read_judge(judge)
    if not isinstance(judge, JudgeConfig):
        return judge
    if judge.callable:
        from ragstone.judge.function import load_callable

        return load_callable(judge, unasked=unasked)
    from ragstone.judge.endpoint import EndpointJudge

    return EndpointJudge(judge)


def rubric_hash(written: str) -> str:
    """Return what changes when a rubric does: 16 hex digits; `prompt` changes with it."""
    return hashlib.sha256(written.encode()).hexdigest()[:16]


def who(judge: Judge) -> Who:
    """Return how a judge is named."""
    return Who(judge.name, judge.provider, judge.model)


def _task(measure: AnyMeasure) -> tuple[str, Task]:
    if isinstance(measure, Rubric):
        return measure.measure, measure.task()
    name = str(parse_measure(measure) if isinstance(measure, str) else measure)
    task = task_of(name)
    if task is None:
        rubric = name.startswith("rubric")
        hint = "give the rubric itself" if rubric else f"a judge measures {_judged()}"
        raise UsageError(f"{name} is not measured by a judge; {hint}")
    return name, task


def _judged() -> str:
    from ragstone.measures import JUDGED

    return ", ".join(map(str, JUDGED))
