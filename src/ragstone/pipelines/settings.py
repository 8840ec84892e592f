"""How a live system is run: one value for every option."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec
from msgspec import Struct

from ragstone.errors import UsageError

ON_ERROR = ("fail", "record")
# Beyond these a clock or the number of threads gives out, in the middle of a run.
MOST_SECONDS = 1_000_000
MOST_AT_ONCE = 1_000


class CallSettings(Struct, frozen=True, kw_only=True):
    """The options of run_pipeline, checked; those of run_retriever are more."""

    framework: str = "auto"
    id_key: str | None = None
    fold_to_parent: str | None = None
    concurrency: int = 1
    timeout: float | None = None
    retries: int | None = None
    repeat: int = 1
    on_error: str = "fail"

    counts: ClassVar[tuple[str, ...]] = ("concurrency", "repeat")
    makes: ClassVar[tuple[str, ...]] = ("framework", "id_key", "fold_to_parent", "repeat")

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        for name in self.counts:
            _at_least(1, name, getattr(self, name))
        if self.retries is not None:
            _at_least(0, "retries", self.retries)
        if self.concurrency > MOST_AT_ONCE:
            raise UsageError(f"concurrency is at most {MOST_AT_ONCE:,}, got {self.concurrency!r}")
        if self.timeout is not None and not 0 < self.timeout <= MOST_SECONDS:
            raise UsageError(
                f"timeout is a number of seconds above 0 and at most {MOST_SECONDS:,}, "
                f"got {self.timeout!r}"
            )
        if self.on_error not in ON_ERROR:
            raise UsageError(f"on_error is {' or '.join(ON_ERROR)}, got {self.on_error!r}")

    def identity(self) -> dict[str, Any]:
        """Return what must be the same for a run to be continued: what a record depends on."""
        kept: dict[str, Any] = msgspec.to_builtins(self)
        return {name: kept[name] for name in self.makes}


class Settings(CallSettings, frozen=True, kw_only=True):
    """The options of run_retriever, checked."""

    k: int = 100
    keep_text: bool = False
    columns: bool = False

    counts: ClassVar[tuple[str, ...]] = ("k", *CallSettings.counts)
    makes: ClassVar[tuple[str, ...]] = ("k", *CallSettings.makes, "keep_text")


def _at_least(least: int, name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise UsageError(f"{name} is a whole number of at least {least}, got {value!r}")
