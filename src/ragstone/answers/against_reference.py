"""An answer against its references: exact match, tokens, ROUGE, length. The best reference counts.

Which reference is best is decided by F1 (tokens) or F (ROUGE), the first of equal ones, and
precision, recall and F1 are all of that one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from ragstone.answers.view import View, best
from ragstone.model import Cell
from ragstone.text.lcs import Places, lcs_length
from ragstone.text.rouge import Prepared, Rouge, RougeN
from ragstone.text.tokenizers import parse_tokenizer

Compare = Callable[[Sequence[str], View], Rouge]
"""From the tokens of a reference, and a view of an answer, to what they share."""


def exact_match(view: View) -> Cell:
    """Tell whether the normalised answer equals a reference's."""
    form = view.settings.splitter.form
    answer = form(view.answer, view.lang)
    return Cell(float(any(answer == form(each, view.lang) for each in view.references)))


def token_f1(view: View) -> Cell:
    """Return F1 of tokens, each as often as both have it (SQuAD)."""
    return Cell(view.overlap.f)


def token_precision(view: View) -> Cell:
    """Return the share of the answer's tokens that the reference has."""
    return Cell(view.overlap.precision)


def token_recall(view: View) -> Cell:
    """Return the share of the reference's tokens that the answer has."""
    return Cell(view.overlap.recall)


def rouge(compare: Compare, view: View) -> Cell:
    """Return the F of the best reference."""
    return Cell(best(compare(each, view) for each in view.reference_plain).f)


def length_ratio(view: View) -> Cell:
    """Return the answer's tokens over the mean of the references'."""
    lengths = [len(each) for each in view.reference_plain]
    return Cell(len(view.plain) * len(lengths) / sum(lengths))


def by_n(n: int) -> Callable[[View], Cell]:
    """Return ROUGE-n of a view."""
    variant = RougeN(n, parse_tokenizer("words"))

    def compare(gold: Sequence[str], view: View) -> Rouge:
        answer = view.counted if n == 1 else Prepared([view.plain], n)
        return variant.compare(Prepared([gold], n), answer)

    return partial(rouge, compare)


def by_subsequence(view: View) -> Cell:
    """Return ROUGE-L of a view."""
    return rouge(_subsequence, view)


def _subsequence(gold: Sequence[str], view: View) -> Rouge:
    hits = lcs_length(Places.of(gold), view.plain)
    return Rouge.of(hits, len(gold), len(view.plain))
