"""What is run, what is counted, and what decides."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import InputError, UnknownNameError, UsageError
from ragstone.formats import Source
from ragstone.lint import CHECKS, Lint, lint

Linted = Callable[..., Lint]
ERROR = {"queries": '{"id":"q","text":""}\n'}
WARNING = {"corpus": '{"id":"d","text":""}\n'}


def kinds(result: Lint) -> list[str]:
    return [each.kind for each in result.findings]


def test_an_error_fails_and_a_warning_only_when_strict(linted: Linted) -> None:
    assert linted(**ERROR).failed
    assert not linted(**WARNING).failed
    assert kinds(linted(**WARNING)) == ["empty-document"]
    assert linted(**WARNING, options={"strict": True}).failed


def test_what_is_not_given_is_not_checked_and_said(linted: Linted) -> None:
    result = linted(queries='{"id":"q","text":"a"}\n')
    assert {CHECKS[kind].needs for kind in result.checked} == {("queries",)}
    needs = {each.kind: each.needs for each in result.not_possible}
    assert needs["missing-query"] == ["qrels"]
    assert needs["unknown-result"] == ["run", "corpus"]
    assert needs["grade-off-scale"] == ["qrels", "grades"]
    assert set(needs) | set(result.checked) == set(CHECKS)


def test_what_is_ignored_is_not_looked_for(linted: Linted) -> None:
    result = linted(**ERROR, **WARNING, options={"ignore": ["empty-query"]})
    assert kinds(result) == ["empty-document"]
    assert result.ignored == ["empty-query"]
    assert "empty-query" not in result.checked


def test_an_unknown_kind_is_answered_with_the_nearest(linted: Linted) -> None:
    with pytest.raises(UnknownNameError) as caught:
        linted(**ERROR, options={"ignore": ["emtpy-query"]})
    assert str(caught.value).startswith(
        "unknown kind of finding 'emtpy-query'; did you mean empty-query"
    )


def test_nothing_to_check(linted: Linted) -> None:
    with pytest.raises(UsageError, match="name --queries, --qrels, --corpus or --run"):
        linted()
    with pytest.raises(UsageError, match="nothing to check"):
        linted(**ERROR, options={"ignore": list(CHECKS)})


@pytest.mark.parametrize("near", [0, -1, 1.1, float("nan")])
def test_a_share_that_is_none(linted: Linted, near: float) -> None:
    with pytest.raises(UsageError, match="a share above 0 and up to 1 was expected"):
        linted(**ERROR, options={"near": near})


def test_all_are_counted_and_the_first_are_shown(linted: Linted) -> None:
    rows = [{"id": f"q{n}", "text": ""} for n in range(30)]
    [finding] = linted(queries=rows, options={"top": 3}).findings
    assert finding.count == 30
    assert [each.line for each in finding.examples] == [1, 2, 3]
    [finding] = linted(queries=rows, options={"top": 0}).findings
    assert (finding.count, finding.examples) == (30, [])


def test_a_run_whose_lines_stand_apart_is_read_too(linted: Linted) -> None:
    run = "a Q0 a 1 3 x\nb Q0 d 1 3 x\na Q0 e 2 2 x\n"
    [finding] = linted(run=run).findings
    assert (finding.kind, finding.count) == ("own-id-retrieved", 1)


def test_the_field_of_the_queries_can_be_named(linted: Linted) -> None:
    rows = [{"id": "q", "text": "", "body": "a"}]
    assert kinds(linted(queries=rows)) == ["empty-query"]
    assert kinds(linted(queries=rows, options={"field": "body"})) == []


def test_lines_of_beir_and_of_commented_judgments(linted: Linted) -> None:
    beir = "query-id\tcorpus-id\tscore\n\n# more\nq\td\t0\nr\te\t1\n"
    for qrels, line in ((beir, 4), ("# x\n\nq 0 d 0\nr 0 e 1\n", 3)):
        [finding] = linted(qrels=qrels).findings
        assert (finding.kind, finding.examples[0].line) == ("nothing-relevant", line)


def test_memory_follows_the_ids_and_not_the_texts(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    with corpus.open("w", encoding="utf-8") as file:
        for number in range(2000):
            file.write(json.dumps({"id": str(number), "text": f"{number} " * 5000}) + "\n")
    tracemalloc.start()
    try:
        result = lint({"corpus": Source(corpus)})
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert result.findings == []
    assert corpus.stat().st_size > 40e6
    assert peak < 4e6


FUZZ_IDS = st.sampled_from(["q", "Q", " q", "q1", "q01", "é", "e\u0301", "", "\ud800", 1, 0, None])
FUZZ_TEXTS = st.one_of(
    st.text(max_size=8),
    st.sampled_from(["what is rag", "What is RAG?", "is rag what", "", " "]),
    st.none(),
    st.integers(),
    st.lists(st.integers(), max_size=1),
)
ROWS = st.lists(
    st.one_of(
        st.fixed_dictionaries(
            {},
            optional={
                "id": FUZZ_IDS,
                "_id": FUZZ_IDS,
                "text": FUZZ_TEXTS,
                "title": FUZZ_TEXTS,
                "relevant_ids": st.one_of(FUZZ_IDS, st.lists(FUZZ_IDS, max_size=3)),
                "relevance": st.dictionaries(
                    FUZZ_IDS.filter(lambda each: isinstance(each, str)),
                    st.one_of(st.integers(-2, 4), st.text(max_size=2)),
                    max_size=2,
                ),
                "retrieved_ids": st.lists(FUZZ_IDS, max_size=3),
                "results": st.lists(
                    st.fixed_dictionaries({"id": FUZZ_IDS, "score": st.floats(width=16)}),
                    max_size=2,
                ),
            },
        ),
        st.recursive(st.none() | st.text(max_size=3), lambda each: st.lists(each, max_size=2)),
    ),
    max_size=4,
).map(lambda rows: "".join(json.dumps(row) + "\n" for row in rows))
LINES = st.lists(
    st.sampled_from(
        ["q 0 d 1", "q Q0 d 1 2.5 x", "q\td\t1", "query-id\tcorpus-id\tscore", "# x", "", "é"]
    ),
    max_size=4,
).map("\n".join)


@given(
    st.dictionaries(
        st.sampled_from(["queries", "qrels", "corpus", "run"]),
        st.one_of(ROWS, LINES, st.text(st.characters(exclude_categories=["Cs"]), max_size=9)),
        min_size=1,
    ),
    st.booleans(),
)
def test_whatever_the_files_hold(linted: Linted, files: dict[str, Any], graded: bool) -> None:
    try:
        result = linted(**files, options={"grades": (0, 1) if graded else None, "near": 0.5})
    except InputError:  # with a place and advice; anything else is a traceback
        return
    assert msgspec.json.decode(msgspec.json.encode(result), type=Lint) == result
    for finding in result.findings:
        assert 0 < len(finding.examples) <= finding.count
        assert finding.kind in result.checked
