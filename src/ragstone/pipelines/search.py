"""A live system made ready to be called: one call takes a text and gives what came back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from msgspec import Struct

from ragstone.pipelines.hits import as_list
from ragstone.usercode import PlainError


class CallTimeoutError(PlainError):
    """A call took longer than --timeout allows."""


class Timed(NamedTuple):
    """Results, and the seconds that they took where a search knows better than its caller."""

    results: Any
    seconds: float


class Search(Struct, frozen=True):
    """What is called for each query.

    call: takes the text of a query; a coroutine function where is_async. finish: makes the results
    whole, as part of the call: a generator is run to its end. close: awaited after the last call,
    in the same event loop. keeps_trying: whether it retries and times out by itself.
    """

    call: Callable[[str], Any]
    is_async: bool = False
    finish: Callable[[Any], Any] = as_list
    close: Callable[[], Awaitable[None]] | None = None
    keeps_trying: bool = False
