"""What the evaluators compute, against formulas written out, and how often."""

from __future__ import annotations

import math
import pickle
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pictures import Drawing
from ragstone import krag
from ragstone.errors import InputError, UnknownNameError, UsageError
from ragstone.krag import (
    AveragingMethod,
    Document,
    MatchingCriteria,
    OfflineRetrievalEvaluators,
    RougeOfflineRetrievalEvaluators,
    TokenizerConfig,
    TokenizerType,
)
from ragstone.matching.lexical import RougeMethod
from ragstone.reports.charts import to_svg

TEXTS = st.sampled_from(["a", "b", "c", "d", "e"])
QUERIES = st.lists(
    st.tuples(st.lists(TEXTS, min_size=1, max_size=4, unique=True), st.lists(TEXTS, max_size=6)),
    min_size=1,
    max_size=4,
).filter(lambda queries: any(found for _, found in queries))
CUTS = st.one_of(st.none(), st.integers(1, 7))


def oracle(queries: Sequence[tuple[list[str], list[str]]], k: int | None) -> dict[str, float]:
    """Each formula as a textbook has it, over equal texts, the first of each."""
    rows: dict[str, list[float]] = {name: [] for name in ("all", "any", "mrr", "r", "p", "ap", "n")}
    hits_of_all = depth_of_all = golds_of_all = 0
    for gold, found in queries:
        kept = found[:k]
        ranks = [n for n, text in enumerate(kept, 1) if text in gold and text not in kept[: n - 1]]
        depth = len(found) if k is None else k
        ideal = sum(1 / math.log2(n + 1) for n in range(1, min(len(gold), k or 99) + 1))
        rows["all"].append(float(len(ranks) == len(gold)))
        rows["any"].append(float(bool(ranks)))
        rows["mrr"].append(1 / ranks[0] if ranks else 0.0)
        rows["r"].append(len(ranks) / len(gold))
        rows["p"].append(len(ranks) / depth if depth else 0.0)
        rows["ap"].append(sum(n / rank for n, rank in enumerate(ranks, 1)) / len(gold))
        rows["n"].append(sum(1 / math.log2(rank + 1) for rank in ranks) / ideal)
        hits_of_all += len(ranks)
        depth_of_all += depth
        golds_of_all += len(gold)
    mean = {name: sum(values) / len(values) for name, values in rows.items()}
    micro = hits_of_all / max(depth_of_all, 1), hits_of_all / golds_of_all
    return {
        "hit_rate": mean["all"], "partial": mean["any"], "mrr": mean["mrr"], "map": mean["ap"],
        "ndcg": mean["n"], "macro_recall": mean["r"], "macro_precision": mean["p"],
        "micro_precision": micro[0], "micro_recall": micro[1],
        "macro_f1": harmonic(mean["p"], mean["r"]), "micro_f1": harmonic(*micro),
    }  # fmt: skip


def harmonic(p: float, r: float) -> float:
    return 2 * p * r / (p + r) if p + r else 0.0


@given(QUERIES, CUTS)
def test_the_formulas(queries: list[tuple[list[str], list[str]]], k: int | None) -> None:
    gold, found = [g for g, _ in queries], [f for _, f in queries]
    wanted = oracle(queries, k)
    partial = OfflineRetrievalEvaluators(gold, found, matching_criteria=MatchingCriteria.PARTIAL)
    assert partial.calculate_hit_rate(k) == {"hit_rate": pytest.approx(wanted.pop("partial"))}
    values = OfflineRetrievalEvaluators(gold, found).to_dict(k)
    assert values == {name: pytest.approx(value, abs=1e-12) for name, value in wanted.items()}


GOLD = [["the cat sat on the mat", "a dog barked"], ["rain fell all day"]]
FOUND = [["the cat sat on a mat", "nothing", "a dog barked loudly"], ["sun", "rain fell all night"]]


def test_every_pair_is_compared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """For all seven measures at all cutoffs, as Krag does it 28 times."""
    seen: list[tuple[str, str]] = []
    compare = RougeMethod.of

    def counted(self: RougeMethod, gold: str, retrieved: str) -> float:
        seen.append((gold, retrieved))
        return compare(self, gold, retrieved)

    monkeypatch.setattr(RougeMethod, "of", counted)
    evaluator = RougeOfflineRetrievalEvaluators(GOLD, FOUND)
    assert seen == []
    for k in (1, 3, 5, 10, None):
        evaluator.to_dict(k)
    assert len(seen) == len(set(seen)) == 2 * 3 + 1 * 2


def test_the_arguments_in_krags_order() -> None:
    method, both = AveragingMethod.MICRO, MatchingCriteria.PARTIAL
    plain = OfflineRetrievalEvaluators(GOLD, FOUND, "text", method, both)
    assert plain.calculate_recall(3) == {"micro_recall": 0.0}
    by_rouge = RougeOfflineRetrievalEvaluators(
        GOLD, FOUND, "rouge1", method, both, 0.5, TokenizerType.WHITESPACE
    )
    assert by_rouge.calculate_recall(3) == {"micro_recall": 1.0}
    assert (by_rouge.threshold, by_rouge.match_method) == (0.5, "rouge1")


