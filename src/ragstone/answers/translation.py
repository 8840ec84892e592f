"""chrF and BLEU, by sacrebleu (extra `mt`). The only module that imports it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import version
from typing import Any

from ragstone.answers.characters import shared_runs
from ragstone.answers.view import View
from ragstone.errors import MissingExtraError
from ragstone.model import Cell, Scalar

TOKENIZERS = {"zh": "zh", "ja": "char", "ko": "char", "th": "char"}
"""Which of sacrebleu's tokenizers a language needs; `13a` splits at white space."""


class ChrF:
    """Sentence chrF2, from 0 to 100; of several references the best (Popovic 2015)."""

    def __init__(self) -> None:
        """Raise MissingExtraError where sacrebleu is not installed."""
        self._metric = _metrics().CHRF()
        self._formula = getattr(self._metric, "_compute_f_score", None)  # of its 2.0 to 2.6
        self.signature: Mapping[str, Scalar] = _version()

    def __call__(self, view: View) -> Cell:
        """Compare the answer with its references as they are written."""
        return Cell(_bounded(self.score(view.answer, view.references)))

    def score(self, answer: str, references: Sequence[str]) -> float:
        """Return sacrebleu's formula over runs of characters that are counted here, and quicker."""
        found = [shared_runs(answer, each) for each in references]
        if self._formula is None or None in found:
            return float(self._metric.sentence_score(answer, list(references)).score)
        return float(max(map(self._formula, found)))


class Bleu:
    """Sentence BLEU with effective order, from 0 to 100, over all references (Papineni 2002)."""

    def __init__(self) -> None:
        """Raise MissingExtraError where sacrebleu is not installed."""
        self._made = cache(_bleu)
        self.signature: Mapping[str, Scalar] = _version()

    def __call__(self, view: View) -> Cell:
        """Compare the answer with its references as they are written."""
        metric = self._made(TOKENIZERS.get(view.lang, "13a"))
        return Cell(_bounded(metric.sentence_score(view.answer, list(view.references)).score))


def _bleu(tokenizer: str) -> Any:
    return _metrics().BLEU(effective_order=True, tokenize=tokenizer)


def _bounded(score: float) -> float:
    """Take off what rounding adds to 100."""
    return min(100.0, score)


def _version() -> dict[str, Scalar]:
    return {"sacrebleu": version("sacrebleu")}


def _metrics() -> Any:
    try:
        import sacrebleu.metrics
    except ImportError:
        raise MissingExtraError("chrF and BLEU of answers", "mt") from None
    return sacrebleu.metrics
