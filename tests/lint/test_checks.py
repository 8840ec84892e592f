"""Every kind of finding: what is found, where, and in which words; and what is not found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ragstone.lint import CHECKS, Lint
from sources import ROOT

Said = Callable[..., list[str]]


def texts(**by_id: str | None) -> list[dict[str, Any]]:
    return [{"_id": name, "text": text} for name, text in by_id.items()]


GOOD: dict[str, Any] = {
    "queries": [{"_id": "q1", "text": "what is rag"}, {"_id": "q2", "text": "who won"}],
    "qrels": "query-id\tcorpus-id\tscore\nq1\td1\t2\nq2\td2\t1\nq2\td1\t0\n",
    "corpus": [{"_id": "d1", "title": "RAG", "text": "a"}, {"_id": "d2", "text": "b"}],
    "run": "q1 Q0 d1 1 2.0 x\nq1 Q0 d2 2 1.0 x\nq2 Q0 d2 1 1.0 x\n",
}

# kind -> what is changed of the good set, and what is said.
FOUND: dict[str, list[tuple[dict[str, Any], list[str]]]] = {
    "repeated-query-id": [
        (
            {"queries": [*texts(a="x", b="y"), {"id": "a", "text": "z"}, {"id": "a"}]},
            [
                "queries:3 'a' stands here too, first at line 1",
                "queries:4 'a' stands here too, first at line 1",
            ],
        )
    ],
    "empty-query": [
        (
            {"queries": texts(a="", b=" \n", c=None, d="?!", e="\u200b", f="é", g="검", h="7")},
            [
                "queries:1 'a' has no text",
                "queries:2 'b' has no text",
                "queries:3 'c' has no text",
                "queries:4 'd' has only '?!' as its text",
                "queries:5 'e' has only '\\u200b' as its text",
            ],
        )
    ],
    "duplicate-query": [
        (
            {
                "queries": texts(
                    a="What is RAG?",
                    b="what is: rag",
                    c="is what rag",
                    d="한글 질문",
                    e="\u1112\u1161\u11ab\u1100\u1173\u11af 질문!",
                    f="?",
                    g="!",
                    h="so\u00adft ﬁ",
                    i="soft fi",
                )
            },
            [
                "queries:2 'b' has the words of 'a' at line 1: 'what is rag'",
                "queries:5 'e' has the words of 'd' at line 4: '한글 질문'",
                "queries:9 'i' has the words of 'h' at line 8: 'soft fi'",
            ],
        )
    ],
    "near-duplicate-query": [
        (
            {
                "queries": texts(
                    a="dog bites man",
                    b="man bites dog",
                    c="a b c d e f g h i",
                    d="a b c d e f g h i j",
                    e="a b c d e f g h x y",
                    f="Dog bites man!",
                    g="?",
                )
            },
            [
                "queries:2 'b' shares 100% of its words with 'a' at line 1: 'man bites dog'",
                "queries:4 'd' shares 90% of its words with 'c' at line 3: 'a b c d e f g h i j'",
            ],
        ),
        (
            {"queries": texts(a="a b c d", b="a b c"), "options": {"near": 0.75}},
            ["queries:1 'a' shares 75% of its words with 'b' at line 2: 'a b c d'"],
        ),
        ({"queries": texts(a="a b c d", b="a b c"), "options": {"near": 0.76}}, []),
    ],
    "similar-query-id": [
        (
            {"queries": texts(Q1="a", q1="b", q01="c", q10="d", q100="e")},
            [
                "queries:2 'q1' differs only in case from 'Q1'",
                "queries:3 'q01' differs only in leading zeros from 'q1'",
            ],
        )
    ],
    "missing-header": [
        (
            {"qrels": "q1\td1\t1\nq2\td2\t1\n"},
            [
                "qrels:1 the first row is data (q1 d1 1), not the header query-id corpus-id score",
            ],
        ),
        ({"qrels": "q1 0 d1 1\nq2 0 d2 1\n"}, []),
    ],
    "header-is-data": [
        (
            {"qrels": "# note\nquery-id\td1\t1\nq2\td2\t1\n"},
            ["qrels:2 query-id d1 1 is taken for the header, though it has a grade"],
        ),
        ({"qrels": "query_id\tdoc\trel\nq1\td1\t1\n"}, []),
    ],
    "grade-off-scale": [
        (
            {
                "qrels": "q1 0 d1 3\nq1 0 d2 -1\nq2 0 d2 1\n",
                "options": {"grades": (0, 1, 2)},
            },
            [
                "qrels:1 query 'q1', document 'd1': 3 is not in 0..2",
                "qrels:2 query 'q1', document 'd2': -1 is not in 0..2",
            ],
        )
    ],
    "nothing-relevant": [
        (
            {"qrels": "q1 0 d1 0\nq1 0 d2 -1\nq2 0 d2 1\n"},
            ["qrels:1 query 'q1' has judgments (2), none above 0"],
        ),
        (
            {"qrels": '{"id":"q2","relevant_ids":["d2"]}\n{"id":"q1","relevance":{}}\n'},
            ["qrels:2 query 'q1' is listed without any judgment"],
        ),
    ],
    "similar-judged-id": [
        (
            {"qrels": "q1 0 d1 1\nq2 0 D1 1\nQ2 0 d1 1\nq1 0 d01 1\nq1 0 d1.05 1\nq1 0 d1.5 1\n"},
            [
                "qrels:3 query 'Q2' differs only in case from 'q2'",
                "qrels:4 document 'd01' differs only in leading zeros from 'd1'",
                "qrels:2 document 'D1' differs only in case from 'd1'",
            ],
        )
    ],
    "repeated-document-id": [
        (
            {"corpus": [{"id": "d1", "text": "a"}, {"id": "d2", "text": "b"}, {"id": "d1"}]},
            ["corpus:3 'd1' stands here again"],
        )
    ],
    "empty-document": [
        (
            {
                "corpus": [
                    {"id": "d1", "text": ""},
                    {"id": "d2", "title": "T", "text": " \t"},
                    {"id": "d3"},
                    {"id": "d4", "text": "\U0001f600"},
                ]
            },
            [
                "corpus:1 'd1' has no text and no title",
                "corpus:2 'd2' has no text; its title is 'T'",
                "corpus:3 'd3' has no text and no title",
            ],
        )
    ],
    "similar-document-id": [
        (
            {"corpus": texts(**{"d 1": "a", "d1": "b", "d\u00e9": "c", "de\u0301": "d"})},
            [
                "corpus:2 'd1' differs only in blanks from 'd 1'",
                "corpus:4 'de\u0301' differs only in Unicode form from 'd\u00e9'",
            ],
        )
    ],
    "missing-query": [
        (
            {"qrels": "q1 0 d1 1\nq1 0 d2 1\nq8 0 d1 1\nq9 0 d1 1\n"},
            [
                "qrels:3 query 'q8' is not in the queries file",
                "qrels:4 query 'q9' is not in the queries file",
            ],
        )
    ],
    "unjudged-query": [
        ({"qrels": "q2 0 d1 1\n"}, ["queries:1 'q1' has no judgment"]),
    ],
    "missing-document": [
        (
            {"qrels": "q1 0 d1 1\nq1 0 d8 0\nq2 0 d8 1\n"},
            ["qrels:2 document 'd8', judged for query 'q1', is not in the corpus"],
        )
    ],
    "query-id-form": [
        ({"queries": texts(Q1="a", q1="b", q2="c")}, []),
        (
            {"qrels": "Q1 0 d1 1\nq02 0 d2 1\nq3 0 d2 1\n"},
            [
                "qrels:1 query 'Q1' differs only in case from 'q1' of the queries file",
                "qrels:2 query 'q02' differs only in leading zeros from 'q2' of the queries file",
            ],
        ),
    ],
    "document-id-form": [
        ({"corpus": texts(D1="a", d1="b", d2="c")}, []),
        (
            {"qrels": '{"id":"q1","relevance":{"d1":1}}\n{"id":"q2","relevant_ids":[" D2 ","x"]}'},
            ["qrels:2 document ' D2 ' differs only in blanks and case from 'd2' of the corpus"],
        ),
    ],
    "self-retrieval": [
        ({"queries": texts(q1="a", d2="b")}, ["queries:2 'd2' is a query and a document"]),
    ],
    "unknown-result": [
        (
            {"run": "q1 Q0 d1 1 2 x\nq1 Q0 d9 2 1 x\nq2 Q0 d9 1 1 x\nq2 Q0 D1 2 1 x\n"},
            [
                "run document 'd9', retrieved for query 'q1', is not in the corpus",
                "run document 'D1', retrieved for query 'q2', is not in the corpus; 'D1' "
                "differs only in case from 'd1'",
            ],
        )
    ],
    "result-id-form": [
        ({"qrels": "q1 0 d1 1\nQ1 0 D1 1\n", "run": "q1 Q0 d1 1 2 x\n"}, []),
        (
            {"run": '{"id":"Q1","retrieved_ids":["d1","\uff442"]}\n{"id":"q2","results":[]}'},
            [
                "run query 'Q1' differs only in case from 'q1' of the judgments",
                "run document '\uff442' differs only in Unicode form from 'd2' of the judgments "
                "(query 'Q1')",
            ],
        ),
    ],
    "unjudged-result": [
        ({"run": "q1 Q0 d1 1 2 x\nq7 Q0 d1 1 2 x\n"}, ["run query 'q7' has no judgment"]),
    ],
    "query-without-results": [
        ({"run": "q1 Q0 d1 1 2 x\n"}, ["qrels:3 query 'q2' has no results in the run"]),
    ],
    "own-id-retrieved": [
        (
            {"run": "q1 Q0 d1 1 2 x\nq2 Q0 q2 1 2 x\nq1 Q0 q1 2 1 x\n"},
            [
                "run query 'q1' has itself among its results",
                "run query 'q2' has itself among its results",
            ],
        )
    ],
}
CASES = [(kind, *case) for kind, cases in FOUND.items() for case in cases]


def test_every_kind_has_a_case() -> None:
    assert set(FOUND) == set(CHECKS)


@pytest.mark.parametrize(("kind", "change", "expected"), CASES)
def test_what_is_found(said: Said, kind: str, change: dict[str, Any], expected: list[str]) -> None:
    assert said(kind, **{**GOOD, **change}) == expected


def test_a_good_set_has_no_findings(linted: Callable[..., Lint]) -> None:
    result = linted(**GOOD, options={"grades": (0, 1, 2)})
    assert result.findings == []
    assert result.checked == list(CHECKS)
    assert not result.failed


@pytest.mark.parametrize("kind", CHECKS)
def test_a_check_says_what_it_means(kind: str) -> None:
    check = CHECKS[kind]
    assert check.kind == kind
    assert check.severity in {"error", "warning"}
    assert check.needs
    assert check.meaning
    assert not check.meaning.endswith(".")
    assert (check.find.__doc__ or "").startswith("Find ")


def test_the_documentation_lists_every_check() -> None:
    text = (ROOT / "docs" / "lint.md").read_text(encoding="utf-8")
    for kind, check in CHECKS.items():
        assert f"| `{kind}` | {check.severity} | {', '.join(check.needs)} |" in text
    assert text.count("\n| `") == len(CHECKS)
