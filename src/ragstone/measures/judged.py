"""Judged measures: declarations alone; `judge` asks for the verdicts and computes the values."""

from __future__ import annotations

import math
import re
from functools import cache
from typing import Any

from ragstone.measures.declaration import Area, Declaration, Direction, Empty
from ragstone.measures.measure import MEASURES, declare

LEAST_LABELLED, FEW_LABELLED = 10, 30
"""Labelled items below which a judge's kappa says nothing, and below which it says little."""

ANSWERS: dict[str, Any] = {"area": Area.ANSWERS, "empty": Empty.NEVER}

faithfulness = declare(
    name="faithfulness",
    help="supported claims of the answer / all its claims; sources are the contexts",
    aliases=["groundedness"],
    **ANSWERS,
)
answer_relevance = declare(
    name="answer_relevance",
    help="how well the answer addresses the question, on a scale of four",
    aliases=["answer_relevancy", "response_relevancy"],
    **ANSWERS,
)
coherence = declare(
    name="coherence", help="how well the answer hangs together, on a scale of four", **ANSWERS
)
toxicity = declare(
    name="toxicity",
    help="how toxic the answer is, on a scale of four",
    direction=Direction.LOWER,
    **ANSWERS,
)
answer_correctness = declare(
    name="answer_correctness",
    help="F1 of claim_precision and claim_recall",
    aliases=["claim_f1", "factual_correctness"],
    **ANSWERS,
)
claim_precision = declare(
    name="claim_precision", help="claims of the answer that the reference supports", **ANSWERS
)
claim_recall = declare(
    name="claim_recall", help="claims of the reference that the answer supports", **ANSWERS
)
judged_nugget_recall = declare(
    name="judged_nugget_recall",
    help="weighted share of the nuggets that the answer holds, by a judge",
    **ANSWERS,
)
context_relevance = declare(
    name="context_relevance",
    help="how far the contexts help to answer the question, on average",
    aliases=["context_relevancy"],
    **ANSWERS,
)

JUDGED = (
    faithfulness,
    answer_relevance,
    coherence,
    toxicity,
    answer_correctness,
    claim_precision,
    claim_recall,
    judged_nugget_recall,
    context_relevance,
)
"""All that need a judge, but for rubrics."""

RUBRICS = {Direction.HIGHER: "rubric.", Direction.LOWER: "rubric_lower."}
_RUBRIC = re.compile(r"(rubric|rubric_lower)\.[a-z][a-z0-9_]*")


def rubric_measure(name: str, direction: Direction) -> str:
    """Return the canonical name of a rubric's measure, which says which way is better.

    >>> rubric_measure("polite", Direction.HIGHER)
    'rubric.polite'
    """
    return f"{RUBRICS[direction]}{name}"


def is_rubric(name: str) -> bool:
    """Tell whether a measure is that of a rubric, by its name."""
    return _RUBRIC.fullmatch(name) is not None


@cache
def rubric_declaration(name: str) -> Declaration | None:
    """Return what a name says of a rubric's measure; None for another name."""
    if not is_rubric(name):
        return None
    lower = name.startswith(RUBRICS[Direction.LOWER])
    return Declaration(
        name=name,
        help="a rubric of the user",
        direction=Direction.LOWER if lower else Direction.HIGHER,
        range=(-math.inf, math.inf),
        **ANSWERS,
    )


MEASURES.families.append(rubric_declaration)
