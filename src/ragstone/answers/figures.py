"""Numbers of an answer: whether each stands in what it was made from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from ragstone.answers.sentences import MARKS
from ragstone.answers.view import View, nothing
from ragstone.model import Cell
from ragstone.text.normal import normalise

SCALES = {
    "thousand": 3,
    "million": 6,
    "billion": 9,
    "trillion": 12,
    "천": 3,
    "만": 4,
    "백만": 6,
    "천만": 7,
    "억": 8,
    "조": 12,
    "万": 4,
    "億": 8,
    "亿": 8,
}
_NUMBER = re.compile(
    # What stands before the first digit is looked at behind it: so digits are found quickly.
    r"\d(?<![\w.]\d)(?:\d{0,2}(?:,\d{3})+|\d*)(?:\.\d+)?(?!\.?\d)"
    rf"(?:\s?(?P<scale>{'|'.join(sorted(SCALES, key=len, reverse=True))}))?"
)
_LISTED = re.compile(r"^\s*\d{1,3}[.)]\s", re.MULTILINE)
LISTED = 5


def numbers(text: str) -> Iterator[tuple[str, frozenset[Decimal]]]:
    """Go through the numbers of a text: how each is written, and the values that it may have.

    With a word for a size behind it a number has two values, with the word and without. Citation
    marks and the numbers of a list are none.

    >>> [(text, sorted(map(float, values))) for text, values in numbers("1. 2.50 of 1,000 [3]")]
    [('2.50', [2.5]), ('1,000', [1000.0])]
    >>> [sorted(map(float, values)) for _, values in numbers("인구 950만 명")]
    [[950.0, 9500000.0]]
    """
    plain = _LISTED.sub(" ", MARKS.sub(" ", normalise(text)))
    for found in _NUMBER.finditer(plain):
        scale = found["scale"]
        written = found[0].removesuffix(scale).rstrip() if scale else found[0]
        value = Decimal(written.replace(",", ""))
        values = {value}
        if scale:
            values.add(value.scaleb(SCALES[scale]))
        yield found[0], frozenset(values)


def agreement(view: View) -> Cell:
    """Return the share of the answer's numbers that stand in a context, reference or question.

    The note has the numbers that stand in none, where notes may quote.
    """
    found = list(numbers(view.answer))
    if not found:
        return nothing("no_numbers")
    sample = view.sample
    known = {
        value
        for text in (*(sample.texts or ()), *view.references, sample.query or "")
        for _, values in numbers(text)
        for value in values
    }
    lost = [written for written, values in found if not values & known]
    note = f"in no source: {', '.join(lost[:LISTED])}" if lost and view.settings.quotes else ""
    return Cell(1 - len(lost) / len(found), note=note)
