"""What a check finds: examples with their places, and how many there are in all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal, NamedTuple, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

Severity: TypeAlias = Literal["error", "warning"]
Role: TypeAlias = Literal["queries", "qrels", "corpus", "run"]
Positive: TypeAlias = Annotated[int, Meta(ge=1)]


class Example(Struct, frozen=True, kw_only=True):
    """One case: the file by its role, the line where it is known, and what is there."""

    role: Role
    line: Positive | UnsetType = UNSET
    message: str


class Finding(Struct, frozen=True, kw_only=True):
    """What one check found: how many cases, and the first of them in the order of the file."""

    kind: str
    severity: Severity
    count: Positive
    meaning: str
    examples: list[Example]


class Spot(NamedTuple):
    """A case before its line is known; `judgment` leads to a line of the qrels."""

    role: Role
    message: str
    line: int | None = None
    judgment: tuple[str, str | None] | None = None


class Tally:
    """Counts cases and keeps the first `top`, so that memory does not follow the count."""

    def __init__(self, top: int, spots: Iterable[Spot] = ()) -> None:
        """Count what is there already."""
        self.top, self.count = top, 0
        self.first: list[Spot] = []
        for spot in spots:
            self.add(spot)

    def add(self, spot: Spot) -> None:
        """Count one more."""
        self.count += 1
        if len(self.first) < self.top:
            self.first.append(spot)

    def __iter__(self) -> Iterator[Spot]:
        """Go through those that were kept."""
        return iter(self.first)
