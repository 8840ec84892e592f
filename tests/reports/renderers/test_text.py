"""Plain text: columns that stand below each other, in any script."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ragstone.reports.renderers.page import Page, Table, Text, width
from ragstone.reports.renderers.text import render

PAGE = Page(
    Text("PASS: x"),
    (
        Text("first"),
        Text("second"),
        Table.of(
            ("query", "value", "result"),
            [("q1", "0.5", "pass"), ("문서", "10", "")],
            "A table",
            left=["result"],
        ),
        Text("after"),
        Table.of(("a",), []),
    ),
)


def test_a_page() -> None:
    assert (
        render(PAGE)
        == """\
PASS: x
first
second

A table
query  value  result
-----  -----  ------
q1       0.5  pass
문서      10

after

a
-
"""
    )


def test_a_headline_alone() -> None:
    assert render(Page(Text("PASS"))) == "PASS\n"


cells = st.text(max_size=12)
rows = st.lists(st.tuples(cells, cells, cells), max_size=4)


@given(rows, st.sets(st.sampled_from(["b", "c"])))
def test_columns_stand_below_each_other(rows: list[tuple[str, str, str]], left: set[str]) -> None:
    table = Table.of(("a", "b", "c"), rows, left=sorted(left))
    widths = table.widths()
    head, _, *lines = render(Page(Text(""), (table,))).split("\n")[2:-1]
    assert len(lines) == len(rows)
    for line, row in zip([head, *lines], [("a", "b", "c"), *rows], strict=True):
        rest = line
        for number, (name, room, cell) in enumerate(zip("abc", widths, row, strict=True)):
            shown = str(Text(cell))
            blanks = " " * (room - width(shown))
            padded = shown + blanks if name in {"a", *left} else blanks + shown
            padded = f"  {padded}" * bool(number) or padded
            if number == 2:
                padded = padded.rstrip()
            assert rest.startswith(padded) or rest == padded.rstrip()
            rest = rest[len(padded) :]


@given(st.text(), cells, cells)
def test_nothing_adds_a_line(headline: str, cell: str, line: str) -> None:
    page = Page(Text(headline), (Text(line), Table.of(("a",), [(cell,)])))
    assert render(page).count("\n") == 6
