"""Contexts against reference contexts, by text, and nuggets against the answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping

from ragstone.answers.view import View, nothing
from ragstone.errors import shortened
from ragstone.formats.gold import Passage
from ragstone.matching import Method, is_blank, match_query
from ragstone.model import Cell, Scalar

HELD = 0.8
"""The share of a nugget's tokens that an answer which holds it must have."""

RENEWED = 100
"""Items after which a new method takes over."""

WEIGHTS = {"vital": 1.0, "okay": 0.5}
LISTED = 3
NO_REFERENCE_CONTEXTS = "no_reference_contexts"


class ContextMatch:
    """Matches contexts with reference contexts as `ragstone match` does: each counts once."""

    def __init__(
        self,
        make: Callable[[], Method],
        threshold: float | None = None,
    ) -> None:
        """Take what makes the method, and a threshold, by default the method's own.

        A method keeps the texts that it has prepared, and no text of an item comes again in
        another one, so a new method is made now and then.
        """
        self._make, self.method, self._items = make, make(), 0
        self.threshold = self.method.threshold if threshold is None else threshold
        self._last: tuple[View | None, tuple[int, int, int]] = (None, (0, 0, 0))

    @property
    def signature(self) -> Mapping[str, Scalar]:
        """The method, and its threshold."""
        limit = {} if self.threshold is None else {"threshold": self.threshold}
        return {**self.method.signature, **limit}

    def precision(self, view: View) -> Cell:
        """Return the contexts that match a reference context / all contexts."""
        pairs, golds, retrieved = self._found(view)
        return Cell(pairs / retrieved) if golds else nothing(NO_REFERENCE_CONTEXTS)

    def recall(self, view: View) -> Cell:
        """Return the reference contexts that are found / all of them."""
        pairs, golds, _ = self._found(view)
        return Cell(pairs / golds) if golds else nothing(NO_REFERENCE_CONTEXTS)

    def _found(self, view: View) -> tuple[int, int, int]:
        """Count the golds that are found, the golds, and the contexts; once for both measures."""
        if self._last[0] is not view:
            golds = [Passage(text) for text in view.sample.reference_texts or ()]
            texts = [Passage(text) for text in view.sample.texts or ()]
            self._items += 1
            if self._items % RENEWED == 0:
                self.method = self._make()
            matrix = match_query(golds, texts, self.method)
            found = matrix.assign(self.threshold)
            self._last = view, (found.found, found.golds, found.retrieved)
        return self._last[1]


def nugget_recall(view: View) -> Cell:
    """Return the weight of the nuggets that the answer holds / that of all; okay ones weigh half.

    A nugget is held where at least 80% of its tokens stand in the answer, each as often.
    """
    nuggets = [each for each in view.sample.nuggets or () if not is_blank(each.text)]
    if not nuggets:
        return nothing("no_nuggets")
    split = view.settings.splitter.plain
    there = view.counted.counts
    lost = [each for each in nuggets if not _held(split(each.text, view.lang), there)]
    whole = sum(WEIGHTS[each.importance] for each in nuggets)
    missing = sum(WEIGHTS[each.importance] for each in lost)
    quoted = "; ".join(repr(shortened(each.text, 80)) for each in lost[:LISTED])
    note = f"not held: {quoted}" if lost and view.settings.quotes else ""
    return Cell((whole - missing) / whole, weight=whole, note=note)


def _held(tokens: list[str], there: Mapping[Hashable, int]) -> bool:
    wanted = Counter(tokens)
    held = sum(min(count, there.get(token, 0)) for token, count in wanted.items())
    return held >= HELD * len(tokens) > 0
