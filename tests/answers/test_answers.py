"""Measures of an answer with its contexts, by itself, and when there is no value."""

from __future__ import annotations

from typing import Any

import pytest

from ragstone.answers import (
    Abstentions,
    NliSupport,
    Options,
    WordList,
    evaluate,
    read_abstentions,
    read_word_list,
)
from ragstone.answers.sentences import sentences
from ragstone.errors import FormatError, InputError, UsageError
from ragstone.measures import DETERMINISTIC
from ragstone.model import Cell, Qrels, Status
from ragstone.model.samples import Citation, Context, Nugget, Sample

BRIDGE = (
    Context("The bridge opened in May 1937. It is red.", "d1"),
    Context("The bridge is 2.7 km long, and 1,000 cars cross it.", "d2"),
)


def cell(name: str, sample: Sample, **told: Any) -> Cell:
    column = evaluate([sample], [name], options=Options(**told)).scores[name]
    status = Status(column.status[0])
    return Cell(column.values[0], status, 0.0, column.reasons.get(0, ""), column.notes.get(0, ""))


def answered(answer: str, **more: Any) -> Sample:
    return Sample("q", answer=answer, contexts=more.pop("contexts", BRIDGE), **more)


# ---- support -------------------------------------------------------------------------------------


def test_support_is_the_mean_over_sentences_with_the_spans() -> None:
    sample = answered("The bridge opened in May 1937 [1]. It was painted blue by Ada.")
    found = cell("support", sample)
    assert found.value == 0.5
    assert found.note == "35:62 0.00 'It was painted blue by Ada.'"
    assert cell("support_min", sample).value == 0.0


def test_an_n_gram_stands_in_one_context() -> None:
    contexts = (Context("one two"), Context("three four"))
    assert cell("support", answered("one two three four", contexts=contexts)).value == 0.0


@pytest.mark.parametrize(
    ("answer", "expected"),
    [("Red.", 1.0), ("It is", 1.0), ("Blue.", 0.0), ("is it", 0.0)],
)
def test_a_short_sentence_is_one_n_gram(answer: str, expected: float) -> None:
    assert cell("support", answered(answer)).value == expected


def test_support_of_korean() -> None:
    contexts = (Context("환불은 영업일 기준 5일이 걸립니다."),)
    assert cell("support", answered("환불은 영업일 기준", contexts=contexts)).value == 1.0
    assert cell("support", answered("네이버", contexts=(Context("네이버는"),))).value == 1.0
    assert cell("support", answered("교환은 불가합니다", contexts=contexts)).value == 0.0


def test_redacted_notes_have_spans_and_no_text() -> None:
    assert cell("support", answered("It was painted by Ada."), quotes=False).note == "0:22 0.00"


# ---- citations -----------------------------------------------------------------------------------


def test_citations_by_marks() -> None:
    sample = answered("It opened in May 1937. [1] The bridge opened in May 1937 [2][7]. It is red.")
    assert cell("citation_precision", sample).value == pytest.approx(1 / 3)
    assert cell("citation_recall", sample).value == pytest.approx(1 / 3)
    assert cell("citation_validity", sample).value == pytest.approx(2 / 3)


def test_citations_by_id_and_by_field() -> None:
    assert cell("citation_validity", answered("It is red [d1; d2] [sic].")).value == 1.0
    given = (Citation(("d1", "d9"), 0, 10),)
    sample = answered("The bridge opened in May 1937.", citations=given)
    assert cell("citation_validity", sample).value == 0.5
    assert cell("citation_precision", sample).value == 0.5
    assert cell("citation_recall", sample).value == 1.0


def test_an_answer_without_citations() -> None:
    sample = answered("The bridge opened in May 1937.")
    assert cell("citation_recall", sample) == Cell(0.0, Status.SCORED)
    assert cell("citation_precision", sample).reason == "no_citations"
    assert cell("citation_validity", sample).status is Status.NOT_APPLICABLE


# ---- abstention ----------------------------------------------------------------------------------

