"""Whatever a file holds, a reader gives samples or a FormatError, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from golden_samples import inputs
from ragstone.errors import FormatError
from ragstone.formats.samples import SAMPLES_FORMATS, open_samples, read_samples
from ragstone.model.samples import Sample

ODD: list[Any] = [
    None,
    True,
    -1,
    0,
    1.5,
    10**400,
    "",
    "x",
    "\ud800",
    [],
    {},
    [None],
    [[]],
    {"a": 1},
]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of everything in a JSON value."""
    inner: Any = ()
    if isinstance(value, dict | list):
        inner = value.items() if isinstance(value, dict) else enumerate(value)
    below = [place for name, each in inner for place in places(each, (*path, name))]
    return [path, *below] if path else below


def replaced(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    name, *rest = path
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[name] = replaced(copy[name], tuple(rest), new) if rest else new
    return copy


def documents(path: Path) -> list[Any]:
    text = path.read_text("utf-8")
    try:
        return [json.loads(text)]
    except ValueError:
        lines = [line for line in text.splitlines() if line and not line.startswith("#")]
        return [json.loads(line) for line in lines]


def read_or_refused(path: Path, name: str) -> bool:
    try:
        return all(isinstance(sample, Sample) for sample in read_samples(path, name))
    except FormatError as error:
        return str(path) in str(error)


@pytest.mark.parametrize("path", inputs(), ids=lambda path: path.name)
@given(data=st.data())
def test_a_value_that_is_another(
    path: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    rows = documents(path)
    place = data.draw(st.sampled_from(places(rows)))
    rows = replaced(rows, place, data.draw(st.sampled_from(ODD)))
    odd = tmp_path_factory.getbasetemp() / f"odd-{path.name}"
    odd.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    name = open_samples(path).format_name
    assert read_or_refused(odd, name)


@pytest.mark.parametrize("name", SAMPLES_FORMATS)
@pytest.mark.parametrize("path", inputs(), ids=lambda path: path.name)
def test_a_file_of_another_format(name: str, path: Path) -> None:
    assert read_or_refused(path, name)
