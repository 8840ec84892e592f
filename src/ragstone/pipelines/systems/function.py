"""A function of the question: sync or async, and one that yields its answer piece by piece."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import Any

from ragstone.pipelines.hits import NotResultsError
from ragstone.pipelines.search import Search
from ragstone.pipelines.systems.watch import Observed, Watch
from ragstone.usercode import is_async

NOT_PIECES = "a generator gives pieces of the answer as texts, and at last perhaps a dict"


def bind(function: Any) -> Search:
    """Return what is called; it notes when the first piece of an answer comes."""
    if is_async(function, inspect.isasyncgenfunction):
        return Search(_pieces_async(function), is_async=True, finish=itself)
    if is_async(function):
        return Search(_async(function), is_async=True, finish=itself)
    return Search(_sync(function), finish=itself)


def itself(output: Any) -> Any:
    """Return what came back as it is."""
    return output


def _sync(function: Callable[[Any], Any]) -> Callable[[str], Observed]:
    def call(text: str) -> Observed:
        watch = Watch()
        output = function(text)
        if isinstance(output, Iterator):
            return watch.seen(joined(output, watch))
        if hasattr(output, "__await__") or isinstance(output, AsyncIterator):
            close = getattr(output, "close", None)
            if close:
                close()  # or Python warns that it was never awaited
            raise NotResultsError(
                "a coroutine came back from a function that is not async; "
                "make it `async def` and await there"
            )
        return watch.seen(output)

    return call


def _async(function: Callable[[Any], Any]) -> Callable[[str], Any]:
    async def call(text: str) -> Observed:
        watch = Watch()
        output = await function(text)
        if isinstance(output, AsyncIterator):
            output = await joined_async(output, watch)
        return watch.seen(output)

    return call


def _pieces_async(function: Callable[[Any], Any]) -> Callable[[str], Any]:
    async def call(text: str) -> Observed:
        watch = Watch()
        return watch.seen(await joined_async(function(text), watch))

    return call


def joined(pieces: Iterator[Any], watch: Watch) -> Any:
    """Run a generator to its end; its texts are the answer, a dict at the end says the rest."""
    answer = _Answer(watch)
    for piece in pieces:
        answer.add(piece)
    return answer.whole()


async def joined_async(pieces: AsyncIterator[Any], watch: Watch) -> Any:
    """Do the same with an async generator."""
    answer = _Answer(watch)
    async for piece in pieces:
        answer.add(piece)
    return answer.whole()


class _Answer:
    """An answer that comes piece by piece."""

    def __init__(self, watch: Watch) -> None:
        self._watch, self._texts = watch, list[str]()
        self._rest: Mapping[str, Any] | None = None

    def add(self, piece: Any) -> None:
        if self._rest is not None or not isinstance(piece, str | Mapping):
            raise NotResultsError(f"{piece!r:.80} came from a generator; {NOT_PIECES}")
        if isinstance(piece, Mapping):
            self._rest = piece
        elif piece:
            self._watch.token()
            self._texts.append(piece)

    def whole(self) -> Any:
        answer = "".join(self._texts)
        return answer if self._rest is None else {"answer": answer, **self._rest}
