"""The fast path of TREC runs gives what the slow path gives, and both what a plain reading does."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from math import inf, isfinite, nextafter
from unittest import mock

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ragstone.errors import FormatError, InputError
from ragstone.formats import NotGroupedError, Source, source, trec
from ragstone.formats.source import Block

Make = Callable[..., Source]

IDS = ["q1", "q2", "q10", "#", "#q", "a#b", "a", "b", "NA", "0", "\x00", "a\x00", "é", "\u2028"]
IDS += ["\u0085", "\u00a0", "a\u3000b", "\x1c", "\x1f", "\ufeff", "-", "1e5", "{", "[", "q1\x7f"]
NUMBERS = ["0", "1", "-1", "2.5", "-0", "-0.0", "+1", "1.", ".5", "1e5", "1E-5", "1e999", "-1e999"]
NUMBERS += [
    "1e-999",
    "nan",
    "inf",
    "-Infinity",
    "NaN",
    "0x1p3",
    "1_000",
    "0,9",
    "1,2",
    "abc",
    "\u0661",
]
NUMBERS += ["00", "01", "-", "+", "e5", "1e", "null", "true", '"1"', "[1", "1]", "]", "1][2", "1d"]
NUMBERS += ["123456789012345678901234567890", "1.7976931348623159e308", "5e-324", "9" * 400]
SEPARATORS = [" ", "\t", "  ", " \t", "\v", "\f", "\r", "\u00a0", "\x1c", ""]
ENDS = ["\n", "\r\n", " \n", "\t\n", "\r\r\n", "\n\n", "\r", "\u2028", "\u0085", "\v\n", "\n \n"]

DAMAGE = [b"", b" ", b"\t", b"\n", b"\r", b"\v", b"\f", b"#"]

ids, numbers = st.sampled_from(IDS), st.sampled_from(NUMBERS)
plain = st.sampled_from(["q1", "q2", "a", "b", "c"])
good = st.sampled_from(["0", "1", "-2.5", "1e5", "3"])


@st.composite
def lines(draw: st.DrawFn, wild: bool) -> str:
    name, number = (ids, numbers) if wild else (plain, good)
    fields = [draw(name), "Q0", draw(name), draw(number), draw(number), draw(name)]
    if wild and draw(st.integers(0, 4)) == 0:
        place = draw(st.integers(0, 5))
        fields[place : place + 1] = draw(st.lists(st.one_of(ids, numbers), max_size=3))
    separator = draw(st.sampled_from(SEPARATORS)) if wild else " "
    return separator.join(fields) + (draw(st.sampled_from(ENDS)) if wild else "\n")


@st.composite
def runs(draw: st.DrawFn) -> bytes:
    """Make a run of which few, many or all lines are wild, then damage a few of its bytes."""
    wildness = draw(st.sampled_from([0, 1, 5, 10]))
    text = "".join(
        draw(lines(wild=draw(st.integers(1, 10)) <= wildness))
        for _ in range(draw(st.integers(0, 8)))
    )
    data = bytearray(text.replace(" ", draw(st.sampled_from([" ", "\t"]))).encode())
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(data)))
        cut = draw(st.integers(0, 2))
        data[place : place + cut] = draw(st.sampled_from(DAMAGE))
    return bytes(data[: len(data) - draw(st.integers(0, 2))])


def bits(results: object) -> object:
    """Show floats with all their bits, so that -0.0 is not 0.0."""
    if isinstance(results, float):
        return results.hex()
    return [bits(each) for each in results] if isinstance(results, list | tuple) else results


def outcome(read: Callable[[], object]) -> object:
    try:
        return bits(read())
    except (InputError, NotGroupedError) as error:
        return type(error).__name__, str(error)


def plain_reading(data: bytes) -> list[tuple[str, str, float]] | None:
    """Read a run as its definition says; None where a line is wrong."""
    rows = []
    for line in data.decode().removeprefix("\ufeff").split("\n"):
        fields = [field for field in re.split("[ \t\r\v\f]+", line) if field]
        if not fields or fields[0].startswith("#"):
            continue
        if len(fields) != 6 or not re.fullmatch(r"[-+0-9.eE]+", fields[4], re.ASCII):
            return None
        try:
            rows.append((fields[0], fields[2], float(fields[4])))
        except ValueError:
            return None
    return rows if all(isfinite(score) for _, _, score in rows) else None


def valid(data: bytes) -> bytes:
    return data.decode(errors="replace").encode()


BLANK_QUERY = b"q1 Q0 a 1 1 t\n Q0 b 1 1 t\n"  # five fields, hidden by two equal joints


@settings(max_examples=300)
@given(data=runs(), block=st.sampled_from([1, 7, 30, 64, 1000]))
@example(data=BLANK_QUERY, block=1000)
@example(data=b"q1 Q0 a 1 -0 t\n", block=1000)
@example(data=b"q1 Q0 a 1 0,9 t\nq1 Q0 b 1 1 t\n", block=1000)
@example(data=b"q1 Q0 a 1 1 t\nq1 Q0 a 2 1 t\nq2 Q0 b 1 1 t\nq1 x\n", block=20)
def test_both_paths_agree(source_of: Make, data: bytes, block: int) -> None:
    run = source_of(data)
    with mock.patch.object(source, "BLOCK", block):
        for read in (trec.stream_run, trec.collect_run):
            fast = outcome(lambda read=read: list(read(run, Counter())))  # type: ignore[misc]
            with mock.patch.object(trec, "fast_columns", return_value=None):
                slow = outcome(lambda read=read: list(read(run, Counter())))  # type: ignore[misc]
            assert fast == slow


@settings(max_examples=300)
@given(data=runs())
@example(data=BLANK_QUERY)
def test_a_block_gives_the_same_columns_on_both_paths(source_of: Make, data: bytes) -> None:
    data = valid(data).replace(b"\r\n", b"\n") + b"\n"
    fast = trec.fast_columns(Block(0, data))
    if fast is not None:
        assert bits(fast) == outcome(lambda: trec.slow_columns(source_of(data), Block(0, data)))


@given(data=runs(), block=st.sampled_from([1, 30, 1000]))
@example(data=BLANK_QUERY, block=1000)
def test_a_run_reads_as_its_definition_says(source_of: Make, data: bytes, block: int) -> None:
    data = valid(data)
    rows = plain_reading(data)
    run = source_of(data)
    with mock.patch.object(source, "BLOCK", block):
        read = outcome(lambda: list(trec.collect_run(run, Counter())))
    if rows is None:
        assert read[0] == "FormatError"  # type: ignore[index]
    elif len({(query, doc) for query, doc, _ in rows}) < len(rows):
        assert "is listed twice" in read[1]  # type: ignore[index]
    else:
        grouped: dict[str, tuple[list[bytes], list[float]]] = {}
        for query, doc, score in rows:
            docs, scores = grouped.setdefault(query, ([], []))
            docs.append(doc.encode())
            scores.append(score)
        assert read == [bits((query, *both, True)) for query, both in grouped.items()]


def test_the_fast_path_takes_what_tools_write() -> None:
    """Without this, a fast path that always gives up would pass every test above."""
    for separator in (b" ", b"\t"):
        data = b"q1 Q0 d1 1 2.5 t\nq1 Q0 d2 2 1 t\nq2 Q0 d1 1 -7e-3 t\n".replace(b" ", separator)
        columns = trec.fast_columns(Block(0, data))
        assert columns == (
            [(b"q1", 0, 2), (b"q2", 2, 3)],
            [b"d1", b"d2", b"d1"],
            [2.5, 1.0, -0.007],
        )


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
def test_what_tools_write_never_takes_the_slow_path(
    source_of: Make, start: bytes, end: bytes
) -> None:
    rows = [f"q{n // 9} Q0 문서{n} {n} {-n / 7:.6f} t".encode() for n in range(99)]
    data = start + end.join(rows)
    for block in (64, 2**18):
        with (
            mock.patch.object(source, "BLOCK", block),
            mock.patch.object(trec, "slow_columns", side_effect=AssertionError),
        ):
            found = list(trec.stream_run(source_of(data), Counter()))
        assert sum(len(each.docs) for each in found) == 99


GIVEN_UP = [
    b"q1  Q0 d 1 1 t\n",
    b"q1\tQ0 d 1 1 t\n",
    b" q1 Q0 d 1 1 t\n",
    b"q1 Q0 d 1 1 t \n",
    b"\nq1 Q0 d 1 1 t\n",
    b"q1 Q0 d 1 1 t\n\n",
    b"#q1 Q0 d 1 1 t\n",
    b"q1 Q0 d 1 1 t\n#q1 Q0 d 1 1 t\n",
    b"q1 Q0 d 1 1 t\r\n",
    b"q1 Q0 d\r 1 1 t\n",
    b"q1 Q0 d\v 1 1 t\n",
    b"q1 Q0 d\f 1 1 t\n",
    b"q1 Q0 d 1 1\n",
    b"q1 Q0 d 1 1 t u\n",
    b"q1 Q0 d 1 1\nq1 Q0 d 1 1 t u\n",
    b"q1 Q0 d 1 1 t u\nQ0 d 1 1 t\n",
    b"q1 Q0 d 1 +1 t\n",
    b"q1 Q0 d 1 nan t\n",
    b"q1 Q0 d 1 1e999 t\n",
    b"q1 Q0 d 1 null t\n",
    b'q1 Q0 d 1 "1" t\n',
    b"q1 Q0 d 1 1,2 t\n",
    b"q1 Q0 d 1 -0 t\n",
    BLANK_QUERY,
    b"\n",
]


@pytest.mark.parametrize("data", GIVEN_UP)
def test_the_fast_path_gives_up(data: bytes) -> None:
    assert trec.fast_columns(Block(0, data)) is None


def midpoints() -> st.SearchStrategy[str]:
    """Texts that lie exactly between two doubles, or next to such a place: the hardest to round."""

    def middle(value: float, nudge: str) -> str:
        after = nextafter(value, inf)
        exact = f"{(Decimal(value) + Decimal(after)) / 2:f}"
        return exact + (nudge if "." in exact else f".{nudge}" if nudge else "")

    floats = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300)
    return st.builds(middle, floats, st.sampled_from(["", "0", "1", "00000001"]))


json_numbers = st.from_regex(
    r"-?(0|[1-9][0-9]{0,25})(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?", fullmatch=True
)


@given(
    texts=st.lists(
        st.one_of(
            st.floats(allow_nan=False, allow_infinity=False).map(repr),
            st.integers(-(10**40), 10**40).map(str),
            json_numbers,
            midpoints(),
        ),
        min_size=1,
    )
)
@example(texts=["-0"])
@example(texts=["9007199254740993", "18446744073709551615", "18446744073709551616"])
@example(texts=["2.4703282292062327e-324", "2.4703282292062328e-324", "1.7976931348623158e308"])
def test_scores_are_read_bit_for_bit_as_float_reads_them(texts: list[str]) -> None:
    scores = trec.fast_scores([text.encode() for text in texts])
    if scores is None:  # and the slow path decides
        assert "-0" in texts or any(abs(float(text)) >= 1.7976931348623157e308 for text in texts)
    else:
        assert bits(scores) == bits([float(text) for text in texts])


@given(
    text=st.one_of(
        numbers, st.text("0123456789+-.eE_,xnaif \u0661", max_size=8), json_numbers, midpoints()
    )
)
@example(text="0 ")
@example(text="1.7976931348623158e308")
def test_a_score_is_what_is_a_number(source_of: Make, text: str) -> None:
    """A score is a decimal number; float() reads more (1_000, nan, other scripts' digits)."""
    run = source_of(f"q Q0 d 1 {text} t\n".encode())
    read = outcome(lambda: list(trec.stream_run(run, Counter())))
    columns = 5 + len(text.split())
    try:
        number = text.strip()  # more blanks between two columns
        expected = float(number) if re.fullmatch(r"[-+0-9.eE]+", number, re.ASCII) else None
    except ValueError:
        expected = None
    if columns != 6:
        assert f"{columns} columns" in read[1]  # type: ignore[index]
    elif expected is None or not isfinite(expected):
        assert "not a finite number" in read[1]  # type: ignore[index]
    else:
        assert read == [bits(("q", [b"d"], [expected], True))]


def test_format_error_is_what_stops_a_bad_line(source_of: Make) -> None:
    with pytest.raises(FormatError):
        list(trec.collect_run(source_of(BLANK_QUERY), Counter()))
