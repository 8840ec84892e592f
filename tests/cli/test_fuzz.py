"""Whatever is typed and whatever lies in the files: a code of the table, a line, no traceback."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from commands import Done, child, ragstone
from ragstone.cli.group import ENTRIES
from ragstone.errors import one_line
from ragstone.reports import validate_report

OURS = ["score", "compare", "convert", "validate-report", "demo"]
CODES = {0, 2, 4, 5}  # never 3: nothing that is read or typed is a failure of ragstone itself


@pytest.fixture(scope="module")
def folder(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that is put right before each example: bad input is `bad`, and the demo's files."""
    folder = tmp_path_factory.mktemp("fuzz") / "files"
    shutil.copytree(made, folder)
    shutil.move(folder / "qrels" / "test.tsv", folder / "qrels.tsv")
    return folder


def check(done: Done) -> None:
    assert done.code in CODES, done
    assert "Traceback" not in done.err
    lines = done.err.split("\n")
    assert lines.pop() == ""
    assert all(line.startswith(("error: ", "warning: ", "note: ", "Usage: ")) for line in lines[:1])
    assert all(len(line) < 2000 and one_line(line) == line for line in lines), done.err
    if done.code == 2 and not done.err.startswith("Usage: "):
        assert lines[-1].startswith("error: ")
    done.out.decode()


# ---- arguments -----------------------------------------------------------------------------------

FILES = ["qrels.tsv", "baseline.trec", "candidate.trec", "baseline.json", "candidate.json"]
FILES += ["compare.json", "queries.jsonl", "no", ".", "", "-", "bad", "\0", "\udcff", "qrels"]
NAMES = ["nDCG@10", "map", "P_5", "R@5:micro", "ndgc", "iprec_at_recall_0.1", "P(rel=2)@5", "all"]
NAMES += [
    "recall_at_k",
    "RBP(p=0.5)",
    "RBP(p=2)",
    "AP@0",
    "AP@1e3",
    "ERR(max=4)@3",
    "@",
    "(",
    ":p50",
]
VALUES = ["0", "1", "5", "-1", "1e400", "nan", "inf", "x", "", "2%", "50abs", "off", "10", "9"]
VALUES += [
    "99999999999999999999",
    "json",
    "table",
    "markdown",
    "trec_eval",
    "jsonl",
    "beir",
    "trec",
]
VALUES += ["none", "worst:3", "worst:3:AP@5", "failed", "t-test", "permutation", "qrels", "run"]
FLAGS = ["--qrels", "--run", "--queries", "--retrieved", "--k", "--measure", "--relevance-level"]
FLAGS += ["--trec-eval", "--qrels-format", "--run-format", "--floor", "--rows", "--format", "-v"]
FLAGS += ["--per-query", "--baseline", "--candidate", "--max-recall-regression-pct", "--budget"]
FLAGS += ["--max-regression-pct", "--alpha", "--test", "--seed", "--primary-measure", "--top", "-q"]
FLAGS += ["--primary-metric", "--max-failed", "--max-not-applicable", "--in", "--from", "--to"]
FLAGS += ["--tag", "--inputs", "--log-format", "--help", "--version", "--", "--bogus", "-", "-vq"]
FLAGS += ["--annotations", "--permutations"]

limits = st.builds("{}={}".format, st.sampled_from(NAMES), st.sampled_from(VALUES))
words = st.one_of(*map(st.sampled_from, (FILES, NAMES, VALUES)), limits, st.text(max_size=5))
flags = st.sampled_from(FLAGS)
loose = st.lists(words | flags, max_size=8)


@st.composite
def plausible(draw: st.DrawFn) -> list[str]:
    """Begin as a command that would work, and go on with flags and values of any kind."""
    command = draw(st.sampled_from(["score", "compare", "convert", "validate-report"]))
    start = {
        "score": ["--qrels", "qrels.tsv", "--run", "baseline.trec"],
        "compare": ["--baseline", "baseline.json", "--candidate", "candidate.json"],
        "convert": ["run", "--in", "baseline.trec", "--to", "jsonl"],
        "validate-report": ["compare.json"],
    }[command]
    more = draw(st.lists(st.tuples(flags, words).map(list) | st.just(["--quiet"]), max_size=4))
    return [command, *start, *(word for pair in more for word in pair)]


arguments = (
    plausible()
    | loose
    | st.tuples(st.sampled_from([*OURS, "scor"]), loose).map(lambda drawn: [drawn[0], *drawn[1]])
)


def writes_nothing(args: list[str]) -> bool:
    """Leave the demo out, whose folder would be the current one, and other writers."""
    return "demo" not in args


@settings(max_examples=300)
@given(arguments.filter(writes_nothing))
@example(["score", "--qrels", "\0", "--run", "\0"])
@example(["compare", "--baseline", "-", "--candidate", "\udcff", "-v"])
@example(["--", "--", "score"])
def test_any_arguments(folder: Path, args: list[str]) -> None:
    verbose = {"-v", "--verbose", "-vq"} & set(args) or any(
        "--verbose".startswith(word) and len(word) > 2 for word in args if word.startswith("--")
    )
    before = sorted(folder.rglob("*"))
    done = ragstone(*args, cwd=folder, stdin=b"q Q0 d 1 1 t\n", GITHUB_ACTIONS="", GITLAB_CI="")
    assert done.code in CODES
    if not verbose and "json" not in args:
        check(done)
    assert sorted(folder.rglob("*")) == before


# ---- files ---------------------------------------------------------------------------------------

