"""Asks a judge once for each question: from the cache, or by a request and at most one repair."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from ragstone.judge.endpoint import TIMEOUTS
from ragstone.judge.exchange import Exchange, Turn
from ragstone.judge.prompting import Prompt, prompt
from ragstone.judge.protocol import CallFailedError, Judge, Message, Reply, Request
from ragstone.judge.reading import UnusableReplyError, read_object
from ragstone.judge.shapes import Shape
from ragstone.judge.spending import Ledger, costs, most
from ragstone.store import Cache, cache_key

T = TypeVar("T")
FORM = 1
"""Raised when what is kept of an exchange is read differently."""


class Stop(Struct, frozen=True):
    """Why a run ended before all was asked: reason is a code, undecided what the exit code says."""

    reason: str
    message: str
    judge: str = ""

    @property
    def exit_code(self) -> int:
        """5 where the user's own cap ended it, 2 where the endpoint did."""
        return 5 if self.reason == "spend_cap" else 2


class StoppedError(Exception):
    """Nothing is asked any more."""


class AskFailedError(Exception):
    """A question without an answer."""

    def __init__(self, reason: str, message: str, attempts: int, raw: str = "") -> None:
        """Keep what the item's cell says."""
        super().__init__(message)
        self.reason, self.attempts, self.raw = reason, attempts, raw


class Ask(Protocol):
    """Puts a filled prompt to a judge, and gives what its reply says."""

    async def __call__(self, name: str, values: Mapping[str, str], shape: Shape[T]) -> T:
        """Return the answer; raises AskFailedError and StoppedError."""


