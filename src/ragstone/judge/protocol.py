"""What a judge is: something that answers a prompt with a text that should be JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol

from msgspec import Struct

from ragstone.model.prices import Rates
from ragstone.model.samples import Usage

EMPTY: Mapping[str, Any] = {}


class Message(Struct, frozen=True):
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


class Request(Struct, frozen=True):
    """One question to a judge.

    schema: JSON schema of the answer that is wanted, and name what to call it. repeat: which of
    several independent answers is asked for, from 0. max_tokens: where it is more than usual.
    """

    messages: tuple[Message, ...]
    schema: Mapping[str, Any] = EMPTY
    name: str = "reply"
    repeat: int = 0
    max_tokens: int | None = None


class Reply(Struct, frozen=True):
    """What came back.

    text: as the model wrote it. finish: stop, length (cut off), refusal, or the endpoint's own
    word. usage: None where the endpoint does not say. model: as the endpoint calls it. attempts:
    how often it was asked, and faults: how the attempts before failed. rung: how structured output
    was asked for.
    """

    text: str
    finish: str = "stop"
    usage: Usage | None = None
    model: str | None = None
    attempts: int = 1
    faults: tuple[str, ...] = ()
    rung: str = ""


class Judge(Protocol):
    """Answers requests. Anything of this shape will do.

    name: how reports call it. provider, model and parameters: what its answers depend on.
    prices: None where nobody knows. max_tokens: the most that it writes; None without a limit.
    concurrency: how many requests it takes at once. stop_after: how many requests may fail one
    after the other before nobody asks it any more.
    """

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def provider(self) -> str: ...  # noqa: D102
    @property
    def model(self) -> str: ...  # noqa: D102
    @property
    def parameters(self) -> Mapping[str, Any]: ...  # noqa: D102
    @property
    def prices(self) -> Rates | None: ...  # noqa: D102
    @property
    def max_tokens(self) -> int | None: ...  # noqa: D102
    @property
    def concurrency(self) -> int: ...  # noqa: D102
    @property
    def stop_after(self) -> int: ...  # noqa: D102

    async def complete(self, request: Request) -> Reply:
        """Answer; raises CallFailedError where there is no answer."""

    def stop(self) -> None:
        """Give up what waits."""

    async def aclose(self) -> None:
        """Let go of what is open."""


class CallFailedError(Exception):
    """A request that has no answer.

    reason: a code such as timeout, refused, status_500, context_length. final: whether every other
    request would fail too, as with a wrong key or an exhausted quota. counts: whether it says
    something of the endpoint and not of this request alone.
    """

    def __init__(
        self,
        reason: str,
        message: str,
        *,
        attempts: int = 1,
        faults: tuple[str, ...] = (),
        final: bool = False,
        counts: bool = False,
        raw: str = "",
    ) -> None:
        """Keep what a caller may decide by."""
        super().__init__(message)
        self.reason, self.attempts, self.faults = reason, attempts, faults
        self.final, self.counts, self.raw = final, counts, raw
