"""`ragstone convert`: what goes in comes out again, in every format, or is refused by name."""

from __future__ import annotations

import gzip
import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from commands import Done, child, ragstone
from ragstone import read_qrels, read_run, score
from ragstone.model import is_id

Grades = dict[str, dict[str, int]]
Scores = dict[str, dict[str, float]]

SPACE = re.compile(r"[ \t\n\r\v\f]")
LIKELY = [
    "q1",
    "007",
    "7",
    "NA",
    "문서",
    "e\u0301",
    "a b",
    "a\u3000b",
    "#1",
    "\ufeffx",
    "{x",
    "[x]",
]
LIKELY += ["query-id", "x\u2028y", "\xa0", "Q0", "0", "nan", "x#y", '"', "\\", "|", "\x85"]
ids = st.sampled_from(LIKELY) | st.text(min_size=1, max_size=5).filter(is_id)
grades = st.integers(-2, 4) | st.sampled_from([10**9 - 1, -(10**9) + 1])
qrels = st.dictionaries(ids, st.dictionaries(ids, grades, min_size=1, max_size=4), min_size=1)
numbers = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-3, 3).map(float)
runs = st.dictionaries(ids, st.dictionaries(ids, numbers, min_size=1, max_size=4), min_size=1)
rankings = st.dictionaries(ids, st.lists(ids, min_size=1, max_size=4, unique=True), min_size=1)


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as made:
        yield Path(made)


def convert(folder: Path, kind: str, source: str, to: str, out: str, *more: str) -> Done:
    return ragstone("convert", kind, "--in", source, "--to", to, "--out", out, *more, cwd=folder)


def write_lines(path: Path, rows: list[dict[str, object]]) -> None:
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_bytes(text.encode())


def refused(texts: Mapping[str, object], inner: Iterator[str], to: str) -> str | None:
    """Return the first id that columns cannot hold, or None."""
    if to == "jsonl":
        return None
    first = next((query for query in texts if query.startswith(("#", "\ufeff"))), None)
    return first or next((each for each in (*texts, *inner) if SPACE.search(each)), None)


# ---- round trips ---------------------------------------------------------------------------------


@settings(max_examples=60)
@given(qrels, st.lists(st.sampled_from(["trec", "beir", "jsonl"]), min_size=1, max_size=3))
@example({"{x": {"[": 1}}, ["trec", "jsonl"])
@example({"query-id": {"corpus-id": 1}}, ["beir", "trec", "beir"])
def test_qrels_survive(folder: Path, given_grades: Grades, formats: list[str]) -> None:
    source = "0"
    write_lines(
        folder / source, [{"id": q, "relevance": judged} for q, judged in given_grades.items()]
    )
    for number, to in enumerate(formats, 1):
        (folder / str(number)).unlink(missing_ok=True)
        done = convert(folder, "qrels", source, to, str(number))
        inner = (doc for judged in given_grades.values() for doc in judged)
        if refused(given_grades, inner, to):
            assert (done.code, done.out) == (2, b"")
            assert not (folder / str(number)).exists()
            return
        assert done == Done(0, b"", "")
        source = str(number)
        assert read_qrels(folder / source).grades == given_grades
        assert read_qrels(folder / source, to).grades == given_grades


@settings(max_examples=60)
@given(runs, st.lists(st.sampled_from(["trec", "jsonl"]), min_size=1, max_size=3))
@example({"q": {"a": -0.0, "b": 5e-324, "c": 1.7976931348623157e308, "d": 0.1}}, ["trec", "jsonl"])
def test_scores_survive(folder: Path, given_run: Scores, formats: list[str]) -> None:
    source = "0"
    rows: list[dict[str, object]] = [
        {"id": query, "results": [{"id": doc, "score": number} for doc, number in docs.items()]}
        for query, docs in given_run.items()
    ]
    write_lines(folder / source, rows)
    for number, to in enumerate(formats, 1):
        (folder / str(number)).unlink(missing_ok=True)
        done = convert(folder, "run", source, to, str(number))
        if refused(given_run, (doc for docs in given_run.values() for doc in docs), to):
            assert (done.code, done.out) == (2, b"")
            assert not (folder / str(number)).exists()
            return
        assert done == Done(0, b"", "")
        source = str(number)
        found = read_run(folder / source).rankings
        assert repr({q: dict(sorted(found[q].items())) for q in given_run}) == repr(
            {q: dict(sorted(docs.items())) for q, docs in given_run.items()}
        )


