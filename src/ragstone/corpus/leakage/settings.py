"""What a leakage check is told."""

from __future__ import annotations

import re

from msgspec import Struct

from ragstone.corpus.options import check_share, check_whole
from ragstone.errors import UnknownNameError, UsageError

UNITS = ("auto", "word", "char", "morpheme")
_LIMIT = re.compile(r"(\d+)|(\d+\.?\d*|\.\d+)\s*%", re.ASCII)


class LeakageSettings(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How texts are cut into n-grams, and from when on a document holds too much of one.

    threshold: from this share of its n-grams on, a text leaks. unit: auto, word, char or morpheme.
    shingle: words or morphemes in a row; char_shingle: letters in a row. documents: how many are
    listed for a field, the best. min_words: texts with fewer are not looked for. ignore_common:
    n-grams in more documents than this, or than this percent of them, do not count.
    """

    threshold: float
    unit: str
    shingle: int
    char_shingle: int
    documents: int
    min_words: int
    ignore_common: str = ""

    def check(self) -> None:
        """Raise UsageError for what cannot be."""
        if self.unit not in UNITS:
            raise UnknownNameError("unit", self.unit, UNITS)
        check_share("threshold", self.threshold)
        for name, least in (
            ("shingle", 1),
            ("char_shingle", 1),
            ("documents", 1),
            ("min_words", 0),
        ):
            check_whole(name, getattr(self, name), least)
        if self.ignore_common:
            CommonLimit.of(self.ignore_common)

    def size(self, unit: str) -> int:
        """Return how many tokens of a unit are an n-gram."""
        return self.char_shingle if unit == "char" else self.shingle

    def signature(self) -> dict[str, str | int]:
        """Return what changes the containment of a text, of what is of use here."""
        fields: dict[str, str | int] = {"unit": self.unit, "min_words": self.min_words}
        if self.unit != "char":
            fields["shingle"] = self.shingle
        if self.unit in {"auto", "char"}:
            fields["char_shingle"] = self.char_shingle
        if self.ignore_common:
            fields["ignore_common"] = self.ignore_common
        return fields


class CommonLimit(Struct, frozen=True):
    """In how many documents an n-gram may stand: a number, or a percent of all.

    >>> str(CommonLimit.of("1%")), CommonLimit.of("1%").most(250), CommonLimit.of("10").most(250)
    ('1%', 2.5, 10.0)
    """

    limit: float
    percent: bool = False

    @classmethod
    def of(cls, text: str) -> CommonLimit:
        """Read `100` or `1%`; raises UsageError for anything else."""
        match = _LIMIT.fullmatch(text.strip())
        if not match or (match[2] and float(match[2]) > 100):
            raise UsageError(
                f"ignore_common is {text!r}; write a number of documents as 100, or a share of "
                "them as 1% (to 100%)"
            )
        return cls(float(match[1] or match[2]), bool(match[2]))

    def __str__(self) -> str:
        """Print as it is written."""
        return f"{self.limit:g}%" if self.percent else f"{self.limit:.0f}"

    def most(self, documents: int) -> float:
        """Return the limit for so many documents."""
        return self.limit * documents / 100 if self.percent else self.limit
