"""How numbers are shown to a person. Files hold every digit; this is for the eye."""

from __future__ import annotations

import math

NOTHING = "n/a"
LARGE = 1e15
"""From here on a double has no decimals, and a number would be wider than its table."""

DECIMALS = {"ms": 1, "tokens": 1}
"""Of units whose values are large; others have four."""

SMALL = 10
"""Below it a difference of such values has two digits that say something."""

MONEY = "USD"
"""A call can cost a thousandth of a cent, so small amounts have four digits that say something."""


def value(number: float | None, unit: str = "") -> str:
    """Show a measure's value: four decimals, or none where it is a whole number of a unit.

    >>> value(0.66), value(1500.0, "documents"), value(None), value(-0.0), value(1.5e20)
    ('0.6600', '1500', 'n/a', '0.0000', '1.5e+20')
    >>> value(24.05, "ms"), value(0.000123456, "USD"), value(0.25, "USD"), value(3.0, "USD")
    ('24.1', '0.0001235', '0.2500', '3.0000')
    """
    if number is None:
        return NOTHING
    if abs(number) >= LARGE:
        return f"{number:.6g}"
    if unit == MONEY:
        return _unsigned_zero(f"{number:.{_decimals_of_money(number)}f}")
    if unit and float(number).is_integer():
        return f"{number + 0.0:.0f}"  # -0.0 has no sign
    return _unsigned_zero(f"{number:.{DECIMALS.get(unit, 4)}f}")


def change(number: float | None, unit: str = "") -> str:
    """Show a difference with its sign, that of one too small to see too.

    >>> change(-0.0169), change(0.0), change(0.00001), change(-0.00001)
    ('-0.0169', '0.0000', '+0.0000', '-0.0000')
    """
    return _signed(number, amount(None if number is None else abs(number), unit))


def amount(number: float | None, unit: str = "") -> str:
    """Show how large a difference is: one below 10 needs more decimals than large values have.

    >>> amount(24.05, "ms"), amount(0.148, "tokens"), amount(0.0031, "ms"), amount(9000.0, "ms")
    ('24.1', '0.15', '0.0031', '9000')
    """
    if number is None or unit not in DECIMALS or not 0 < abs(number) < SMALL or number % 1 == 0:
        return value(number, unit)
    decimals = min(4, max(2, 1 - math.floor(math.log10(abs(number)))))
    return _unsigned_zero(f"{number:.{decimals}f}")


def percent(number: float | None) -> str:
    """Show a change in percent, of which `number` is the hundredfold.

    >>> percent(-2.593), percent(None), percent(-0.001), percent(1e15)
    ('-2.59%', 'n/a', '-0.00%', '+1e+15%')
    """
    if number is None:
        return NOTHING
    size = abs(number)
    return _signed(number, f"{size:.6g}%" if size >= LARGE else f"{size:.2f}%")


def p_value(number: float | None) -> str:
    """Show a p-value; a small one as a bound, never as 0.

    >>> p_value(0.0056), p_value(0.00001), p_value(1.0)
    ('0.0056', '<0.0001', '1.0000')
    """
    if number is None:
        return NOTHING
    return f"{number:.4f}" if number >= 0.0001 else "<0.0001"


def interval(low: float | None, high: float | None, unit: str = "") -> str:
    """Show an interval of a difference.

    >>> interval(-0.03, 0.01), interval(5.0, 63.25, "ms")
    ('-0.0300 to +0.0100', '+5 to +63.2')
    """
    if low is None or high is None:
        return NOTHING
    return f"{change(low, unit)} to {change(high, unit)}"


def _decimals_of_money(number: float) -> int:
    size = abs(number)
    return 4 if size >= 0.1 or size < 1e-12 else 3 - math.floor(math.log10(size))


def _signed(number: float | None, shown: str) -> str:
    if not number:
        return shown
    return f"+{shown}" if number > 0 else f"-{shown}"


def _unsigned_zero(shown: str) -> str:
    return shown.lstrip("-") if not shown.strip("-0.") else shown
