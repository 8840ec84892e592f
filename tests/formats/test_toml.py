"""TOML files of a user: what they say, and how an error names them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from ragstone.errors import FormatError, UsageError
from ragstone.formats.toml import as_struct, read_as, read_table


class Inner(Struct, forbid_unknown_fields=True):
    size: int = 1


class Outer(Struct, forbid_unknown_fields=True):
    name: str
    inner: Inner | None = None


def outer(table: Mapping[str, Any]) -> Outer:
    return as_struct(table, Outer)


def written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def test_a_file_as_an_editor_saves_it(tmp_path: Path) -> None:
    path = written(tmp_path / "a.toml", b'\xef\xbb\xbfname = "x"\r\n[inner]\r\nsize = 2\r\n')
    assert read_table(path) == {"name": "x", "inner": {"size": 2}}
    assert read_as(path, outer) == Outer("x", Inner(2))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"name = x", ": not TOML: "),
        (b"a = " + b"[" * 5000, ": not TOML: "),
        (b"a = 1\nb = '\xff'", ":2: not UTF-8: byte 0xff; "),
        (b"nmae = 'x'", ": Object contains unknown field `nmae`; known: name, inner"),
        (b"name = 1", ": Expected `str`, got `int` at `name`"),
    ],
    ids=["no TOML", "too deep", "no UTF-8", "an unknown key", "a number"],
)
def test_an_error_names_the_file(data: bytes, said: str, tmp_path: Path) -> None:
    path = written(tmp_path / "a.toml", data)
    with pytest.raises(FormatError) as caught:
        read_as(path, outer)
    assert str(caught.value).startswith(f"{path}{said}")


def test_the_keys_of_a_table_in_it_are_those_of_that_table() -> None:
    with pytest.raises(UsageError) as caught:
        outer({"name": "x", "inner": {"name": 1}})
    assert str(caught.value) == "Object contains unknown field `name` at `inner`; known: size"


def test_what_is_said_of_a_problem_can_be_told() -> None:
    with pytest.raises(UsageError, match=r"^EXPECTED `STR`, GOT `INT` AT `NAME`$"):
        as_struct({"name": 1}, Outer, str.upper)