@settings(max_examples=50)
@given(rankings)
def test_ranks_become_scores_only_where_there_must_be_some(
    folder: Path, given_run: dict[str, list[str]]
) -> None:
    write_lines(folder / "0", [{"id": q, "retrieved_ids": docs} for q, docs in given_run.items()])
    assert convert(folder, "run", "0", "jsonl", "same").code == 0
    assert (folder / "same").read_text("utf-8") == "".join(
        json.dumps({"id": q, "retrieved_ids": docs}, ensure_ascii=False, separators=(",", ":"))
        + "\n"
        for q, docs in given_run.items()
    )
    done = convert(folder, "run", "0", "trec", "trec")
    if refused(given_run, (doc for docs in given_run.values() for doc in docs), "trec"):
        assert done.code == 2
        return
    assert read_run(folder / "trec").rankings == {
        query: {doc: float(len(docs) - place) for place, doc in enumerate(docs)}
        for query, docs in given_run.items()
    }


@settings(max_examples=40)
@given(qrels, runs)
def test_what_is_converted_scores_the_same(folder: Path, judged: Grades, found: Scores) -> None:
    shared = {**found, next(iter(judged)): next(iter(found.values()))}
    write_lines(folder / "q", [{"id": q, "relevance": grades} for q, grades in judged.items()])
    write_lines(
        folder / "r",
        [
            {"id": q, "results": [{"id": doc, "score": n} for doc, n in docs.items()]}
            for q, docs in shared.items()
        ],
    )
    if (
        convert(folder, "qrels", "q", "trec", "q2").code
        or convert(folder, "run", "r", "trec", "r2").code
    ):
        return
    measures = ["AP", "nDCG@2", "P@1", "Bpref", "num_ret"]
    before, after = (
        score(read_qrels(folder / q), read_run(folder / r), measures)
        for q, r in (("q", "r"), ("q2", "r2"))
    )
    assert before == after


# ---- what the files look like --------------------------------------------------------------------


def test_each_format_of_qrels(small: Path) -> None:
    expected = {
        "trec": "q1 0 a 2\nq1 0 b 0\nq2 0 c 1\nq3 0 d 1\nq3 0 e 1\n",
        "beir": "query-id\tcorpus-id\tscore\nq1\ta\t2\nq1\tb\t0\nq2\tc\t1\nq3\td\t1\nq3\te\t1\n",
        "jsonl": '{"id":"q1","relevance":{"a":2,"b":0}}\n{"id":"q2","relevance":{"c":1}}\n'
        '{"id":"q3","relevance":{"d":1,"e":1}}\n',
    }
    for to, text in expected.items():
        assert convert(small, "qrels", "qrels.trec", to, "-") == Done(0, text.encode(), "")


def test_each_format_of_a_run(small: Path) -> None:
    expected = {
        "trec": "q1 Q0 a 1 3.0 x\nq1 Q0 b 2 2.0 x\nq2 Q0 x 1 2.0 x\nq2 Q0 c 2 1.0 x\n"
        "q3 Q0 d 1 1.0 x\n",
        "jsonl": '{"id":"q1","results":[{"id":"a","score":3.0},{"id":"b","score":2.0}]}\n'
        '{"id":"q2","results":[{"id":"x","score":2.0},{"id":"c","score":1.0}]}\n'
        '{"id":"q3","results":[{"id":"d","score":1.0}]}\n',
    }
    for to, text in expected.items():
        tag = ["--tag", "x"] if to == "trec" else []
        assert convert(small, "run", "run.trec", to, "-", *tag) == Done(0, text.encode(), "")


