"""Each way in which bytes are not canonical is named."""

from __future__ import annotations

import json

import pytest

from ragstone.reports.document import parse
from ragstone.reports.form import form_faults, type_faults

SPACES = "has spaces or line ends between its parts; none were expected"
END = "has no line end behind it; one was expected, as in every text file"


@pytest.mark.parametrize(
    ("data", "problems"),
    [
        (b'{"a":1}\n', []),
        (b'{"a":1}', [f"$ {END}"]),
        (b'{"a":1}\n\n', [f"$ {SPACES}"]),
        (b'{"a":1}\r\n', [f"$ {SPACES}"]),
        (b' {"a":1}\n', [f"$ {SPACES}"]),
        (b'{"a": 1}\n', [f"$ {SPACES}"]),
        (b'{\n "a": [1, 2]\n}', [f"$ {END}", f"$ {SPACES}"]),
        (b'{"a b":" "}\n', []),
        (b'{"a":"\\" : "}\n', []),
        (
            b'\xef\xbb\xbf{"a":1}\n',
            ["$ begins with a byte-order mark; none was expected"],
        ),
        (
            b'{"b":1,"a":2}\n',
            ["$ has 'a' after 'b'; names ascend by code point"],
        ),
        (
            b'{"x":[{"a":1},{"c":1,"b":2}]}\n',
            ["$.x[1] has 'b' after 'c'; names ascend by code point"],
        ),
        (b'{"a":1.50}\n', ["$ has 1.50 where 1.5 is the canonical form"]),
        (b'{"a":1e5}\n', ["$ has 1e5 where 100000.0 is the canonical form"]),
        (b'{"a":1.0E+16}\n', ["$ has 1.0E+16 where 1e16 is the canonical form"]),
        (b'{"a":1e-07}\n', ["$ has 1e-07 where 1e-7 is the canonical form"]),
        (b'{"a":-0}\n', ["$ has -0 where 0 is the canonical form"]),
        (b'{"a":-0.0}\n', []),
        (
            b'{"a":0.30000000000000000001}\n',
            ["$ has 0.30000000000000000001 where 0.3 is the canonical form"],
        ),
        (b'{"\\u00e9":1}\n', ['$ has "\\u00e9" where "é" is the canonical form']),
        (b'{"a":"\\/"}\n', ['$ has "\\/" where "/" is the canonical form']),
        (
            b'{"b": 1.50,"a":2}',
            [
                f"$ {END}",
                f"$ {SPACES}",
                "$ has 'a' after 'b'; names ascend by code point",
                "$ has 1.50 where 1.5 is the canonical form",
            ],
        ),
    ],
)
def test_the_kind_of_difference_is_named(data: bytes, problems: list[str]) -> None:
    assert [str(problem) for problem in form_faults(data, parse(data, "x"))] == problems


def test_a_long_text_is_cut() -> None:
    data = json.dumps({"a": "é" * 100}, separators=(",", ":")).encode() + b"\n"
    [problem] = form_faults(data, json.loads(data))
    assert len(problem.message) < 200


@pytest.mark.parametrize(
    ("found", "typed", "problems"),
    [
        ({"a": 1.0}, {"a": 1.0}, []),
        ({"a": 1}, {"a": 1.0}, ["$.a is 1; 1.0 is the canonical form"]),
        ({"a": [0.5, 1]}, {"a": [0.5, 1.0]}, ["$.a[1] is 1; 1.0 is the canonical form"]),
        ({"a": []}, {}, ["$.a is empty; it is left out where it is empty"]),
        (
            {"R@5": {"b": 1}},
            {"R@5": {}},
            ['$["R@5"].b is not a field that this version of ragstone knows here'],
        ),
    ],
)
def test_what_the_types_do_not_have(found: object, typed: object, problems: list[str]) -> None:
    assert [str(problem) for problem in type_faults(found, typed)] == problems
