"""Support of an answer's sentences by a function of the user's, such as an NLI model."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from reprlib import repr as brief
from typing import Protocol

from ragstone.answers.support import least_noted
from ragstone.answers.view import View
from ragstone.errors import shortened
from ragstone.model import Cell, Scalar, Status


class SupportFunction(Protocol):
    """Says how far a premise supports a hypothesis."""

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> Sequence[float]:
        """Return a number from 0 to 1 for each pair of premise and hypothesis."""


class NliSupport:
    """Asks a function about each sentence with each context; the context that says most counts."""

    def __init__(self, function: SupportFunction, name: str) -> None:
        """Keep the function, and the name that it is known by in a signature."""
        self._function, self.name = function, name
        version = getattr(function, "version", "")
        known = {"nli_version": str(version)} if version else {}
        self.signature: Mapping[str, Scalar] = {"nli": name, **known}

    def __call__(self, view: View) -> Cell:
        """Return the mean over sentences; the note has the spans of the least supported.

        Where the function raises, or gives something else than numbers from 0 to 1, the value is
        failed and the note says why; without texts, where notes may not quote.
        """
        texts = view.sample.texts or ()
        pairs = [(text, each.text) for each in view.sentences for text in texts]
        try:
            values = [float(each) for each in self._function(pairs)]
        except Exception as error:  # noqa: BLE001 - whatever the user's code raises
            said = f": {error}" if view.settings.quotes else ""
            return _failed("function_failed", f"{type(error).__name__}{said}")
        if len(values) != len(pairs) or not all(0 <= each <= 1 for each in values):
            return _failed("bad_values", f"{brief(values)} came back for {len(pairs)} pairs")
        width = len(texts)
        found = [max(values[at : at + width]) for at in range(0, len(values), width)]
        return Cell(math.fsum(found) / len(found), note=least_noted(view, found))


def _failed(reason: str, said: str) -> Cell:
    return Cell(0.0, Status.FAILED, reason=reason, note=shortened(said))
