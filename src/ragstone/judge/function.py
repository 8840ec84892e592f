"""A judge that is a Python function."""

from __future__ import annotations

import asyncio
import inspect
import json
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import msgspec
from msgspec.structs import replace

from ragstone import usercode
from ragstone.errors import UsageError
from ragstone.http.room import Room
from ragstone.judge.config import JudgeConfig, JudgeLimits
from ragstone.judge.protocol import CallFailedError, Reply, Request
from ragstone.model.prices import Rates
from ragstone.usercode import Spec, is_async, load


class CallableJudge:
    """Calls a function with messages and a schema, in a thread of its own unless it is async.

    function: takes the keywords `messages` (dicts of role and content) and `schema`, and `repeat`
    if it wants; returns a text, a dict, or a Reply. model: its name for keys and signatures: raise
    it when the function answers differently. Raises UsageError for a function that cannot take
    these.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        *,
        model: str | None = None,
        name: str = "",
        provider: str = "callable",
        parameters: Mapping[str, Any] | None = None,
        prices: Rates | None = None,
        limits: JudgeLimits | None = None,
    ) -> None:
        """Keep what is called."""
        if not callable(function):
            raise UsageError(f"a judge is called; {type(function).__name__} cannot be")
        self._function, self._limits = function, limits or JudgeLimits()
        known: str = getattr(function, "__qualname__", type(function).__qualname__)
        self.model: str = model or known
        self.name: str = name or self.model
        self.provider = provider
        self.parameters: Mapping[str, Any] = parameters or {}
        self.prices, self.max_tokens = prices, None
        self.concurrency, self.stop_after = self._limits.concurrency, self._limits.stop_after
        self._room = Room(self.concurrency)
        self._is_async = is_async(function)
        self._wants_repeat = "repeat" in usercode.parameters(function)
        self._check()
        self._stopped = False

    def _check(self) -> None:
        """Refuse a function that cannot take what it will be called with."""
        named = {"messages": [], "schema": {}, **({"repeat": 0} if self._wants_repeat else {})}
        if problem := usercode.misfit(self._function, **named):
            raise UsageError(
                f"judge {self.name}: it cannot be called with the keywords messages and schema: "
                f"{problem}; def judge(messages, schema) was expected"
            )

    def stop(self) -> None:
        """Call no more."""
        self._stopped = True

    async def aclose(self) -> None:
        """Do nothing: there is nothing open."""

    async def complete(self, request: Request) -> Reply:
        """Call the function once; raises CallFailedError for whatever it raises.

        A function may raise CallFailedError itself, to say more than that it failed.
        """
        await self._room.enter()
        try:
            if self._stopped:
                raise CallFailedError("stopped", "not called: the judge was stopped", attempts=0)
            return await self._in_time(request)
        finally:
            self._room.leave()

    async def _in_time(self, request: Request) -> Reply:
        try:
            async with asyncio.timeout(self._limits.timeout) as limit:
                return reply_of(await self._called(request))
        except TimeoutError as error:
            late = f"no answer within {self._limits.timeout:g} s"
            message = late if limit.expired() else usercode.said(error)
            raise _failed("timeout", f"{self.name}: {message}") from error
        except CallFailedError as error:
            error.raw, error.args = _whole(error.raw), (_whole(str(error)),)
            error.attempts = max(1, error.attempts)
            raise
        except (Exception, SystemExit) as error:
            raise _failed("callable_error", f"{self.name}: {usercode.said(error)}") from error

    async def _called(self, request: Request) -> Any:
        arguments: dict[str, Any] = {
            "messages": [{"role": m.role, "content": m.content} for m in request.messages],
            "schema": dict(request.schema),
        }
        if self._wants_repeat:
            arguments["repeat"] = request.repeat
        if self._is_async:
            return await self._function(**arguments)
        found = await _in_thread(lambda: self._function(**arguments))
        return await found if inspect.isawaitable(found) else found


def reply_of(value: Any) -> Reply:
    """Return what a function gave as a Reply; raises TypeError for what cannot be one.

    >>> reply_of({"verdict": "yes"}).text
    '{"verdict": "yes"}'
    """
    if isinstance(value, Reply):
        return _checked(value)
    if isinstance(value, str):
        return Reply(_whole(value))
    if isinstance(value, Mapping):
        return Reply(_whole(json.dumps(dict(value), ensure_ascii=False)))
    raise TypeError(f"a judge returns a text, a dict or a Reply, not a {type(value).__name__}")


def _checked(reply: Reply) -> Reply:
    """Return a Reply of the user's as it can be kept; raises TypeError where it cannot be."""
    if not isinstance(reply.text, str):
        raise TypeError(f"the text of a Reply is a text, not a {type(reply.text).__name__}")
    text = _whole(reply.text)
    try:
        kept = msgspec.json.decode(msgspec.json.encode(replace(reply, text=text)), type=Reply)
    except (msgspec.MsgspecError, TypeError, ValueError) as error:
        raise TypeError(f"a field of the Reply is not what it should be: {error}") from None
    counts = msgspec.structs.astuple(kept.usage)[:4] if kept.usage else ()
    if kept.attempts < 1 or any((count or 0) < 0 for count in counts):
        raise TypeError("a Reply has at least one attempt, and no count of tokens below 0")
    return kept


def _whole(text: str) -> str:
    r"""Return a text that UTF-8 can hold; half of a surrogate pair becomes the escape of JSON.

    >>> _whole("\ud800 \u2603") == "\\ud800 \u2603"
    True
    """
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def load_callable(config: JudgeConfig, *, unasked: bool = False) -> CallableJudge:
    """Import what a config names and return it as a judge; raises InputError.

    unasked: nothing is imported; for answers from a cache, and for an estimate. Its answers depend
    on which function it is, so that the name of it counts among the parameters.
    """
    return CallableJudge(
        _not_imported if unasked else load(_spec(config)),
        model=config.model,
        name=config.name,
        provider=config.provider or "callable",
        parameters={**config.parameters, "callable": config.callable},
        prices=config.known_prices if config.prices is not None else None,
        limits=config.limits,
    )


def _spec(config: JudgeConfig) -> Spec:
    return Spec(f"judge {config.name or config.model}: callable", config.callable)


def _not_imported(messages: Any, schema: Any) -> Any:  # noqa: ARG001
    raise RuntimeError("this judge answers from a cache alone")


def _failed(reason: str, message: str) -> CallFailedError:
    return CallFailedError(reason, message, counts=True)


def _exit(error: SystemExit) -> RuntimeError:
    """Return an error that a future can hold, with the place of the exit."""
    return RuntimeError(f"exit: {error}").with_traceback(error.__traceback__)


async def _in_thread(call: Callable[[], Any]) -> Any:
    """Run a call in a thread that ends with the process, so that one that hangs holds up nobody."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Any] = loop.create_future()

    def settle(value: Any, error: BaseException | None) -> None:
        if not done.done():
            done.set_exception(error) if error is not None else done.set_result(value)

    def work() -> None:
        value, failure = None, None
        try:
            value = call()
        except (Exception, SystemExit) as error:  # noqa: BLE001 - the user's code
            failure = error if isinstance(error, Exception) else _exit(error)
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(settle, value, failure)

    threading.Thread(target=work, name="ragstone-judge", daemon=True).start()
    return await done
