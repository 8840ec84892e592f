"""Bytes that are JSON, and bytes that are not."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from ragstone.errors import FormatError, InputError
from ragstone.reports import parse_report, read_bytes, read_report
from ragstone.reports.document import parse, unpack

BAD = {
    b"": "x: is empty; a report was expected",
    b" \n\t": "x: is empty; a report was expected",
    b"\xef\xbb\xbf": "x: is empty; a report was expected",
    b"{": "x:1: not JSON: Expecting property name enclosed in double quotes (column 2); "
    "a report was expected",
    b'{"a":1}\n{"a":2}': "x:2: not JSON: Extra data (column 1); a report was expected",
    b"{'a': 1}": "x:1: not JSON: Expecting property name enclosed in double quotes (column 2); "
    "a report was expected",
    b"report": "x:1: not JSON: Expecting value (column 1); a report was expected",
    b'{"a": "\n"}': "x:1: not JSON: Invalid control character at (column 8); a report was expected",
    b'{"a":\n"\xff"}': "x:2: not UTF-8: byte 0xff; a JSON report was expected",
    b'{"a":"\xed\xa0\x80"}': "x:1: not UTF-8: byte 0xed; a JSON report was expected",
    b"\xff\xfe{\x00}\x00": "x:1: not UTF-8: byte 0xff; a JSON report was expected",
    b'{"a":NaN}': "x: $.a is NaN; a report holds finite numbers and whole characters only",
    b'{"a":[1,-Infinity]}': "x: $.a[1] is infinite; "
    "a report holds finite numbers and whole characters only",
    b'{"a":1e999}': "x: $.a is infinite; a report holds finite numbers and whole characters only",
    b'{"b":1,"a":2,"b":3}': 'x: the name "b" stands twice in one object; a report was expected',
    b'{"n@1":{"k":1,"k":1}}': 'x: the name "k" stands twice in one object; a report was expected',
    b'{"a":"\\ud800"}': "x: $.a is half of a character; "
    "a report holds finite numbers and whole characters only",
    b"[" * 100_000: "x: is nested too deeply to be a report",
    b'{"a":' * 100_000: "x: is nested too deeply to be a report",
}


@pytest.mark.parametrize(("data", "message"), BAD.items(), ids=range(len(BAD)))
def test_what_is_no_json_is_explained(data: bytes, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse(data, "x")
    assert str(caught.value) == message


def test_a_number_too_long_for_any_reader() -> None:
    with pytest.raises(FormatError, match=r"^x: "):
        parse(b'{"a":' + b"9" * 5000 + b"}", "x")


def test_case_57_names_every_value_that_is_no_number() -> None:
    with pytest.raises(FormatError) as caught:
        parse_report(b'{"recall":NaN,"ndcg":null}', "candidate.json")
    assert str(caught.value) == (
        "candidate.json: $.recall is NaN, $.ndcg is null; "
        "a report holds finite numbers and whole characters only"
    )


def test_only_the_first_are_listed() -> None:
    with pytest.raises(FormatError, match=r"\$\[4\] is NaN and more; a report"):
        parse(b"[NaN,NaN,NaN,NaN,NaN,NaN]", "x")


@pytest.mark.parametrize("data", [b'\xef\xbb\xbf{"a":1}', b'{"a": 1}\r\n', b'\n{"a":1.0}'])
def test_other_forms_of_json_are_read(data: bytes) -> None:
    assert parse(data, "x") == {"a": 1}


def test_gzip_is_undone() -> None:
    assert unpack(gzip.compress(b"{}\n"), "x") == b"{}\n"
    assert unpack(b"{}\n", "x") == b"{}\n"


@pytest.mark.parametrize(
    "data", [b"\x1f\x8b", gzip.compress(b"{}" * 99, mtime=0)[:-9], b"\x1f\x8b" + b"\x08" * 40]
)
def test_damaged_gzip_is_named(data: bytes) -> None:
    with pytest.raises(FormatError, match=r"^x\.gz: the gzip data is damaged or cut off"):
        unpack(data, "x.gz")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_report(tmp_path / "no.json")
    assert str(caught.value) == (
        f"{tmp_path / 'no.json'}: cannot be read: no such file; a report was expected"
    )
    with pytest.raises(InputError, match="cannot be read: Is a directory; a report was expected"):
        read_bytes(tmp_path)
    with pytest.raises(InputError, match=r"a\\x00b': cannot be read: embedded null byte"):
        read_bytes("a\0b")
