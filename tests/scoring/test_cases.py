"""Each case of kind score and format, through the Python interface; DESIGN.md decides a choice."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from ragstone.errors import FormatError, InputError
from ragstone.formats import open_run, read_qrels, read_run
from ragstone.measures import parse_aggregate, summary
from ragstone.model import Scores
from ragstone.scoring import score
from ragstone.scoring.warnings import warnings


class Case:
    """A folder with judgments, results and expected.md."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        names = ("qrels.trec", "qrels.tsv", "queries.jsonl", "queries.json")
        self.qrels = next(folder / name for name in names if (folder / name).exists())
        self.run = next(
            (folder / n for n in ("run.trec", "retrieved.jsonl") if (folder / n).exists()), Path()
        )

    def scores(self, *names: str, **options: int) -> Scores:
        measures = names or ("AP", "RR")
        return score(read_qrels(self.qrels), open_run(self.run), measures, **options)

    def values(self, name: str, **options: int) -> dict[str, float]:
        scores = self.scores(name, **options)
        return dict(zip(scores.items, scores[name].values, strict=True))

    def means(self, *names: str, **options: int) -> dict[str, float | None]:
        scores = self.scores(*names, **options)
        return summary(scores, [parse_aggregate(name) for name in names])

    def error(self) -> str:
        """What is said; the same with more than one process, and never with values beside it."""
        with pytest.raises(InputError) as caught:
            self.scores()
        if self.run.is_file():
            with pytest.raises(InputError, match=re.escape(str(caught.value))):
                self.scores(workers=2)
        return str(caught.value).replace(f"{self.folder}/", "")


CASES: dict[str, Callable[[Case], None]] = {}


def case(function: Callable[[Case], None]) -> Callable[[Case], None]:
    """Put a check under the folder that its name begins with."""
    CASES[function.__name__.removeprefix("case_")] = function
    return function


def about(value: float) -> object:
    return pytest.approx(value, abs=5e-7)


@case
def case_01(case: Case) -> None:
    assert case.values("RR") == {"q1": 0.5, "q2": 1.0}
    assert case.values("AP") == {"q1": 0.5, "q2": 1.0}
    assert case.values("nDCG@2") == {"q1": about(0.630930), "q2": 1.0}
    means = case.means("RR", "AP", "nDCG@2")
    assert means == {"RR": 0.75, "AP": 0.75, "nDCG@2": about(0.815465)}
    run = {
        query: dict(reversed(list(ranking.items())))
        for query, ranking in read_run(case.run).items()
    }
    assert score(read_qrels(case.qrels), run, ["AP", "RR"]) == case.scores()


@case
def case_04(case: Case) -> None:
    assert case.values("AP") == {"1": 1.0}
    assert case.values("AP", trec_eval=9) == {"1": 0.5}
    for version in (9, 10):
        scores = case.scores(trec_eval=version)
        assert scores.signature["trec_eval"] == version
        assert scores.facts["order_differs_between_versions"] == 1
        assert warnings(scores.facts) == [
            "1 query ordered differently by trec_eval 9 (float32 scores) and 10 (double)"
        ]


@case
def case_06(case: Case) -> None:
    assert case.error() == (
        "run.trec:2: document 'a' is listed twice for query '1', first at line 1; "
        "a document may stand once in a ranking"
    )


@case
def case_08(case: Case) -> None:
    assert case.error() == (
        "qrels.trec:2: document 'a' of query '1' has grade 2 here and 1 above; keep one of the two"
    )


@case
def case_09(case: Case) -> None:
    assert case.error() == (
        "qrels.trec:1: the grade of document 'a', query '1' is '0.5'; a grade must be an integer"
    )


@case
def case_12(case: Case) -> None:
    assert case.means("AP", "RR") == {"AP": about(0.333333), "RR": about(0.333333)}
    assert len(case.scores()) == 3
    assert case.scores().facts["queries_without_results"] == 1
    assert case.scores().facts["queries_without_relevant"] == 1
    assert case.values("AP") == {"1": 1.0, "2": 0.0, "3": 0.0}


