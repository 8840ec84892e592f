"""A test for each row of docs/conformance.md, and a row for each test."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from ragstone.errors import InputError, UnknownNameError
from ragstone.formats import open_run, read_qrels, read_run
from ragstone.measures import parse_measure, summary
from ragstone.scoring import score

PAGE = Path(__file__).parents[2] / "docs" / "conformance.md"
Write = Callable[..., str]

QRELS, RUN = b"q1 0 a 1\nq1 0 b 0\n", b"q1 Q0 b 1 2 t\nq1 Q0 a 2 1 t\n"


def row_ids() -> list[str]:
    return re.findall(r"^\| `([a-z0-9-]+)` \|", PAGE.read_text("utf-8"), re.MULTILINE)


def test_every_row_has_a_test_and_every_test_a_row() -> None:
    rows = [f"test_{row.replace('-', '_')}" for row in row_ids()]
    tests = {name for name in globals() if name.startswith("test_")}
    assert len(set(rows)) == len(rows) > 50
    assert set(rows) == tests - {"test_every_row_has_a_test_and_every_test_a_row", "test_rows"}


def test_rows() -> None:
    """Every row says something in each of its columns."""
    for line in PAGE.read_text("utf-8").splitlines():
        if line.startswith("| `"):
            cells = [cell.strip() for cell in line.strip("|").split(" | ")]
            assert len(cells) == 5, line
            assert all(cells), line


@pytest.fixture
def rr(write: Write) -> Callable[..., float]:
    """Return a function that reads two files and gives RR of query q1 (0.5 for the defaults)."""

    def value(qrels: bytes = QRELS, run: bytes = RUN, name: str = "RR", version: int = 10) -> float:
        judged, results = read_qrels(write(qrels, "qrels")), open_run(write(run, "run"))
        scores = score(judged, results, [name], trec_eval=version)
        return scores[name].values[scores.items.index("q1")]

    return value


@pytest.fixture
def said(rr: Callable[..., float]) -> Callable[..., str]:
    """Return a function that gives the message of an error, from the file's name on."""

    def message(qrels: bytes = QRELS, run: bytes = RUN) -> str:
        with pytest.raises(InputError) as caught:
            rr(qrels, run)
        return str(caught.value).rpartition("/")[2]

    return message


def value(
    name: str,
    docs: str,
    grades: Mapping[str, int],
    *,
    level: int = 1,
    version: int = 10,
) -> float:
    """Compute a measure for documents of one letter each, in their order."""
    run = {"q": list(docs), "other": ["a"]}
    qrels = {"q": dict(grades), "other": {"a": 1}}
    scores = score(qrels, run, [name], relevance_level=level, trec_eval=version)
    return scores[str(parse_measure(name))].values[1]


# ---- files --------------------------------------------------------------------------------------


def test_run_columns(said: Callable[..., str]) -> None:
    assert said(run=RUN + b"q1 Q0 c 3 0 t u\n").startswith("run:3: 7 columns ('q1 Q0 c 3 0 t u')")
    assert said(run=RUN + b"q1 Q0 c 3 0\n").startswith("run:3: 5 columns ('q1 Q0 c 3 0')")


def test_qrels_columns(said: Callable[..., str]) -> None:
    assert said(QRELS + b"q1 0 c 1 x\n").startswith("qrels:3: 5 columns ('q1 0 c 1 x')")
    assert said(QRELS + b"q1 0 c\n").startswith("qrels:3: 3 columns ('q1 0 c')")


def test_white_space(rr: Callable[..., float]) -> None:
    for space in (b"\t", b"  ", b" \t ", b"\v", b"\f", b"\r"):
        assert rr(QRELS.replace(b" ", space), RUN.replace(b" ", space)) == 0.5
    assert rr(b" \t" + QRELS, b"\v" + RUN.replace(b"\n", b" \n")) == 0.5


@pytest.mark.parametrize("space", ["\u00a0", "\u3000", "\u2028", "\u0085", "\x1c", "\x1f"])
def test_wider_space(rr: Callable[..., float], space: str) -> None:
    odd = f"a{space}a".encode()
    assert rr(QRELS.replace(b"a", odd), RUN.replace(b"a", odd)) == 0.5
    assert rr(QRELS, RUN.replace(b"a", odd)) == 0.0