def test_a_trec_run_is_written_in_the_order_of_trec_eval(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("q Q0 a 1 1 t\nq Q0 c 2 1 t\nq Q0 b 3 2.50 t\n")
    done = convert(tmp_path, "run", "run", "trec", "-", "--tag", "t")
    assert done.text == "q Q0 b 1 2.5 t\nq Q0 c 2 1.0 t\nq Q0 a 3 1.0 t\n"


def test_rows_that_stand_apart_come_together(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("q Q0 a 1 2 t\np Q0 a 1 2 t\nq Q0 b 2 1 t\n")
    assert convert(tmp_path, "run", "run", "jsonl", "-").text == (
        '{"id":"q","results":[{"id":"a","score":2.0},{"id":"b","score":1.0}]}\n'
        '{"id":"p","results":[{"id":"a","score":2.0}]}\n'
    )


def test_what_is_left_out_is_counted(tmp_path: Path) -> None:
    write_lines(
        tmp_path / "run",
        [{"id": "q", "retrieved_ids": ["a", None, "a", "b"]}, {"retrieved_ids": ["a"]}],
    )
    done = convert(tmp_path, "run", "run", "trec", "-")
    assert done.err == "note: duplicates_removed: 1\nnote: skipped_retrieved_rows: 2\n"
    assert convert(tmp_path, "run", "run", "trec", "-", "--quiet") == Done(0, done.out, "")
    write_lines(tmp_path / "qrels", [{"id": "q", "relevant_ids": ["a", "a"]}, {"id": "p"}])
    done = convert(tmp_path, "qrels", "qrels", "trec", "-")
    assert done == Done(0, b"q 0 a 1\n", "note: repeated_judgments: 1\nnote: unjudged_queries: 1\n")
    assert convert(tmp_path, "qrels", "qrels", "jsonl", "-").text.endswith(
        '\n{"id":"p","relevance":{}}\n'
    )


# ---- where it goes, and where it comes from ------------------------------------------------------


def test_a_packed_file_is_the_same_each_time(small: Path) -> None:
    plain = convert(small, "run", "run.trec", "trec", "-").out
    assert convert(small, "run", "run.trec", "trec", "new/run.gz").code == 0
    data = (small / "new" / "run.gz").read_bytes()
    assert gzip.decompress(data) == plain
    assert data[4:8] == bytes(4)  # no time
    assert data[3] == 0  # no name
    assert convert(small, "run", "run.trec", "trec", "other.gz").code == 0
    assert (small / "other.gz").read_bytes() == data
    assert convert(small, "run", "other.gz", "trec", "-").out == plain


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_from_standard_input_to_standard_output(small: Path, pack: type[bytes]) -> None:
    data = pack((small / "run.jsonl").read_bytes())
    args = ["convert", "run", "--in", "-", "--to", "jsonl"]
    done = ragstone(*args, cwd=small, stdin=data)
    assert [json.loads(line) for line in done.text.splitlines()] == [
        json.loads(line) for line in (small / "run.jsonl").read_text().splitlines()
    ]
    assert child(*args, cwd=small, stdin=data) == done


def test_a_file_in_its_own_place(small: Path) -> None:
    expected = convert(small, "run", "run.trec", "jsonl", "-").out
    assert convert(small, "run", "run.trec", "jsonl", "run.trec").code == 0
    assert (small / "run.trec").read_bytes() == expected


@pytest.mark.parametrize(
    ("out", "message"),
    [
        ("new", "new: cannot be written: it is a folder; name a file"),
        ("run.trec/x", "run.trec/x: cannot be written: one of its folders is a file; choose an"),
        ("/dev/full", "/dev/full: cannot be written: the disk is full; make room or choose an"),
        ("", "Invalid value for '--out': the name is empty; a path was expected; see ragstone"),
    ],
)
def test_where_it_cannot_go(small: Path, out: str, message: str) -> None:
    (small / "new").mkdir()
    done = convert(small, "run", "run.trec", "jsonl", out)
    assert (done.code, done.out) == (2, b"")
    assert done.message.startswith(f"error: {message}")
    assert list((small / "new").iterdir()) == []


@pytest.mark.parametrize("out", ["-", "new/out", "new/out.gz"])
@pytest.mark.parametrize("kind", ["qrels", "run"])
def test_an_error_leaves_nothing_not_even_on_standard_output(
    tmp_path: Path, kind: str, out: str
) -> None:
    key = "relevant_ids" if kind == "qrels" else "retrieved_ids"
    value = ["a"]
    rows: list[dict[str, object]] = [{"id": f"q{n}", key: value} for n in range(3000)]
    write_lines(tmp_path / "in", [*rows, {"id": "q 4", key: value}])
    done = convert(tmp_path, kind, "in", "trec", out)
    assert (done.code, done.out) == (2, b"")
    assert done.message.startswith("error: the id 'q 4' has white space in it, and this format ")
    with (tmp_path / "in").open("a") as file:
        file.write("{\n")
    done = convert(tmp_path, kind, "in", "jsonl", out)
    assert (done.code, done.out) == (2, b"")
    assert done.message.startswith("error: in:3002: JSON that does not end on its line; one object")
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


# ---- flags ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (
            ["run", "--in", "run.trec", "--to", "beir"],
            "beir is a format of qrels; a run is trec or",
        ),
        (
            ["run", "--in", "x", "--from", "beir", "--to", "trec"],
            "beir is a format of qrels; a run",
        ),
        (
            ["run", "--in", "run.trec", "--to", "trec", "--tag", "a b"],
            "--tag 'a b': a run's tag is",
        ),
        (
            ["run", "--in", "run.trec", "--to", "trec", "--tag", ""],
            "--tag '': a run's tag is one w",
        ),
        (["run", "--in", "x", "--to", "jsonl", "--tag", "a"], "--tag is for a run that is written"),
        (
            ["qrels", "--in", "x", "--to", "trec", "--tag", "a"],
            "--tag is for a run that is written",
        ),
        (["qrels", "--in", "no", "--to", "trec"], "no: no such file"),
        (["qrels", "--in", ".", "--to", "trec"], ".: is a folder; a file was expected"),
        (["qrels", "--in", "run.trec", "--to", "trec"], "run.trec:1: cannot tell the format of qr"),
        (["run", "--in", "qrels.trec", "--to", "trec"], "qrels.trec:1: cannot tell the format of "),
        (["run", "--in", "run.trec", "--from", "jsonl", "--to", "trec"], "run.trec:1: not JSON ("),
        (["qrels", "--in", "x"], "Missing option '--to'. Choose from: jsonl, trec, beir; see rag"),
        (["qrels", "--to", "trec"], "Missing option '--in'; see ragstone convert --help"),
        (["corpus", "--in", "x", "--to", "trec"], "Invalid value for '{qrels|run|samples}': 'cor"),
        (["samples", "--in", "x", "--to", "trec"], "samples are written as jsonl, and read from"),
        (["samples", "--in", "x", "--from", "beir", "--to", "jsonl"], "samples are written as js"),
        (["run", "--in", "x", "--from", "ragas", "--to", "trec"], "ragas is a format of samples; "),
        (["run", "--in", "run.trec", "--to", "trex"], "Invalid value for '--to': 'trex' is not on"),
    ],
)
def test_what_cannot_be_converted(small: Path, args: list[str], message: str) -> None:
    done = ragstone("convert", *args, cwd=small)
    assert (done.code, done.out) == (2, b"")
    assert done.message.startswith(f"error: {message}")


