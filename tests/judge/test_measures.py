"""The judged measures: what code makes of verdicts, and when there is no value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judging import sample
from ragstone.errors import UnknownNameError, UsageError
from ragstone.judge import CallableJudge, judge_samples
from ragstone.judge.tasks import SCALES, TASKS, Checked, note_of
from ragstone.measures import JUDGED
from ragstone.model import Cell, Status
from ragstone.model.samples import Context, Nugget, Sample

TEXT = "The bridge is red. It was built in 1933. It is 2737 m long."
QUOTES = {"red": "bridge is red", "1933": "built in 1933", "long": "2737 m long"}


class Model:
    """A judge that gives set claims and verdicts, and keeps what it was asked."""

    def __init__(
        self,
        claims: Mapping[str, list[str]] | None = None,
        verdicts: Mapping[str, tuple[str, str]] | None = None,
        choice: Mapping[str, str] | None = None,
    ) -> None:
        """claims: of a text; verdicts: of a claim, with quotation; choice: fields of a reply."""
        self.claims, self.verdicts, self.choice = claims or {}, verdicts or {}, choice or {}
        self.asked: list[str] = []

    def __call__(self, messages: list[dict[str, str]], schema: Any) -> Any:
        text = messages[-1]["content"]
        self.asked.append(text)
        if "claims" in schema["properties"]:
            [answer] = re.findall(r"<answer>\n(.*?)\n</answer>", text, re.DOTALL)
            return {"claims": self.claims[answer]}
        if "verdicts" not in schema["properties"]:
            return dict(self.choice)
        asked = re.findall(r'<(?:claim|fact|text) id="(\d+)">\n(.*?)\n</', text, re.DOTALL)
        found = [(int(number), *self.verdicts[each]) for number, each in asked]
        return {"verdicts": [{"id": n, "verdict": v, "quote": q} for n, v, q in found]}


def judged(model: Model, one: Sample, *measures: str) -> dict[str, Cell]:
    found = judge_samples([one], measures, CallableJudge(model))
    assert found.failures == ()
    return {name: cells[0] for name, cells in found.cells.items()}


def value(model: Model, one: Sample, measure: str) -> Cell:
    return judged(model, one, measure)[measure]


BRIDGE = Sample(
    "q1",
    query="Tell me of the bridge.",
    answer="It is red, from 1933, and long.",
    contexts=(Context("Nothing here."), Context(TEXT)),
    reference="Red, and built in 1933.",
)
CLAIMS = {"It is red, from 1933, and long.": ["red", "1933", "long"]}


# ---- faithfulness ------------------------------------------------------------------------------


def test_faithfulness_is_the_share_of_supported_claims() -> None:
    verdicts = {
        "red": ("supported", QUOTES["red"]),
        "1933": ("contradicted", QUOTES["1933"]),
        "long": ("not_found", ""),
    }
    cell = value(Model(CLAIMS, verdicts), BRIDGE, "faithfulness")
    assert (cell.value, cell.weight, cell.status) == (1 / 3, 3.0, Status.SCORED)
    assert cell.note == "1 of 3; contradicted: 1933 ('built in 1933'); not_found: long"


@pytest.mark.parametrize("quote", ["", "bridge is green", "?", "bridge is red 1933"])
def test_a_claim_whose_quotation_is_not_in_a_context_is_not_supported(quote: str) -> None:
    verdicts = {
        "red": ("supported", quote),
        "1933": ("supported", QUOTES["1933"]),
        "long": ("supported", "2737 M long."),
    }
    cell = value(Model(CLAIMS, verdicts), BRIDGE, "faithfulness")
    assert cell.value == 2 / 3
    assert "unquoted: red" in cell.note


@given(
    st.lists(st.sampled_from(["supported", "contradicted", "not_found"]), min_size=1, max_size=9)
)
def test_faithfulness_against_counting(verdicts: list[str]) -> None:
    claims = [f"claim {number}" for number in range(len(verdicts))]
    quotes = {claim: (each, "is red") for claim, each in zip(claims, verdicts, strict=True)}
    one = Sample("q", query="?", answer="a", contexts=(Context(TEXT),))
    cell = value(Model({"a": claims}, quotes), one, "faithfulness")
    assert cell.value == verdicts.count("supported") / len(verdicts)
    assert cell.weight == len(verdicts)


# ---- answer correctness ------------------------------------------------------------------------


def correct(precision: list[str], recall: list[str]) -> dict[str, Cell]:
    mine = [f"mine {number}" for number in range(len(precision))]
    theirs = [f"theirs {number}" for number in range(len(recall))]
    verdicts = {
        **{claim: (each, "the reference") for claim, each in zip(mine, precision, strict=True)},
        **{claim: (each, "the answer") for claim, each in zip(theirs, recall, strict=True)},
    }
    model = Model({"the answer": mine, "the reference": theirs}, verdicts)
    one = Sample("q", query="?", answer="the answer", reference="the reference")
    return judged(model, one, "claim_precision", "claim_recall", "answer_correctness")


@settings(max_examples=25)
@given(
    st.lists(st.sampled_from(["supported", "not_found"]), min_size=1, max_size=5),
    st.lists(st.sampled_from(["supported", "contradicted"]), min_size=1, max_size=5),
)
def test_correctness_is_precision_recall_and_their_harmonic_mean(
    precision: list[str], recall: list[str]
) -> None:
    found = correct(precision, recall)
    p, r = (each.count("supported") / len(each) for each in (precision, recall))
    assert found["claim_precision"].value == p
    assert found["claim_recall"].value == r
    assert found["claim_recall"].weight == len(recall)
    expected = 0.0 if p + r == 0 else 2 / (1 / p + 1 / r) if p and r else 0.0
    assert found["answer_correctness"].value == pytest.approx(expected)


def test_of_several_references_the_best_counts() -> None:
    claims = {"a": ["x"], "first": ["f"], "second": ["s"]}

    class Picky(Model):
        def __call__(self, messages: list[dict[str, str]], schema: Any) -> Any:
            about_second = "second" in messages[-1]["content"]
            self.verdicts = {
                "x": ("supported", "second") if about_second else ("not_found", ""),
                "f": ("not_found", ""),
                "s": ("supported", "a"),
            }
            return super().__call__(messages, schema)

    one = Sample("q", query="?", answer="a", reference=("first", "second"))
    assert value(Picky(claims), one, "answer_correctness").value == 1.0


def test_an_answer_without_claims_recalls_nothing() -> None:
    model = Model({"I do not know.": []})
    one = Sample("q", query="?", answer="I do not know.", reference="Red.")
    found = judged(model, one, "claim_precision", "claim_recall", "answer_correctness")
    assert found["claim_precision"].status is Status.NOT_APPLICABLE
    assert found["claim_recall"] == (0.0, Status.DEFAULT, 0.0, "no_claims", "")
    assert found["answer_correctness"] == (0.0, Status.DEFAULT, 0.0, "no_claims", "")
    assert len(model.asked) == 1


# ---- nuggets and contexts ----------------------------------------------------------------------


def test_nuggets_count_by_their_importance_and_partly_counts_half() -> None:
    nuggets = (Nugget("n1"), Nugget("n2"), Nugget("n3", "okay"), Nugget("n4", "okay"))
    verdicts = {
        "n1": ("supported", "the answer"),
        "n2": ("partly", "answer"),
        "n3": ("supported", "not there"),
        "n4": ("partly", "the"),
    }
    one = Sample("q", query="?", answer="the answer", nuggets=nuggets)
    cell = value(Model(verdicts=verdicts), one, "judged_nugget_recall")
    assert cell.value == pytest.approx((1 + 0.5 + 0 + 0.25) / (1 + 1 + 0.5 + 0.5))
    assert cell.weight == 3.0
    assert "unquoted: n3" in cell.note


def test_contexts_have_to_be_quoted_from_themselves() -> None:
    texts = ["Red bridge.", "Old bridge.", "Long bridge.", "Weather."]
    verdicts = {
        "Red bridge.": ("relevant", "red bridge"),
        "Old bridge.": ("relevant", "red bridge"),  # that stands in another one
        "Long bridge.": ("partly", "long"),
        "Weather.": ("irrelevant", ""),
    }
    one = Sample("q", query="?", contexts=tuple(map(Context, texts)))
    cell = value(Model(verdicts=verdicts), one, "context_relevance")
    assert (cell.value, cell.weight) == ((1 + 0 + 0.5 + 0) / 4, 4)
    assert "unquoted: context 2" in cell.note


# ---- scales ------------------------------------------------------------------------------------

CASES = [(name, label, points) for name, scale in SCALES.items() for label, points in scale.items()]


@pytest.mark.parametrize(("name", "label", "points"), CASES)
def test_a_word_of_a_scale_becomes_its_points(name: str, label: str, points: float) -> None:
    model = Model(choice={"reason": "so", "quote": "bridge is red", "verdict": label})
    one = Sample("q", query="?", answer="The bridge is red.")
    cell = value(model, one, name)
    assert (cell.value, cell.status) == (points, Status.SCORED)
    assert cell.note.startswith(label)


@pytest.mark.parametrize("scale", SCALES.values())
def test_scales_have_four_even_steps(scale: dict[str, float]) -> None:
    assert sorted(scale.values()) == pytest.approx([0, 1 / 3, 2 / 3, 1])


def test_toxicity_stays_where_the_quotation_is_made_up() -> None:
    model = Model(choice={"quote": "you fool", "verdict": "strong"})
    cell = value(model, Sample("q", answer="Fine."), "toxicity")
    assert (cell.value, cell.note) == (2 / 3, "strong: you fool (not in the answer)")


# ---- no value ----------------------------------------------------------------------------------

NA, DEFAULT = Status.NOT_APPLICABLE, Status.DEFAULT
FULL: dict[str, Any] = {
    "query": "?",
    "answer": "a",
    "contexts": (Context("a"),),
    "reference": "r",
    "nuggets": (Nugget("n"),),
}
EMPTY = [
    ("faithfulness", {"answer": None}, NA, "answer_not_recorded"),
    ("faithfulness", {"answer": " "}, NA, "no_answer"),
    ("faithfulness", {"error": "down"}, Status.FAILED, "system_failed"),
    ("faithfulness", {"contexts": None}, NA, "contexts_not_recorded"),
    ("faithfulness", {"contexts": (Context(id="d1"),)}, NA, "contexts_not_recorded"),
    ("faithfulness", {"contexts": ()}, NA, "no_contexts"),
    ("faithfulness", {"contexts": (Context(" "),)}, NA, "no_contexts"),
    ("answer_correctness", {"reference": None}, NA, "no_reference"),
    ("answer_correctness", {"reference": ("", " ")}, NA, "no_reference"),
    ("answer_correctness", {"answer": None}, NA, "answer_not_recorded"),
    ("answer_correctness", {"answer": ""}, DEFAULT, "no_answer"),
    ("claim_recall", {"answer": None, "error": "down"}, Status.FAILED, "system_failed"),
    ("judged_nugget_recall", {"nuggets": None}, NA, "no_nuggets"),
    ("judged_nugget_recall", {"nuggets": ()}, NA, "no_nuggets"),
    ("judged_nugget_recall", {"answer": None}, NA, "answer_not_recorded"),
    ("judged_nugget_recall", {"answer": ""}, DEFAULT, "no_answer"),
    ("context_relevance", {"contexts": None}, NA, "contexts_not_recorded"),
    ("context_relevance", {"contexts": ()}, DEFAULT, "no_contexts"),
    ("context_relevance", {"query": None}, NA, "query_not_recorded"),
    ("answer_relevance", {"query": None}, NA, "query_not_recorded"),
    ("answer_relevance", {"answer": None}, NA, "answer_not_recorded"),
    ("answer_relevance", {"answer": ""}, DEFAULT, "no_answer"),
    ("answer_relevance", {"answerable": False}, NA, "unanswerable"),
    ("coherence", {"answer": None}, NA, "answer_not_recorded"),
    ("coherence", {"answer": ""}, NA, "no_answer"),
    ("toxicity", {"answer": None}, NA, "answer_not_recorded"),
    ("toxicity", {"answer": ""}, NA, "no_answer"),
]


@pytest.mark.parametrize(("measure", "fields", "status", "reason"), EMPTY)
def test_what_cannot_be_judged_is_not_asked(
    measure: str, fields: dict[str, Any], status: Status, reason: str
) -> None:
    model = Model()
    cell = value(model, Sample("q", **{**FULL, **fields}), measure)
    assert cell == (0.0, status, 0.0, reason, "")
    assert model.asked == []


def test_no_claims_are_no_value_of_faithfulness() -> None:
    cell = value(Model({"a": []}), Sample("q", **FULL), "faithfulness")
    assert cell == (0.0, NA, 0.0, "no_claims", "")


def test_a_reference_without_claims_is_none() -> None:
    cell = value(Model({"a": ["x"], "r": []}), Sample("q", **FULL), "answer_correctness")
    assert (cell.status, cell.reason) == (NA, "no_reference_claims")


def test_repeats_of_which_one_has_no_claims_have_the_mean_of_the_others() -> None:
    def judge(messages: list[dict[str, str]], schema: Any, repeat: int) -> Any:
        claims = {"a": [] if repeat == 1 else ["x"]}
        return Model(claims, {"x": ("supported", "a")})(messages, schema)

    one = Sample("q", **FULL)
    found = judge_samples([one], ["faithfulness"], CallableJudge(judge), repeat=3)
    [cell] = found.cells["faithfulness"]
    assert (cell.value, cell.status) == (1.0, Status.SCORED)
    assert cell.note == "2 of 3 had a value | 1 of 1"


def test_a_measure_that_needs_no_judge_is_refused() -> None:
    judge = CallableJudge(Model())
    with pytest.raises(UsageError, match="AP is not measured by a judge; a judge measures faith"):
        judge_samples([sample("q1")], ["map"], judge)
    with pytest.raises(UnknownNameError, match="did you mean faithfulness"):
        judge_samples([sample("q1")], ["faithfullness"], judge)
    with pytest.raises(UsageError, match="give the rubric itself"):
        judge_samples([sample("q1")], ["rubric.polite"], judge)


def test_every_judged_measure_has_one_task() -> None:
    computed = [name for task in TASKS.values() for name in task.measures]
    assert sorted(computed) == sorted(map(str, JUDGED))


def test_a_note_is_no_longer_than_a_line_of_a_report() -> None:
    checked = [Checked("claim " * 50, "not_found", "")] * 20
    assert len(note_of(checked, {"supported"})) <= 600
