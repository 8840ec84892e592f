"""Which call comes next: repetitions and further attempts of each query."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from ragstone.pipelines.hits import NotResultsError
from ragstone.pipelines.workers import Call, Task, Workers


@dataclass(slots=True)
class Outcome:
    """A query whose calls are done; `error` is that of the last attempt at the one that failed."""

    position: int
    calls: list[Call] = field(default_factory=list)
    error: BaseException | None = None


def outcomes(
    workers: Workers,
    texts: Iterable[tuple[int, str]],
    again: Callable[[Outcome], bool],
    retries: int,
) -> Iterator[Outcome]:
    """Run the queries and yield each as it is done; `again` asks for one more call of it."""
    waiting, open_ = iter(texts), dict[int, Outcome]()

    def fill() -> None:
        while len(open_) < workers.window and (entry := next(waiting, None)) is not None:
            position, text = entry
            open_[position] = Outcome(position)
            workers.submit(Task(position, text))

    fill()
    while open_:
        call = workers.finished()
        outcome = open_[call.task.position]
        if (task := _next(call, outcome, again, retries)) is not None:
            workers.submit(task)
            continue
        del open_[outcome.position]
        fill()
        yield outcome


def _next(
    call: Call, outcome: Outcome, again: Callable[[Outcome], bool], retries: int
) -> Task | None:
    """Note a call; return what is to be called next for its query."""
    task = call.task
    if call.error is not None:
        if task.attempt < retries and not isinstance(call.error, NotResultsError):
            return task._replace(attempt=task.attempt + 1)
        outcome.error = call.error
        return None
    outcome.calls.append(call)
    if again(outcome):
        return task._replace(repetition=task.repetition + 1, attempt=0)
    return None
