"""Measures as values: names, aliases, cutoffs, parameters."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ragstone import measures
from ragstone.errors import InputError, UnknownNameError, UsageError
from ragstone.measures import (
    AGGREGATES,
    AP,
    ERR,
    MEASURES,
    RBP,
    RR,
    Area,
    Cutoff,
    Declaration,
    IPrec,
    Measure,
    P,
    R,
    nDCG,
    num_ret,
    parse_measure,
    split_name,
)

# name: canonical name. What trec_eval, toolkit-rag-quality and ir_measures call them.
NAMES = {
    "map": "AP", "MAP": "AP", "ap": "AP", "average_precision": "AP",
    "map_cut_10": "AP@10", "map_cut.10": "AP@10", "map@10": "AP@10", "map_at_10": "AP@10",
    "P_5": "P@5", "P.5": "P@5", "p@5": "P@5", "precision_at_5": "P@5", "precision": "P",
    "recall_100": "R@100", "recall.100": "R@100", "recall@5": "R@5", "recall": "R",
    "ndcg": "nDCG", "NDCG@10": "nDCG@10", "ndcg_cut_10": "nDCG@10", "ndcg_cut.10": "nDCG@10",
    "recip_rank": "RR", "mrr": "RR", "MRR@10": "RR@10", "mrr_at_10": "RR@10", "rr": "RR",
    "reciprocal_rank": "RR", "success_5": "Success@5", "success.5": "Success@5",
    "hit_rate": "Success", "hit": "Success", "hit_rate@3": "Success@3", "hitrate_3": "Success@3",
    "Rprec": "Rprec", "r_precision": "Rprec", "R-Prec": "Rprec", "bpref": "Bpref",
    "infAP": "infAP", "iprec_at_recall_0.10": "IPrec@0.1", "iprec_at_recall.0.25": "IPrec@0.25",
    "iprec@1": "IPrec@1.0", "IPrec@0": "IPrec@0.0", "set_P": "P", "set_precision": "P",
    "set_recall": "R", "set_R": "R", "set_F": "F1", "f1": "F1", "f1_score@5": "F1@5",
    "num_ret": "num_ret", "num_rel": "num_rel", "num_rel_ret": "num_rel_ret", "ERR@20": "ERR@20",
    "err": "ERR", "RBP": "RBP", "RBP(p=0.8)": "RBP(p=0.8)", "rbp( P = 0.50 )@5": None,
    "rbp( p = 0.50 )@5": "RBP(p=0.5)@5", "Judged@10": "Judged@10", "P(rel=2)@5": "P(rel=2)@5",
    " AP( rel=2 ) ": "AP(rel=2)", "RBP(rel=2, p=0.8)": "RBP(p=0.8, rel=2)", "P()@5": "P@5",
    "nDCG@10.0": "nDCG@10", "P@+5": "P@5", "P@007": "P@7",
    "ndcg_at_k": "nDCG@20", "recall_at_k": "R@20", "precision_at_k": "P@20", "mrr_at_k": "RR@20",
    "map_at_k": "AP@20", "ap_at_k": "AP@20", "ndcg@k": "nDCG@20", "recall_k": "R@20",
    "hit_at_k": "Success@20", "hit_rate_at_k": "Success@20",
}  # fmt: skip


@pytest.mark.parametrize(("name", "canonical"), NAMES.items())
def test_names_and_what_they_are_called(name: str, canonical: str | None) -> None:
    if canonical is None:
        with pytest.raises(UsageError):
            parse_measure(name, k=20)
    else:
        assert str(parse_measure(name, k=20)) == canonical


numbers = st.one_of(st.floats(0, 1), st.integers(0, 1), st.sampled_from([1e-9, 1 / 3, 5e-324]))


@st.composite
def any_measure(draw: st.DrawFn) -> Measure:
    """Draw a declared measure with any parameters and any cutoff that it takes."""
    declared = MEASURES[draw(st.sampled_from(sorted(MEASURES)))]
    measure = Measure(declared.name)
    for name, parameter in declared.parameters:
        if draw(st.booleans()):
            whole = st.integers(int(parameter.low), int(parameter.high))
            measure = measure(**{name: draw(whole if parameter.kind is int else numbers)})
    if declared.cutoff is Cutoff.RECALL:
        return measure @ draw(numbers)
    if declared.cutoff is Cutoff.RANK and draw(st.booleans()):
        return measure @ draw(st.integers(1, 10**9 - 1))
    return measure


@given(measure=any_measure())
@example(measure=RBP(p=1e-05))
@example(measure=IPrec @ (1 / 3))
@example(measure=IPrec @ -0.0)
def test_a_measure_parses_from_its_canonical_name(measure: Measure) -> None:
    again = parse_measure(str(measure))
    assert again == measure
    assert str(again) == str(measure)
    assert hash(again) == hash(measure)
    assert pickle.loads(pickle.dumps(measure)) == measure
    assert repr(measure) == f"Measure({str(measure)!r})"
    assert parse_measure(str(measure).lower()) == measure


def test_a_measure_has_one_name() -> None:
    assert str(IPrec @ -0.0) == str(parse_measure("IPrec@-0")) == "IPrec@0.0"
    assert str(RBP(p=-0.0)) == str(parse_measure("RBP(p=-0)")) == "RBP(p=0.0)"
    assert str(RBP(p=1)) == "RBP(p=1.0)"


def test_every_declared_measure_is_exported_and_round_trips() -> None:
    for name in MEASURES:
        measure: Measure = getattr(measures, name)
        if measure.declaration.cutoff is Cutoff.RECALL:
            measure @= 0.5
        assert str(parse_measure(str(measure))) == str(measure)
        assert parse_measure(measure.trec_name) == measure
        if measure.declaration.cutoff is Cutoff.RANK:
            assert parse_measure((measure @ 7).trec_name) == measure @ 7


TREC_NAMES = {
    "AP": "map", "AP@10": "map_cut_10", "P@5": "P_5", "R@100": "recall_100", "nDCG": "ndcg",
    "nDCG@10": "ndcg_cut_10", "RR": "recip_rank", "Success@1": "success_1", "Rprec": "Rprec",
    "Bpref": "bpref", "infAP": "infAP", "IPrec@0.1": "iprec_at_recall_0.10", "P": "set_P",
    "R": "set_recall", "F1": "set_F", "num_ret": "num_ret", "num_rel": "num_rel",
    "num_rel_ret": "num_rel_ret",
    # what trec_eval does not have keeps its own name
    "RR@10": "RR@10", "F1@5": "F1@5", "Judged@10": "Judged@10", "P(rel=2)@5": "P(rel=2)@5",
    "ERR@20": "ERR@20", "RBP": "RBP", "Success": "Success",
}  # fmt: skip


@pytest.mark.parametrize(("name", "trec_name"), TREC_NAMES.items())
def test_names_in_the_output_of_trec_eval(name: str, trec_name: str) -> None:
    assert parse_measure(name).trec_name == trec_name


def test_the_matrix_product_sets_the_cutoff() -> None:
    assert nDCG @ 10 == parse_measure("nDCG@10")
    assert nDCG @ 10 != nDCG @ 20
    assert nDCG @ 10 @ 20 == nDCG @ 20
    assert P(rel=2) @ 5 == (P @ 5)(rel=2)
    assert P(rel=2)(rel=3) == P(rel=3)
    assert str(RBP(rel=2, p=0.5)) == str(RBP(p=0.5)(rel=2)) == "RBP(p=0.5, rel=2)"
    for ten in (np.int64(10), np.float32(10), 10.0):
        assert nDCG @ ten == nDCG @ 10  # type: ignore[operator]
        assert str(nDCG @ ten) == "nDCG@10"  # type: ignore[operator]
    assert len({nDCG @ 10, parse_measure("ndcg_cut_10"), nDCG @ 5}) == 2


BELOW = "a cutoff is a whole number of at least 1, below 10**9"
REFUSED = {
    "nDCG@0": f"nDCG@0: {BELOW}",
    "nDCG@-1": f"nDCG@-1: {BELOW}",
    "nDCG@1.5": f"nDCG@1.5: {BELOW}",
    "P_0": f"P@0: {BELOW}",
    "nDCG@1000000000": f"nDCG@1000000000: {BELOW}",
    "nDCG@1e999": f"nDCG@inf: {BELOW}",
    "nDCG@ten": "'nDCG@ten': 'ten' is not a number",
    "nDCG@1_0": "'nDCG@1_0': '1_0' is not a number",
    "nDCG@\u0661": "'nDCG@\u0661': '\u0661' is not a number",
    "nDCG@nan": "'nDCG@nan': 'nan' is not a number",
    "nDCG@": "'nDCG@' is not a measure; write one like nDCG@10 or P(rel=2)@5",
    "nDCG@10@5": "'nDCG@10@5': '10@5' is not a number",
    "P@5(rel=2)": "'P@5(rel=2)': '5(rel=2)' is not a number",
    "nDCG@" + "9" * 41: f"'nDCG@{'9' * 41}': '{'9' * 40}' is not a number",
    "": "'' is not a measure; write one like nDCG@10 or P(rel=2)@5",
    "@10": "'@10' is not a measure; write one like nDCG@10 or P(rel=2)@5",
    "P(rel=2": "'P(rel=2' is not a measure; write one like nDCG@10 or P(rel=2)@5",
    "IPrec": "IPrec needs a recall level, as in IPrec@0.1",
    "IPrec@1.1": "IPrec@1.1: a recall level is from 0 to 1",
    "IPrec@-0.1": "IPrec@-0.1: a recall level is from 0 to 1",
    "num_ret@5": "num_ret takes no cutoff, got @5",
    "Rprec@5": "Rprec takes no cutoff, got @5",
    "P(rel=0)": "P: rel is from 1 to 1e+09, got 0",
    "P(rel=1.5)": "P: rel is a whole number, got 1.5",
    "P(rel=x)": "'P(rel=x)': 'x' is not a number",
    "P(rel)": "'P(rel)': 'rel' is not a parameter; write it as rel=2, once",
    "P(rel=1,rel=2)": "'P(rel=1,rel=2)': 'rel=2' is not a parameter; write it as rel=2, once",
    "P(p=1)": "P has no parameter 'p'; it has: rel",
    "nDCG(rel=2)": "nDCG has no parameter 'rel'; it has: none",
    "RBP(p=1.1)": "RBP: p is from 0 to 1, got 1.1",
    "ERR(max=1001)": "ERR: max is from 1 to 1000, got 1001",
    "recall_at_k": "'recall_at_k': say which k, as in R@10",
}


@pytest.mark.parametrize(("name", "message"), REFUSED.items())
def test_what_is_no_measure(name: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_measure(name)
    assert str(caught.value) == message


UNKNOWN = {
    "ndgc@10": "unknown measure 'ndgc'; did you mean nDCG?",
    "recal": "unknown measure 'recal'; did you mean recall or SpanRecall or Rprec?",
    "ndgc_cut_10": "unknown measure 'ndgc'; did you mean nDCG?",
    "mmr_at_k": "unknown measure 'mmr'; did you mean mrr or R?",
    "hit_ratee": "unknown measure 'hit_ratee'; did you mean hit_rate?",
    "P_5garbage": "unknown measure 'P_5garbage'; ",
    "P_5,10": "unknown measure 'P_5,10'; ",
    "xyzzy": "unknown measure 'xyzzy'; known: P, R, F1, nDCG, AP, RR, Success, Rprec, Bpref, ",
    "11pt_avg": "unknown measure '11pt_avg'; ",
}


@pytest.mark.parametrize(("name", "message"), UNKNOWN.items())
def test_an_unknown_name_is_answered_with_the_nearest(name: str, message: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        parse_measure(name)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("value", [0, -1, 1.5, math.nan, math.inf, True, 10**9])
def test_cutoffs_from_python(value: Any) -> None:
    with pytest.raises(UsageError, match=r"^nDCG@.*: a cutoff is a whole number of at least 1"):
        nDCG @ value


@pytest.mark.parametrize("value", [-0.1, 1.1, math.nan, True])
def test_recall_levels_from_python(value: Any) -> None:
    with pytest.raises(UsageError, match=r"^IPrec@.*: a recall level is from 0 to 1$"):
        IPrec @ value


@pytest.mark.parametrize("value", [0, math.nan, math.inf, "2", True])
def test_parameters_from_python(value: Any) -> None:
    with pytest.raises(UsageError, match=r"^P: rel is from 1 to 1e\+09, got "):
        P(rel=value)


@given(
    text=st.one_of(
        st.text(max_size=12),
        st.lists(
            st.sampled_from(
                ["nDCG", "P", "IPrec", "@", "(", ")", "rel", "=", "2", ",", "_", ".", "k"]
            )
        ).map("".join),
    )
)
def test_any_text_is_a_measure_or_an_input_error(text: str) -> None:
    try:
        measure = parse_measure(text)
    except InputError:
        return
    assert parse_measure(str(measure)) == measure


def test_names_are_taken_apart() -> None:
    """A budget's family is the name alone, whatever was behind it."""
    assert split_name("ndcg_cut_10") == ("nDCG", "", "10")
    assert split_name("P(rel=2)@5") == ("P", "rel=2", "5")
    assert split_name("map") == ("AP", "", None)
    assert split_name("recall_at_k") == ("R", "", "k")


