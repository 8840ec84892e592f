"""JSON lines: qrels and runs, and every rule about their ids, grades, scores and rows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import FormatError
from ragstone.formats import Source, jsonl, open_run, read_qrels, read_run
from ragstone.model import Qrels, Run

Make = Callable[..., Source]
Write = Callable[..., str]


def rows(*objects: object) -> str:
    return "".join(json.dumps(each) + "\n" for each in objects)


def test_relevant_ids_and_relevance(write: Write) -> None:
    qrels = read_qrels(
        write(
            rows(
                {"id": "q1", "relevant_ids": ["a", "b"]},
                {"_id": "q2", "relevance": {"a": 2, "b": 0, "c": -1, "d": 2.0, "e": "3"}},
                {"id": "q3", "relevant_ids": "a", "query": "one id alone"},
                {"id": "q4", "relevant_ids": 0},
                {"id": "q5", "relevant_ids": [], "relevance": {"a": 1}},
                {"id": "q6", "relevant_ids": ["a"], "relevance": None},
                {"id": "q7", "_id": "q7", "relevant_ids": ["a"], "relevance": {}},
            )
        )
    )
    assert qrels.grades == {
        "q1": {"a": 1, "b": 1},
        "q2": {"a": 2, "b": 0, "c": -1, "d": 2, "e": 3},
        "q3": {"a": 1},
        "q4": {"0": 1},
        "q5": {"a": 1},
        "q6": {"a": 1},
        "q7": {"a": 1},
    }
    assert qrels.unjudged == ()


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"query": "text alone"},
        {"relevant_ids": []},
        {"relevant_ids": None, "relevance": {}},
        {"relevant_ids": [None]},
        {"relevance": None},
    ],
)
def test_a_query_without_judgments_is_unjudged(write: Write, fields: dict[str, object]) -> None:
    qrels = read_qrels(write(rows({"id": "q1", **fields}, {"id": "q2", "relevant_ids": ["a"]})))
    assert qrels.unjudged == ("q1",)
    assert list(qrels) == ["q2"]


def test_ids_are_strings_or_integers(write: Write) -> None:
    ids = [
        0,
        -1,
        7,
        "007",
        10**30,
        "NA",
        " a b ",
        "\u2028\u0085\u00a0",
        "줄",
        "\ud83d\ude00",
        "\x7f",
    ]
    texts = ["0", "-1", "7", "007", "1" + "0" * 30, "NA", " a b ", "\u2028\u0085\u00a0", "줄", "😀"]
    texts.append("\x7f")
    objects = [{"id": each, "relevant_ids": ids} for each in ids]
    assert read_qrels(write(rows(*objects))).grades == {q: dict.fromkeys(texts, 1) for q in texts}
    for name in ("retrieved_ids", "results"):
        entries = ids if name == "retrieved_ids" else [{"id": d, "score": 1} for d in ids]
        run = read_run(write(rows(*({"id": each, name: entries} for each in ids))))
        assert list(run) == texts
        assert all(list(ranking) == texts for ranking in run.values())


def test_missing_and_null_ids_are_left_out_and_counted(write: Write) -> None:
    qrels = read_qrels(
        write(
            rows(
                {"relevant_ids": ["a"]},
                {"id": None, "relevant_ids": ["a"]},
                {"id": None, "_id": "q1", "relevant_ids": ["a", None, "b"]},
            )
        )
    )
    assert qrels.grades == {"q1": {"a": 1, "b": 1}}
    assert qrels.facts["skipped_query_rows"] == 3
    run = read_run(
        write(
            rows(
                {"retrieved_ids": ["a"]},
                {"_id": None, "retrieved_ids": ["a"]},
                {"id": "q1", "retrieved_ids": ["a", None, "b"]},
                {"id": "q2", "results": [{"score": 1}, {"id": None, "score": 1}]},
                {"id": "q3", "results": [{"id": None, "_id": 1, "score": 1}]},
            )
        )
    )
    assert run.rankings == {"q1": {"a": 2.0, "b": 1.0}, "q2": {}, "q3": {"1": 1.0}}
    assert run.facts["skipped_retrieved_rows"] == 5


@pytest.mark.parametrize("whole", [{"q1": {"d1": 1}}, {"q1": {"d1": 0.5, "d2": 1}, "q2": {}}])
def test_the_dicts_of_other_tools_are_named(write: Write, whole: dict[str, object]) -> None:
    for read in (read_qrels, read_run):
        with pytest.raises(FormatError, match=r"^f:1: this is one object of queries") as caught:
            read(write(rows(whole)), "jsonl")
        assert '{"id": "q1", "relevance": {"d1": 1}}' in str(caught.value)


def test_rows_without_an_id_that_are_no_such_dicts_are_counted(write: Write) -> None:
    odd = [{}, {"relevance": {"a": 1}}, {"x": {"a": "b"}}, {"x": 1}, {"x": {"a": 1}, "n": None}]
    qrels = read_qrels(write(rows(*odd, {"id": "q", "relevance": {"a": 1}})))
    assert (qrels.grades, qrels.facts["skipped_query_rows"]) == ({"q": {"a": 1}}, len(odd))


def test_the_first_of_a_repeated_id_counts(write: Write) -> None:
    run = read_run(
        write(
            rows(
                {"id": "q1", "retrieved_ids": ["a", "b", "a", 1, "1"]},
                {
                    "id": "q2",
                    "results": [{"id": d, "score": s} for d, s in (("a", 1), ("b", 2), ("a", 9))],
                },
            )
        )
    )
    assert list(run["q1"]) == ["a", "b", "1"]
    assert run["q2"] == {"a": 1.0, "b": 2.0}
    assert run.facts["duplicates_removed"] == 3


def test_ranks_alone_are_told_from_scores(write: Write) -> None:
    name = write(
        rows(
            {"id": "q1", "retrieved_ids": ["a", "b"]},
            {"id": "q2", "results": [{"id": "b", "score": -1}, {"id": "a", "score": 0.5}]},
            {"id": "q3", "retrieved_ids": []},
            {"id": "q4", "retrieved_ids": None},
            {"id": "q5", "results": []},
            {"id": "q6", "results": None},
            {"id": "q7", "retrieved_ids": "a", "results": None},
        )
    )
    assert list(open_run(name).results(Counter())) == [
        ("q1", [b"a", b"b"], [2.0, 1.0], False),
        ("q2", [b"b", b"a"], [-1.0, 0.5], True),
        ("q3", [], [], False),
        ("q4", [], [], False),
        ("q5", [], [], True),
        ("q6", [], [], False),
        ("q7", [b"a"], [1.0], False),
    ]


def test_blank_lines_comments_and_white_space(write: Write) -> None:
    text = '\ufeff# note\n\n \t{"id": "q1", "relevant_ids": ["a\u2028b"]}\v\r\n\r\n  # {"id": "q2"}'
    assert read_qrels(write(text)).grades == {"q1": {"a\u2028b": 1}}


ID = "; an id is a string or an integer"
PLAIN = "; an id has no tab, no line feed and no half of a surrogate pair"
NO_ID = [
    (True, f"has true as a query id{ID}"),
    (1.0, f"has 1.0 as a query id{ID}"),
    (["q"], f"has an array as a query id{ID}"),
    ({"q": 1}, f"has an object as a query id{ID}"),
    ("", f"has '' as a query id{ID}"),
    ("a\tb", f"has 'a\\tb' as a query id{PLAIN}"),
    ("a\nb", f"has 'a\\nb' as a query id{PLAIN}"),
    ("\ud800", f"has '\\ud800' as a query id{PLAIN}"),
    ("\udfff\ud800", f"has '\\udfff\\ud800' as a query id{PLAIN}"),
]


@pytest.mark.parametrize(("value", "message"), NO_ID)
def test_what_is_no_id(write: Write, value: object, message: str) -> None:
    """For a query, a judged document, a retrieved one, and one with a score."""

    def said(text: str, read: Callable[[str], object]) -> str:
        with pytest.raises(FormatError) as caught:
            read(write("\n" + text))
        return str(caught.value)

    assert (
        said(rows({"id": value, "relevant_ids": ["a"]}), read_qrels) == f"f:2: query '' {message}"
    )
    message = message.replace("a query id", "a document id")
    for read, name in ((read_qrels, "relevant_ids"), (read_run, "retrieved_ids")):
        assert said(rows({"id": "q", name: ["a", value]}), read) == f"f:2: query 'q' {message}"
    message = message.replace("a document id", "the document id of result 1")
    results = [{"id": value, "score": 1}]
    assert said(rows({"id": "q", "results": results}), read_run) == f"f:2: query 'q' {message}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            rows({"id": "44", "relevant_ids": ["a"]}, {}, {"id": 44, "relevant_ids": ["b"]}),
            "f:3: query '44' has two rows, the first at line 1; a query has one row",
        ),
        (
            rows({"id": "q", "relevant_ids": ["a"], "relevance": {"a": 1}}),
            "f:1: query 'q' has both 'relevant_ids' and 'relevance'; use one of them",
        ),
        (
            rows({"id": "q", "_id": 1, "relevant_ids": ["a"]}),
            "f:1: query '' has an 'id' 'q' and an '_id' '1'; use one of them",
        ),
        (
            rows({"id": "q", "relevant_ids": {"a": 1}}),
            f"f:1: query 'q' has an object as a document id{ID}",
        ),
        (
            rows({"id": "q", "relevant_ids": False}),
            f"f:1: query 'q' has false as a document id{ID}",
        ),
        (
            rows({"id": "q", "relevance": ["a"]}),
            "f:1: query 'q' has a 'relevance' that is no object of document ids and grades",
        ),
        (
            rows({"id": "q", "relevance": {"a": 1.5}}),
            "f:1: the grade of document 'a', query 'q' is '1.5'; a grade must be an integer",
        ),
        (
            rows({"id": "q", "relevance": {"a": "high"}}),
            "f:1: the grade of document 'a', query 'q' is 'high'; a grade must be an integer",
        ),
        (
            rows({"id": "q", "relevance": {"a": True}}),
            "f:1: query 'q' judges document 'a' with true; a grade must be an integer",
        ),
        (
            rows({"id": "q", "relevance": {"a": None}}),
            "f:1: query 'q' judges document 'a' with null; a grade must be an integer",
        ),
        (
            rows({"id": "q", "relevance": {"a": 10**30}}),
            f"f:1: the grade of document 'a', query 'q' is '1{'0' * 30}'; "
            "a grade must be an integer of at most nine digits",
        ),
        (
            rows({"id": "q", "relevance": {"": 1}}),
            f"f:1: query 'q' has '' as a document id{ID}",
        ),
    ],
)
def test_qrels_that_cannot_be(write: Write, text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_qrels(write(text))
    assert str(caught.value) == message


SCORE = "a number was expected (a ranking without scores is 'retrieved_ids')"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            rows({"id": "q", "retrieved_ids": []}, {"id": "p", "retrieved_ids": []})
            + rows({"_id": "q", "results": []}),
            "f:3: query 'q' has two rows, the first at line 1; a query has one row",
        ),
        (
            rows({"id": "q", "retrieved_ids": ["a"], "results": []}),
            "f:1: query 'q' has both 'retrieved_ids' and 'results'; use one of them",
        ),
        (rows({"id": "q"}), "f:1: query 'q' needs 'retrieved_ids' or 'results'"),
        (
            rows({"id": "q", "results": [{"id": "a"}]}),
            f"f:1: query 'q' has the score null at result 1; {SCORE}",
        ),
        (
            rows({"id": "q", "results": [{"id": "b", "score": 1}, {"id": "a", "score": "0,9"}]}),
            f"f:1: query 'q' has the score '0,9' at result 2; {SCORE}",
        ),
        (
            rows({"id": "q", "results": [{"id": "a", "score": True}]}),
            f"f:1: query 'q' has the score true at result 1; {SCORE}",
        ),
        (
            rows({"id": "q", "results": [{"id": "a", "score": [1]}]}),
            f"f:1: query 'q' has the score an array at result 1; {SCORE}",
        ),
        (
            '{"id": "q", "results": [{"id": "a", "score": 1e999}]}',
            "f:1: query 'q' has a score at result 1 that is not a finite number",
        ),
        (
            rows({"id": "q", "results": [{"id": "a", "score": -(10**400)}]}),
            "f:1: query 'q' has a score at result 1 that is not a finite number",
        ),
        (
            rows({"id": "q", "results": {"a": 1}}),
            "f:1: query 'q' has 'results' that are no list of objects like {id, score}",
        ),
        (
            rows({"id": "q", "results": ["a"]}),
            "f:1: query 'q' has 'results' that are no list of objects like {id, score}",
        ),
    ],
)
def test_runs_that_cannot_be(write: Write, text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_run(write(text))
    assert str(caught.value) == message


OBJECT = "expected one object per line (JSON lines)"
ENDS = "JSON that does not end on its line; one object a line was expected"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[\n", f"JSON array; {OBJECT}"),
        ('[{"id": "q"}]', f"JSON array; {OBJECT}"),
        ('[{"id": "q"},', f"JSON array; {OBJECT}"),
        ("1", f"JSON 1; {OBJECT}"),
        ("null", f"JSON null; {OBJECT}"),
        ('"q"', f"JSON 'q'; {OBJECT}"),
        ("{\n", ENDS),
        ('{\n  "id": "q"\n}\n', ENDS),
        ('{"id": "q",\n', ENDS),
        ('{"id": "q", "relevant_ids": ["a"', ENDS),
        ('{"id": "q", "relevant_ids": ["a', ENDS),
        ("{'id': 'q'}", "not JSON (Expecting property name enclosed in double quotes): "),
        ('{"id": "q"} {"id": "p"}', "not JSON (Extra data): "),
        ('{"id": "q", "id": "p"}', "the key 'id' stands twice in one JSON object"),
        ('{"id": "q", "x": {"\\ud800": 1, "\\ud800": 2}}', "the key '\\ud800' stands twice"),
        ('{"id": "q", "x": NaN}', "NaN is not JSON and not a finite number"),
        ('{"id": "q", "x": [-Infinity]}', "-Infinity is not JSON and not a finite number"),
        ('{"id": ' + "9" * 5000 + "}", 'not JSON (a number that is too long): \'{"id": 9999'),
        ('{"id": "q", "x": ' + "[" * 100_000, "JSON that is nested too deep to read"),
        ('{"a":' * 100_000, "JSON that is nested too deep to read"),
        ('{"id": "a\x1cb"}', "not JSON (Invalid control character at): "),
        ("q1 0 a 1", "not JSON (Expecting value): 'q1 0 a 1'"),
    ],
)
def test_what_is_no_object_a_line(write: Write, text: str, message: str) -> None:
    name = write("\n" + text)
    for read in (read_qrels, read_run):
        with pytest.raises(FormatError) as caught:
            read(name, "jsonl")
        assert str(caught.value).startswith(f"f:2: {message}")
        assert len(str(caught.value)) < 200


@pytest.mark.parametrize("depth", [100, 900, 950, 980, 990])
@pytest.mark.parametrize("field", ["id", "relevant_ids", "relevance", "retrieved_ids", "results"])
def test_deep_nesting_in_a_field_that_is_read(write: Write, depth: int, field: str) -> None:
    """Near the interpreter's limit an object can still be read, but no longer be printed."""
    name = write(f'{{"_id": "q", "{field}": {"[" * depth}{"]" * depth}}}')
    for read in (read_qrels, read_run):
        with pytest.raises(FormatError, match=r"^f:1: "):
            read(name)


