"""Any bytes are a report or an InputError that says why not."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.errors import FormatError, InputError, NotComparableError
from ragstone.gate import compare
from ragstone.reports import (
    KINDS,
    Input,
    Report,
    build_compare,
    build_score,
    encode_report,
    parse_report,
    read_report,
    validate_report,
)
from ragstone.scoring import score

Spoil = Callable[[Callable[[dict[str, Any]], object]], bytes]

FIXTURES = Path(__file__).resolve().parent / "fixtures"


def made() -> Iterator[bytes]:
    """Yield a report of each kind and, of scores, of each policy for rows."""
    for path in sorted(FIXTURES.rglob("*.json")):
        yield path.read_bytes()
    qrels, runs = {"a": ["x", "y"], "b": ["z"]}, ({"a": ["x"]}, {"a": ["v", "y"], "b": ["z"]})
    sides = [score(qrels, run, ["R@5", "nDCG@10", "R@5:micro"]) for run in runs]
    inputs = [Input(role=role, name=role, sha256="0" * 64) for role in ("run", "candidate")]
    for rows in ("none", "failed", "worst:1"):
        yield encode_report(build_score(sides[0], inputs, rows=rows))
    yield encode_report(build_compare(compare(*sides, floors=["R@5=1"], alpha=0.05), inputs))


REPORTS = list(made())
NOISE = [
    b"null", b"true", b"{}", b"[]", b'""', b"-1", b"1e999", b"NaN", b"9" * 400, b"1.0", b'"x"',
    b"\xff", b"\xef\xbb\xbf", b"[" * 3000, b'{"a":' * 3000, b'"\\ud800"', b"\x00", b",", b"}",
]  # fmt: skip


def test_packed_with_gzip(tmp_path: Path, report: Report) -> None:
    path = tmp_path / "score.json.gz"
    path.write_bytes(gzip.compress(encode_report(report)))
    assert read_report(path).scores == report.scores


def test_printed_in_another_form(report: Report) -> None:
    pretty = json.dumps(json.loads(encode_report(report)), indent=2)
    back = parse_report(b"\xef\xbb\xbf" + pretty.encode(), "-")
    assert back.statement == report.statement


def test_fields_of_a_later_version_are_let_be(spoil: Spoil, report: Report) -> None:
    def add(document: dict[str, Any]) -> None:
        document["later"] = 1
        document["predicate"]["later"] = {"a": [None]}
        document["predicate"]["scores"]["columns"]["R@5"]["later"] = "x"
        document["predicate"]["details"]["later"] = True

    assert parse_report(spoil(add), "x").statement == report.statement


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[]", "a list with nothing in it"),
        ("null", "null"),
        ("3", "3"),
        ('"report"', '"report"'),
        ("{}", "an empty object"),
        ('{"recall":0.8,"ndcg":0.7}', 'an object with "ndcg", "recall"'),
        (
            '{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1}',
            'an object with "a", "b", "c", "d", "e" and 2 more',
        ),
        (
            '{"_type":"https://in-toto.io/Statement/v1","predicateType":"https://slsa.dev/p/v1"}',
            'an in-toto Statement with predicateType "https://slsa.dev/p/v1"',
        ),
        ('{"predicateType":["urn:ragstone:report:v1"]}', 'an object with "predicateType"'),
    ],
)
def test_what_is_no_report_is_named(text: str, found: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_report(text.encode(), "old.json")
    assert str(caught.value) == (
        f"old.json: is not a report: found {found}; expected a report of ragstone, or of "
        "toolkit-rag-quality (an object with predicateType, or with summary and per_query)"
    )


def set_at(*steps: str | int, to: Any) -> Callable[[dict[str, Any]], None]:
    def edit(document: Any) -> None:
        for step in steps[:-1]:
            document = document[step]
        document[steps[-1]] = to

    return edit


TABLE = ("predicate", "scores")
COLUMN = (*TABLE, "columns", "R@5")
R5 = '$.predicate.scores.columns["R@5"]'


@pytest.mark.parametrize(
    ("edit", "problem"),
    [
        (set_at("predicate", to=None), "$.predicate is null; an object was expected"),
        (
            set_at("predicate", "kind", to="ragstone.magic"),
            '$.predicate.kind is "ragstone.magic"; this version of ragstone knows '
            f"{', '.join(KINDS)}",
        ),
        (
            set_at("predicate", "summary", "R@5", to="NaN"),
            '$.predicate.summary["R@5"] is "NaN"; a number or null was expected',
        ),
        (
            set_at(*COLUMN, "values", 1, to=None),
            f"{R5}.values[1] is null with status 1 (DEFAULT); a number was expected",
        ),
        (
            set_at(*COLUMN, "values", 2, to=0.0),
            f"{R5}.values[2] is 0.0 with status 3 (FAILED); null was expected",
        ),
        (
            set_at(*COLUMN, "values", to=[0.5, 0.5]),
            f"{R5}.values has 2 entries; 5 were expected",
        ),
        (
            set_at(*COLUMN, "status", to=[0, 1]),
            f"{R5}.status has 2 entries; 5 were expected",
        ),
        (
            set_at(*COLUMN, "weights", to=[]),
            f"{R5}.weights has 0 entries; 5 were expected",
        ),
        (
            set_at(*COLUMN, "reasons", to={"q9": "lost"}),
            f'{R5}.reasons names "q9", which is not among the items',
        ),
        (
            set_at(*TABLE, "items", 1, to="q1"),
            '$.predicate.scores.items[1] is "q1" after "q1"; items are unique and ascend by '
            "code point",
        ),
        (
            set_at(*TABLE, "items", 0, to="q7"),
            '$.predicate.scores.items[1] is "q2" after "q7"; items are unique and ascend by '
            "code point",
        ),
        (
            set_at(*TABLE, "order", to=["R@5", "R@5", "nDCG@10"]),
            "$.predicate.scores.order is not the names of the columns, each once",
        ),
        (
            set_at(*TABLE, "counts", "hits", to=[1]),
            "$.predicate.scores.counts.hits has 1 entries; 5 were expected",
        ),
        (
            set_at(*TABLE, "facts", "queries", to=2**63),
            "$.predicate.scores.facts.queries is 9223372036854775808; a whole number of at most "
            "9223372036854775807 was expected",
        ),
    ],
)
def test_what_does_not_fit_is_named(spoil: Spoil, edit: Any, problem: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_report(spoil(edit), "new.json")
    assert str(caught.value) == f"new.json: is not a sound report: {problem}"


def tried(data: bytes) -> None:
    """Read bytes as `compare` does; an InputError names the file and is one line."""
    try:
        report = parse_report(data, "x.json")
        _ = report.summary, report.scores
    except InputError as error:
        message = str(error)
        assert message.startswith("x.json:")
        assert "\n" not in message
        assert len(message) < 600
    except NotComparableError as error:
        assert "--rows" in str(error)  # noqa: PT017
    else:
        for column in report.scores.columns.values():
            assert all(math.isfinite(value) for value in column.values)
            assert len(column.values) == len(report.scores.items)
    found = validate_report(data, "x.json")
    assert found.ok == (not found.errors)
    assert not found.ok or found.kind in KINDS


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """Return a report of which some stretches are replaced, repeated or removed."""
    data = draw(st.sampled_from(REPORTS))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = draw(st.integers(start, min(start + 30, len(data))))
        middle = draw(st.sampled_from(NOISE) | st.binary(max_size=8) | st.just(data[start:end] * 2))
        data = data[:start] + middle + data[end:]
    return data


@given(mutated())
@settings(max_examples=400)
def test_no_bytes_crash_the_reader(data: bytes) -> None:
    tried(data)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    parts: Any = ()
    if isinstance(value, dict):
        parts = value.items()
    elif isinstance(value, list):
        parts = enumerate(value)
    return [path, *(place for step, part in parts for place in places(part, (*path, step)))]


VALUES: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, 0, -1, 2, 0.5, 1e308, 10**18, 10**30, 10**400, "", "x", "é", [], [[]], {}, {"": 0}]
)


@st.composite
def respelled(draw: st.DrawFn) -> bytes:
    """Return a report in which some values are others, of any type."""
    document = json.loads(draw(st.sampled_from(REPORTS)))
    for _ in range(draw(st.integers(1, 3))):
        *steps, last = draw(st.sampled_from([place for place in places(document) if place]))
        holder = document
        for step in steps:
            holder = holder[step]
        if draw(st.booleans()):
            holder[last] = deepcopy(draw(VALUES))
        else:
            del holder[last]
        if not document:
            break
    return json.dumps(document).encode()


@given(respelled())
@settings(max_examples=400)
def test_no_values_crash_the_reader(data: bytes) -> None:
    tried(data)


@given(st.binary(max_size=60) | st.sampled_from(NOISE))
def test_no_noise_crashes_the_reader(data: bytes) -> None:
    with pytest.raises(InputError, match=r"^x\.json:"):
        parse_report(data, "x.json")


@pytest.mark.parametrize(("value", "said"), [(5.0, "is 5.0; RR is from 0 to 1"), (-0.5, "is -0.5")])
def test_a_value_that_the_measure_cannot_have(value: float, said: str) -> None:
    whole = json.loads(encode_report(build_score(score({"a": ["x"]}, {"a": ["x"]}, ["RR"]), [])))
    whole["predicate"]["scores"]["columns"]["RR"]["values"][0] = value
    with pytest.raises(FormatError, match=r"RR\.values\[0\] ") as caught:
        parse_report(json.dumps(whole).encode(), "edited.json")
    assert said in str(caught.value)
