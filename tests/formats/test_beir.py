"""BEIR qrels: three columns between tabs, with or without the header."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ragstone.errors import FormatError
from ragstone.formats import read_qrels

Write = Callable[..., str]


@pytest.mark.parametrize(
    "header", ["", "query-id\tcorpus-id\tscore\n", "QUERY_ID\tx\ty\r\n", "# c\n\nquery-id\ta\tb\n"]
)
def test_the_header_is_optional(write: Write, header: str) -> None:
    qrels = read_qrels(write(header + "q1\ta\t1\nq1\tb\t0\r\n\nq2\ta\t2.0"))
    assert qrels.grades == {"q1": {"a": 1, "b": 0}, "q2": {"a": 2}}


def test_ids_may_hold_blanks_and_lose_them_at_their_ends_only_where_they_are_ascii(
    write: Write,
) -> None:
    text = " q 1 \t\u00a0a\u2028\t 1 \n\u3000q\t\x1ca\x1c\t1\n"
    assert read_qrels(write(text), "beir").grades == {
        "q 1": {"\u00a0a\u2028": 1},
        "\u3000q": {"\x1ca\x1c": 1},
    }


def test_a_header_further_down_is_no_header(write: Write) -> None:
    with pytest.raises(FormatError, match=r"^f:2: the grade of document 'corpus-id', .* 'score'"):
        read_qrels(write("q1\ta\t1\nquery-id\tcorpus-id\tscore\n"))


COLUMNS = "BEIR qrels have 3, separated by tabs: query-id corpus-id score"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("q1\ta\t1\nq1\tb\n", f"f:2: 2 columns ('q1\\tb'); {COLUMNS}"),
        ("q1\ta\t1\nq1\t\t1\n", f"f:2: 3 columns ('q1\\t\\t1'); {COLUMNS}"),
        ("q1\ta\t1\nq1\t \t1\n", f"f:2: 3 columns ('q1\\t \\t1'); {COLUMNS}"),
        ("q1\ta\t1\tx\n", f"f:1: 4 columns ('q1\\ta\\t1\\tx'); {COLUMNS}"),
        ("q1 a 1\n", f"f:1: 1 columns ('q1 a 1'); {COLUMNS}"),
        (
            "q1\ta\t1\nq1\ta\t0\n",
            "f:2: document 'a' of query 'q1' has grade 0 here and 1 above; keep one of the two",
        ),
        (
            "query-id\tcorpus-id\tscore\nq1\ta\t0.5\n",
            "f:2: the grade of document 'a', query 'q1' is '0.5'; a grade must be an integer",
        ),
    ],
)
def test_what_cannot_be(write: Write, text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_qrels(write(text), "beir")
    assert str(caught.value) == message


def test_an_identical_judgment_is_counted(write: Write) -> None:
    qrels = read_qrels(write("q1\ta\t1\nq1\ta\t1\n"))
    assert qrels.facts["repeated_judgments"] == 1