@case
def case_14(case: Case) -> None:
    assert case.error() == (
        "no judged query has a result: the qrels have 'q1', 'q2', the run has '1', '2'; "
        "the query ids of the two must be the same text"
    )


@case
def case_16(case: Case) -> None:
    names = ["R@5", "nDCG@5", "AP", "RR", "P@5", "Rprec", "Bpref", "infAP", "IPrec@0.0", "F1@5"]
    for name in names:
        assert case.values(name)["1"] == 0.0
    assert case.means("AP") == {"AP": 0.5}
    assert case.scores().facts["queries_without_relevant"] == 1


@case
def case_18(case: Case) -> None:
    assert case.values("nDCG@2") == {"q1": about(0.613147)}


@case
def case_21(case: Case) -> None:
    assert case.values("AP@4") == {"q1": about(0.416667)}
    assert case.values("RR@4") == {"q1": 1.0}


@case
def case_23(case: Case) -> None:
    assert case.values("RR") == {"q7": 0.5}
    assert warnings(case.scores().facts) == [
        "1 query retrieved the document that has the query's own id"
    ]


@case
def case_25(case: Case) -> None:
    assert case.error() == "run.trec:1: the score 'nan' is not a finite number such as 12.5"


@case
def case_27(case: Case) -> None:
    assert case.error() == "run.trec:1: the score '0,9' is not a finite number such as 12.5"


@case
def case_29(case: Case) -> None:
    assert case.values("AP") == {"q1": 0.5}
    assert case.values("RR") == {"q1": 0.5}
    assert read_qrels(case.qrels).grades == {"q1": {"a": 1, "b": 0}}
    assert read_run(case.run).rankings == {"q1": {"b": 3.0, "a": 2.0}}


@case
def case_31(case: Case) -> None:
    assert case.values("AP") == {"1": 1.0, "2": 1.0}


@case
def case_33(case: Case) -> None:
    assert case.values("AP") == {"1": 1.0, "1200": 1.0, "3": 1.0}


@case
def case_35(case: Case) -> None:
    text = case.error()
    assert text.startswith(
        "run.trec:2: 4 columns ('2 Q0 b 1'); a run has 6: query Q0 document rank"
    )


@case
def case_38(case: Case) -> None:
    assert sum(map(len, read_qrels(case.qrels).values())) == 3
    assert case.values("R@2") == {"q1": 1.0, "q2": 1.0}


@case
def case_40(case: Case) -> None:
    assert case.values("RR") == {"001": 0.5, "1": 1.0}
    assert case.means("RR") == {"RR": 0.75}


@case
def case_42(case: Case) -> None:
    assert case.values("AP") == {"NA": 1.0, "True": 1.0, "nan": 1.0}
    assert read_run(case.run).rankings["True"] == {"inf": 1.0}


@case
def case_43(case: Case) -> None:
    assert case.values("AP") == {"q1": 0.0}
    assert case.scores().facts["ids_differing_by_unicode_form"] == 1
    assert warnings(case.scores().facts) == [
        "1 retrieved id not matched: differs from a judged id only by Unicode form (NFC, NFD)"
    ]


@case
def case_45(case: Case) -> None:
    with pytest.raises(FormatError) as caught:
        read_qrels(case.qrels)
    assert caught.value.problem == "JSON array; expected one object per line (JSON lines)"
    assert caught.value.line == 1


@case
def case_49(case: Case) -> None:
    assert case.error() == (
        "queries.jsonl:2: query '44' has two rows, the first at line 1; a query has one row"
    )


def folder_of(cases: Path, number: str) -> Path:
    [folder] = cases.glob(f"{number}-*")
    return folder


@pytest.mark.parametrize("number", CASES)
def test_case(shared: Path, number: str) -> None:
    CASES[number](Case(folder_of(shared / "cases", number)))


def test_every_folder_of_these_kinds_has_its_check(shared: Path) -> None:
    kinds = {
        path.parent.name: re.findall(r"^Kind: (\w+)", path.read_text("utf-8"), re.MULTILINE)
        for path in (shared / "cases").glob("*/expected.md")
    }
    wanted = {name.split("-")[0] for name, kind in kinds.items() if kind[0] in {"score", "format"}}
    assert wanted == set(CASES)
