"""A measure of one's own: a TOML file with a question, a scale with anchors, and fields."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import Struct
from msgspec import field as default

from ragstone.formats.toml import as_struct, read_as
from ragstone.judge.asking import Ask
from ragstone.judge.prompting import language_of, numbered, tagged
from ragstone.judge.reading import UnusableReplyError
from ragstone.judge.shapes import TEXT, choice, closed, number, yes_or_no
from ragstone.judge.tasks import NOTE, Cells, Task, answer_of, not_applicable
from ragstone.measures import Direction
from ragstone.measures.judged import rubric_measure
from ragstone.model import Cell
from ragstone.model.samples import Sample
from ragstone.store.plain import canonical

if TYPE_CHECKING:
    from ragstone.formats import Source

NAME = re.compile(r"[a-z][a-z0-9_]*")
MOST = 20
EXPECTED = {
    "name": "lower case letters, digits and _, as in polite",
    "question": "the text that the judge is asked",
    "fields": "a list of query, answer, contexts and reference",
    "scale": 'two or more [[scale]] tables with value, anchor and perhaps label, or "yes_no"',
    "better": "higher or lower",
    "continuous": "true or false",
    "language": "auto, en or ko",
    "version": "a whole number",
}
"""What the keys of a rubric hold."""


class Anchor(Struct, frozen=True, forbid_unknown_fields=True):
    """A value of a scale and what it stands for. label: the word that a judge gives for it."""

    value: float
    anchor: str
    label: str = ""


class Rubric(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A question to a judge, and how its verdict becomes a value.

    name: the measure is called rubric.NAME, or rubric_lower.NAME where lower is better. question:
    what the judge is asked, in any language. fields: of the sample, as they are shown. scale: the
    anchors, or "yes_no" (yes is 1). continuous: any number between the lowest and the highest
    anchor will do, not only those of anchors. language: of the frame around the question.
    """

    name: str
    question: str
    scale: list[Anchor] | Literal["yes_no"]
    fields: list[Literal["query", "answer", "contexts", "reference"]] = default(
        default_factory=lambda: ["query", "answer"]
    )
    better: Literal["higher", "lower"] = "higher"
    continuous: bool = False
    language: Literal["auto", "en", "ko"] = "auto"
    version: int = 1

    def __post_init__(self) -> None:
        """Refuse what cannot be judged by."""
        for problem in (_misnamed(self), _unasked(self), _unscaled(self)):
            if problem:
                raise ValueError(problem)

    @property
    def measure(self) -> str:
        """The canonical name of its measure."""
        lower = self.better == Direction.LOWER.value
        return rubric_measure(self.name, Direction.LOWER if lower else Direction.HIGHER)

    def task(self) -> Task:
        """Return what is asked of a sample."""

        async def run(sample: Sample, ask: Ask) -> Cells:
            return await judged(self, sample, ask)

        more = canonical(msgspec.to_builtins(self)).decode()
        return Task(self.measure, (self.measure,), ("rubric",), run, more=more)


def _misnamed(rubric: Rubric) -> str:
    """Say what is wrong with its name; nothing where nothing is."""
    if NAME.fullmatch(rubric.name):
        return ""
    return f"name is {rubric.name!r}; {EXPECTED['name']}, was expected"


def _unasked(rubric: Rubric) -> str:
    """Say what is wrong with its question and fields."""
    if not rubric.question.strip():
        return f"question may not be empty; {EXPECTED['question']} was expected"
    if not rubric.fields:
        return f"fields may not be empty; {EXPECTED['fields']} was expected"
    if len(set(rubric.fields)) < len(rubric.fields):
        return f"fields names one twice: {', '.join(rubric.fields)}; each once was expected"
    return ""


def _unscaled(rubric: Rubric) -> str:
    """Say what is wrong with its scale."""
    scale = rubric.scale
    if isinstance(scale, str):
        return "continuous goes with anchors; yes_no has no numbers between" * rubric.continuous
    values = [anchor.value for anchor in scale]
    if not 2 <= len(values) <= MOST:
        return f"scale has {len(values)} anchors; 2 to {MOST} were expected"
    if not all(map(math.isfinite, values)) or len(set(values)) < len(values):
        named = ", ".join(f"{value:g}" for value in values)
        return f"scale has the values {named}; finite numbers, each once, were expected"
    if not all(anchor.anchor.strip() for anchor in scale):
        return "an anchor of scale is empty; what its value stands for was expected"
    return _mislabelled(scale, continuous=rubric.continuous)


def _mislabelled(scale: list[Anchor], *, continuous: bool) -> str:
    """Say what is wrong with its labels, which are read without case, blanks and hyphens."""
    labels = [anchor.label for anchor in scale if anchor.label]
    if labels and continuous:
        return "a continuous scale has numbers and no labels; leave them, or continuous, out"
    different = {_folded(label) for label in labels} - {""}
    if labels and len(different) < len(scale):
        given = ", ".join(repr(anchor.label) for anchor in scale)
        return f"scale has the labels {given}; none, or a word of its own for each, was expected"
    return ""