def test_line_ends(write: Write, rr: Callable[..., float]) -> None:
    assert rr(QRELS.replace(b"\n", b"\r\n"), RUN.replace(b"\n", b"\r\n")) == 0.5
    run = read_run(write(RUN.replace(b"\n", b"\r\n"), "run"))
    assert run.rankings == {"q1": {"b": 2.0, "a": 1.0}}


def test_last_line(rr: Callable[..., float]) -> None:
    assert rr(QRELS[:-1], RUN[:-1]) == 0.5


def test_blank_lines(rr: Callable[..., float]) -> None:
    assert rr(QRELS.replace(b"\n", b"\n\n \t\n"), RUN.replace(b"\n", b"\n\n \t\n")) == 0.5


def test_comments(rr: Callable[..., float]) -> None:
    note = b"# note\n#\n  # q1 0 a 0\n"
    assert rr(note + QRELS + note, note + RUN.replace(b"\n", b"\n" + note)) == 0.5


def test_hash_in_id(rr: Callable[..., float]) -> None:
    assert rr(QRELS.replace(b"a", b"#a#"), RUN.replace(b"a", b"#a#")) == 0.5


def test_byte_order_mark(rr: Callable[..., float]) -> None:
    mark = b"\xef\xbb\xbf"
    assert rr(mark + QRELS, mark + RUN) == rr(mark + QRELS) == 0.5


def test_encoding(said: Callable[..., str]) -> None:
    assert said(run=RUN + b"q1 Q0 \xe9 3 0 t\n").startswith("run:3: not UTF-8: byte 0xe9")


@pytest.mark.parametrize("text", ["abc", "1.5x", "0,9", "1_000", "0x1p3", ""])
def test_score_text(said: Callable[..., str], text: str) -> None:
    text = text or "-"
    expected = f"run:3: the score '{text}' is not a finite number such as 12.5"
    assert said(run=RUN + f"q1 Q0 c 3 {text} t\n".encode()) == expected


def refused_as_not_finite(said: Callable[..., str], text: str) -> bool:
    return f"'{text}' is not a finite number" in said(run=RUN + f"q1 Q0 c 3 {text} t\n".encode())


@pytest.mark.parametrize("text", ["nan", "NaN", "-nan"])
def test_score_nan(said: Callable[..., str], text: str) -> None:
    assert refused_as_not_finite(said, text)


@pytest.mark.parametrize("text", ["inf", "-Infinity", "1e999"])
def test_score_infinite(said: Callable[..., str], text: str) -> None:
    assert refused_as_not_finite(said, text)


def test_score_forms(write: Write) -> None:
    texts = ["1", "-2.5", "+3", "1e5", ".5", "1.", "-1E-3", "007"]
    rows = "".join(f"q1 Q0 d{n} 1 {text} t\n" for n, text in enumerate(texts))
    assert list(read_run(write(rows))["q1"].values()) == [1, -2.5, 3, 1e5, 0.5, 1, -0.001, 7]


def test_grade_text(write: Write, said: Callable[..., str]) -> None:
    for text in ("1.9", "abc", "0,5", "1e1"):
        expected = (
            f"qrels:3: the grade of document 'c', query 'q1' is '{text}'; "
            "a grade must be an integer"
        )
        assert said(QRELS + f"q1 0 c {text}\n".encode()) == expected
    assert read_qrels(write("q1 0 c 2.0\n")).grades == {"q1": {"c": 2}}


def test_ignored_columns(rr: Callable[..., float]) -> None:
    assert rr(b"q1 x a 1\nq1 9 b 0\n", b"q1 a b 9 2 s\nq1 b a 1 1 t\n") == 0.5


def test_line_order(rr: Callable[..., float]) -> None:
    lines = [*RUN.splitlines(keepends=True), b"q0 Q0 a 1 1 t\n"]
    for run in (lines, lines[::-1], [lines[0], lines[2], lines[1]]):
        assert rr(b"q0 0 a 1\n" + QRELS, b"".join(run)) == 0.5


