"""A retriever made ready to be called: one call takes a text and gives what was retrieved."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from msgspec import Struct


class Search(Struct, frozen=True):
    """What is called for each query.

    call: takes the text of a query; a coroutine function where is_async. close: awaited after the
    last call, in the same event loop. keeps_trying: whether it retries and times out by itself.
    """

    call: Callable[[str], Any]
    is_async: bool = False
    close: Callable[[], Awaitable[None]] | None = None
    keeps_trying: bool = False
