"""What a report says of the files that were read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragstone.reports.statement import Input

if TYPE_CHECKING:
    from ragstone.formats.corpus import Named


def describe(role: str, source: Named) -> Input:
    """Return an input's role, its name without folders, and the sha256 of its bytes.

    >>> from ragstone.formats import Source
    >>> describe("run", Source("/dev/null")).sha256[:12]
    'e3b0c44298fc'
    """
    return Input(role=role, name=source.base_name, sha256=source.digest())
