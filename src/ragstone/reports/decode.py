"""JSON values to the types of a report, and plain words for what does not fit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import reduce
from typing import Any, Final, TypeVar

import msgspec
from msgspec.structs import replace

from ragstone.errors import FormatError
from ragstone.reports.kinds import KINDS
from ragstone.reports.problem import Problem, child, shown
from ragstone.reports.statement import PREDICATE_TYPE, STATEMENT_TYPE, TIME, Statement
from ragstone.reports.table import SHA256

T = TypeVar("T")
ANY: Final = "[...]"

NOUNS: Final = {
    "array": "a list",
    "bool": "true or false",
    "float": "a number",
    "int": "a whole number",
    "null": "null",
    "object": "an object",
    "str": "a text",
}
PATTERNS: Final = {
    SHA256: "a sha256 of 64 digits from 0 to f",
    TIME: "a time like 2026-01-31T12:00:00Z",
}
CHOICES: Final = {
    "$._type": f'"{STATEMENT_TYPE}"',
    "$.predicateType": f'"{PREDICATE_TYPE}"',
    "$.predicate.verdict": '"pass", "fail", "inconclusive" or "error"',
}
_PLACE: Final = r"(?s)(.*?)(?: - at `\$(.*)`)?"
_STEP: Final = r"\.([^.\[]+)|\[(\d+)\]|(\[\.\.\.\])"
_GOT: Final = r"Expected `(.*)`, got `.*`"
_LEAST: Final = r"Expected `(int|float)` ([<>])= (\S+)"
_REGEX: Final = r"Expected `str` matching regex '(.*)'"
_LENGTH: Final = r"Expected `str` of length ([<>])= (\d+)"
_MISSING: Final = r"Object missing required field `(.*)`"


class NotOfTypeError(Exception):
    """A value that does not fit; `problem` says where and why."""

    def __init__(self, problem: Problem) -> None:
        """Keep the problem."""
        super().__init__(str(problem))
        self.problem = problem


def read_statement(document: Any, name: str) -> Statement:
    """Convert a document to a Statement; the FormatError it raises names the file."""
    try:
        return to_statement(document)
    except NotOfTypeError as error:
        raise FormatError(f"is not a sound report: {error}", where=name) from None


def to_statement(document: Any) -> Statement:
    """Convert a document to a Statement with the details of its kind.

    Raises NotOfTypeError with the path of the first value that does not fit.
    """
    statement = to_type(document, Statement, "$")
    predicate = statement.predicate
    if predicate.kind not in KINDS:
        message = f"is {shown(predicate.kind)}; this version of ragstone knows {', '.join(KINDS)}"
        raise NotOfTypeError(Problem("$.predicate.kind", message))
    details_type = KINDS[predicate.kind].details_type()
    details = to_type(predicate.details, details_type, "$.predicate.details")
    return replace(statement, predicate=replace(predicate, details=details))


def to_type(value: Any, into: type[T], path: str) -> T:
    """Convert a plain JSON value; raises NotOfTypeError."""
    try:
        return msgspec.convert(value, into)
    except (msgspec.ValidationError, OverflowError) as error:
        message, steps = _taken_apart(error)
        _name_keys(value, into, message, steps)
        where = reduce(child, steps, path)
        raise NotOfTypeError(Problem(where, _plain(message, where, _at(value, steps)))) from None


def _taken_apart(error: Exception) -> tuple[str, list[str | int]]:
    """Return what the library says, and the steps to where; it does not name keys of mappings."""
    match = re.fullmatch(_PLACE, str(error))
    message, place = match.groups() if match else (str(error), None)
    return message, [
        name or any_key or int(entry) for name, entry, any_key in re.findall(_STEP, place or "")
    ]


def _name_keys(value: Any, into: type[Any], message: str, steps: list[str | int]) -> None:
    """Find which key of a mapping is meant: the one that fails alike without the others."""
    template = list(steps)
    while ANY in steps:
        place = steps.index(ANY)
        before = steps[:place]
        for key, part in _at(value, before).items():
            alone = _with(value, before, {key: part})
            if _fails_alike(alone, into, (message, template)):
                value, steps[place] = alone, key
                break
        else:
            del steps[place:]


def _fails_alike(value: Any, into: type[Any], failure: tuple[str, list[str | int]]) -> bool:
    try:
        msgspec.convert(value, into)
    except (msgspec.ValidationError, OverflowError) as error:
        return _taken_apart(error) == failure
    return False


def _at(value: Any, steps: list[str | int]) -> Any:
    return reduce(lambda part, step: part[step], steps, value)


def _with(value: Any, steps: list[str | int], part: Any) -> Any:
    """Return a copy that has another part at a place."""
    if not steps:
        return part
    copy = value.copy()
    copy[steps[0]] = _with(value[steps[0]], steps[1:], part)
    return copy


def _plain(message: str, path: str, found: Any) -> str:
    if match := re.fullmatch(_MISSING, message):
        return f"has no field {match[1]!r}"
    return f"is {shown(found)}; {' or '.join(_expected(message, path))} was expected"


def _expected(message: str, path: str) -> Iterator[str]:
    if match := re.fullmatch(_GOT, message):
        yield from (NOUNS.get(name, name) for name in match[1].split(" | "))
    elif match := re.fullmatch(_LEAST, message):
        yield f"{NOUNS[match[1]]} of at {'least' if match[2] == '>' else 'most'} {match[3]}"
    elif match := re.fullmatch(_REGEX, message):
        yield PATTERNS.get(match[1].replace(r"\\", "\\"), f"a text like {match[1]}")
    elif match := re.fullmatch(_LENGTH, message):
        yield f"a text of at most {match[2]} characters" if match[1] == "<" else "a longer text"
    elif "out of range" in message:
        yield "a number that fits into a double"
    else:
        yield CHOICES.get(path, f"something else ({message[:1].lower()}{message[1:]})")