def test_qrels_that_judge_nothing(tmp_path: Path) -> None:
    write_lines(tmp_path / "qrels", [{"id": "q", "relevant_ids": []}])
    for to in ("trec", "beir"):
        done = convert(tmp_path, "qrels", "qrels", to, "-")
        assert done.message == f"error: qrels: judges no query; there is nothing to write as {to}"
    done = convert(tmp_path, "qrels", "qrels", "jsonl", "-")
    assert done == Done(0, b'{"id":"q","relevance":{}}\n', "")


# ---- samples ------------------------------------------------------------------------------------

GOLDEN = Path(__file__).parents[1] / "formats/samples/golden"


def test_the_formats_of_samples_are_those_that_are_read() -> None:
    from ragstone.cli.options import SAMPLES_FORMATS
    from ragstone.formats import samples

    assert list(samples.SAMPLES_FORMATS) == SAMPLES_FORMATS


@pytest.mark.parametrize("more", [[], ["--from", "ragas"]], ids=str)
def test_samples_of_another_tool(more: list[str], tmp_path: Path) -> None:
    source = GOLDEN / "ragas.jsonl"
    done = convert(tmp_path, "samples", str(source), "jsonl", "-", *more)
    assert done.out == Path(f"{source}.samples").read_bytes()
    assert done.err.splitlines() == [
        "note: fields that ragstone has no name for, kept as they are: rubrics (1), faithfulness "
        "(1), persona_name (1)",
        "note: conversations_cut_to_the_last_turn: 1",
        "note: ids_from_position: 3",
    ]


def test_a_slip_of_the_pen_in_samples_is_a_warning(tmp_path: Path) -> None:
    write_lines(tmp_path / "samples", [{"id": "a", "query": "?", "anwser": "x"}])
    done = convert(tmp_path, "samples", "samples", "jsonl", "out.jsonl.gz")
    assert "warning: samples: 1 sample has 'anwser'" in done.err
    assert gzip.decompress((tmp_path / "out.jsonl.gz").read_bytes()).startswith(b'{"id":"a"')


def test_the_run_and_the_judgments_in_samples(tmp_path: Path) -> None:
    traces = str(GOLDEN / "openinference.otlp.jsonl")
    done = convert(tmp_path, "run", traces, "trec", "-", "--from", "samples")
    assert done.out.splitlines()[:2] == [b"q1 Q0 d1 1 0.9 ragstone", b"q1 Q0 d2 2 0.4 ragstone"]
    done = convert(tmp_path, "qrels", str(GOLDEN / "own.jsonl"), "trec", "-", "--from", "samples")
    assert done.out == b"q1 0 7 1\n"
    done = convert(tmp_path, "qrels", traces, "trec", "-", "--from", "samples")
    assert "no sample has reference contexts with ids, which are judgments" in done.message
    done = convert(
        tmp_path, "run", str(GOLDEN / "promptfoo.json"), "trec", "-", "--from", "samples"
    )
    assert (done.code, done.out) == (2, b"")
    assert "no sample has contexts with ids, which would be a run" in done.message
