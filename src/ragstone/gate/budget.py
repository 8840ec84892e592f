"""How much worse a measure may get."""

from __future__ import annotations

import math
import re
import sys
from dataclasses import dataclass
from typing import Literal, SupportsFloat

from ragstone.errors import UsageError
from ragstone.gate.wording import exactly

TOLERANCE = 1e-9
"""A drop this close to its budget, relative, is equal to it and passes."""

ROUNDING = 1e-12
"""Differences this small, relative to the values, are rounding noise."""

Kind = Literal["percent", "absolute", "off"]

_LIMIT = re.compile(r"\+?(\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?)\s*(%|abs)?", re.ASCII)
_KINDS: dict[str | None, Kind] = {None: "percent", "%": "percent", "abs": "absolute"}
_SUFFIX = {"percent": "%", "absolute": "abs"}
_OFF = ("off", "none")
_EXPECTED = "write 2 or 2% for percent of the baseline, 50abs for units of the measure, or off"


@dataclass(frozen=True, slots=True)
class Budget:
    """A limit on how much worse a measure may get; prints as `2%`, `50abs` or `off`.

    `limit` is in percent of the baseline, or in units of the measure, at least 0 and finite.

    >>> str(Budget.of("2")), str(Budget.of("50abs")), str(Budget.of("none")), str(Budget.of(0.5))
    ('2%', '50abs', 'off', '0.5%')
    """

    kind: Kind
    limit: float = 0.0

    @classmethod
    def of(cls, value: str | float) -> Budget:
        """Read a limit; a number is in percent.

        Raises UsageError if it is negative, not finite, empty or not a limit at all.
        """
        text = value.strip().lower() if isinstance(value, str) else _digits(value)
        if text in _OFF:
            return cls("off")
        match = _LIMIT.fullmatch(text)
        if not match:
            raise UsageError(_problem(value, text))
        limit = float(match[1])
        if not math.isfinite(limit):
            raise UsageError(f"{value!r} is not a finite limit; {_EXPECTED}")
        return cls(_KINDS[match[2]], limit)

    def __str__(self) -> str:
        """Print so that it parses back to the same budget."""
        return "off" if self.kind == "off" else f"{exactly(self.limit)}{_SUFFIX[self.kind]}"

    @property
    def gates(self) -> bool:
        """Whether there is a limit at all."""
        return self.kind != "off"

    def margin(self, baseline: float) -> float | None:
        """Return the allowed worsening in units of the measure, never negative.

        None where there is no limit: for `off`, and for percent of a baseline of 0.

        >>> Budget.of("2%").margin(-50.0), Budget.of("2%").margin(0.0), Budget.of("3abs").margin(0)
        (1.0, None, 3.0)
        """
        if self.kind == "absolute":
            return self.limit
        if self.kind == "off" or not baseline:
            return None
        return min(self.limit / 100 * abs(baseline), sys.float_info.max)


def exceeds(worsening: float, margin: float, scale: float) -> bool:
    """Tell whether a worsening is more than its margin; one that is equal is not.

    All in units of the measure. `scale` is the size of the two values it is the difference of:
    rounding of that order does not make a difference either.

    >>> exceeds(0.02, 0.02, 1.0), exceeds(1.0 - 0.9, 0.1, 1.0), exceeds(0.021, 0.02, 1.0)
    (False, False, True)
    """
    equal = math.isclose(worsening, margin, rel_tol=TOLERANCE, abs_tol=ROUNDING * scale)
    return worsening > margin and not equal


def _digits(value: object) -> str:
    if isinstance(value, SupportsFloat) and not isinstance(value, bool | int):
        return repr(float(value))
    return str(value)


def _problem(value: object, text: str) -> str:
    if not text:
        return f"the limit is empty; {_EXPECTED}"
    if text.startswith("-"):
        return f"{value!r} is negative; a limit is 0 or more: {_EXPECTED}"
    return f"{value!r} is not a limit; {_EXPECTED}"
