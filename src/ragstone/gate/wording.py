"""How the gate's messages list names and write numbers."""

from __future__ import annotations

from collections.abc import Sequence

from ragstone.errors import shortened

MOST_LISTED, LONGEST = 10, 80


def listed(names: Sequence[str], most: int = MOST_LISTED) -> str:
    """List names, long ones cut short, and say how many more there are.

    >>> listed(["q1", "q2", "q3"], most=2)
    'q1, q2 and 1 more'
    """
    shown = ", ".join(shortened(name, LONGEST) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def counted(number: int, noun: str) -> str:
    """Write a number with its noun in the singular or plural.

    >>> counted(1, "item"), counted(2, "item"), counted(0, "query")
    ('1 item', '2 items', '0 queries')
    """
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number} {noun if number == 1 else plural}"


def plain(number: float) -> str:
    """Write a number for a sentence, to four significant digits.

    >>> plain(0.25), plain(1 / 3), plain(1234.0)
    ('0.25', '0.3333', '1234')
    """
    return f"{number:.4g}"


def exactly(number: float) -> str:
    """Write a number so that it reads back as the same, without a needless `.0`.

    >>> exactly(2.0), exactly(0.1)
    ('2', '0.1')
    """
    return repr(float(number)).removesuffix(".0")


def signed(number: float) -> str:
    """Write a change with its sign.

    >>> signed(0.5), signed(-0.25)
    ('+0.5', '-0.25')
    """
    return f"{number:+.4g}"