def test_ids_are_text(write: Write) -> None:
    ids = ["007", "7", "1e1", "10", "NA", "nan", "True", "null", "-0", "0"]
    qrels = read_qrels(write("".join(f"{q} 0 {q} 1\n" for q in ids), "qrels"))
    run = read_run(write("".join(f"{q} Q0 {q} 1 1 t\n" for q in ids)))
    assert summary(score(qrels, run, ["AP", "num_ret"])) == {"AP": 1.0, "num_ret": 10.0}


# ---- the ranking --------------------------------------------------------------------------------


def test_order(rr: Callable[..., float]) -> None:
    tied = b"q1 Q0 d10 1 1 t\nq1 Q0 d9 2 1 t\nq1 Q0 d1 3 2 t\n"
    ranks = {doc: 1 / rr(f"q1 0 {doc} 1\n".encode(), tied) for doc in ("d1", "d9", "d10")}
    assert ranks == {"d1": 1.0, "d9": 2.0, "d10": 3.0}


def test_id_order(rr: Callable[..., float]) -> None:
    """By code point: as UTF-16 and by alphabet the order would be another."""
    ids = ["\U00010000", "\uffff", "é", "a", "Z", "10", "1"]
    tied = "".join(f"q1 Q0 {doc} 1 1 t\n" for doc in ids[::-1]).encode()
    assert [1 / rr(f"q1 0 {doc} 1\n".encode(), tied) for doc in ids] == [1, 2, 3, 4, 5, 6, 7]


def test_score_precision(rr: Callable[..., float]) -> None:
    for high, low in ((b"16777217", b"16777216"), (b"0.87654321987", b"0.87654321985")):
        run = b"q1 Q0 a 1 " + high + b" t\nq1 Q0 b 2 " + low + b" t\n"
        assert rr(QRELS, run, version=10) == 1.0
        assert rr(QRELS, run, version=9) == 0.5


def test_repeated_document(said: Callable[..., str]) -> None:
    assert said(run=RUN + b"q1 Q0 b 3 0 t\n") == (
        "run:3: document 'b' is listed twice for query 'q1', first at line 1; "
        "a document may stand once in a ranking"
    )
    listed = score({"q1": ["a"]}, {"q1": ["b", "b", "a"]}, ["RR"])
    assert (listed["RR"].values[0], listed.facts["duplicates_removed"]) == (0.5, 1)


def test_repeated_judgment(write: Write, said: Callable[..., str]) -> None:
    assert said(QRELS + b"q1 0 a 0\n") == (
        "qrels:3: document 'a' of query 'q1' has grade 0 here and 1 above; keep one of the two"
    )
    assert read_qrels(write(QRELS + QRELS)).facts["repeated_judgments"] == 2


def test_not_judged() -> None:
    assert value("RR", "xa", {"a": 1}) == 0.5
    assert value("nDCG", "xa", {"a": 1}) == 1 / math.log2(3)


def test_negative_grade() -> None:
    for name in ("RR", "P@2", "AP", "Success@1", "nDCG"):
        assert value(name, "xa", {"a": 1}) == value(name, "na", {"n": -1, "a": 1})
    assert value("Bpref", "na", {"n": -1, "m": 0, "a": 1}) == 1.0
    assert value("Bpref", "ma", {"n": -1, "m": 0, "a": 1}) == 0.0
    assert value("infAP", "na", {"n": -1, "a": 1}) > value("infAP", "xa", {"n": -1, "a": 1})
    assert value("Judged@2", "na", {"n": -1, "a": 1}) == 0.5


def test_negative_alone() -> None:
    for grades in ({"a": -1}, {"a": -2, "b": -3}):
        for name in ("AP", "nDCG", "Bpref", "infAP", "Rprec", "IPrec@0.5"):
            assert value(name, "ab", grades) == 0.0
    assert summary(score({"q": {"a": -2}, "p": {"a": 1}}, {"p": ["a"]}, ["AP"])) == {"AP": 0.5}


def test_level() -> None:
    grades = {"a": 1, "b": 2}
    assert [value("RR", "ab", grades, level=level) for level in (1, 2, 3)] == [1.0, 0.5, 0.0]
    assert value("RR(rel=2)", "ab", grades) == 0.5
    assert value("RR(rel=1)", "ab", grades, level=2) == 1.0


