"""Bytes of an input: files, gzip, standard input, pipes; lines, byte-order marks, UTF-8."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import pickle
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import FormatError, InputError
from ragstone.formats import Source, read_qrels, source

Make = Callable[..., Source]
Write = Callable[..., str]

PIECES = [
    b"a",
    b"\n",
    b"\r\n",
    b"\r",
    b" ",
    b"#",
    b"\t#x",
    b"\v",
    b"\x0c",
    b"\x1c",
    b"\x1d",
    b"\x1e",
]
PIECES += ["é".encode(), "\u2028".encode(), "\u2029".encode(), "\u0085".encode(), b"\x00", b"\xff"]
texts = st.lists(st.sampled_from(PIECES), max_size=20).map(b"".join)


def message(data: bytes, make: Make) -> str:
    with pytest.raises(InputError) as caught:
        list(make(data).lines())
    return str(caught.value)


@given(data=texts.map(lambda data: data.replace(b"\xff", b"")), block=st.integers(1, 9))
def test_only_lf_ends_a_line_and_only_ascii_white_space_is_blank(
    source_of: Make, data: bytes, block: int
) -> None:
    numbered = enumerate((line.strip(b" \t\n\r\v\f") for line in data.split(b"\n")), 1)
    expected = [(number, line) for number, line in numbered if line and not line.startswith(b"#")]
    with mock.patch.object(source, "BLOCK", block):
        assert list(source_of(data).lines()) == expected
        assert list(source_of(gzip.compress(data)).lines()) == expected


@given(data=texts, block=st.integers(1, 9), bom=st.sampled_from([b"", b"\xef\xbb\xbf"]))
def test_bytes_that_are_not_utf8_are_refused_by_line(
    source_of: Make, data: bytes, block: int, bom: bytes
) -> None:
    whole = bom + data
    bad = whole.find(b"\xff")
    with mock.patch.object(source, "BLOCK", block):
        if bad < 0:
            list(source_of(whole).lines())
            return
        line = whole.count(b"\n", 0, bad) + 1
        expected = f"f:{line}: not UTF-8: byte 0xff; save the file as UTF-8"
        assert message(whole, source_of) == expected


def test_a_cut_character_and_utf16_say_what_they_are(source_of: Make) -> None:
    assert message(b"q1 0 a 1\nq1 0 \xec\xa4 1\n", source_of).startswith(
        "f:2: not UTF-8: byte 0xec; save"
    )
    for encoding, byte in (("utf-16-le", "0xff"), ("utf-16-be", "0xfe")):
        data = "\ufeffq1 0 a 1\n".encode(encoding)
        assert message(data, source_of) == (
            f"f:1: not UTF-8: byte {byte}; this looks like UTF-16; save it as UTF-8"
        )


def test_a_byte_order_mark_is_dropped_once_and_only_at_the_start(source_of: Make) -> None:
    bom = b"\xef\xbb\xbf"
    assert list(source_of(bom + bom + b"a\n" + bom + b"b").lines()) == [
        (1, bom + b"a"),
        (2, bom + b"b"),
    ]
    assert list(source_of(gzip.compress(bom + b"a\n")).lines()) == [(1, b"a")]
    assert list(source_of(bom).lines()) == []


@given(data=texts.map(lambda data: data.replace(b"\xff", b"")), parts=st.integers(1, 5))
def test_parts_between_line_starts_are_the_whole(source_of: Make, data: bytes, parts: int) -> None:
    whole = source_of(data)
    cuts = sorted({whole.line_start(len(data) * part // parts) for part in range(parts)})
    ends: list[int | None] = [*cuts[1:], None]
    read = [line for start, end in zip(cuts, ends, strict=True) for line in whole.lines(start, end)]
    assert read == list(whole.lines())
    assert all(cut == 0 or data[cut - 1 : cut] == b"\n" or cut == len(data) for cut in cuts)


@given(data=texts, offset=st.integers(0, 40), block=st.integers(1, 9))
def test_line_number_counts_line_feeds(
    source_of: Make, data: bytes, offset: int, block: int
) -> None:
    with mock.patch.object(source, "BLOCK", block):
        assert source_of(data).line_number(offset) == data[:offset].count(b"\n") + 1
        packed = source_of(gzip.compress(data))
        assert packed.line_number(offset) == data[:offset].count(b"\n") + 1


def test_raw_lines_know_their_place(source_of: Make) -> None:
    assert list(source_of(b"a\r\n\r b\rc\nd").raw_lines(3)) == [(3, b"\r b\rc\n"), (9, b"d")]


PACKED = gzip.compress(b"q1 0 a 1\n" * 50, mtime=0)
HINT = "; make the file again"


@pytest.mark.parametrize("cut", range(2, len(PACKED)))
def test_gzip_that_is_cut_off_is_refused(source_of: Make, cut: int) -> None:
    text = message(PACKED[:cut], source_of)
    assert text.startswith("f: the gzip data is damaged or cut off (")
    assert text.endswith(HINT)


def test_damaged_gzip_is_refused(source_of: Make) -> None:
    body = bytearray(PACKED)
    body[-6] ^= 0xFF  # the checksum
    assert "CRC check failed" in message(bytes(body), source_of)
    assert "damaged" in message(PACKED + b"garbage", source_of)
    assert "damaged" in message(b"\x1f\x8bgarbage", source_of)
    body = bytearray(PACKED)
    body[12] ^= 0xFF
    assert "damaged" in message(bytes(body), source_of)


def test_an_empty_name_is_no_folder() -> None:
    for path in ("", Path()):
        with pytest.raises(InputError) as caught:
            Source(path)
        said = "the name of an input file is empty" if path == "" else ".: is a folder"
        assert str(caught.value).startswith(said)


def test_gzip_of_many_members_and_an_empty_one(source_of: Make) -> None:
    members = gzip.compress(b"a\n") + gzip.compress(b"") + gzip.compress(b"b")
    assert list(source_of(members).lines()) == [(1, b"a"), (2, b"b")]
    assert list(source_of(gzip.compress(b"")).lines()) == []


def test_gzip_is_told_by_its_first_bytes_not_by_its_name(write: Write) -> None:
    assert read_qrels(write(b"q1 0 a 1\n", "q.gz")).grades == {"q1": {"a": 1}}
    assert read_qrels(write(gzip.compress(b"q1 0 a 1\n"), "q.txt")).grades == {"q1": {"a": 1}}


def test_the_digest_is_of_the_bytes_as_they_lie_there(source_of: Make) -> None:
    for data in (b"", b"a\r\n", PACKED):
        assert source_of(data).digest() == hashlib.sha256(data).hexdigest()


def feed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))


@pytest.mark.parametrize("data", [b"q1 0 a 1\n", gzip.compress(b"q1 0 a 1\n", mtime=0)])
def test_standard_input_can_be_read_twice(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    feed(monkeypatch, data)
    stdin = Source("-")
    assert list(stdin.lines()) == list(stdin.lines()) == [(1, b"q1 0 a 1")]
    assert stdin.base_name == "-"
    assert stdin.digest() == hashlib.sha256(data).hexdigest()


def test_errors_in_standard_input_name_it(monkeypatch: pytest.MonkeyPatch) -> None:
    feed(monkeypatch, b"q1 0 a 1\nq1 0 b x\n")
    with pytest.raises(FormatError, match=r"^-:2: the grade of document 'b'"):
        read_qrels(Source("-"))


def test_standard_input_that_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match=r"^-: standard input is closed; a file was expected$"):
        Source("-")


def test_a_pipe_can_be_read_twice_and_keeps_its_name(write: Write) -> None:
    Path("folder").mkdir()
    os.mkfifo("folder/pipe")
    writer = threading.Thread(target=Path("folder/pipe").write_bytes, args=(b"q1 0 a 1\n",))
    writer.start()
    pipe = Source("folder/pipe")
    writer.join()
    assert read_qrels(pipe).grades == read_qrels(pipe).grades == {"q1": {"a": 1}}
    assert pipe.base_name == "pipe"
    assert str(pipe.error("no", 3)) == "folder/pipe:3: no"


def test_a_spooled_input_goes_to_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where processes are not forked, the run is pickled for them."""
    feed(monkeypatch, b"a\n")
    here = Source("-")
    there = pickle.loads(pickle.dumps(here))
    assert list(there.lines()) == [(1, b"a")]
    del there
    assert list(here.lines()) == [(1, b"a")]