DEEP = b"[" * 50_000
NESTED = b'{"a":' * 50_000
SPLICES = [b"", b"\n", b"\r", b" ", b"\t", b"\0", b"\xff", b"\xef\xbb\xbf", b"#", b"\x1b[31m", b"-"]
SPLICES += [b"nan", b"1e999", b"{", b"}", b"[", b"]", b'"', b",", b":", b"\\ud800", b"NaN", b"null"]
SPLICES += [b"9" * 400, DEEP, NESTED, b'"id":"q1","id":"q2",', b"\x1f\x8b", "\u2028".encode(), b"."]
SPLICES += [b"true", b'{"id":"q1"}', b"-0", b"1e-400", b'"verdict":"pass",', b"ragstone.compare"]
SEEDS = ["qrels.tsv", "baseline.trec", "baseline.json", "candidate.json", "compare.json"]


@st.composite
def damages(draw: st.DrawFn) -> list[tuple[float, int, bytes]]:
    """Draw where a file is cut into, how much is taken out, and what is put there."""
    places = st.floats(0, 1)
    return draw(
        st.lists(
            st.tuples(places, st.integers(0, 30), st.sampled_from(SPLICES)), min_size=1, max_size=3
        )
    )


def damaged(data: bytes, cuts: list[tuple[float, int, bytes]]) -> bytes:
    for share, length, splice in cuts:
        place = int(share * len(data))
        data = data[:place] + splice + data[place + length :]
    return data


def uses(name: str) -> Iterator[list[str]]:
    """Every way to read a file of ours."""
    yield ["validate-report", "bad"]
    if name.endswith(".json"):
        yield ["compare", "--baseline", "bad", "--candidate", "candidate.json", "--top", "1"]
        yield ["compare", "--baseline", "baseline.json", "--candidate", "bad", "--format=markdown"]
        yield ["validate-report", "bad", "--format", "json", "--inputs", "."]
        return
    yield ["score", "--qrels", "bad", "--run", "baseline.trec", "--measure", "AP"]
    yield ["score", "--qrels", "qrels.tsv", "--run", "bad", "--format", "table", "--measure=RR"]
    yield ["convert", "qrels", "--in", "bad", "--to", "jsonl"]
    yield ["convert", "run", "--in", "bad", "--to", "trec"]


@settings(max_examples=120)
@given(st.sampled_from(SEEDS), damages(), st.booleans(), st.data())
def test_any_file(
    folder: Path,
    name: str,
    cuts: list[tuple[float, int, bytes]],
    packed: bool,
    data: st.DataObject,
) -> None:
    bad = damaged((folder / name).read_bytes(), cuts)
    (folder / "bad").write_bytes(gzip.compress(bad, 1) if packed else bad)
    args = data.draw(st.sampled_from(list(uses(name))))
    done = ragstone(*args, "--quiet", cwd=folder)
    (folder / "bad").unlink()
    check(done)


BYTES = [b"", b"\n\n", b"\0", b"\xff\xfe\0", DEEP, NESTED, b"{}", b"[]", b"null", b"\x1f\x8b"]
BYTES += [b"q1 Q0 d 1 1 t", b"q1 0 d 1", b'{"id":1}', b'{"id":"q","retrieved_ids":["a"]}']
BYTES += [b'{"summary":{},"per_query":[]}', b'{"predicateType":"urn:ragstone:report:v1"}']


@pytest.mark.parametrize("seed", ["run.trec", "report.json"])
@settings(max_examples=60)
@given(st.sampled_from(BYTES) | st.binary(max_size=60), st.data())
def test_bytes_of_no_kind(folder: Path, seed: str, given_bytes: bytes, data: st.DataObject) -> None:
    (folder / "bad").write_bytes(given_bytes)
    args = data.draw(st.sampled_from(list(uses(seed))))
    done = ragstone(*args, "--quiet", cwd=folder)
    (folder / "bad").unlink()
    check(done)


# ---- values in good files ------------------------------------------------------------------------

texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
grades = st.integers(-3, 5)


@settings(max_examples=80)
@given(
    st.dictionaries(texts, st.dictionaries(texts, grades, max_size=3), min_size=1, max_size=4),
    st.dictionaries(texts, st.lists(texts, max_size=3), max_size=4),
    st.sampled_from(["json", "table", "markdown", "trec_eval"]),
)
def test_any_ids(
    folder: Path, qrels: dict[str, dict[str, int]], run: dict[str, list[str]], shown: str
) -> None:
    rows = [{"id": query, "relevance": judged} for query, judged in qrels.items()]
    (folder / "bad").write_text("".join(json.dumps(row) + "\n" for row in rows))
    ranked = {**run, next(iter(qrels)): ["d"]}
    lines = (
        json.dumps({"id": query, "retrieved_ids": docs}, ensure_ascii=False) + "\n"
        for query, docs in ranked.items()
    )
    args = ["score", "--qrels", "bad", "--run", "-", "--format", shown, "--quiet"]
    per_query = ["--per-query"] if shown != "json" else []
    done = ragstone(*args, *per_query, cwd=folder, stdin="".join(lines).encode())
    (folder / "bad").unlink()
    check(done)
    if done.code == 0 and shown == "json":
        assert validate_report(done.out, "-").ok
    if done.code == 0 and shown in {"table", "markdown"}:
        assert all(ord(char) >= 32 for char in done.text if char != "\n")


@pytest.mark.parametrize("data", [DEEP, NESTED, b'{"id":"q","id":"q","relevant_ids":["a"]}\n'])
def test_a_few_of_them_in_a_process_of_their_own(folder: Path, data: bytes) -> None:
    for args in (
        ["score", "--qrels", "-", "--run", "baseline.trec"],
        ["compare", "--baseline", "-", "--candidate", "candidate.json"],
    ):
        done = child(*args, cwd=folder, stdin=data)
        assert done.code == 2
        check(done)


def test_every_command_is_fuzzed_or_has_its_own_fuzz() -> None:
    assert set(OURS) <= set(ENTRIES)