def test_level_of_ndcg() -> None:
    for name in ("nDCG", "nDCG@2", "ERR"):
        one, two = (value(name, "ab", {"a": 1, "b": 2}, level=level) for level in (1, 2))
        assert one == two > 0


# ---- the queries --------------------------------------------------------------------------------


def test_missing_query() -> None:
    scores = score({"q1": ["a"], "q2": ["a"]}, {"q1": ["a"]}, ["AP"])
    assert summary(scores) == {"AP": 0.5}
    assert scores.facts["queries_without_results"] == 1


def test_unjudged_query() -> None:
    scores = score({"q1": ["a"]}, {"q1": ["a"], "q2": ["a"]}, ["AP", "num_ret"])
    assert summary(scores) == {"AP": 1.0, "num_ret": 1.0}
    assert scores.facts["unscored_run_queries"] == 1


def test_nothing_relevant() -> None:
    scores = score({"q1": {"a": 0}, "q2": {"a": 1}}, {"q1": ["a"], "q2": ["a"]}, ["AP"])
    assert summary(scores) == {"AP": 0.5}
    assert scores.facts["queries_without_relevant"] == 1


def test_no_shared_query(said: Callable[..., str]) -> None:
    text = said(run=RUN.replace(b"q1", b"1"))
    assert text.startswith("no judged query has a result: the qrels have 'q1', the run has '1'; ")


def test_mean() -> None:
    names = ["R@5", "num_ret", "num_rel", "num_rel_ret"]
    scores = score({"q1": ["a", "b"], "q2": ["c"]}, {"q1": ["a"], "q2": ["c", "d"]}, names)
    assert list(summary(scores).values()) == [0.75, 3.0, 3.0, 2.0]


def test_num_rel_of_all() -> None:
    qrels = {"q1": {"a": 1, "b": 2}, "q2": {"a": 1}}
    scores = score(qrels, {"q1": ["a"]}, ["num_rel"], relevance_level=2)
    assert scores["num_rel"].values.tolist() == [1.0, 0.0]
    assert summary(scores) == {"num_rel": 1.0}


def test_query_order() -> None:
    queries = ["q2", "q10", "Q1", "é", "\U00010000", "\uffff"]
    scores = score({q: ["a"] for q in queries}, {q: ["a"] for q in queries}, ["AP"])
    assert scores.items == ("Q1", "q10", "q2", "é", "\uffff", "\U00010000")


# ---- the measures -------------------------------------------------------------------------------


def test_precision() -> None:
    assert value("P@5", "a", {"a": 1}) == 1 / 5


def test_recall() -> None:
    assert value("R@2", "axb", {"a": 1, "b": 1, "c": 1}) == 1 / 3
    assert value("R@2", "a", {"a": 0}) == 0.0


def test_average_precision() -> None:
    grades = {"a": 1, "b": 1, "c": 1, "d": 1}
    assert value("AP", "axb", grades) == (1 + 2 / 3) / 4
    assert value("AP@1", "axb", grades) == 1 / 4


def test_reciprocal_rank() -> None:
    assert value("RR", "xyzvwa", {"a": 1}) == 1 / 6
    assert value("RR@6", "xyzvwa", {"a": 1}) == 1 / 6
    assert value("RR@5", "xyzvwa", {"a": 1}) == 0.0


def test_r_precision() -> None:
    assert value("Rprec", "axb", {"a": 1, "b": 1, "c": 1}) == 2 / 3
    assert value("Rprec", "a", {"a": 1, "b": 1, "c": 1}) == 1 / 3


def test_success() -> None:
    assert [value(f"Success@{k}", "xa", {"a": 1}) for k in (1, 2, 9)] == [0.0, 1.0, 1.0]


def test_ndcg_gain() -> None:
    best = 3 + 1 / math.log2(3)
    assert value("nDCG", "ab", {"a": 1, "b": 3}) == (1 + 3 / math.log2(3)) / best


