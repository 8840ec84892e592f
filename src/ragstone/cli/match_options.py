"""Options of `match` that read numbers."""

from __future__ import annotations

import re

import click

MOST_STEPS = 1000


def numbers_of_k(ctx: click.Context, param: click.Parameter, value: str) -> list[int]:
    """Read cutoffs such as `1,5,10`."""
    parts = [part.strip() for part in value.split(",")]
    if not all(re.fullmatch(r"[1-9]\d{0,8}", part, re.ASCII) for part in parts):
        raise click.BadParameter(
            f"{value!r}: whole numbers from 1, below 10**9, were expected, as in 5 or 1,5,10",
            ctx,
            param,
        )
    return list(dict.fromkeys(map(int, parts)))


def thresholds(ctx: click.Context, param: click.Parameter, value: str | None) -> list[float]:
    """Read `A:B:STEP` as the numbers from A to B, B too where a step comes to it."""
    if value is None:
        return []
    try:
        first, last, step = map(float, value.split(":"))
        if not (0 <= first <= last <= 1 and step > 0):
            raise ValueError(value)
    except ValueError:
        raise click.BadParameter(
            f"{value!r}: FROM:TO:STEP was expected, from 0 to 1, as in 0.5:0.95:0.05", ctx, param
        ) from None
    steps = int((last - first) / step + 1e-9)
    if steps >= MOST_STEPS:
        raise click.BadParameter(f"{value!r}: at most {MOST_STEPS:,} thresholds", ctx, param)
    return [round(first + number * step, 10) for number in range(steps + 1)]
