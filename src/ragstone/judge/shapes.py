"""What a reply has to look like: its JSON schema, and a reader that says what is wrong."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from msgspec import Struct

from ragstone.judge.reading import UnusableReplyError

T_co = TypeVar("T_co", covariant=True)
SUPPORTED, CONTRADICTED, NOT_FOUND = "supported", "contradicted", "not_found"
PARTLY = "partly"

_NUMBER = re.compile(r"\s*[+-]?\d+(\.\d+)?\s*", re.ASCII)


class Shape(Protocol, Generic[T_co]):
    """A kind of reply."""

    @property
    def name(self) -> str: ...  # noqa: D102

    def schema(self) -> dict[str, Any]:
        """Return its JSON schema: every object closed, no bounds, as all endpoints take it."""

    def read(self, reply: Mapping[str, Any]) -> T_co:
        """Return what it says; raises UnusableReplyError."""

    def expected(self, to: str) -> dict[str, Any]:
        """Return a reply of about the usual length, for an estimate.

        to: a code of what was asked, so that no two different questions get the same claims.
        """


class Verdict(NamedTuple):
    """What a judge says of one claim, and where it says to have it from."""

    id: int
    verdict: str
    quote: str


def closed(properties: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with these fields, all of them needed, and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


TEXT = {"type": "string"}


class Claims(Struct, frozen=True):
    """`{"claims": ["...", ...]}`: single statements; about: how many are likely."""

    about: int = 3
    name: str = "claims"

    def schema(self) -> dict[str, Any]:
        """Return its JSON schema."""
        return closed({"claims": {"type": "array", "items": TEXT}})

    def read(self, reply: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the claims without repetitions; blank ones are refused."""
        claims = field(reply, "claims", list)
        for number, claim in enumerate(claims, 1):
            if not isinstance(claim, str) or not claim.strip():
                raise UnusableReplyError("wrong_type", f"claim {number} is no text")
        return tuple(dict.fromkeys(claim.strip() for claim in claims))

    def expected(self, to: str) -> dict[str, Any]:
        """Return different claims of about fifteen words."""
        claim = f"a claim that has some fifteen words and with them ninety characters {to[:8]}"
        return {"claims": [f"{claim} {number}" for number in range(self.about)]}


class Verdicts(Struct, frozen=True):
    """`{"verdicts": [{"id": 1, "quote": "...", "verdict": "..."}, ...]}`: one for each of count."""

    count: int
    allowed: tuple[str, ...] = (SUPPORTED, CONTRADICTED, NOT_FOUND)
    name: str = "verdicts"

    def schema(self) -> dict[str, Any]:
        """Return its JSON schema; the quotation comes first, so that the verdict follows it."""
        one = {
            "id": {"type": "integer"},
            "quote": TEXT,
            "verdict": {"type": "string", "enum": list(self.allowed)},
        }
        return closed({"verdicts": {"type": "array", "items": closed(one)}})

    def read(self, reply: Mapping[str, Any]) -> tuple[Verdict, ...]:
        """Return the verdicts in the order of their ids, which are 1 to count, each once."""
        given = field(reply, "verdicts", list)
        if len(given) != self.count:
            raise UnusableReplyError(
                "wrong_count", f"{len(given)} verdicts came back; {self.count} were asked for"
            )
        found = sorted(self._one(each) for each in given)
        ids = [each.id for each in found]
        if ids != list(range(1, self.count + 1)):
            raise UnusableReplyError(
                "wrong_ids", f"the ids {ids} came back; each of 1 to {self.count} was asked for"
            )
        return tuple(found)

    def _one(self, given: Any) -> Verdict:
        if not isinstance(given, Mapping):
            raise UnusableReplyError("wrong_type", "a verdict is no object")
        quote = given.get("quote") or ""  # null where there is none
        if not isinstance(quote, str):
            raise UnusableReplyError("wrong_type", "a quote is no text")
        return Verdict(_id(given), choice(given, "verdict", self.allowed), quote)

    def expected(self, to: str) -> dict[str, Any]:  # noqa: ARG002 - verdicts lead to no question
        """Return verdicts with quotations of ten words."""
        quote = "a quotation of some ten words from the text "
        verdict = self.allowed[0]
        ids = range(1, self.count + 1)
        return {"verdicts": [{"id": one, "quote": quote, "verdict": verdict} for one in ids]}