def test_ndcg_ideal() -> None:
    best = 1 + 1 / math.log2(3)
    assert value("nDCG@2", "a", {"a": 1, "b": 1, "c": 1}) == 1 / best
    assert value("nDCG@1", "a", {"a": 1, "b": 1}) == 1.0
    assert value("nDCG@1", "a", {"a": 1, "b": 2}) == 0.5


def test_bpref() -> None:
    assert value("Bpref", "nab", {"a": 1, "b": 1, "n": 0, "m": 0, "o": 0}) == 0.5
    assert value("Bpref", "nmoa", {"a": 1, "b": 1, "n": 0, "m": 0, "o": 0}) == 0.0
    assert value("Bpref", "nab", {"a": 1, "b": 1, "n": 0}) == 0.0


def test_bpref_none() -> None:
    assert value("Bpref", "xa", {"a": 1, "b": 1}) == 0.5


def test_infap() -> None:
    second = 1 / 2 + 1 / 2 * (1 / 1) * (0.00001 / 0.00002)
    assert value("infAP", "na", {"n": -1, "a": 1}) == pytest.approx(second, abs=1e-15)
    assert value("infAP", "na", {"n": -7, "a": 1}) == pytest.approx(second, abs=1e-15)


def test_set_measures() -> None:
    grades = {"a": 1, "b": 1}
    assert [value(name, "axyz", grades) for name in ("set_P", "set_recall")] == [0.25, 0.5]
    assert value("P", "", grades) == 0.0


def test_set_f() -> None:
    assert value("set_F", "axyz", {"a": 1, "b": 1}) == 2 * 0.25 * 0.5 / (0.25 + 0.5)
    assert value("F1", "axyz", {"a": 1, "b": 1}) == value("set_F", "axyz", {"a": 1, "b": 1})


def test_iprec_cutoff() -> None:
    grades = dict.fromkeys("abcd", 1)
    assert value("IPrec@0.3", "axyzb", grades, version=9) == 2 / 5
    assert value("IPrec@0.3", "axyzb", grades, version=10) == 1.0
    assert value("IPrec@0.125", "xa", {"a": 1}, version=9) == 0.5
    assert value("IPrec@0.625", "axyzb", grades, version=10) == 0.0  # lround(2.5) is 3


def test_iprec_nothing() -> None:
    assert value("IPrec@0", "", {"a": 1}, version=9) == value("IPrec@0", "", {"a": 1}) == 0.0


def test_cutoffs() -> None:
    scores = score({"q": ["a"]}, {"q": ["x", "a"]}, ["P_1", "P_2", "P@4", "P", "P(rel=2)@2"])
    values = [column.values[0] for column in scores.columns.values()]
    assert values == [0.0, 0.5, 0.25, 0.5, 0.0]


def test_f1() -> None:
    assert value("F1@5", "axb", {"a": 1, "b": 1, "c": 1}) == 2 * 2 / (5 + 3)


def test_err() -> None:
    assert value("ERR", "ab", {"a": 1, "b": 2}) == 1 / 4 + 3 / 4 * 3 / 4 / 2
    assert value("ERR@1", "ab", {"a": 1, "b": 2}) == 1 / 4


def test_rbp() -> None:
    assert value("RBP", "axb", {"a": 1, "b": 3}) == pytest.approx(0.2 * (1 + 0.64), abs=1e-15)
    assert value("RBP(p=0.5)", "axb", {"a": 1, "b": 3}) == 0.625


def test_judged() -> None:
    assert value("Judged@5", "axn", {"a": 1, "n": 0}) == 2 / 3
    assert value("Judged@1", "axn", {"a": 1, "n": 0}) == 1.0


NOT_OFFERED = ["gm_map", "gm_bpref", "11pt_avg", "G", "binG", "Rndcg", "ndcg_rel"]
NOT_OFFERED += ["Rprec_mult_0.20", "relative_P_5", "set_relative_P", "set_map", "utility"]
NOT_OFFERED += ["relstring", "relstring_20", "num_nonrel_judged_ret", "unj_5", "rbp_resid"]


@pytest.mark.parametrize("name", NOT_OFFERED)
def test_not_offered(name: str) -> None:
    with pytest.raises(UnknownNameError, match=r"^unknown measure "):
        parse_measure(name)
