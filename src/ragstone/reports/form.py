"""How the bytes of a document differ from its canonical form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

import msgspec

from ragstone.reports.canonical import encode
from ragstone.reports.document import BOM
from ragstone.reports.problem import Problem, child, shown

TOKEN = rb'(?s)"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+'


def form_faults(data: bytes, document: Any) -> Iterator[Problem]:
    r"""Name each way in which bytes are not the canonical form of the document they hold.

    >>> [problem.message for problem in form_faults(b'{"b": 1}\n', {"b": 1})]
    ['has spaces or line ends between its parts; none were expected']
    """
    if data == encode(document):
        return
    text = data.removeprefix(BOM)
    if text != data:
        yield Problem("$", "begins with a byte-order mark; none was expected")
    if not text.endswith(b"\n"):
        yield Problem("$", "has no line end behind it; one was expected, as in every text file")
    tokens = re.findall(TOKEN, text)
    if b"".join(tokens) != text.removesuffix(b"\n"):
        yield Problem("$", "has spaces or line ends between its parts; none were expected")
    unsorted = msgspec.json.encode(document)
    if unsorted != encode(document).rstrip(b"\n"):
        yield from _order(document, "$")
    for found, wanted in zip_longest(tokens, re.findall(TOKEN, unsorted), fillvalue=b""):
        if found != wanted:
            message = f"has {_text(found)} where {_text(wanted)} is the canonical form"
            yield Problem("$", message)
            break


def type_faults(document: Any, typed: Any, path: str = "$") -> Iterator[Problem]:
    """Name what a document has beyond its typed form, and what it writes in another way.

    typed: the plain values of the types that were read from the document.
    """
    if isinstance(document, dict) and isinstance(typed, dict):
        for name, value in document.items():
            if name in typed:
                yield from type_faults(value, typed[name], child(path, name))
            elif value in ([], {}):
                yield Problem(child(path, name), "is empty; it is left out where it is empty")
            else:
                message = "is not a field that this version of ragstone knows here"
                yield Problem(child(path, name), message)
    elif isinstance(document, list) and isinstance(typed, list):
        for place, pair in enumerate(zip(document, typed, strict=False)):
            yield from type_faults(*pair, child(path, place))
    elif type(document) is not type(typed):
        yield Problem(path, f"is {shown(document)}; {shown(typed)} is the canonical form")


def _order(document: Any, path: str) -> Iterator[Problem]:
    """Find the first object whose names do not ascend."""
    if isinstance(document, dict):
        for before, name in zip(document, list(document)[1:], strict=False):
            if before > name:
                message = f"has {name!r} after {before!r}; names ascend by code point"
                yield Problem(path, message)
                return
    parts = document.items() if isinstance(document, dict) else enumerate(document)
    for step, part in parts:
        if isinstance(part, dict | list):
            found = next(_order(part, child(path, step)), None)
            if found:
                yield found
                return


def _text(token: bytes) -> str:
    return token.decode() if len(token) < 60 else f"{token[:57].decode(errors='ignore')}..."