ABSTAIN = [
    "I don't know.",
    "I’m sorry, but I cannot answer this question based on the provided context.",  # noqa: RUF001
    "Sorry. I could not find this. Please contact support.",
    "The documents do not mention who painted the bridge.",
    "This is not mentioned in the context.",
    "There is not enough information to answer.",
    "Unknown",
    "N/A",
    "",
    "죄송하지만 제공된 문서에서 관련 정보를 찾을 수 없습니다.",
    "잘 모르겠습니다.",
    "해당 내용은 문서에 언급되어 있지 않습니다.",
    "질문에 답변할 수 없습니다.",
    "주어진 자료만으로는 확인할 수 없습니다.",
]
ANSWER = [
    "Ada painted it.",
    "Nobody knows more about bridges than Ada, who built it.",
    "The unknown soldier lies there.",
    "You cannot cross it by bicycle.",
    "There is no evidence that it was ever closed.",
    "It has no toll.",
    "환불은 영업일 기준 5일 걸립니다.",
    "배송비는 없습니다.",
    "비밀번호를 모르면 재설정할 수 있습니다.",
]


@pytest.mark.parametrize("answer", ABSTAIN)
def test_answers_that_abstain(answer: str) -> None:
    assert Abstentions().found(answer, sentences(answer))


@pytest.mark.parametrize("answer", ANSWER)
def test_answers_that_do_not(answer: str) -> None:
    assert not Abstentions().found(answer, sentences(answer))


def test_abstention_and_over_refusal_are_of_different_questions() -> None:
    without, within = (
        Sample("q", answer="I don't know.", answerable=each) for each in (False, True)
    )
    assert cell("abstention", without).value == 1.0
    assert cell("over_refusal", within).value == 1.0
    assert cell("abstention", within).reason == "answerable"
    assert cell("over_refusal", without).reason == "unanswerable"
    assert cell("abstention", Sample("q", answer="x")).reason == "answerable_not_recorded"


def test_patterns_of_the_user(tmp_path: Any) -> None:
    path = tmp_path / "patterns.txt"
    path.write_text("# ours\npas de r[ée]ponse\n")
    told = Options(abstentions=read_abstentions(path))
    sample = Sample("q", answer="Il n'y a pas de réponse.", answerable=False)
    found = evaluate([sample], ["abstention"], options=told).scores["abstention"]
    assert found.values[0] == 1.0
    assert "abstention_patterns" in found.signature
    path.write_text("(\n")
    with pytest.raises(FormatError, match=r"patterns.txt:1: '\(' is no regular expression"):
        read_abstentions(path)


# ---- contexts and nuggets ------------------------------------------------------------------------


def test_contexts_against_reference_contexts() -> None:
    wanted = (Context("The bridge opened in May 1937."), Context("Ada painted it."))
    sample = answered("x", reference_contexts=wanted)
    assert cell("context_precision", sample).value == 0.5
    assert cell("context_recall", sample).value == 0.5
    nothing = answered("x", contexts=(), reference_contexts=wanted)
    assert cell("context_recall", nothing) == Cell(0.0, Status.DEFAULT, reason="no_contexts")


def test_nuggets_are_weighed() -> None:
    nuggets = (Nugget("opened in 1937"), Nugget("painted red", "okay"))
    found = cell("nugget_recall", answered("It opened in May 1937.", nuggets=nuggets))
    assert found.value == pytest.approx(1 / 1.5)
    assert found.note == "not held: 'painted red'"


# ---- numbers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("It is 2.70 km long, 1000 cars cross.", 1.0),
        ("It is 5 km long since 1937 [2].", 0.5),
        ("1. Opened in 1937\n2. 1 thousand cars", 1.0),
        ("Version 1.2.3", None),
        ("It is red.", None),
    ],
)
def test_numbers_stand_in_a_source(answer: str, expected: float | None) -> None:
    found = cell("number_agreement", answered(answer))
    assert (found.value if found.status.counts else None) == expected


def test_numbers_of_korean() -> None:
    contexts = (Context("인구는 9,500,000명이다."),)
    assert (
        cell("number_agreement", answered("인구는 950만 명이다.", contexts=contexts)).value == 1.0
    )


