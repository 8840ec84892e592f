"""What public functions take, and what they say of anything else: never an error from within."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ragstone
from ragstone import Context, Latency, Sample, Usage
from ragstone.answers import Options
from ragstone.errors import FormatError, InputError, RagstoneError
from ragstone.formats.samples import samples_given
from ragstone.reports import Input, build_score, write_report

ROW = {"id": "q1", "query": "Who?", "answer": "Ada", "reference": "Ada", "contexts": ["Ada did."]}
SAMPLE = Sample("q1", query="Who?", answer="Ada", reference="Ada", contexts=(Context("Ada did."),))
SCORES = ragstone.score({"q1": ["a"]}, {"q1": ["x", "a"]}, "RR")


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "report.json"
    statement = build_score(SCORES, [Input(role="run", name="x", sha256="0" * 64)])
    write_report(statement, path)
    return path


# ---- samples ------------------------------------------------------------------------------------


def test_samples_as_dicts_as_samples_and_as_a_file(tmp_path: Path) -> None:
    path = tmp_path / "samples.jsonl"
    path.write_text(f"{json.dumps(ROW)}\n")
    for given in ([ROW], (SAMPLE,), iter([SAMPLE]), path, str(path)):
        assert samples_given(given) == [SAMPLE]
    found = [ragstone.evaluate(given, "token_f1").scores for given in ([ROW], [SAMPLE], path)]
    assert [scores.to_dict() for scores in found] == [{"id": ["q1"], "token_f1": [1.0]}] * 3
    assert ragstone.operations([{"id": "q", "cost_usd": 1}]).to_dict()["cost_usd"] == [1.0]


def loosely(**fields: Any) -> Sample:
    """Return a Sample as nothing but a type checker would refuse it."""
    return Sample("q1", **fields)


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (loosely(contexts=["a"]), Sample("q1", contexts=(Context("a"),))),
        (loosely(contexts=[{"id": "d"}]), Sample("q1", contexts=(Context(id="d"),))),
        (loosely(latency_ms=3), Sample("q1", latency_ms=Latency(3.0))),
        (loosely(usage={"input_tokens": 3}), Sample("q1", usage=Usage(3))),
        (loosely(tags=["a"]), Sample("q1", tags=("a",))),
    ],
    ids=["texts", "dicts", "number", "usage", "list"],
)
def test_a_sample_with_what_a_file_would_have(given: Sample, meant: Sample) -> None:
    assert samples_given([given]) == [meant]


def test_a_sound_sample_is_kept_as_it_is() -> None:
    whole = Sample("q1", "?", "a", (Context("c", "d", -0.5),), usage=Usage(1, 2), cost_usd=0.1)
    assert samples_given([whole])[0] is whole


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([SAMPLE, loosely(latency_ms=-3)], "samples[1]: sample 'q1': latency_ms is -3; a finite"),
        ([loosely(latency_ms=Latency(-1.0))], "sample 'q1': latency_ms.total is -1"),
        ([loosely(query=5)], "samples[0]: sample 'q1': query is 5; a text was expected"),
        ([loosely(usage=Usage(-1, 2))], "usage.input_tokens is -1; a whole number of at least 0"),
        ([loosely(cost_usd=math.nan)], "cost_usd is NaN; a finite number"),
        ([loosely(contexts=(Context("a", score=math.inf),))], "contexts[0].score is Infinity"),
        ([loosely(contexts="abc")], "contexts is 'abc'; a list of texts"),
        ([Sample("")], "samples[0]: id is ''; an id"),
        ([{"answer": "b"}], "samples[0]: a sample without an id"),
        ([{"id": "q1", "answer": 3}], "samples[0]: sample 'q1': answer is 3; a text was"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("function", [ragstone.evaluate, ragstone.operations])
def test_a_sample_that_a_file_could_not_have(function: Any, given: Any, said: str) -> None:
    with pytest.raises(FormatError) as caught:
        function(given)
    assert said in str(caught.value)


# ---- scores -------------------------------------------------------------------------------------


def test_reports_and_evaluations_have_scores(report: Path) -> None:
    read = ragstone.read_report(report)
    assert ragstone.compare(read, SCORES).verdict == "pass"
    evaluation = ragstone.evaluate([ROW], "token_f1")
    assert ragstone.compare(evaluation, evaluation).verdict == "pass"
    assert ragstone.summary(read) == ragstone.summary(SCORES, "RR") == {"RR": 0.5}
    assert [each.passed for each in ragstone.check_floors(read, "RR=0.6")] == [False]
    assert ragstone.check_measured(read) == ()


# ---- what is refused ----------------------------------------------------------------------------


def answer(_: str) -> str:
    return "a"


def evaluate(*args: Any, **options: Any) -> Any:
    return ragstone.evaluate(*args, **options)


def compare(*args: Any, **options: Any) -> Any:
    return ragstone.compare(*args, **options)


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "evaluate a number": (lambda: evaluate(5), "samples is 5; a list of Samples, or of dicts"),
    "evaluate a dict": (lambda: evaluate(ROW), "samples is {'answer'"),
    "evaluate one sample": (lambda: evaluate(SAMPLE), "samples is Sample("),
    "evaluate numbers": (lambda: evaluate([5]), "samples[0] is 5; a list of Samples, or"),
    "evaluate a missing file": (lambda: evaluate("nosuch.jsonl"), "nosuch.jsonl: no such file"),
    "evaluate by a number": (lambda: evaluate([ROW], 5), "measures is 5; names were expected"),
    "evaluate by what is unknown": (lambda: evaluate([ROW], "token_f"), "did you mean token_f1"),
    "evaluate with a file of qrels": (lambda: evaluate([ROW], qrels="q.tsv"), "'q.tsv' is a text"),
    "evaluate with a dict": (lambda: evaluate([ROW], options={"k": 5}), "options is {'k': 5}; rag"),
    "compare files": (lambda: compare("a.json", "b.json"), "the baseline is 'a.json'; Scores or a "
                      "report were expected, as read_report('a.json') returns it"),
    "compare with a dict": (lambda: compare(SCORES, {}), "the candidate is {}; Scores or a report"),
    "compare with a class": (lambda: compare(SCORES, ragstone.Report), "the candidate is <class"),
    "compare by a number": (lambda: compare(SCORES, SCORES, budgets=5), "budget 5: write it as"),
    "compare by numbers": (lambda: compare(SCORES, SCORES, floors=[5]), "floor 5: write it as"),
    "compare with a calibration in a file": (
        lambda: compare(SCORES, SCORES, calibrations=["c.json"]), "calibrations has 'c.json'; a "),
    "sum up a file": (lambda: ragstone.summary("a.json"), "what is summed up is 'a.json'"),  # type: ignore[arg-type]
    "floors of a file": (lambda: ragstone.check_floors("a", "RR=1"), "the report is 'a'; Scores"),  # type: ignore[arg-type]
    "run_of dicts": (lambda: ragstone.run_of([ROW]), "is no Sample; read_samples reads them"),  # type: ignore[list-item]
    "qrels_of dicts": (lambda: ragstone.qrels_of([ROW]), "is no Sample; read_samples reads"),  # type: ignore[list-item]
    "run_pipeline over a list": (lambda: ragstone.run_pipeline(answer, ["a"]),  # type: ignore[arg-type]
                                 "questions is a dict of ids and texts; found ['a']"),
    "run_retriever over a list": (lambda: ragstone.run_retriever(answer, ["a"]),  # type: ignore[arg-type]
                                  "queries is a dict of ids and texts; found ['a']"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str) -> None:
    call, said = REFUSED[name]
    with pytest.raises(RagstoneError) as caught:
        call()
    assert said in str(caught.value)


def test_a_bare_name_is_one_measure_or_aggregate() -> None:
    measure = ragstone.parse_measure("token_f1")
    for given in ("token_f1", measure, [measure], ragstone.parse_aggregate("token_f1")):
        assert list(ragstone.evaluate([ROW], given).scores.columns) == ["token_f1"]
    found = compare(SCORES, SCORES, aggregates="RR:p50")
    assert "RR:p50" in [each.name for each in found.measures]


def test_judgments_in_any_form_that_score_takes() -> None:
    row = {"id": "q1", "answer": "a", "contexts": [{"id": "d"}]}
    found = ragstone.evaluate([row], "RR", qrels={"q1": ["d"]}, options=Options(k=3))
    assert found.scores["RR"].values[0] == 1.0
    with pytest.raises(InputError, match="5 is neither a dict of queries nor a list"):
        evaluate([row], "RR", qrels=5)