@pytest.mark.parametrize("name", ["absent", "absent/f", "f/g", "nul\0", "new\nline"])
def test_what_is_not_there(write: Write, name: str) -> None:
    write(b"", "f")
    with pytest.raises(InputError) as caught:
        Source(name)
    assert str(caught.value) == f"{name}: no such file"


def test_what_cannot_be_read(write: Write) -> None:
    write(b"", "f")
    with pytest.raises(InputError, match=r"^\.: is a folder; a file was expected$"):
        Source(".")
    with pytest.raises(InputError, match=r"^x+: cannot be read \(File name too long\)$"):
        Source("x" * 5000)
    with (
        mock.patch.object(Path, "open", side_effect=PermissionError(13, "Permission denied")),
        pytest.raises(InputError, match=r"^f: cannot be read \(Permission denied\)$"),
    ):
        Source("f")


def test_a_disk_that_fails_while_it_is_read(source_of: Make) -> None:
    run = source_of(b"a\n")
    broken = mock.MagicMock()
    broken.__enter__.return_value.read.side_effect = OSError(5, "Input/output error")
    with (
        mock.patch.object(Source, "_unpacked", return_value=broken),
        pytest.raises(InputError, match=r"^f: cannot be read \(Input/output error\)$"),
    ):
        list(run.blocks())


@pytest.mark.parametrize("data", [b"", b"\n", b" \r\n\t\n", b"# only\n#comments", b"\xef\xbb\xbf"])
def test_an_empty_file_is_named(write: Write, data: bytes) -> None:
    with pytest.raises(FormatError, match=r"^f: the file is empty: "):
        read_qrels(write(data))


def test_packed_data_is_read_in_blocks(source_of: Make) -> None:
    packed = source_of(gzip.compress(b"q1 Q0 d 1 1 t\n" * 100_000))
    sizes = [len(block.data) for block in packed.blocks()]
    assert sum(sizes) == 1_400_000
    assert max(sizes) < 2 * source.BLOCK
