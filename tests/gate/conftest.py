"""Scores from plain lists, and two measures of which lower is better."""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping, Sequence
from typing import Protocol, TypeAlias

import pytest

from ragstone.measures import MEASURES, Declaration, Direction
from ragstone.model import Cell, Scalar, Scores, ScoresBuilder, Signature, Status

Value: TypeAlias = float | Cell | None

FAILED = Cell(0.0, Status.FAILED, reason="timeout")


class Make(Protocol):
    """Builds Scores: a list of values per column, for items q1, q2, ... unless they are named."""

    def __call__(
        self,
        columns: Mapping[str, Sequence[Value]],
        ids: Sequence[str] | None = None,
        signature: Mapping[str, Scalar] = {},
        signatures: Mapping[str, Mapping[str, Scalar]] = {},
        weighted: Sequence[str] = (),
    ) -> Scores: ...


def _cell(value: Value) -> Cell:
    if value is None:
        return FAILED
    return value if isinstance(value, Cell) else Cell(value)


@pytest.fixture(scope="session")
def make() -> Make:
    """Return the builder; a value of None is an item that failed."""

    def build(
        columns: Mapping[str, Sequence[Value]],
        ids: Sequence[str] | None = None,
        signature: Mapping[str, Scalar] = {},
        signatures: Mapping[str, Mapping[str, Scalar]] = {},
        weighted: Sequence[str] = (),
    ) -> Scores:
        builder = ScoresBuilder(list(columns), weighted=weighted)
        rows = list(zip(*columns.values(), strict=True))
        for item, row in zip(ids or [f"q{n + 1}" for n in range(len(rows))], rows, strict=True):
            builder.add(item, [_cell(value) for value in row])
        own = {name: Signature.of(fields) for name, fields in signatures.items()}
        return builder.build(Signature.of(signature), own)

    return build


@pytest.fixture(scope="module", autouse=True)
def lower_is_better() -> Generator[None]:
    """Declare wait_ms, an operation, and toxic, a quality; and take them back."""

    def unused(*_: object) -> float:
        return math.nan

    MEASURES.add(
        "wait_ms",
        Declaration(
            "wait_ms",
            unused,
            "",
            direction=Direction.LOWER,
            quality=False,
            unit="ms",
            range=(0.0, math.inf),
        ),
    )
    MEASURES.add("toxic", Declaration("toxic", unused, "", direction=Direction.LOWER))
    yield
    for name in ("wait_ms", "toxic"):
        del MEASURES._values[name], MEASURES._names[name]
