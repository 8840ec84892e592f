"""How the gate's messages write numbers."""

from __future__ import annotations


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
