"""Which items a report keeps, and what it keeps of the others."""

from __future__ import annotations

import hashlib
import math
from array import array
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import compress

from msgspec import Struct
from msgspec.structs import replace as with_fields

from ragstone.errors import InputError, UnknownNameError, UsageError
from ragstone.model import Column, Scores, Status
from ragstone.registry import Registry
from ragstone.reports.canonical import encode
from ragstone.reports.table import Statistics, Table, to_table

MANY = 200_000
FORMS = "all, none, failed, worst:N or worst:N:MEASURE"


class Rows(Struct, frozen=True):
    """A policy: `all`, `none`, `failed`, or the `most` worst by a measure."""

    name: str = "all"
    most: int = 0
    measure: str = ""

    def __str__(self) -> str:
        """Print as it is written on the command line."""
        return ":".join([self.name, *filter(None, (str(self.most or ""), self.measure))])


def parse_rows(text: str | None, items: int = 0) -> Rows:
    """Read a policy; None means that none was given, which is `all` up to 200,000 items.

    Raises UsageError for any other text, and where there are more items and no policy.

    >>> parse_rows("worst:20:AP")
    Rows(name='worst', most=20, measure='AP')
    """
    if text is None:
        if items > MANY:
            raise UsageError(
                f"{items:,} items are too many to write without being asked (the limit is "
                f"{MANY:,}); say which rows the report keeps with --rows {FORMS}"
            )
        return Rows()
    name, *parameters = text.split(":", 2)
    if name == "worst" and parameters:
        return _worst_rows(text, *parameters)
    if name not in CHOICES or name == "worst" or parameters:
        raise UsageError(f"--rows {text}: expected {FORMS}, as in --rows worst:100")
    return Rows(name)


def _worst_rows(text: str, most: str, measure: str = "") -> Rows:
    if not (most.isascii() and most.isdigit() and 0 < len(most) < 10 and int(most)):
        raise UsageError(
            f"--rows {text}: {most!r} is not a number of items, as in --rows worst:100"
        )
    return Rows("worst", int(most), measure)


def keep(scores: Scores, rows: Rows) -> Table:
    """Write out what a policy keeps: the items it names, and statistics and a digest of all."""
    whole = to_table(scores)
    if rows.name == "all":
        return whole
    if rows.name == "worst" and not rows.measure:
        rows = with_fields(rows, measure=next(iter(scores.columns), ""))
    part = to_table(select(scores, CHOICES[rows.name](scores, rows)))
    columns = {
        name: with_fields(column, statistics=statistics(scores.columns[name]))
        for name, column in part.columns.items()
    }
    return with_fields(
        part, rows=str(rows), columns=columns, total=len(scores), digest=digest(whole)
    )


def digest(table: Table) -> str:
    """Return the sha256 of a table's canonical form, in hex."""
    return hashlib.sha256(encode(table)).hexdigest()


def select(scores: Scores, places: Iterable[int]) -> Scores:
    """Return the Scores of some items only; the facts stay those of all.

    >>> from ragstone.scoring import score
    >>> scores = score({"a": ["x"], "b": ["y"]}, {"a": ["x"], "b": ["x"]}, ["RR"])
    >>> select(scores, [1]).to_dict()["RR"]
    [0.0]
    """
    kept = sorted(places)
    return with_fields(
        scores,
        items=tuple(scores.items[place] for place in kept),
        columns={name: column.at(kept) for name, column in scores.columns.items()},
        counts={
            name: array("q", [counts[place] for place in kept])
            for name, counts in scores.counts.items()
        },
    )


def statistics(column: Column) -> Statistics:
    """Return what a mean, a sum, a variance and a micro average can be computed from.

    Raises InputError where a sum is beyond the range of a double.
    """
    values = [column.values[place] for place in column.counted()]
    tally = column.tally()
    weighted: dict[str, float] = {}
    if column.weights is not None:
        weights = [column.weights[place] for place in column.counted()]
        weighted["weights_sum"] = _sum(weights)
        weighted["weighted_sum"] = _sum(map(float.__mul__, values, weights))
    return Statistics(
        scored=tally[Status.SCORED],
        default=tally[Status.DEFAULT],
        not_applicable=tally[Status.NOT_APPLICABLE],
        failed=tally[Status.FAILED],
        sum=_sum(values),
        sum_of_squares=_sum(value * value for value in values),
        min=min(values, default=None),
        max=max(values, default=None),
        **weighted,
    )


def _sum(values: Iterable[float]) -> float:
    with suppress(OverflowError):
        total = math.fsum(values)
        if math.isfinite(total):
            return total
    raise InputError("the values are too large to be summed; keep them with --rows all")


def _all(scores: Scores, _rows: Rows) -> Iterable[int]:
    return range(len(scores))


def _none(_scores: Scores, _rows: Rows) -> list[int]:
    return []


def _failed(scores: Scores, _rows: Rows) -> Iterable[int]:
    columns = scores.columns.values()
    return {
        place
        for column in columns
        for place in compress(range(len(scores)), map(Status.FAILED.__eq__, column.status))
    }


def _worst(scores: Scores, rows: Rows) -> list[int]:
    import heapq

    from ragstone.measures import Direction, parse_measure

    if not rows.measure:
        raise UsageError(f"--rows {rows}: there is no measure to be worst by")
    measure = parse_measure(rows.measure)
    if str(measure) not in scores.columns:
        raise UnknownNameError("column", rows.measure, scores.columns)
    column = scores[str(measure)]
    sign = 1 if measure.declaration.direction is Direction.HIGHER else -1
    return heapq.nsmallest(
        rows.most, column.counted(), key=lambda place: (sign * column.values[place], place)
    )


CHOICES: Registry[Callable[[Scores, Rows], Iterable[int]]] = Registry("rows policy")
CHOICES.add("all", _all)
CHOICES.add("none", _none)
CHOICES.add("failed", _failed)
CHOICES.add("worst", _worst)