# ---- the answer by itself ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "answer", "expected"),
    [
        ("When did it open?", "It opened in May 1937.", 1.0),
        ("언제 열렸나요?", "It opened in May 1937.", 0.0),
        ("언제 열렸나요?", "Golden Gate Bridge는 1937년 5월에 열렸습니다.", 1.0),
        ("언제 열렸나요?", "Google", None),
        ("東京の人口は?", "東京都人口一千四百万人。", 1.0),
        ("北京有多少人口?", "人口はとても多いのです。", 0.0),
        ("1937?", "It opened in May 1937.", None),
    ],
)
def test_the_script_of_the_question(query: str, answer: str, expected: float | None) -> None:
    found = cell("language_agreement", Sample("q", query=query, answer=answer))
    assert (found.value if found.status.counts else None) == expected


def test_length_and_repetition() -> None:
    sample = Sample("q", answer="go on and on and on and on", reference="go on")
    assert cell("answer_length", sample).value == 8
    assert cell("length_ratio", sample).value == 4
    assert cell("repetition", sample).value == pytest.approx(1 - 3 / 5)
    assert cell("repetition", Sample("q", answer="go on")).reason == "too_short"


def test_profanity_is_a_list_of_the_user(tmp_path: Any) -> None:
    path = tmp_path / "words.txt"
    path.write_text("damn\n바보\n")
    listed = read_word_list(path)
    assert cell("profanity", Sample("q", answer="Damn!"), profanity=listed).note == "damn"
    assert cell("profanity", Sample("q", answer="condamned"), profanity=listed).value == 0.0
    with pytest.raises(UsageError, match="profanity needs a list of words: --profanity FILE"):
        evaluate([Sample("q", answer="x")], ["profanity"])
    assert WordList(["..."]).entries == []


def test_a_support_function() -> None:
    def function(pairs: Any) -> list[float]:
        return [float(hypothesis.split()[0] in premise) for premise, hypothesis in pairs]

    support = NliSupport(function, "mine:function")
    found = cell("nli_support", answered("It is red. Ada left."), support=support)
    assert found.value == 0.5
    assert found.note == "11:20 0.00 'Ada left.'"


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (lambda pairs: [2.0] * len(pairs), "bad_values"),
        (lambda pairs: [0.5], "bad_values"),
        (lambda pairs: [float("nan")] * len(pairs), "bad_values"),
        (lambda pairs: 1 / 0, "function_failed"),
    ],
)
def test_a_support_function_that_fails(function: Any, reason: str) -> None:
    found = cell("nli_support", answered("It is red."), support=NliSupport(function, "f"))
    assert (found.status, found.reason) == (Status.FAILED, reason)


def test_an_error_of_a_support_function_may_quote_nothing_when_redacted() -> None:
    def function(pairs: Any) -> list[float]:
        raise ValueError(pairs[0][1])

    support = NliSupport(function, "f")
    assert cell("nli_support", answered("It is red."), support=support).note == (
        "ValueError: It is red."
    )
    redacted = cell("nli_support", answered("It is red."), support=support, quotes=False)
    assert redacted.note == "ValueError"


# ---- no value ------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", [*map(str, DETERMINISTIC)])
def test_a_system_that_failed_has_no_value(measure: str) -> None:
    told = {"profanity": WordList(["x"])}
    found = cell(measure, Sample("q", answer="half", error="timeout"), **told)
    assert (found.status, found.reason) == (Status.FAILED, "system_failed")


@pytest.mark.parametrize(
    ("measure", "sample", "status", "reason"),
    [
        ("token_f1", Sample("q", reference="x"), Status.NOT_APPLICABLE, "answer_not_recorded"),
        ("token_f1", Sample("q", answer="x"), Status.NOT_APPLICABLE, "no_reference"),
        (
            "token_f1",
            Sample("q", answer="x", reference="..."),
            Status.NOT_APPLICABLE,
            "no_reference",
        ),
        ("token_f1", Sample("q", answer=" ", reference="x"), Status.DEFAULT, "no_answer"),
        ("support", Sample("q", answer="x"), Status.NOT_APPLICABLE, "contexts_not_recorded"),
        ("support", Sample("q", answer="x", contexts=()), Status.NOT_APPLICABLE, "no_contexts"),
        ("support", answered("", answerable=True), Status.NOT_APPLICABLE, "no_answer"),
        ("support", answered("I don't know."), Status.NOT_APPLICABLE, "abstained"),
        (
            "support",
            answered("x", contexts=(Context(id="d1"),)),
            Status.NOT_APPLICABLE,
            "context_texts_not_recorded",
        ),
    ],
)
def test_why_there_is_no_value(measure: str, sample: Sample, status: Status, reason: str) -> None:
    found = cell(measure, sample)
    assert (found.status, found.reason) == (status, reason)


