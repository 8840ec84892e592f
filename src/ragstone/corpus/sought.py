"""What is looked for in a corpus: the texts in the fields of items."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from ragstone.corpus.leaks import FieldCounts, NotChecked, OfField
from ragstone.errors import InputError
from ragstone.formats.items import Items
from ragstone.text.normal import words
from ragstone.text.scripts import UNSPACED, letters_of

NO_WORDS = "no letter or digit"
TOO_SHORT = "fewer words than asked for"
FIRST = "\u0e00"  # of the letters of scripts without spaces between words, and of Korean
EXAMPLES = 10


class Target(NamedTuple):
    """A field of an item: what a document may hold."""

    item_id: str
    field: str


@dataclass(frozen=True, slots=True)
class Sought:
    """The texts of items, numbered in their order.

    targets: the fields that have texts. texts: all of them. owners: the number of the target that
    each text stands in. reasons: why a text is not looked for.
    """

    items: Items
    targets: list[Target] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)
    reasons: dict[int, str] = field(default_factory=dict)

    @classmethod
    def of(cls, items: Items) -> Sought:
        """Go through the fields of items."""
        found = cls(items)
        for item in items.items:
            for name in items.fields:
                if name in item.texts:
                    texts = item.texts[name]
                    found.owners.extend([len(found.targets)] * len(texts))
                    found.targets.append(Target(item.id, name))
                    found.texts.extend(texts)
        return found

    def skip_short(self, least: int) -> None:
        """Do not look for texts of fewer words."""
        for number, text in enumerate(self.texts):
            if (count := word_count(text)) < least:
                self.reasons[number] = TOO_SHORT if count else NO_WORDS

    @property
    def left(self) -> list[int]:
        """The texts that are looked for."""
        return [number for number in range(len(self.texts)) if number not in self.reasons]

    def target(self, text: int) -> Target:
        """Return the field that a text stands in."""
        return self.targets[self.owners[text]]

    def texts_of_items(self) -> dict[str, list[int]]:
        """Return the texts of each item that has any."""
        texts: dict[str, list[int]] = defaultdict(list)
        for text in range(len(self.texts)):
            texts[self.target(text).item_id].append(text)
        return texts

    def field_counts(self, leaks: Iterable[OfField]) -> list[FieldCounts]:
        """Count for each field its texts, looked for or not, and the items of which it leaks."""
        fields = Counter(self.target(text).field for text in range(len(self.texts)))
        skipped = Counter(self.target(text).field for text in self.reasons)
        leaking = Counter(name for _, name in {(leak.item_id, leak.field) for leak in leaks})
        return [
            FieldCounts(
                name=name,
                texts=fields[name] - skipped[name],
                not_checked=skipped[name],
                leaking=leaking[name],
            )
            for name in self.items.fields
        ]

    def not_checked(self) -> list[NotChecked]:
        """Return why texts were not looked for, and the first items of which."""
        by_reason: dict[str, list[str]] = defaultdict(list)
        for text, reason in self.reasons.items():
            by_reason[reason].append(self.target(text).item_id)
        return [
            NotChecked(reason=reason, texts=len(items), examples=sorted(set(items))[:EXAMPLES])
            for reason, items in sorted(by_reason.items())
        ]

    def nothing_left(self) -> InputError:
        """Return the error for items without any text to look for: that is no clean corpus."""
        reasons = Counter(self.reasons.values())
        listed = ", ".join(f"{count:,} with {reason}" for reason, count in sorted(reasons.items()))
        return InputError(
            f"no text of the items can be looked for: {listed or 'there is none in their fields'}"
        )


def word_count(text: str) -> int:
    """Count the words of a text; in scripts without spaces each letter counts as a word.

    >>> word_count("two words"), word_count("東京タワー 2")
    (2, 6)
    """
    found = words(text)
    if max(text, default="") < FIRST:
        return len(found)
    return sum(max(1, len(letters_of(UNSPACED).findall(word))) for word in found)
