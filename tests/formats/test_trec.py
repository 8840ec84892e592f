"""TREC qrels and runs: what is read, and what is said of what cannot be."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import FormatError
from ragstone.formats import NotGroupedError, Source, open_run, read_qrels, read_run, source, trec

Make = Callable[..., Source]
Write = Callable[..., str]


def qrels_error(name: str) -> str:
    with pytest.raises(FormatError) as caught:
        read_qrels(name, "trec")
    return str(caught.value)


def run_error(name: str) -> str:
    with pytest.raises(FormatError) as caught:
        read_run(name, "trec")
    return str(caught.value)


def test_qrels_are_read(write: Write) -> None:
    qrels = read_qrels(
        write("q1 0 a 1\r\n\n# note\n  # note\nq2\t0\tb\t-1\n\x0bq1 x c +2.0\n q1 0 #d 0")
    )
    assert qrels.grades == {"q1": {"a": 1, "c": 2, "#d": 0}, "q2": {"b": -1}}
    assert qrels.facts["repeated_judgments"] == 0
    assert qrels.unjudged == ()


def test_ids_are_text_and_only_ascii_white_space_splits(write: Write) -> None:
    odd = ["007", "7", "NA", "nan", "None", "True", "1e5", "\u00a0", "\u2028", "\u0085", "a\u3000b"]
    odd += ["\x1c", "\x1d\x1e\x1f", "\ufeff", "\x00", "\x7f", "줄1", "e\u0301"]
    qrels = read_qrels(write("".join(f"{q} 0 {d} 1\n" for q in odd for d in odd)), "trec")
    assert qrels.grades == {q: dict.fromkeys(odd, 1) for q in odd}
    run = read_run(write("".join(f"{q} Q0 {d} 1 2 t\n" for q in odd for d in odd)), "trec")
    assert run.rankings == {q: dict.fromkeys(odd, 2.0) for q in odd}


def test_an_identical_judgment_is_counted(write: Write) -> None:
    qrels = read_qrels(write("q1 0 a 1\nq2 0 a 1\nq1 0 a 1.0\nq1 0 a 1\n"))
    assert qrels.grades == {"q1": {"a": 1}, "q2": {"a": 1}}
    assert qrels.facts["repeated_judgments"] == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("q1 0 a 1\nq1 0 b\n", "f:2: 3 columns ('q1 0 b'); qrels have 4: query 0 document grade"),
        ("q1 0 a 1 x\n", "f:1: 5 columns ('q1 0 a 1 x'); qrels have 4: query 0 document grade"),
        (
            "q1 Q0 a 1 2 t\n",
            "f:1: 6 columns ('q1 Q0 a 1 2 t'); qrels have 4: query 0 document grade; "
            "this looks like a run, not qrels",
        ),
        (
            "#\n\nq1 0 a 1\nq1 0 a 2\n",
            "f:4: document 'a' of query 'q1' has grade 2 here and 1 above; keep one of the two",
        ),
        (
            "q1 0 a 0.5\n",
            "f:1: the grade of document 'a', query 'q1' is '0.5'; a grade must be an integer",
        ),
    ],
)
def test_qrels_that_cannot_be(write: Write, text: str, message: str) -> None:
    assert qrels_error(write(text)) == message


GRADES = {"0": 0, "1": 1, "-1": -1, "+3": 3, "2.0": 2, "2.": 2, "-0": 0, "007": 7, "2.000": 2}
GRADES |= {"000000000001": 1}


@pytest.mark.parametrize(("text", "grade"), GRADES.items())
def test_grades(write: Write, text: str, grade: int) -> None:
    assert read_qrels(write(f"q 0 a {text}\n")).grades == {"q": {"a": grade}}


@pytest.mark.parametrize(
    "text",
    [
        "1.9",
        "0,5",
        "high",
        "1_000",
        "nan",
        "inf",
        "1e0",
        "0x1",
        "",
        "-",
        "+",
        ".0",
        "1.0.0",
        "\u0661",
    ],
)
def test_grades_that_are_no_integers(write: Write, text: str) -> None:
    assert "a grade must be an integer" in qrels_error(write(f"q 0 a {text or chr(0)}\n"))


def test_a_grade_has_at_most_nine_digits(write: Write) -> None:
    assert read_qrels(write("q 0 a 999999999\n"))["q"]["a"] == 999999999
    assert qrels_error(write("q 0 a 1000000000\n")) == (
        "f:1: the grade of document 'a', query 'q' is '1000000000'; "
        "a grade must be an integer of at most nine digits"
    )


COLUMNS = "a run has 6: query Q0 document rank score tag"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 Q0 a 1 3 t\n2 Q0 b 1\n", f"f:2: 4 columns ('2 Q0 b 1'); {COLUMNS}; "),
        ("1 Q0 a 1 3\n", f"f:1: 5 columns ('1 Q0 a 1 3'); {COLUMNS}"),
        ("1 Q0 a 1 3 t u\n", f"f:1: 7 columns ('1 Q0 a 1 3 t u'); {COLUMNS}"),
        ("#\n\n1\u00a0Q0 a 1 3 t\n", f"f:3: 5 columns ('1\\xa0Q0 a 1 3 t'); {COLUMNS}"),
        (
            "1 Q0 b 1 0,9 t\n",
            "f:1: the score '0,9' is not a finite number such as 12.5",
        ),
        ("1 Q0 a 1 nan t\n", "f:1: the score 'nan' is not a finite number such as 12.5"),
        ("1 Q0 a 1 -1e999 t\n", "f:1: the score '-1e999' is not a finite number such as 12.5"),
        (
            "#\n1 Q0 a 1 3 t\n2 Q0 a 1 3 t\n1 Q0 c 2 2 t\n1 Q0 a 2 2 t\n1 Q0 a 2 2 t\n",
            "f:5: document 'a' is listed twice for query '1', first at line 2; "
            "a document may stand once in a ranking",
        ),
    ],
)
def test_runs_that_cannot_be(write: Write, text: str, message: str) -> None:
    for block in (source.BLOCK, 8):
        with mock.patch.object(source, "BLOCK", block):
            assert run_error(write(text)).startswith(message)


def test_a_repeated_document_is_found_even_where_a_later_line_is_wrong(write: Write) -> None:
    """The two lines are looked for again once the query has been read."""
    name = write("q1 Q0 a 1 1 t\nq1 Q0 a 2 1 t\nq2 Q0 b 1 1 t\n" + "\n" * 99 + "q1 x\n")
    with (
        mock.patch.object(source, "BLOCK", 16),
        pytest.raises(FormatError, match=r"f:2: document 'a' is listed twice .* at line 1"),
    ):
        list(open_run(name).results(Counter()))


def test_a_run_is_read_a_query_at_a_time(write: Write) -> None:
    rows = "".join(f"q{n // 10} Q0 d{n % 10} 1 {n} t\n" for n in range(100))
    run = open_run(write(rows))
    with mock.patch.object(source, "BLOCK", 50):
        stream = run.results(Counter())
        first = next(stream)
        assert first == ("q0", [b"d%d" % n for n in range(10)], list(map(float, range(10))), True)
        assert [each.query for each in stream] == [f"q{n}" for n in range(1, 10)]


def test_queries_that_come_back(write: Write) -> None:
    """They cannot be read as a stream, and are gathered in memory."""
    run = open_run(write("q2 Q0 a 1 1 t\nq1 Q0 b 1 2 t\n# x\nq2 Q0 c 2 3 t\n"))
    with pytest.raises(NotGroupedError):
        list(run.results(Counter()))
    assert list(run.collected(Counter())) == [
        ("q2", [b"a", b"c"], [1.0, 3.0], True),
        ("q1", [b"b"], [2.0], True),
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\t\n", "\n\n# note\n"])
@pytest.mark.parametrize("inside", [" ", "\t", "  ", "\r", "\v"])
def test_a_run_is_cut_between_queries(source_of: Make, end: str, inside: str) -> None:
    """However its lines end, and whatever stands between them and in them."""
    rng = random.Random(1)
    rows = [
        inside.join([f"q{query}", "Q0", f"d{doc}", "1", "2.5", "t"]) + end
        for query in range(12)
        for doc in range(rng.randint(1, 5))
    ]
    run = source_of("".join(rows).encode())
    whole = list(trec.stream_run(run, Counter()))
    for parts in range(1, 20):
        cuts = trec.split_run(run, parts)
        assert cuts[0] == 0
        assert cuts[-1] == run.size
        assert cuts == sorted(set(cuts))
        assert min(parts, 4) <= len(cuts) - 1 <= parts
        read = [list(trec.stream_run(run, Counter(), *cut)) for cut in pairwise(cuts)]
        assert [results for part in read for results in part] == whole


@given(
    data=st.lists(
        st.sampled_from(
            [b"q1 Q0 d 1 2 t", b"q2 Q0 d 1 2 t", b"q1", b"#", b"\xff", b"\r", b" ", b"\n", b"\r\n"]
        )
    ).map(b"".join),
    parts=st.integers(1, 5),
)
def test_every_cut_is_a_start_of_a_line(source_of: Make, data: bytes, parts: int) -> None:
    cuts = trec.split_run(source_of(data), parts)
    assert cuts[0] == 0
    assert cuts[-1] == len(data)
    assert all(data[cut - 1 : cut] == b"\n" for cut in cuts[1:-1])
