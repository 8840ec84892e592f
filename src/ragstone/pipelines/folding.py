"""From the id of a chunk to that of the document it is of."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from ragstone.errors import UsageError

Metadata: TypeAlias = Callable[[], Mapping[Any, Any]]

FLAG = "--fold-to-parent"


class ByKey:
    """The parent's id stands in the metadata."""

    def __init__(self, key: str) -> None:
        """Keep the key."""
        self.key = key

    def parent(self, metadata: Metadata, own: Any, facts: Counter[str]) -> Any:  # noqa: ARG002
        """Return the parent's id, None where the metadata has none."""
        return lookup(metadata(), self.key)


class ByPattern:
    """The parent's id is what the first group of a regular expression finds in the chunk's."""

    def __init__(self, pattern: str) -> None:
        """Compile; raises UsageError for what is no regular expression."""
        try:
            self._search = re.compile(pattern).search
        except re.error as error:
            raise UsageError(f"{FLAG} {pattern!r}: no regular expression: {error}") from None

    def parent(self, metadata: Metadata, own: Any, facts: Counter[str]) -> Any:  # noqa: ARG002
        """Return the parent's id; an id that does not match is its own, and counted."""
        if own is None:
            return None
        found = self._search(str(own))
        if found is None or not found[1]:
            facts["ids_not_folded"] += 1
            return own
        return found[1]


Folding: TypeAlias = ByKey | ByPattern


def folding(text: str | None) -> Folding | None:
    r"""Read --fold-to-parent: with a group in parentheses it is a regular expression, else a key.

    >>> folding(r"^(.*)#\d+$").parent(dict, "p1#3", Counter())
    'p1'
    >>> folding("parent").parent(lambda: {"parent": "p1"}, "c", Counter())
    'p1'
    """
    if text is None:
        return None
    if not text:
        raise UsageError(f"{FLAG} is empty; expected a metadata key or a regular expression")
    if "(" in text:
        return ByPattern(text)
    if re.search(r"[\^$*+?\[\\|]", text):
        raise UsageError(
            f"{FLAG} {text!r} looks like a regular expression without a group; put what is to be "
            "kept of the id into parentheses, as in '^(.*)#'"
        )
    return ByKey(text)


def lookup(metadata: Mapping[Any, Any], key: str) -> Any:
    """Return what a key has, or what a path such as `source.id` leads to; else None."""
    if key in metadata:
        return metadata[key]
    value: Any = metadata
    for part in key.split("."):
        if not isinstance(value, Mapping):
            return None
        value = value.get(part)
    return value