class Graded(Struct, frozen=True):
    """`{"reason": "...", "verdict": ...}` by a rubric; reads a value and the reason."""

    rubric: Rubric
    name: str = "rubric"

    def schema(self) -> dict[str, Any]:
        """Return its JSON schema."""
        return closed({"reason": TEXT, "verdict": self._verdict()})

    def _verdict(self) -> dict[str, Any]:
        scale = self.rubric.scale
        if isinstance(scale, str):
            return {"type": "boolean"}
        if scale[0].label:
            return {"type": "string", "enum": [anchor.label for anchor in scale]}
        if self.rubric.continuous:
            return {"type": "number"}
        return {"type": "number", "enum": [_plain(anchor.value) for anchor in scale]}

    def read(self, reply: Mapping[str, Any]) -> tuple[float, str]:
        """Return the value and the reason; raises UnusableReplyError."""
        reason = reply.get("reason")
        return self._value(reply), reason if isinstance(reason, str) else ""

    def _value(self, reply: Mapping[str, Any]) -> float:
        scale = self.rubric.scale
        if isinstance(scale, str):
            return float(yes_or_no(reply, "verdict"))
        if scale[0].label:
            by_label = {_folded(anchor.label): anchor.value for anchor in scale}
            return by_label[choice(reply, "verdict", tuple(by_label))]
        values = [anchor.value for anchor in scale]
        found = number(reply, "verdict", min(values), max(values))
        if not self.rubric.continuous and found not in values:
            known = ", ".join(f"{value:g}" for value in values)
            raise UnusableReplyError("wrong_verdict", f"{found:g} is none of {known}")
        return found

    def expected(self, to: str) -> dict[str, Any]:  # noqa: ARG002
        """Return a reason of twenty words."""
        scale = self.rubric.scale
        verdict = True if isinstance(scale, str) else scale[0].label or _plain(scale[0].value)
        return {"reason": "a word " * 20, "verdict": verdict}


async def judged(rubric: Rubric, sample: Sample, ask: Ask) -> Cells:
    """Return the value of a sample; not applicable where a field of the rubric is missing."""
    shown = []
    for name in rubric.fields:
        text = _field(sample, name)
        if not text:
            return not_applicable((rubric.measure,), f"no_{name}")
        shown.append(text)
    language = language_of(sample, rubric.language)
    values = {
        "criterion": rubric.question.strip(),
        "scale": _scale(rubric, language),
        "example": _example(rubric),
        "fields": "\n\n".join(shown),
    }
    value, reason = await ask(f"rubric.{language}", values, Graded(rubric))
    return {rubric.measure: Cell(value, note=" ".join(reason.split())[:NOTE])}


def _field(sample: Sample, name: str) -> str:
    """Return a field of a sample between tags; empty where there is none."""
    if name == "contexts":
        return numbered("context", sample.texts or ())
    if name == "reference":
        return "\n".join(tagged("reference", text) for text in sample.references if text.strip())
    text = (answer_of(sample) if name == "answer" else sample.query) or ""
    return tagged("question" if name == "query" else name, text) if text.strip() else ""


WORDS = {
    "en": (
        "The verdict is one of:",
        "The verdict is a number between:",
        "true (yes) or false (no)",
    ),
    "ko": (
        "판정은 다음 중 하나입니다.",
        "판정은 다음 사이의 수입니다.",
        "true(예) 또는 false(아니요)",
    ),
}


def _scale(rubric: Rubric, language: str) -> str:
    one_of, between, yes_no = WORDS[language]
    if isinstance(rubric.scale, str):
        return f"{one_of} {yes_no}"
    lines = [
        f"- {anchor.label or _plain(anchor.value)}: {anchor.anchor}" for anchor in rubric.scale
    ]
    return "\n".join([between if rubric.continuous else one_of, *lines])


def _example(rubric: Rubric) -> str:
    scale = rubric.scale
    verdict: object = True
    if not isinstance(scale, str):
        verdict = scale[-1].label or _plain(scale[-1].value)
    return msgspec.json.encode({"reason": "...", "verdict": verdict}).decode()


def _plain(value: float) -> int | float:
    return int(value) if value == int(value) else value


def _folded(label: str) -> str:
    return re.sub(r"[\s-]+", "_", label.strip().lower())


def read_rubric(path: str | Path | Source) -> Rubric:
    """Read a rubric from a TOML file; raises FormatError with what was expected."""
    return read_as(path, rubric_of)


def rubric_of(table: Mapping[str, Any]) -> Rubric:
    """Read a rubric from a table; raises UsageError.

    >>> table = {"name": "polite", "question": "Is it polite?", "scale": "yes_no"}
    >>> rubric_of(table).measure
    'rubric.polite'
    >>> rubric_of({**table, "fields": ["documents"]})
    Traceback (most recent call last):
    ragstone.errors.UsageError: Invalid enum value 'documents' at `fields[0]`; a list of query, \
answer, contexts and reference was expected
    """
    return as_struct(table, Rubric, _expected)


_KEY = re.compile(r"`(\w+)")


def _expected(problem: str) -> str:
    """Say behind a problem what was expected in its place."""
    if "unknown field" in problem:
        known = ("value", "anchor", "label") if "at `scale" in problem else EXPECTED
        return f"{problem}; known: {', '.join(known)}"
    *_, key = _KEY.findall(problem) or [""]
    return f"{problem}; {EXPECTED[key]} was expected" if key in EXPECTED else problem