# ---- all together --------------------------------------------------------------------------------


def test_what_is_computed_follows_from_the_fields() -> None:
    found = evaluate([Sample("q", query="Who is it?", answer="It is Ada.")])
    assert list(found.scores.columns) == ["language_agreement", "answer_length", "repetition"]
    why = {each.measure: each.why for each in found.left_out}
    assert why["token_f1"] == "no sample has reference"
    assert why["nDCG@5"].startswith("no sample has both contexts with ids and judgments")
    assert "chrF" not in why


def test_retrieval_comes_from_ids() -> None:
    samples = [
        Sample("q1", contexts=BRIDGE, answer="x"),
        Sample("q2", contexts=(), answer="x"),
        Sample("q3", contexts=BRIDGE, answer="x"),
        Sample("q4", error="timeout"),
        Sample("q5", answer="x"),
    ]
    judged = {"q1": {"d2": 1}, "q2": {"d1": 1}, "q4": {"d1": 1}, "q5": {"d1": 1}, "q9": {"d1": 1}}
    found = evaluate(samples, ["RR", "R@2"], qrels=Qrels.of(judged)).scores
    assert found.to_dict()["RR"] == [0.5, 0.0, None, None, None]
    assert found["RR"].reasons == {
        2: "unjudged",
        3: "system_failed",
        4: "contexts_not_recorded",
    }
    assert Status(found["RR"].status[1]) is Status.DEFAULT
    assert found.facts["judged_queries_without_sample"] == 1
    assert "judgments" in found["RR"].signature


def test_judgments_that_fit_no_sample() -> None:
    with pytest.raises(InputError, match="the qrels have 'x', the samples have 'q'"):
        evaluate([answered("x")], ["RR"], qrels=Qrels.of({"x": {"d1": 1}}))
    with pytest.raises(InputError, match="the qrels have no judgments: none of their rows has"):
        evaluate([answered("x")], ["RR"], qrels=Qrels({}, ("x",), {}))
    with pytest.raises(UsageError, match="RR: no sample has both contexts with ids and judgments"):
        evaluate([answered("x")], ["RR"])


def test_the_order_of_samples_does_not_matter() -> None:
    samples = [answered("It is red [1]."), Sample("p", answer="I don't know.", answerable=False)]
    one, other = evaluate(samples), evaluate(samples[::-1])
    assert one.scores == other.scores


def test_case_84_the_mean_is_over_the_scored_and_failures_are_counted() -> None:
    from ragstone.gate import check_measured
    from ragstone.measures import summary

    samples = [
        Sample("q1", answer="Ada", reference="Ada"),
        Sample("q2", reference="Ada", error="timeout"),
        Sample("q3", reference="Ada", error="parse"),
        Sample("q4", answer="Ada Bob Eve", reference="Ada"),
    ]
    scores = evaluate(samples, ["token_f1"]).scores
    assert summary(scores) == {"token_f1": 0.75}
    assert scores["token_f1"].tally()[Status.FAILED] == 2
    [reason] = check_measured(scores)
    assert "no value for 2 of 4 items" in reason.message


@pytest.mark.parametrize("measure", ["faithfulness", "rubric.polite"])
def test_a_judged_measure_needs_a_judge(measure: str) -> None:
    with pytest.raises(UsageError, match="it needs a judge"):
        evaluate([answered("x")], [measure])


def test_a_measure_of_something_else() -> None:
    with pytest.raises(UsageError, match="`ragstone leakage"):
        evaluate([answered("x")], ["leaked"])