def test_defaults() -> None:
    evaluator = RougeOfflineRetrievalEvaluators(GOLD, FOUND)
    assert evaluator.matches.rules.threshold == 0.5
    assert dict(evaluator.matches.rules.method.signature) == {
        "matcher": "rouge1", "rouge_score": "f", "tokenizer": "words",
    }  # fmt: skip
    assert evaluator.averaging_method is AveragingMethod.BOTH
    assert evaluator.matching_criteria is MatchingCriteria.ALL


@pytest.mark.parametrize(
    ("averaging", "keys"),
    [
        (AveragingMethod.MICRO, ["micro_recall"]),
        (AveragingMethod.MACRO, ["macro_recall"]),
        (AveragingMethod.BOTH, ["micro_recall", "macro_recall"]),
    ],
)
def test_averages(averaging: AveragingMethod, keys: list[str]) -> None:
    evaluator = OfflineRetrievalEvaluators(GOLD, FOUND, averaging_method=averaging)
    assert list(evaluator.calculate_recall(3)) == keys
    named = [key.replace("recall", "f1") for key in keys]
    assert list(evaluator.calculate_f1_score(3)) == named


@pytest.mark.parametrize(
    ("method", "matches"),
    [("text", [False, True]), ("substring", [False, False]), ("contains", [True, True]),
     ("rouge1", [True, True]), ("containment", [True, True])],
)  # fmt: skip
def test_methods_by_name(method: str, matches: list[bool]) -> None:
    evaluator = OfflineRetrievalEvaluators([["One two"]], [["one two three"]], method)
    assert [evaluator.text_match("One two", text) for text in ("one two three", "one TWO")] == (
        matches
    )


def test_text_match_takes_several() -> None:
    evaluator = RougeOfflineRetrievalEvaluators(GOLD, FOUND, threshold=0.9)
    assert evaluator.text_match("a b c", ["x", "a b c"])
    assert not evaluator.text_match("a b c", ["x", "a b d"])
    assert not evaluator.text_match("a b c", [])


def test_a_threshold_is_inclusive() -> None:
    two_thirds = [["a b c d"]], [["a b"]]  # F = 2 * 1 * 0.5 / 1.5
    for threshold, hit in ((2 / 3, 1.0), (0.66, 1.0), (0.67, 0.0)):
        evaluator = RougeOfflineRetrievalEvaluators(*two_thirds, threshold=threshold)
        assert evaluator.calculate_hit_rate() == {"hit_rate": hit}


def test_tokenizers() -> None:
    texts = [["서울은 수도이다"]], [["서울은 도시이다"]]
    for tokenizer, hit in (
        (TokenizerType.WORDS, 0.0),
        (TokenizerType.KIWI, 1.0),
        ("chars", 1.0),
        (list, 1.0),
        (TokenizerConfig(TokenizerType.KIWI, " ".join), 1.0),
    ):
        evaluator = RougeOfflineRetrievalEvaluators(*texts, threshold=0.6, tokenizer=tokenizer)
        assert evaluator.calculate_hit_rate() == {"hit_rate": hit}, tokenizer


def test_a_tokenizer_of_ones_own_may_change_letters() -> None:
    config = TokenizerConfig(TokenizerType.WHITESPACE, str.upper)
    evaluator = RougeOfflineRetrievalEvaluators([["a b"]], [["A  B"]], tokenizer=config)
    assert evaluator.calculate_hit_rate() == {"hit_rate": 1.0}
    assert evaluator.tokenizer.name == "python:whitespace:str.upper"


def test_assignment_and_gain() -> None:
    gold, found = [["one two three", "one two four"]], [["one two five", "one two three"]]
    values = {
        assignment: RougeOfflineRetrievalEvaluators(
            gold, found, threshold=0.6, assignment=assignment
        ).calculate_recall(1)["macro_recall"]
        for assignment in ("greedy", "optimal", "free")
    }
    assert values == {"greedy": 0.5, "optimal": 0.5, "free": 1.0}
    binary, similar = (
        RougeOfflineRetrievalEvaluators(gold, found, threshold=0.6, gain=gain).calculate_ndcg(2)
        for gain in ("binary", "similarity")
    )
    assert binary["ndcg"] == pytest.approx(1.0)
    assert 0.6 < similar["ndcg"] < 1.0