printable = st.text(st.characters(codec="utf-8", exclude_characters="\t\n"), min_size=1, max_size=5)


@given(
    grades=st.dictionaries(
        printable,
        st.dictionaries(printable, st.integers(-(10**8), 10**8), min_size=1, max_size=4),
        max_size=4,
    )
)
def test_what_json_writes_is_read(source_of: Make, grades: dict[str, dict[str, int]]) -> None:
    text = rows(*({"id": query, "relevance": judged} for query, judged in grades.items()))
    assert read_qrels(source_of(text.encode()), "jsonl").grades == grades
    text = rows(
        *(
            {
                "id": query,
                "results": [{"_id": doc, "score": grade} for doc, grade in judged.items()],
            }
            for query, judged in grades.items()
        )
    )
    run = read_run(source_of(text.encode()), "jsonl")
    assert Run.of(grades).rankings == run.rankings
    assert Qrels.of(grades).grades == grades


@given(
    data=st.lists(st.sampled_from(['{"id": "q%d", "retrieved_ids": ["a"]}', "", "#", "\r"]))
    .map(lambda lines: "\n".join(line.replace("%d", str(n)) for n, line in enumerate(lines)))
    .map(str.encode),
    parts=st.integers(1, 6),
)
def test_a_run_is_cut_between_lines(source_of: Make, data: bytes, parts: int) -> None:
    run = source_of(data)
    cuts = jsonl.split_run(run, parts)
    assert cuts[0] == 0
    assert cuts[-1] == len(data)
    assert 2 <= len(cuts) <= parts + 1
    read = [list(jsonl.stream_run(run, Counter(), *cut)) for cut in pairwise(cuts)]
    assert [each for part in read for each in part] == list(jsonl.stream_run(run, Counter()))