def test_default_measures() -> None:
    names = [str(measure) for measure in measures.default_measures(5)]
    assert names == ["R@5", "P@5", "nDCG@5", "RR@5", "AP@5", "Success@5"]


def test_declarations_are_complete() -> None:
    """A parameter that the rules fill is one that the rules have; a kernel takes what is bound."""
    rules = {"rel": 1, "trec_eval": 10, "max": 1}
    ranking = measures.Ranking(1, [1], [1], [1])
    for name, declared in of_area(Area.RETRIEVAL).items():
        measure = Measure(name, 1 if declared.cutoff is Cutoff.RANK else None)
        if declared.cutoff is Cutoff.RECALL:
            measure = Measure(name) @ 1
        value = measure.bound(rules)(ranking)
        low, high = declared.range
        assert low <= value <= high
        assert declared.help
        assert declared.version >= 1
        below = measure.bound_denominator(rules)
        assert below is None or below(ranking) > 0
        assert declared.binary == (name == "Success")
        assert declared.quality == (name not in {"Judged", "num_ret", "num_rel", "num_rel_ret"})
        assert declared.aggregate == ("sum" if name.startswith("num_") else "mean")


def of_area(area: Area) -> dict[str, Declaration]:
    return {name: declared for name, declared in MEASURES.items() if declared.area is area}


