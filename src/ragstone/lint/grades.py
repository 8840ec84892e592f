"""The scale that grades are to be on."""

from __future__ import annotations

import re

from ragstone.errors import UsageError

_PART = re.compile(r"([+-]?\d{1,9})(?:\.\.([+-]?\d{1,9}))?", re.ASCII)
MOST = 1000


def parse_scale(text: str) -> tuple[int, ...]:
    """Read a scale: grades and ranges of them, separated by commas; returns them ascending.

    >>> parse_scale("0,1,2"), parse_scale("-1, 0..3")
    ((0, 1, 2), (-1, 0, 1, 2, 3))
    """
    grades: set[int] = set()
    for part in text.split(","):
        match = _PART.fullmatch(part.strip())
        if not match:
            raise UsageError(f"--grades {text!r}: 0,1,2 or 0..3 was expected")
        low, high = int(match[1]), int(match[2] or match[1])
        if not low <= high < low + MOST:
            raise UsageError(
                f"--grades {text!r}: {part.strip()} does not ascend, or over {MOST:,} grades"
            )
        grades.update(range(low, high + 1))
    return tuple(sorted(grades))


def shown_scale(grades: tuple[int, ...]) -> str:
    """Print a scale, ranges of three and more as such.

    >>> shown_scale((-1, 0, 1, 2, 5, 6))
    '-1..2, 5, 6'
    """
    runs: list[list[int]] = []
    for grade in grades:
        if runs and grade == runs[-1][-1] + 1:
            runs[-1].append(grade)
        else:
            runs.append([grade])
    parts = (
        [f"{run[0]}..{run[-1]}"] if len(run) > 2 else [str(grade) for grade in run] for run in runs
    )
    return ", ".join(each for part in parts for each in part)
