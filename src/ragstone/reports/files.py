"""What a report says of the files that were read."""

from __future__ import annotations

from typing import Protocol

from ragstone.reports.statement import Input


class Readable(Protocol):
    """A file that was read, such as a ragstone.formats.Source."""

    @property
    def base_name(self) -> str:
        """Its name without folders."""

    def digest(self) -> str:
        """Return the sha256 of its bytes, in hex."""


def describe(role: str, source: Readable) -> Input:
    """Return an input's role, its name without folders, and the sha256 of its bytes.

    >>> from ragstone.formats import Source
    >>> describe("run", Source("/dev/null")).sha256[:12]
    'e3b0c44298fc'
    """
    return Input(role=role, name=source.base_name, sha256=source.digest())
