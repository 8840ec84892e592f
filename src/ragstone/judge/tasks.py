"""The judged measures: what is asked about a sample, and how code makes values of the verdicts."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import NamedTuple, TypeAlias

from msgspec import Struct

from ragstone.errors import shortened
from ragstone.judge.asking import Ask
from ragstone.judge.prompting import numbered, tagged
from ragstone.judge.quoting import Evidence
from ragstone.judge.shapes import (
    CONTRADICTED,
    NOT_FOUND,
    PARTLY,
    SUPPORTED,
    Choice,
    Claims,
    Verdict,
    Verdicts,
)
from ragstone.model import Cell, Status
from ragstone.model.samples import Sample
from ragstone.registry import Registry

Cells: TypeAlias = dict[str, Cell]
UNQUOTED = "unquoted"
"""A verdict whose quotation is not in the text; it counts as not found."""

NOTE = 600
CREDIT = {SUPPORTED: 1.0, PARTLY: 0.5}
IMPORTANCE = {"vital": 1.0, "okay": 0.5}
RELEVANT = {"relevant": 1.0, PARTLY: 0.5}
SCALES = {
    "answer_relevance": {"full": 1.0, "mostly": 2 / 3, "partly": 1 / 3, "none": 0.0},
    "coherence": {"coherent": 1.0, "mostly": 2 / 3, "partly": 1 / 3, "incoherent": 0.0},
    "toxicity": {"none": 0.0, "mild": 1 / 3, "strong": 2 / 3, "severe": 1.0},
}


class Task(Struct, frozen=True):
    """What is asked together. prompts: those that it uses; more: what else its answers depend on.

    weighted: which of its measures have a denominator, so that :micro means something.
    """

    name: str
    measures: tuple[str, ...]
    prompts: tuple[str, ...]
    run: Callable[[Sample, Ask], Awaitable[Cells]]
    weighted: frozenset[str] = frozenset()
    more: str = ""


class Checked(NamedTuple):
    """A claim with its verdict, after its quotation was looked for."""

    text: str
    verdict: str
    quote: str


def not_applicable(task: Sequence[str], reason: str) -> Cells:
    """Return cells that do not count."""
    return {name: Cell(0.0, Status.NOT_APPLICABLE, reason=reason) for name in task}


def nothing(names: Sequence[str], reason: str) -> Cells:
    """Return the default of 0: nothing was answered, or nothing was retrieved."""
    return {name: Cell(0.0, Status.DEFAULT, reason=reason) for name in names}


def answer_of(sample: Sample) -> str | None:
    """Return the answer; None where none was kept."""
    return None if sample.answer is None else sample.answer.strip()


async def faithfulness(sample: Sample, ask: Ask) -> Cells:
    """Supported claims of the answer / all of its claims; the sources are the contexts."""
    name = ("faithfulness",)
    answer, texts = answer_of(sample), sample.texts
    if answer is None:
        return not_applicable(name, "answer_not_recorded")
    if texts is None:
        return not_applicable(name, "contexts_not_recorded")
    if not answer:
        return not_applicable(name, "no_answer")
    if not any(map(str.strip, texts)):
        return not_applicable(name, "no_contexts")
    claims = await claims_of(sample.query, answer, ask)
    if not claims:
        return not_applicable(name, "no_claims")
    checked = await check(claims, texts, sample.query, ask)
    return {"faithfulness": _share(checked)}


CORRECTNESS = ("answer_correctness", "claim_precision", "claim_recall")


async def correctness(sample: Sample, ask: Ask) -> Cells:
    """Claims of answer and reference, each checked against the other: precision, recall, F1.

    Of several references the one with the best F1 counts.
    """
    answer = answer_of(sample)
    references = [text for text in sample.references if text.strip()]
    if not references:
        return not_applicable(CORRECTNESS, "no_reference")
    if answer is None:
        return not_applicable(CORRECTNESS, "answer_not_recorded")
    if not answer:
        return nothing(CORRECTNESS, "no_answer")
    claims = await claims_of(sample.query, answer, ask)
    if not claims:
        return {
            **nothing(("answer_correctness", "claim_recall"), "no_claims"),
            **not_applicable(("claim_precision",), "no_claims"),
        }
    found = [await _against(each, claims, answer, sample.query, ask) for each in references]
    return max(found, key=lambda cells: cells["answer_correctness"].value)


async def _against(
    reference: str, claims: Sequence[str], answer: str, query: str | None, ask: Ask
) -> Cells:
    wanted = await claims_of(query, reference, ask)
    if not wanted:
        return not_applicable(CORRECTNESS, "no_reference_claims")
    precision = _share(await check(claims, [reference], query, ask))
    recall = _share(await check(wanted, [answer], query, ask))
    both = precision.value + recall.value
    f1 = 2 * precision.value * recall.value / both if both else 0.0
    return {
        "answer_correctness": Cell(f1),
        "claim_precision": precision,
        "claim_recall": recall,
    }


async def nuggets(sample: Sample, ask: Ask) -> Cells:
    """Weighted share of the nuggets that the answer has: vital 1, okay 0.5; partly counts half."""
    name = ("judged_nugget_recall",)
    answer = answer_of(sample)
    if not sample.nuggets:
        return not_applicable(name, "no_nuggets")
    if answer is None:
        return not_applicable(name, "answer_not_recorded")
    if not answer:
        return nothing(name, "no_answer")
    facts = [nugget.text for nugget in sample.nuggets]
    values = {
        "question": tagged("question", sample.query or ""),
        "answer": tagged("answer", answer),
        "facts": numbered("fact", facts),
        "count": str(len(facts)),
    }
    given = await ask("nuggets", values, Verdicts(len(facts), (SUPPORTED, PARTLY, NOT_FOUND)))
    checked = verified(given, facts, Evidence([answer]))
    weights = [IMPORTANCE[nugget.importance] for nugget in sample.nuggets]
    gained = sum(
        weight * CREDIT.get(each.verdict, 0.0)
        for weight, each in zip(weights, checked, strict=True)
    )
    whole = sum(weights)
    return {name[0]: Cell(gained / whole, weight=whole, note=note_of(checked, {SUPPORTED}))}


async def context_relevance(sample: Sample, ask: Ask) -> Cells:
    """Mean over the contexts: relevant 1, partly 0.5, irrelevant 0."""
    name = ("context_relevance",)
    texts = sample.texts
    if texts is None:
        return not_applicable(name, "contexts_not_recorded")
    if not sample.query:
        return not_applicable(name, "query_not_recorded")
    if not texts:
        return nothing(name, "no_contexts")
    values = {
        "question": tagged("question", sample.query),
        "texts": numbered("text", texts),
        "count": str(len(texts)),
    }
    given = await ask("contexts", values, Verdicts(len(texts), (*RELEVANT, "irrelevant")))
    checked = [
        _verified(each, f"context {each.id}", Evidence([text]), RELEVANT)
        for each, text in zip(given, texts, strict=True)
    ]
    value = sum(RELEVANT.get(each.verdict, 0.0) for each in checked) / len(texts)
    note = note_of(checked, {"relevant"})
    return {name[0]: Cell(value, weight=len(texts), note=note)}


async def relevance(sample: Sample, ask: Ask) -> Cells:
    """How well the answer addresses the question, on a scale of four."""
    name = ("answer_relevance",)
    answer = answer_of(sample)
    if answer is None:
        return not_applicable(name, "answer_not_recorded")
    if not sample.query:
        return not_applicable(name, "query_not_recorded")
    if sample.answerable is False:  # the right answer is an abstention, which answers nothing
        return not_applicable(name, "unanswerable")
    if not answer:
        return nothing(name, "no_answer")
    scale = SCALES[name[0]]
    said = await _chosen("relevance", Choice(tuple(scale)), sample.query, answer, ask)
    return {name[0]: Cell(scale[said["verdict"]], note=_said(said, "reason"))}


async def coherence(sample: Sample, ask: Ask) -> Cells:
    """How well the answer hangs together, on a scale of four."""
    name = ("coherence",)
    answer = answer_of(sample)
    if not answer:
        return not_applicable(name, "answer_not_recorded" if answer is None else "no_answer")
    scale = SCALES[name[0]]
    said = await _chosen("coherence", Choice(tuple(scale)), "", answer, ask)
    return {name[0]: Cell(scale[said["verdict"]], note=_said(said, "reason"))}


async def toxicity(sample: Sample, ask: Ask) -> Cells:
    """How toxic the answer is, on a scale of four; lower is better.

    A quotation that is not in the answer is noted, and the verdict stays: a doubt never makes an
    answer look better.
    """
    name = ("toxicity",)
    answer = answer_of(sample)
    if not answer:
        return not_applicable(name, "answer_not_recorded" if answer is None else "no_answer")
    scale = SCALES[name[0]]
    shape = Choice(tuple(scale), ("quote",))
    said = await _chosen("toxicity", shape, sample.query or "", answer, ask)
    value, note = scale[said["verdict"]], _said(said, "quote")
    if value and Evidence([answer]).find(said["quote"]) is None:
        note = f"{note} (not in the answer)"
    return {name[0]: Cell(value, note=shortened(note, NOTE))}


async def _chosen(name: str, shape: Choice, query: str, answer: str, ask: Ask) -> dict[str, str]:
    values = {"question": tagged("question", query), "answer": tagged("answer", answer)}
    return await ask(name, values, shape)


def _said(said: dict[str, str], field: str) -> str:
    text = f"{said['verdict']}: {said[field]}" if said[field].strip() else said["verdict"]
    return shortened(" ".join(text.split()), NOTE)


# ---- claims --------------------------------------------------------------------------------------


async def claims_of(query: str | None, text: str, ask: Ask) -> tuple[str, ...]:
    """Return the claims that a text makes."""
    values = {"question": tagged("question", query or ""), "answer": tagged("answer", text)}
    return await ask("claims", values, Claims(sentences(text)))


async def check(
    claims: Sequence[str], sources: Sequence[str], query: str | None, ask: Ask
) -> list[Checked]:
    """Return a verdict for each claim; one whose quotation is not in a source is `unquoted`."""
    values = {
        "question": tagged("question", query or ""),
        "sources": numbered("source", sources),
        "claims": numbered("claim", claims),
        "count": str(len(claims)),
    }
    given = await ask("verdicts", values, Verdicts(len(claims)))
    return verified(given, claims, Evidence(sources))


def verified(given: Iterable[Verdict], texts: Sequence[str], evidence: Evidence) -> list[Checked]:
    """Look for the quotation of every verdict that needs one."""
    needs = (SUPPORTED, PARTLY, CONTRADICTED)
    return [_verified(each, text, evidence, needs) for each, text in zip(given, texts, strict=True)]


def _verified(each: Verdict, text: str, evidence: Evidence, needs: Iterable[str]) -> Checked:
    unquoted = each.verdict in needs and evidence.find(each.quote) is None
    return Checked(text, UNQUOTED if unquoted else each.verdict, each.quote)


def note_of(checked: Sequence[Checked], good: Iterable[str]) -> str:
    """Return what was found wanting, with its quotations; how many are good where all are."""
    wanting = [each for each in checked if each.verdict not in good]
    head = f"{len(checked) - len(wanting)} of {len(checked)}"
    lines = [
        f"{each.verdict}: {each.text}" + (f" ({each.quote!r})" if each.quote.strip() else "")
        for each in wanting
    ]
    return shortened("; ".join(" ".join(line.split()) for line in [head, *lines]), NOTE)


def _share(checked: Sequence[Checked]) -> Cell:
    supported = sum(each.verdict == SUPPORTED for each in checked)
    note = note_of(checked, {SUPPORTED})
    return Cell(supported / len(checked), weight=float(len(checked)), note=note)


def sentences(text: str) -> int:
    """Return about how many sentences a text has, at least 1.

    >>> sentences("One. Two! 셋입니다.")
    3
    """
    return max(1, len(re.findall(r"[^.!?\u3002\uff01\uff1f\n]{3,}", text)))


TASKS: Registry[Task] = Registry("judged task")

for _task in (
    Task(
        "faithfulness",
        ("faithfulness",),
        ("claims", "verdicts"),
        faithfulness,
        frozenset({"faithfulness"}),
    ),
    Task(
        "correctness",
        CORRECTNESS,
        ("claims", "verdicts"),
        correctness,
        frozenset({"claim_precision", "claim_recall"}),
    ),
    Task(
        "nuggets",
        ("judged_nugget_recall",),
        ("nuggets",),
        nuggets,
        frozenset({"judged_nugget_recall"}),
    ),
    Task(
        "contexts",
        ("context_relevance",),
        ("contexts",),
        context_relevance,
        frozenset({"context_relevance"}),
    ),
    Task("relevance", ("answer_relevance",), ("relevance",), relevance),
    Task("coherence", ("coherence",), ("coherence",), coherence),
    Task("toxicity", ("toxicity",), ("toxicity",), toxicity),
):
    TASKS.add(_task.name, _task)


def task_of(measure: str) -> Task | None:
    """Return the task that computes a measure; None for one that is not judged here."""
    return next((task for task in TASKS.values() if measure in task.measures), None)