def test_every_declaration_says_what_gates_and_reports_need() -> None:
    for name, declared in MEASURES.items():
        assert declared.help, name
        assert declared.version >= 1
        low, high = declared.range
        assert low < high
        assert {declared.aggregate, *declared.shown} <= set(AGGREGATES)
        assert declared.aggregate not in declared.shown
        assert not declared.binary or declared.range == (0.0, 1.0)
        assert declared.kernel is not None or declared.area is not Area.RETRIEVAL


def test_operations_are_lower_is_better_and_no_quality() -> None:
    names = of_area(Area.OPERATIONS)
    assert list(names) == [
        "latency_ms",
        "retrieval_ms",
        "first_token_ms",
        "generation_ms",
        "input_tokens",
        "output_tokens",
        "cached_input_tokens",
        "reasoning_tokens",
        "cost_usd",
    ]
    for name, declared in names.items():
        assert (declared.quality, declared.complete, declared.aggregate) == (False, True, "mean")
        assert declared.direction.value == ("higher" if "cached" in name else "lower")
        assert declared.range == (0.0, math.inf)
        assert declared.unit == {"_ms": "ms", "usd": "USD", "ens": "tokens"}[name[-3:]]


def test_names_of_operations_in_other_tools() -> None:
    for alias, name in {
        "latency": "latency_ms",
        "time_to_first_token": "first_token_ms",
        "TTFT": "first_token_ms",
        "prompt_tokens": "input_tokens",
        "completion_tokens": "output_tokens",
        "cost": "cost_usd",
    }.items():
        assert str(parse_measure(alias)) == name


def test_parameters_come_before_rules() -> None:
    ranking = measures.Ranking(2, [1, 2], [1, 2], [1, 2])
    rules = {"rel": 2, "trec_eval": 10, "max": 3}
    assert (R @ 1).bound(rules)(ranking) == 0.0
    assert (R(rel=1) @ 1).bound(rules)(ranking) == 0.5
    assert AP.bound(rules)(ranking) == RR.bound(rules)(ranking) == 0.5
    assert ERR.bound(rules)(ranking) == 1 / 8 + 7 / 8 * 3 / 8 / 2
    assert ERR(max=1).bound(rules)(ranking) == 0.5 + 0.5 * 0.5 / 2
    assert num_ret.bound(rules)(ranking) == 2.0
