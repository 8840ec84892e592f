"""Headers whose values stand in environment variables, so that no key is in a flag or a file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from ragstone.errors import UsageError


def header_values(
    headers: Mapping[str, str] | Iterable[str], flag: str = "--header"
) -> dict[str, str]:
    """Return headers with their values from the environment; no message shows a value.

    headers: name -> environment variable, or texts such as "Authorization=Bearer SEARCH_KEY"; words
    before the variable's name stay. flag: what errors name.
    """
    pairs = headers.items() if isinstance(headers, Mapping) else (_pair(h, flag) for h in headers)
    return {name.strip(): _value(name.strip(), source.strip(), flag) for name, source in pairs}


def _pair(header: str, flag: str) -> tuple[str, str]:
    name, equals, source = header.partition("=")
    if not (equals and name.strip() and source.strip()):
        raise UsageError(
            f"{flag} {name!r}: NAME=ENVVAR was expected, as in Authorization=SEARCH_KEY; the "
            "value itself stands in the environment variable"
        )
    return name, source


def _value(name: str, source: str, flag: str) -> str:
    before, _, variable = source.rpartition(" ")
    value = os.environ.get(variable)
    if not value:
        known = variable if variable.isidentifier() else "that is named there"
        raise UsageError(
            f"{flag} {name}: there is no environment variable {known}; set it to the header's "
            "value, which is never given on the command line"
        )
    return f"{before} {value}".strip()
