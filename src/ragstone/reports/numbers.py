"""How numbers are shown to a person. Files hold every digit; this is for the eye."""

from __future__ import annotations

NOTHING = "n/a"


def value(number: float | None, unit: str = "") -> str:
    """Show a measure's value: four decimals, or no more than a count has.

    >>> value(0.66), value(1500.0, "documents"), value(None)
    ('0.6600', '1500', 'n/a')
    """
    if number is None:
        return NOTHING
    if unit and float(number).is_integer():
        return f"{number:.0f}"
    return _unsigned_zero(f"{number:.4f}")


def change(number: float | None, unit: str = "") -> str:
    """Show a difference with its sign.

    >>> change(-0.0169), change(0.0), change(0.00001)
    ('-0.0169', '0.0000', '+0.0000')
    """
    if number is None:
        return NOTHING
    shown = value(number, unit)
    return f"+{shown}" if number > 0 else shown


def percent(number: float | None) -> str:
    """Show a change in percent, of which `number` is the hundredfold.

    >>> percent(-2.593), percent(None)
    ('-2.59%', 'n/a')
    """
    if number is None:
        return NOTHING
    shown = _unsigned_zero(f"{number:.2f}") + "%"
    return f"+{shown}" if number > 0 else shown


def p_value(number: float | None) -> str:
    """Show a p-value; a small one as a bound, never as 0.

    >>> p_value(0.0056), p_value(0.00001)
    ('0.0056', '<0.0001')
    """
    if number is None:
        return NOTHING
    return f"{number:.4f}" if number >= 0.0001 else "<0.0001"


def interval(low: float | None, high: float | None) -> str:
    """Show an interval of a difference.

    >>> interval(-0.03, 0.01)
    '-0.0300 to +0.0100'
    """
    if low is None or high is None:
        return NOTHING
    return f"{change(low)} to {change(high)}"


def count(number: int, noun: str, plural: str = "") -> str:
    """Show a number of things.

    >>> count(1, "query", "queries"), count(7000, "document")
    ('1 query', '7,000 documents')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def _unsigned_zero(shown: str) -> str:
    return shown.lstrip("-") if not shown.strip("-0.") else shown
