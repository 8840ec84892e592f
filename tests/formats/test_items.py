"""Items: ids and the texts of some fields, and what is said of files that are none."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from typing import Any

import pytest

from ragstone.errors import FormatError, InputError, UsageError
from ragstone.formats.items import read_items

Write = Callable[..., str]


def lines(*rows: object) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def test_the_fields_that_there_are(write: Write) -> None:
    rows: list[dict[str, Any]] = [
        {"id": "1", "question": "Why?", "other": 3},
        {"_id": 2, "reference": ["So.", "Thus."], "question": None},
        {"id": "3"},
    ]
    found = read_items(write(lines(*rows)))
    assert found.fields == ("question", "reference")
    assert [(item.id, dict(item.texts)) for item in found.items] == [
        ("1", {"question": ["Why?"]}),
        ("2", {"reference": ["So.", "Thus."]}),
        ("3", {}),
    ]
    assert read_items(rows) == found


def test_packed_and_named_fields_once(write: Write) -> None:
    path = write(gzip.compress(lines({"id": "1", "a": "x", "text": "y"}).encode()), "items.gz")
    assert read_items(path, ["a", "a"]).fields == ("a",)


def test_the_digest_is_of_what_items_say_and_not_of_how(write: Write) -> None:
    one = lines({"id": "1", "text": "é", "x": 1}, {"id": "2", "text": "b"})
    other = '{ "text": ["b"], "_id": 2 }\n{"_id": "1", "text": "\\u00e9"}\n'
    digest = read_items(write(one)).digest()
    assert read_items(write(other)).digest() == digest
    assert read_items([{"id": 1, "text": "e"}, {"id": 2, "text": "b"}]).digest() != digest


@pytest.mark.parametrize(
    ("text", "fields", "error", "said"),
    [
        ("", [], FormatError, "items: there is no item; one JSON object a line was expected"),
        ('{"text": "a"}\n', [], FormatError, "items:1: an item without an id"),
        ('{"id": 1, "text": "a"}\n{"_id": "1"}\n', [], FormatError, "items:2: item '1' has two"),
        ('{"id": 2.5, "text": "a"}\n', [], FormatError, "items:1: item '' has 2.5 as an item id;"),
        ('{"id": 1, "text": 3}\n', [], FormatError, "has 3 as its 'text'; a text or a list"),
        ('{"id": 1, "text": ["a", []]}\n', [], FormatError, "has an array as its 'text'"),
        ('{"id": 1, "text": "\\ud800"}\n', [], FormatError, "half of a surrogate pair in its"),
        (
            '{"id": 1, "text": "a"}\n',
            ["text", "txet"],
            UsageError,
            "items: no item has the field 'txet'; the fields there are: id, text; "
            "did you mean text?",
        ),
        (
            '{"id": 1, "prompt": "a"}\n',
            [],
            UsageError,
            "items: no item has any of the fields query, question, answer, text, reference; "
            "name yours with --field; the fields there are: id, prompt",
        ),
        ('{"id": 1, "text": null}\n', ["text"], UsageError, "no item has the field 'text'"),
        ("[1]\n", [], FormatError, "items:1: JSON array"),
    ],
)
def test_what_is_refused(
    write: Write, text: str, fields: list[str], error: type[InputError], said: str
) -> None:
    path = write(text, "items")
    with pytest.raises(error) as caught:
        read_items(path, fields)
    assert said in str(caught.value).replace(path, "items")


def test_many_fields_are_not_all_listed() -> None:
    row: dict[str, Any] = {"id": 1, **{f"f{n:02}": "a" for n in range(40)}}
    with pytest.raises(UsageError, match=r"f00, .*f19, \.\.\.$"):
        read_items([row], ["zzzzzz"])


def test_an_error_of_rows_in_memory_counts_them() -> None:
    with pytest.raises(FormatError, match="items:2: item '1' has two rows, the first at line 1"):
        read_items([{"id": 1}, {"id": 1}])
