"""Headers whose values stand in environment variables, so that no key is in a flag or a file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from ragstone.errors import UsageError

AUTHORIZATION = "authorization"


def header_values(
    headers: Mapping[str, str] | Iterable[str], flag: str = "--header"
) -> dict[str, str]:
    """Return headers with their values from the environment; no message shows a value.

    headers: name -> environment variable, or texts such as "Authorization=Bearer SEARCH_KEY"; words
    before the variable's name stay. flag: what errors name.
    """
    pairs = headers.items() if isinstance(headers, Mapping) else (_pair(h, flag) for h in headers)
    return {name.strip(): _value(name.strip(), source.strip(), flag) for name, source in pairs}


def with_key(
    headers: Mapping[str, str], variable: str, url: str, where: str = "", usual: str = AUTHORIZATION
) -> dict[str, str]:
    """Return headers and the one that takes a key: name -> environment variable.

    variable: has the key; "" for none. where: the header; by default Azure's own, elsewhere
    `usual`. In Authorization a key is a Bearer's.

    >>> with_key({}, "KEY", "https://ours.azure.com/v1"), with_key({}, "KEY", "http://host/v1")
    ({'api-key': 'KEY'}, {'authorization': 'Bearer KEY'})
    """
    if not variable:
        return dict(headers)
    azure = (urlsplit(url).hostname or "").endswith(".azure.com")
    name = where or ("api-key" if azure else usual)
    bearer = name.lower() == AUTHORIZATION
    return {**headers, name: f"Bearer {variable}" if bearer else variable}


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
