"""The printed outputs of trec_eval itself, where they lie beside the checkout."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pytest

from ragstone.errors import FormatError
from ragstone.formats import open_run, read_qrels
from ragstone.measures import Aggregate, parse_measure
from ragstone.model import Qrels, Scores
from ragstone.scoring import score

Printed = dict[tuple[str, str], str]

# What ragstone does not measure. rbp reads uninitialised memory there; ours has tests of its own.
NOT_OURS = re.compile(
    r"runid|relstring.*|utility.*|Rprec_mult_.*|gm_.*|G|binG|ndcg_rel|Rndcg|relative_P_.*|set_map"
    r"|set_relative_P|rbp|rbp_resid|unj_.*|num_nonrel_judged_ret|ndcg_1=3,2=9,4=4\.5"
)
ELEVEN = tuple(f"iprec_at_recall_{level / 10:.2f}" for level in range(11))
# What the 11-point average averages: it is no measure of ours, and checks eleven that are.
AVERAGED = {
    "11pt_avg": ELEVEN,
    "11pt_avg_.25,.5,.75": tuple(f"iprec_at_recall_{level:.2f}" for level in (0.25, 0.5, 0.75)),
}


def read_output(path: Path) -> Printed:
    printed = {}
    for line in path.read_text("utf-8").splitlines():
        name, query, value = line.split("\t")
        printed[name.strip(), query] = value
    return printed


def ours(printed: Printed) -> list[str]:
    names = dict.fromkeys(name for name, _ in printed)
    extra = [part for name in names for part in AVERAGED.get(name, ())]
    known = (n for n in names if not NOT_OURS.fullmatch(n) and n not in AVERAGED and n != "num_q")
    return list(dict.fromkeys([*known, *extra]))


def our_output(scores: Scores, names: Iterable[str]) -> dict[tuple[str, str], float]:
    """Return what we would print, under trec_eval's names; `all` as with -c."""
    found: dict[tuple[str, str], float] = {("num_q", "all"): len(scores)}
    for name in names:
        measure = parse_measure(name)
        column = scores[str(measure)]
        number = Aggregate.default(measure).of(column)
        assert number is not None
        found[name, "all"] = number
        found |= {(name, q): v for q, v in zip(scores.items, column.values, strict=True)}
    for average, parts in AVERAGED.items():
        for query in {query for name, query in found if name == parts[0]}:
            if all((part, query) in found for part in parts):
                found[average, query] = sum(found[part, query] for part in parts) / len(parts)
    return found


def assert_equal(printed: Printed, scores: Scores) -> None:
    """Every line that was printed and that is ours, to its four decimals."""
    found = our_output(scores, ours(printed))
    compared = 0
    for (name, query), text in printed.items():
        if NOT_OURS.fullmatch(name):
            continue
        value = found[name, query]
        assert (f"{value:.0f}" if name.startswith("num_") else f"{value:.4f}") == text, (
            name,
            query,
        )
        compared += 1
    assert compared > 20


def restricted(qrels: Qrels, queries: Iterable[str]) -> Qrels:
    """Keep the queries that are in both files: what trec_eval averages without -c."""
    return Qrels({query: qrels[query] for query in queries if query in qrels})


@pytest.mark.parametrize("version", [10, 9])
@pytest.mark.parametrize("side", ["baseline", "candidate"])
@pytest.mark.parametrize("name", ["cranfield", "scifact"])
def test_two_collections(shared: Path, name: str, side: str, version: int) -> None:
    folder = shared / "data" / name
    qrels = folder / ("qrels.trec" if name == "cranfield" else "qrels/test.tsv")
    number = {10: "10.0", 9: "9.0.8"}[version]
    printed = read_output(folder / f"{side}.trec_eval-{number}.txt")
    run = open_run(folder / f"{side}.trec")
    scores = score(read_qrels(qrels), run, ours(printed), trec_eval=version)
    assert_equal(printed, scores)
    assert len({query for _, query in printed}) == len(scores) + 1


@pytest.fixture(scope="session")
def folder(shared: Path) -> Path:
    return shared / "data" / "trec_eval-10.0"


@pytest.fixture
def cut_run(folder: Path, tmp_path: Path) -> Callable[[str], Path]:
    """Return a function that drops what stands behind a run's tag: we refuse a seventh column."""

    def cut(name: str) -> Path:
        lines = (folder / name).read_bytes().splitlines()
        path = tmp_path / name
        path.write_bytes(b"".join(b" ".join(line.split()[:6]) + b"\n" for line in lines))
        return path

    return cut


# output: qrels, run, relevance level
OUTPUTS: Mapping[str, tuple[str, str, int]] = {
    "out.test": ("qrels.test", "results.test", 1),
    "out.comment.test": ("qrels.comment.test", "results.comment.test", 1),
    "out.test.a": ("qrels.test", "results.test", 1),
    "out.test.aq": ("qrels.test", "results.test", 1),
    "out.test.aql": ("qrels.rel_level", "results.test", 2),  # nDCG ignores the level, as ours
    "out.test.meas_params": ("qrels.test", "results.test", 1),
}


@pytest.mark.parametrize("output", OUTPUTS)
def test_without_c(folder: Path, output: str) -> None:
    qrels_name, run_name, level = OUTPUTS[output]
    printed = read_output(folder / output)
    run = open_run(folder / run_name)
    qrels = restricted(
        read_qrels(folder / qrels_name), (each.query for each in run.collected(Counter()))
    )
    assert_equal(printed, score(qrels, run, ours(printed), relevance_level=level))


def test_qrels_with_comments(folder: Path) -> None:
    qrels = read_qrels(folder / "qrels.test.with-comments")
    assert qrels["301"]["CR#93E-1860"] == 0  # a comment begins a line, or is none
    printed = read_output(folder / "out.test")
    run = open_run(folder / "results.test")
    assert_equal(printed, score(qrels, run, ours(printed)))


def test_with_c(folder: Path, cut_run: Callable[[str], Path]) -> None:
    """A judged query without results has its row of zeros, and counts."""
    printed = read_output(folder / "out.test.aqc")
    run = open_run(cut_run("results.trunc"))
    scores = score(read_qrels(folder / "qrels.test"), run, ours(printed))
    assert_equal(printed, scores)
    assert scores.facts["queries_without_results"] == 1


def test_what_stands_behind_the_tag_is_an_error(folder: Path) -> None:
    """trec_eval ignores it; a run of seven columns is more often a run gone wrong."""
    with pytest.raises(FormatError, match=r":1: 9 columns .* a run has 6: "):
        list(open_run(folder / "results.trunc", "trec").collected(Counter()))


def test_nothing_is_left_out_by_accident(folder: Path) -> None:
    """Each name in the outputs is ours, an average of ours, or named as not ours."""
    names = {name for output in OUTPUTS for name, _ in read_output(folder / output)}
    left_out = {name for name in names if NOT_OURS.fullmatch(name)}
    assert {re.sub(r"_[\d.,-]+$", "", name) for name in left_out} == {
        "G", "Rndcg", "Rprec_mult", "binG", "gm_bpref", "gm_map", "ndcg_1=3,2=9,4=4.5", "ndcg_rel",
        "num_nonrel_judged_ret", "rbp", "rbp_resid", "relative_P", "relstring", "runid", "set_map",
        "set_relative_P", "unj", "utility",
    }  # fmt: skip
    assert {name for name in names - left_out if name.startswith(("P_", "iprec", "11pt"))}
    for name in names - left_out - {"num_q"} - set(AVERAGED):
        assert parse_measure(name).trec_name == name
