"""The help-desk collection is sound, and the two retrievers differ as the demo needs it."""

import json
from collections import Counter
from typing import Any

import numpy as np
import pytest
import pytrec_eval
from scipy import stats

from ragstone.demo import helpdesk, retrievers
from ragstone.text import words

Judgments = dict[str, dict[str, int]]
Values = dict[str, "np.ndarray[Any, np.dtype[np.float64]]"]


@pytest.fixture(scope="module")
def judgments() -> Judgments:
    header, *rows = helpdesk.read("qrels.tsv").splitlines()
    assert header == "query-id\tcorpus-id\tscore"
    pairs = [tuple(row.split("\t")[:2]) for row in rows]
    assert len(set(pairs)) == len(pairs)
    qrels: Judgments = {}
    for query, document, grade in (row.split("\t") for row in rows):
        qrels.setdefault(query, {})[document] = int(grade)
    return qrels


def test_there_is_enough_of_everything(judgments: Judgments) -> None:
    assert len(helpdesk.documents()) >= 80
    assert len(helpdesk.queries()) >= 40
    assert min(map(len, judgments.values())) >= 3


@pytest.mark.parametrize("name", helpdesk.FILES)
def test_files_are_plain_text_with_a_final_newline(name: str) -> None:
    text = helpdesk.read(name)
    assert text.endswith("\n")
    assert text.isascii()
    assert "\n\n" not in text


def test_documents_are_unique_and_of_a_help_articles_length() -> None:
    documents = helpdesk.documents()
    for field in ("id", "title", "text"):
        assert len({getattr(document, field) for document in documents}) == len(documents)
    assert all(document.title for document in documents)
    assert {d.id: n for d in documents if not 40 <= (n := len(d.text.split())) <= 110} == {}


def test_queries_are_unique() -> None:
    rows = [json.loads(line) for line in helpdesk.read("queries.jsonl").splitlines()]
    assert len(helpdesk.queries()) == len(rows)
    assert len(set(helpdesk.queries().values())) == len(rows)
    assert not {row["_id"] for row in rows} & {document.id for document in helpdesk.documents()}


def test_some_titles_say_what_the_text_does_not() -> None:
    documents = helpdesk.documents()
    alone = [d for d in documents if set(words(d.title)) - set(words(d.text))]
    assert len(documents) // 4 < len(alone) < len(documents)


def test_judgments_speak_of_what_is_there(judgments: Judgments) -> None:
    assert judgments.keys() == helpdesk.queries().keys()
    documents = {document.id for document in helpdesk.documents()}
    assert {document for grades in judgments.values() for document in grades} <= documents
    grades = Counter(grade for judged in judgments.values() for grade in judged.values())
    assert grades.keys() == {0, 1, 2}


def test_three_queries_have_no_good_answer(judgments: Judgments) -> None:
    hopeless = {query for query, judged in judgments.items() if not any(judged.values())}
    assert hopeless == {"dark-mode", "buy-once", "smart-watch"}
    answered = judgments.keys() - hopeless
    assert all(2 in judgments[query].values() for query in answered)


@pytest.mark.parametrize("factory", [retrievers.baseline, retrievers.candidate])
def test_the_first_three_of_both_retrievers_are_judged(factory: Any, judgments: Judgments) -> None:
    search = factory()
    for query, text in helpdesk.queries().items():
        assert {document for document, _ in search(text)[:3]} <= judgments[query].keys()


@pytest.fixture(scope="module")
def values(judgments: Judgments) -> dict[str, Values]:
    """Measure -> retriever -> one value a query, by pytrec_eval."""
    evaluator = pytrec_eval.RelevanceEvaluator(judgments, {"ndcg_cut.5", "recall.5"})
    result: dict[str, Values] = {"ndcg_cut_5": {}, "recall_5": {}}
    for factory in (retrievers.baseline, retrievers.candidate):
        search = factory()
        found = {query: dict(search(text)) for query, text in helpdesk.queries().items()}
        rows = evaluator.evaluate({query: hits for query, hits in found.items() if hits})
        for measure, columns in result.items():
            columns[factory.__name__] = np.array(
                [rows.get(query, {}).get(measure, 0.0) for query in sorted(judgments)]
            )
    return result


def sign_flip_p(first: Any, second: Any) -> float:
    """Return the two-sided p-value of the paired permutation test."""
    result = stats.permutation_test(
        (first, second),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        n_resamples=9999,
        rng=np.random.default_rng(0),
    )
    return float(result.pvalue)


def test_the_baseline_is_decent_but_not_perfect(values: dict[str, Values]) -> None:
    assert 0.6 < values["ndcg_cut_5"]["baseline"].mean() < 0.8


@pytest.mark.parametrize("measure", ["ndcg_cut_5", "recall_5"])
def test_without_titles_it_is_clearly_worse(measure: str, values: dict[str, Values]) -> None:
    baseline, candidate = values[measure]["baseline"], values[measure]["candidate"]
    assert 0.06 < 1 - candidate.mean() / baseline.mean() < 0.20
    assert sign_flip_p(baseline, candidate) < 0.05


def test_some_queries_get_better_without_titles(values: dict[str, Values]) -> None:
    change = values["ndcg_cut_5"]["candidate"] - values["ndcg_cut_5"]["baseline"]
    assert 3 <= (change > 0).sum() < (change < 0).sum()