class Choice(Struct, frozen=True):
    """`{"reason": "...", "verdict": "..."}`, and other fields that have to be texts.

    before: the texts that come before the verdict.
    """

    allowed: tuple[str, ...]
    before: tuple[str, ...] = ("reason",)
    name: str = "verdict"

    def schema(self) -> dict[str, Any]:
        """Return its JSON schema."""
        verdict = {"type": "string", "enum": list(self.allowed)}
        return closed({**dict.fromkeys(self.before, TEXT), "verdict": verdict})

    def read(self, reply: Mapping[str, Any]) -> dict[str, str]:
        """Return the verdict and the texts; a text that is missing is empty."""
        texts = {name: reply.get(name) or "" for name in self.before}
        if wrong := [name for name, text in texts.items() if not isinstance(text, str)]:
            raise UnusableReplyError("wrong_type", f"{wrong[0]!r} is no text")
        return {**texts, "verdict": choice(reply, "verdict", self.allowed)}

    def expected(self, to: str) -> dict[str, Any]:  # noqa: ARG002
        """Return a reason of twenty words."""
        return {**dict.fromkeys(self.before, "a word " * 20), "verdict": self.allowed[0]}


def field(reply: Mapping[str, Any], name: str, kind: type[Any]) -> Any:
    """Return a field of a kind; raises UnusableReplyError where it is missing or another."""
    if name not in reply:
        there = ", ".join(map(repr, list(reply)[:5])) or "nothing"
        raise UnusableReplyError("missing_field", f"the reply has no {name!r}; it has {there}")
    value = reply[name]
    if not isinstance(value, kind):
        raise UnusableReplyError(
            "wrong_type", f"{name!r} is a {type(value).__name__}; a {kind.__name__} was expected"
        )
    return value


def choice(reply: Mapping[str, Any], name: str, allowed: Sequence[str]) -> str:
    """Return one of some words; case does not count, and a blank or hyphen is an underscore.

    >>> choice({"verdict": "Not found"}, "verdict", ["supported", "not_found"])
    'not_found'
    """
    value = field(reply, name, str)
    folded = re.sub(r"[\s-]+", "_", value.strip().lower())
    if folded not in allowed:
        raise UnusableReplyError(
            "wrong_verdict", f"{name!r} is {value[:40]!r}; one of {', '.join(allowed)} was expected"
        )
    return folded


def number(reply: Mapping[str, Any], name: str, low: float, high: float) -> float:
    """Return a number within bounds; a text that is one number counts, true and false do not.

    >>> number({"score": "0.9"}, "score", 0, 1)
    0.9
    """
    value = field(reply, name, object)
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UnusableReplyError(
            "wrong_type", f"{name!r} is a {type(value).__name__}; a number was expected"
        )
    if not math.isfinite(value) or not low <= value <= high:
        raise UnusableReplyError(
            "out_of_range", f"{name!r} is {value:g}; {low:g} to {high:g} was expected"
        )
    return float(value)


def yes_or_no(reply: Mapping[str, Any], name: str) -> bool:
    """Return true or false: the JSON words, 1 and 0, or yes and no.

    >>> yes_or_no({"polite": True}, "polite"), yes_or_no({"polite": "No"}, "polite")
    (True, False)
    """
    value = field(reply, name, object)
    known = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
    said = str(value).strip().lower() if isinstance(value, str | int) else ""
    if said not in known:
        raise UnusableReplyError("wrong_type", f"{name!r} is {value!r:.40}; yes or no was expected")
    return known[said]


def _id(given: Mapping[str, Any]) -> int:
    value = field(given, "id", object)
    if isinstance(value, str) and value.strip().isdecimal():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise UnusableReplyError("wrong_ids", f"the id {value!r:.40} is no whole number")
    return value