class Asker:
    """All that is asked of one judge in one run."""

    def __init__(
        self,
        judge: Judge,
        ledger: Ledger,
        cache: Cache | None = None,
        *,
        offline: bool = False,
        notice: Callable[[str], None] | None = None,
    ) -> None:
        """Ask nothing yet; notice is told once, where an attempt has to be made again."""
        self.judge, self.ledger, self.cache, self.offline = judge, ledger, cache, offline
        self.known: dict[str, bytes] = {}
        self.stop: Stop | None = None
        self.asked = 0
        self._flying: dict[str, asyncio.Future[Exchange]] = {}
        self._failed_in_a_row = self._in_vain = 0
        self._answered = self._noticed = False
        self._notice = notice

    def missed(self, code: str, problem: str, attempt: int, attempts: int) -> None:
        """Take note of how an attempt failed; the one that follows is number `attempt`.

        The first is told of. As long as there was no answer at all, attempts that were not
        answered in time are counted like requests, since each of those may take minutes to fail.
        """
        if not self._noticed and self._notice is not None:
            self._notice(f"judge {self.judge.name}: {problem}; attempt {attempt} of {attempts}")
        self._noticed = True
        if code not in TIMEOUTS or self._answered:
            return
        self._in_vain += 1
        if self._in_vain >= self.judge.stop_after:
            said = f"{self._in_vain} attempts and no answer, the last with: {problem}"
            self.halt(Stop("endpoint_down", f"{said}; is it up and reachable?", self.judge.name))

    def halt(self, stop: Stop) -> None:
        """Ask nothing more; the first reason stays."""
        if self.stop is None:
            self.stop = stop
            self.judge.stop()

    async def ask(
        self, filled: Filled, shape: Shape[T], repeat: int, asked: dict[str, Exchange]
    ) -> T:
        """Return what the judge says, and note in `asked` what was said under which key."""
        request = Request(filled.messages, shape.schema(), shape.name, repeat)
        key = request_key(self.judge, request, filled.prompt)
        exchange = await self._once(key, request, shape, filled.prompt.language)
        asked[key] = exchange
        if exchange.reason:
            raise AskFailedError(exchange.reason, exchange.message, exchange.attempts, exchange.raw)
        try:
            return shape.read(read_object(exchange.raw))
        except UnusableReplyError as error:  # kept by a version that took it
            raise AskFailedError(
                error.reason, error.message, exchange.attempts, exchange.raw
            ) from None

    async def _once(
        self, key: str, request: Request, shape: Shape[object], language: str
    ) -> Exchange:
        """Ask, unless it was asked before or is being asked now."""
        if known := self.known.get(key):
            return Exchange.decoded(known) or Exchange(())
        if flying := self._flying.get(key):
            return await asyncio.shield(flying)
        flying = self._flying[key] = asyncio.get_running_loop().create_future()
        try:
            exchange = await self._looked_up(key, request, shape, language)
        except BaseException as error:
            flying.set_exception(error if isinstance(error, Exception) else StoppedError())
            flying.exception()  # nobody else may be waiting for it
            raise
        else:
            flying.set_result(exchange)
        finally:
            del self._flying[key]
        self.known[key] = exchange.encoded()
        return exchange

    async def _looked_up(
        self, key: str, request: Request, shape: Shape[object], language: str
    ) -> Exchange:
        kept = self.cache.get(key) if self.cache is not None else None
        exchange = Exchange.decoded(kept) if kept is not None else None
        if exchange is not None and (self.offline or not exchange.reason):
            return exchange
        if self.offline:
            raise AskFailedError("not_in_cache", "the cache has no answer to this", 0)
        exchange = await self._talk(request, shape, language)
        if self.cache is not None and not self.cache.read_only:
            self.cache.put(key, exchange.encoded())
        return exchange

    async def _talk(self, request: Request, shape: Shape[object], language: str) -> Exchange:
        turns: list[Turn] = []
        while True:
            try:
                reply = await self._paid(request)
            except CallFailedError as failed:
                turns.append(Turn.failed(failed))
                return Exchange(tuple(turns), failed.reason, str(failed))
            turns.append(Turn.of(reply))
            problem = unusable(reply, shape)
            if problem is None:
                return Exchange(tuple(turns))
            again = self._again(request, reply, problem, language)
            if len(turns) > 1 or again is None:
                return Exchange(tuple(turns), problem.reason, problem.message)
            request = again

    def _again(
        self, request: Request, reply: Reply, problem: UnusableReplyError, language: str
    ) -> Request | None:
        """Return the request that may repair a reply; None where none will."""
        if problem.reason == "truncated":
            room = self.judge.max_tokens
            return replace(request, max_tokens=2 * room) if room else None
        if not problem.repairable:
            return None
        asked = prompt("repair", language).messages({"problem": problem.message})
        said = [Message("assistant", reply.text)] if reply.text.strip() else []
        return replace(request, messages=(*request.messages, *said, *asked))

    async def _paid(self, request: Request) -> Reply:
        """Send a request within the cap, and count what it cost and how it went."""
        if self.stop is not None:
            raise StoppedError
        amount = most(self.judge, request)
        if not await self.ledger.set_aside(amount):
            self.halt(self._cap_reached(amount))
            raise StoppedError
        turn = Turn(attempts=0, reason="stopped")
        try:
            if self.stop is not None:
                raise StoppedError
            self.asked += 1
            reply = await self.judge.complete(request)
            turn = Turn.of(reply)
        except CallFailedError as failed:
            turn = Turn.failed(failed)
            self._count_failure(failed)
            raise
        finally:
            self.ledger.settle(amount, *costs(self.judge, turn, amount))
        self._failed_in_a_row, self._answered = 0, True
        return reply

    def _count_failure(self, failed: CallFailedError) -> None:
        if failed.reason == "stopped":
            raise StoppedError from None
        self._answered |= failed.reason not in TIMEOUTS
        if failed.final:
            self.halt(Stop(failed.reason, str(failed), self.judge.name))
        elif failed.counts:
            self._failed_in_a_row += 1
            if self._failed_in_a_row >= self.judge.stop_after:
                times = f"{self._failed_in_a_row} requests failed one after the other"
                message = f"{times}, the last with: {failed}"
                self.halt(Stop("endpoint_down", message, self.judge.name))

    def _cap_reached(self, amount: float) -> Stop:
        ledger = self.ledger
        feared = f" and perhaps {ledger.feared:.4f} more" if ledger.feared else ""
        return Stop(
            "spend_cap",
            f"{ledger.spent:.4f} dollars are spent{feared}, and the next request may cost "
            f"{amount:.4f}: the cap is {ledger.cap or 0:g}",
            self.judge.name,
        )


class Filled(Struct, frozen=True):
    """A prompt and what is sent of it."""

    prompt: Prompt
    messages: tuple[Message, ...]

    @classmethod
    def of(cls, name: str, language: str, values: Mapping[str, str]) -> Filled:
        """Fill a prompt."""
        found = prompt(name, language)
        return cls(found, found.messages(values))


def request_key(judge: Judge, request: Request, asked: Prompt) -> str:
    """Return the key under which an exchange is kept: all that the answer depends on."""
    return cache_key(
        form=FORM,
        provider=judge.provider,
        model=judge.model,
        parameters=dict(judge.parameters),
        messages=[[each.role, each.content] for each in request.messages],
        schema=request.schema,
        prompt=f"{asked.name}.{asked.language}.{asked.version}",
        repeat=request.repeat,
    )


def unusable(reply: Reply, shape: Shape[object]) -> UnusableReplyError | None:
    """Return what is wrong with a reply; None for a good one."""
    if reply.finish == "refusal":
        return UnusableReplyError(
            "refusal", f"the judge refused: {reply.text[:120]!r}", repairable=False
        )
    try:
        shape.read(read_object(reply.text))
    except UnusableReplyError as error:
        if reply.finish == "length":
            return UnusableReplyError("truncated", "the reply was cut off by the limit of tokens")
        return error
    return None