def test_free_gives_the_numbers_of_krag() -> None:
    """A gold that is found three times, two that one text has, and a list that is short."""

    def old(gold: list[str], found: list[str]) -> OfflineRetrievalEvaluators:
        return OfflineRetrievalEvaluators([gold], [found], "substring", assignment="free")

    thrice = old(["gold"], ["gold"] * 3).to_dict(3)
    assert (thrice["map"], thrice["micro_precision"]) == (3.0, 1.0)
    assert thrice["ndcg"] == pytest.approx(1 + 1 / math.log2(3) + 1 / 2)
    holds = old(["red fox", "lazy dog"], ["red fox and lazy dog", "z"]).to_dict(2)
    assert (holds["macro_recall"], holds["macro_precision"], holds["map"]) == (1.0, 0.5, 0.5)
    assert holds["macro_f1"] == pytest.approx(2 / 3)
    short = OfflineRetrievalEvaluators(
        [["a", "b"], ["c"]], [["a"], ["x", "c", "y"]], "substring", assignment="free"
    )
    assert short.calculate_precision(5) == {
        "micro_precision": 2 / 4, "macro_precision": pytest.approx((1 + 1 / 3) / 2),
    }  # fmt: skip
    assert short.calculate_precision(1) == {"micro_precision": 0.5, "macro_precision": 0.5}


def test_a_substring_is_the_golds() -> None:
    inside = OfflineRetrievalEvaluators([["cat"]], [["dog", "concatenate"]], "substring")
    assert inside.calculate_mrr() == {"mrr": 0.5}
    around = OfflineRetrievalEvaluators([["concatenate"]], [["cat"]], "substring")
    assert around.calculate_mrr() == {"mrr": 0.0}


def test_values_are_computed_once() -> None:
    evaluator = OfflineRetrievalEvaluators(GOLD, FOUND)
    assert evaluator.scores(3) is evaluator.scores(3)
    assert evaluator.scores(3) is not evaluator.scores(2)


def test_what_cannot_be_is_said() -> None:
    with pytest.raises(UnknownNameError, match="unknown matching method 'rogue1'; did you mean ro"):
        RougeOfflineRetrievalEvaluators(GOLD, FOUND, "rogue1")
    with pytest.raises(UnknownNameError, match="unknown tokenizer 'kiwwi'; did you mean kiwi"):
        RougeOfflineRetrievalEvaluators(GOLD, FOUND, tokenizer="kiwwi")
    with pytest.raises(
        ValueError, match=r"'some' is not a valid AveragingMethod; known: 'micro', 'macro', 'both'$"
    ):
        OfflineRetrievalEvaluators(GOLD, FOUND, averaging_method="some")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"a threshold is from 0 to 1, got 1\.5"):
        RougeOfflineRetrievalEvaluators(GOLD, FOUND, threshold=1.5).calculate_mrr(1)
    with pytest.raises(UsageError, match="RR@0: a cutoff is a whole number of at least 1"):
        OfflineRetrievalEvaluators(GOLD, FOUND).calculate_mrr(0)
    with pytest.raises(InputError, match="no query has a gold text that is not blank"):
        OfflineRetrievalEvaluators([[""]], [["a"]]).calculate_mrr(1)
    with pytest.raises(InputError, match="there is no retrieved text; nothing can be scored"):
        OfflineRetrievalEvaluators([["a"]], [[]]).calculate_mrr(1)


def test_values_go_on_as_scores() -> None:
    scores = RougeOfflineRetrievalEvaluators(GOLD, FOUND).scores(3)
    assert scores["RR@3"].values.tolist() == [1.0, 0.5]
    assert scores.signature["matcher"] == "rouge1"


def test_the_figure() -> None:
    evaluator = RougeOfflineRetrievalEvaluators(GOLD, FOUND, threshold=0.7)
    drawing = Drawing.of(to_svg(evaluator.visualize_results(k=2)))
    values = evaluator.to_dict(2)
    assert drawing.named("title") == "Retrieval by rouge1: k = 2, 2 queries"
    labels = drawing.labels("bar")
    assert len(labels) == len(values) == 10
    for average, name in (("micro: over all texts", "micro_recall"),
                          ("macro: mean over queries", "macro_recall")):  # fmt: skip
        assert f"recall, {average}: {values[name]:.4f}" in labels
    assert f"ndcg, macro: mean over queries: {values['ndcg']:.4f}" in labels


def test_langchain_is_not_imported() -> None:
    code = "import sys, ragstone.krag; print({'langchain_core', 'altair', 'numpy', 'kiwipiepy', " \
           "'sentence_transformers'} & set(sys.modules))"  # fmt: skip
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "set()\n"


def test_what_is_public() -> None:
    assert krag.__all__ == sorted(krag.__all__)
    for name in krag.__all__:
        assert (getattr(krag, name).__doc__ or "").strip(), name
    assert krag.KragDocument is Document
    assert pickle.loads(pickle.dumps(Document("a", {"b": 1}))) == Document("a", {"b": 1})


def test_documents_of_any_kind_give_the_same() -> None:
    kinds: list[Any] = [str, Document, lambda text: {"page_content": text}]
    results = [
        OfflineRetrievalEvaluators(
            [[kind(text) for text in texts] for texts in GOLD],
            [[kind(text) for text in texts] for texts in GOLD],
        ).to_dict(2)
        for kind in kinds
    ]
    assert results[0] == results[1] == results[2]
    assert results[0]["map"] == 1.0
