"""Deterministic measures of an answer, and those of a local model: declarations alone.

`answers` computes the values from samples. What is quality is gated by the default budgets; what
is not has no better side (length), follows the copying of contexts or a model's taste, or is so
noisy that a percentage of it says little. docs/design/answers.md has the reasons.
"""

from __future__ import annotations

import math
from typing import Any

from ragstone.measures.declaration import Area, Direction, Empty
from ragstone.measures.measure import Measure, declare

ANSWER: dict[str, Any] = {"area": Area.ANSWERS, "empty": Empty.NEVER}
LOWER: dict[str, Any] = {**ANSWER, "direction": Direction.LOWER}
SHOWN_ONLY: dict[str, Any] = {**ANSWER, "quality": False}


def _declare(
    name: str, text: str, *aliases: str, usual: dict[str, Any] = ANSWER, **more: Any
) -> Measure:
    return declare(aliases, name=name, help=text, **{**usual, **more})


# ---- against the reference -----------------------------------------------------------------------

exact_match = _declare(
    "exact_match", "whether the answer is the reference, normalised", "em", binary=True
)
token_f1 = _declare(
    "token_f1", "harmonic mean of token_precision and token_recall", "answer_f1", "squad_f1"
)
token_precision = _declare(
    "token_precision", "tokens of the answer that stand in the reference", "answer_precision"
)
token_recall = _declare(
    "token_recall", "tokens of the reference that stand in the answer", "answer_recall"
)
rouge1 = _declare("rouge1", "F of the tokens that answer and reference share", "rouge-1")
rouge2 = _declare("rouge2", "F of the pairs of tokens that they share", "rouge-2")
rougeL = _declare(  # noqa: N816 - the name of the field
    "rougeL", "F of their longest common subsequence", "rouge-l"
)
chrF = _declare(  # noqa: N816 - the name of the field
    "chrF", "F2 of the characters that they share, by sacrebleu", range=(0.0, 100.0)
)
BLEU = _declare(
    "BLEU",
    "n-gram precision of the answer with a brevity penalty, by sacrebleu",
    usual=SHOWN_ONLY,
    range=(0.0, 100.0),
)
nugget_recall = _declare(
    "nugget_recall",
    "weighted share of the nuggets whose tokens stand in the answer",
    "nugget_containment",
)

# ---- against the contexts ------------------------------------------------------------------------

support = _declare(
    "support",
    "mean over the answer's sentences of the n-grams that stand in a context",
    "overlap_support",
)
support_min = _declare(
    "support_min", "the same of the sentence that has the least", usual=SHOWN_ONLY
)
citation_precision = _declare(
    "citation_precision", "citations whose context supports their sentence"
)
citation_recall = _declare(
    "citation_recall", "sentences of the answer that the contexts they cite support"
)
citation_validity = _declare(
    "citation_validity", "citations that name a context which was retrieved"
)
number_agreement = _declare(
    "number_agreement", "numbers of the answer that stand in a source", "numeric_agreement"
)
context_precision = _declare(
    "context_precision", "contexts that match a reference context, by text"
)
context_recall = _declare("context_recall", "reference contexts that a context matches, by text")

# ---- the answer itself ---------------------------------------------------------------------------

abstention = _declare(
    "abstention", "whether a question without an answer was not answered", binary=True
)
over_refusal = _declare(
    "over_refusal",
    "whether a question that has an answer was not answered",
    "false_refusal",
    usual=LOWER,
    binary=True,
)
language_agreement = _declare(
    "language_agreement", "whether the answer is in the script of the question", binary=True
)
answer_length = _declare(
    "answer_length",
    "tokens of the answer; no side is better",
    usual={**LOWER, "quality": False},
    unit="tokens",
    range=(0.0, math.inf),
    shown=("p95",),
)
length_ratio = _declare(
    "length_ratio",
    "tokens of the answer / tokens of the reference; no side is better",
    usual={**LOWER, "quality": False},
    range=(0.0, math.inf),
)
repetition = _declare(
    "repetition",
    "share of the answer's 4-grams that stood before",
    usual={**LOWER, "quality": False},
)
profanity = _declare(
    "profanity",
    "whether a word of the user's list stands in the answer",
    usual=LOWER,
    binary=True,
)

# ---- by a model on this machine, or an endpoint that the user named ------------------------------

answer_similarity = _declare(
    "answer_similarity",
    "cosine of answer and reference",
    "semantic_similarity",
    usual=SHOWN_ONLY,
    range=(-1.0, 1.0),
)
query_similarity = _declare(
    "query_similarity", "cosine of answer and question", usual=SHOWN_ONLY, range=(-1.0, 1.0)
)
nli_support = _declare(
    "nli_support", "mean over the answer's sentences of the user's support function"
)

DETERMINISTIC = (
    exact_match,
    token_f1,
    token_precision,
    token_recall,
    rouge1,
    rouge2,
    rougeL,
    chrF,
    BLEU,
    nugget_recall,
    support,
    support_min,
    citation_precision,
    citation_recall,
    citation_validity,
    number_agreement,
    context_precision,
    context_recall,
    abstention,
    over_refusal,
    language_agreement,
    answer_length,
    length_ratio,
    repetition,
    profanity,
)
"""All that need no model."""

MODELLED = (answer_similarity, query_similarity, nli_support)
"""All that need an encoder or a function of the user's."""
