from __future__ import annotations

from typing import Any

from ragstone import statistics
from ragstone.gate import QueryChange, compare
from ragstone.gate.diff import ROUNDING


def test_only_queries_that_changed_are_kept(make: Any) -> None:
    old = make({"RR": [1, 0.5, 0.25, 1], "AP": [1, 1, 1, 1]})
    new = make({"RR": [1, 0.5, 0.5, 0], "AP": [1, 0.5, 1, 1 - 1e-14]})
    diff = compare(old, new).diff
    assert diff.items == ("q2", "q3", "q4")
    assert diff.columns["RR"].baseline == (0.5, 0.25, 1.0)
    assert diff.columns["RR"].candidate == (0.5, 0.5, 0.0)
    assert diff.columns["RR"].deltas == (0.0, 0.25, -1.0)
    assert diff.columns["RR"].worsenings == (0.0, 0.0, 1.0)
    assert list(diff.rows()) == [
        {"id": "q2", "measures": {"AP": {"baseline": 1.0, "candidate": 0.5, "delta": -0.5}}},
        {"id": "q3", "measures": {"RR": {"baseline": 0.25, "candidate": 0.5, "delta": 0.25}}},
        {"id": "q4", "measures": {"RR": {"baseline": 1.0, "candidate": 0.0, "delta": -1.0}}},
    ]


def test_an_item_that_no_longer_counts_changed(make: Any) -> None:
    found = compare(make({"RR": [1, 1, None]}), make({"RR": [1, None, None]}))
    assert found.diff.items == ("q2",)
    assert found.diff.columns["RR"].deltas == (None,)
    assert list(found.diff.rows()) == [
        {"id": "q2", "measures": {"RR": {"baseline": 1.0, "candidate": None, "delta": None}}}
    ]
    assert found.most_regressed == ()


def test_most_regressed_are_sorted_by_drop_then_id(make: Any) -> None:
    found = compare(make({"RR": [1, 1, 1, 0.5, 1]}), make({"RR": [0.5, 0, 0.5, 1, 1]}))
    assert [(each.id, each.delta) for each in found.most_regressed] == [
        ("q2", -1.0),
        ("q1", -0.5),
        ("q3", -0.5),
    ]
    assert found.most_regressed[0] == QueryChange("q2", "RR", 1.0, 0.0, -1.0)
    assert [each.id for each in found.regressed("RR", 1)] == ["q2"]
    assert found.regressed("AP") == []


def test_rounding_does_not_break_a_tie(make: Any) -> None:
    found = compare(make({"RR": [0.9, 0.8, 1.0]}), make({"RR": [0.8, 0.7, 0.9]}))
    assert len({each.delta for each in found.most_regressed}) > 1
    assert [each.id for each in found.most_regressed] == ["q1", "q2", "q3"]


def test_top_limits_the_list(make: Any) -> None:
    old, new = make({"RR": [1.0] * 12}), make({"RR": [0.0] * 12})
    assert len(compare(old, new).most_regressed) == 10
    assert len(compare(old, new, top=3).most_regressed) == 3
    assert compare(old, new, top=0).most_regressed == ()


def test_a_rise_is_worse_where_lower_is_better(make: Any) -> None:
    found = compare(make({"wait_ms": [10, 20, 30]}), make({"wait_ms": [15, 10, 90]}))
    assert [(each.id, each.delta) for each in found.most_regressed] == [("q3", 60.0), ("q1", 5.0)]


def test_the_first_ndcg_is_primary(make: Any) -> None:
    columns = {name: [1.0, 0.5] for name in ("AP", "nDCG@10", "nDCG@5", "R@5")}
    assert compare(make(columns), make(columns)).primary == "nDCG@5"
    assert compare(make(columns), make(columns), primary_measure="ndcg_cut_10").primary == "nDCG@10"
    assert compare(make(columns), make(columns), primary_measure="recall_at_k").primary == "R@5"
    del columns["nDCG@5"], columns["nDCG@10"]
    assert compare(make(columns), make(columns)).primary == "AP"


def test_what_failed_is_primary_then_what_is_gated(make: Any) -> None:
    old, new = make({"nDCG": [1], "AP": [1], "RR": [1]}), make({"nDCG": [1], "AP": [1], "RR": [0]})
    found = compare(old, new)
    assert (found.primary, [each.measure for each in found.most_regressed]) == ("RR", ["RR"])
    assert compare(old, old, budgets=["ndcg=off"]).primary == "AP"
    assert compare(old, old, budgets=["ndcg=off", "map=off"]).primary == "RR"
    off = ["ndcg=off", "map=off", "mrr=off"]
    assert compare(old, new, budgets=off).primary == "nDCG"
    fewer = make({"AP": [1, None], "RR": [1, 1]})
    assert compare(fewer, fewer, budgets=["map=off"]).counts.pairs == 2  # not those of AP


def test_primary_prefers_what_is_compared(make: Any) -> None:
    old, new = make({"R@5": [1], "R@10": [1]}), make({"R@10": [0]})
    found = compare(old, new, primary_measure="recall")
    assert (found.primary, found.most_regressed[0].measure) == ("R@10", "R@10")
    found = compare(old, new, primary_measure="R@5")
    assert (found.primary, found.most_regressed) == ("R@5", ())


def test_counts(make: Any) -> None:
    old = make({"nDCG@5": [1, 1, 0, 1], "R@5": [1, 1, 1, 1], "wait_ms": [1, 1, 1, 1]})
    new = make({"nDCG@5": [0, 1, 1, None], "R@5": [0, 0, 1, 1], "wait_ms": [1, 1, 9, 1]})
    counts = compare(old, new, primary_measure="nDCG@5").counts
    assert (counts.baseline_items, counts.candidate_items, counts.pairs) == (4, 4, 3)
    assert (counts.worse, counts.better) == (1, 1)
    assert (counts.changed, counts.worse_under_any) == (4, 2)


def test_rounding_is_that_of_the_statistics() -> None:
    assert ROUNDING == statistics.ROUNDING
