"""`ragstone overlap`: what is read, printed, written and returned."""

from __future__ import annotations

import gzip
import json
import runpy
from collections.abc import Callable, Iterable
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest

from commands import Done, child, ragstone
from ragstone.reports import read_report, validate_report

METHODS = ["exact", "jaccard", "minhash"]
SIMILAR = ["--a", "a", "--b", "b", "--method", "jaccard"]
BOTH = ["overlap", "--a", "a", "--b", "b"]
LONG = "the quick brown fox jumps over the lazy dog and runs into the dark green wood at night"
NEAR = LONG.replace("night", "dawn")


def write(path: Path, texts: Iterable[tuple[str, str]]) -> None:
    rows = [json.dumps({"id": doc, "text": text}) for doc, text in texts]
    path.write_text("".join(f"{row}\n" for row in rows))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two corpora with an identical pair, a similar one, and a document without a word."""
    write(tmp_path / "a", [("a1", "One two, three."), ("a2", LONG), ("a3", "alone"), ("a4", "?!")])
    write(tmp_path / "b", [("b1", "one two THREE"), ("b2", NEAR), ("b3", "other"), ("b4", "...")])
    return tmp_path


def details(done: Done) -> Any:
    return json.loads(done.out)["predicate"]["details"]


def pairs(done: Done) -> list[tuple[str, str, float]]:
    return [(each["a_id"], each["b_id"], each["jaccard"]) for each in details(done)["pairs"]]


@pytest.mark.parametrize("method", METHODS)
def test_pairs_and_counts(folder: Path, method: str) -> None:
    done = ragstone("overlap", "--a", "a", "--b", "b", "--method", method, cwd=folder)
    assert (done.code, done.err) == (0, "")
    found = details(done)
    near = [("a2", "b2", 13 / 15)] if method != "exact" else []
    assert pairs(done) == [("a1", "b1", 1.0), *near]
    assert (found["a"]["documents"], found["a"]["empty"]) == (4, 1)
    assert found["b"]["overlapping"] == found["redundant"] == 1 + len(near)
    assert found["b"]["rate"] == found["redundant"] / 4
    assert found["clusters"][0] == {"cluster": 1, "a_ids": ["a1"], "b_ids": ["b1"]}
    assert ("miss_probability" in found) == (method == "minhash")
    assert found["a"].get("short") == (None if method == "exact" else 2)


def test_the_table(folder: Path) -> None:
    args = ["--a", "a", "--b", "b", "--method", "minhash", "--format", "table"]
    done = ragstone("overlap", *args, "--max-overlap", "1", cwd=folder)
    assert (done.code, done.err) == (4, "")
    assert (
        done.text
        == """\
FAIL: 2 of 4 documents of b (50.00%) stand in a, more than the 1 allowed

corpus  files  documents  overlapping    rate  empty  short
------  -----  ---------  -----------  ------  -----  -----
a       a              4            2  50.00%      1      2
b       b              4            2  50.00%      1      2

Largest clusters: 2
cluster  in a  a   in b  b
-------  ----  --  ----  --
1           1  a1     1  b1
2           1  a2     1  b2

Similar, not identical: 1
a   b   jaccard
--  --  -------
a2  b2   0.8667

Jaccard of at least 0.8 of 5 words in a row (2 letters where a script has no spaces)
MinHash, 21 bands of 6: a pair at the threshold is missed with probability 0.0017
a: 1 document without a word, compared with nothing
b: 1 document without a word, compared with nothing
"""
    )


@pytest.mark.parametrize(
    ("limit", "code"), [("0", 4), ("1", 4), ("2", 0), ("49.9%", 4), ("50%", 0)]
)
def test_the_gate(folder: Path, limit: str, code: int) -> None:
    args = ["--a", "a", "--b", "b", "--method", "jaccard", "--max-overlap", limit]
    done = ragstone("overlap", *args, "--out", "r.json", cwd=folder)
    assert done.code == code
    report = read_report(folder / "r.json")
    assert (report.verdict, report.exit_code) == ("fail" if code else "pass", code)
    assert validate_report((folder / "r.json").read_bytes(), "r").errors == []
    assert done.text.startswith("FAIL: 2 of 4" if code else "PASS: 2 of 4")


@pytest.mark.parametrize("method", METHODS)
def test_a_report_is_sound_and_its_faults_are_found(folder: Path, method: str) -> None:
    ragstone(
        "overlap",
        "--a",
        "a",
        "--b",
        "b",
        "--method",
        method,
        "--max-overlap",
        "5",
        "--out",
        "r.json",
        cwd=folder,
    )
    whole = json.loads((folder / "r.json").read_bytes())
    assert validate_report((folder / "r.json").read_bytes(), "r", folder).errors == []
    breaks: list[Callable[[Any], object]] = [
        lambda d: d["a"].update(overlapping=3),
        lambda d: d["b"].update(rate=0.9),
        lambda d: d.update(redundant=0),
        lambda d: d.update(max_overlap="0"),
        lambda d: d["clusters"][0].update(cluster=2),
        lambda d: d["clusters"][0]["a_ids"].append("a9"),
        lambda d: d["pairs"][0].update(a_id="a3"),
        lambda d: d["pairs"][0].update(jaccard=1.5),
        lambda d: d["pairs"].append(d["pairs"][0]),
    ]
    for break_it in breaks:
        broken = json.loads(json.dumps(whole))
        break_it(broken["predicate"]["details"])
        text = json.dumps(broken, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert validate_report(f"{text}\n".encode(), "broken").errors


@pytest.mark.parametrize("args", [["--within", "c"], ["--a", "c", "--within"]])
def test_one_corpus_within_itself(tmp_path: Path, args: list[str]) -> None:
    write(tmp_path / "c", [("d3", LONG), ("d1", NEAR), ("d2", "Hi"), ("d4", "hi!"), ("d5", "x")])
    done = ragstone(
        "overlap",
        *args,
        "--method",
        "jaccard",
        "--write-deduplicated",
        "clean.jsonl",
        cwd=tmp_path,
    )
    assert (done.code, done.err) == (0, "")
    found = details(done)
    assert "b" not in found
    assert [each["a_ids"] for each in found["clusters"]] == [["d1", "d3"], ["d2", "d4"]]
    assert pairs(done) == [("d1", "d3", 13 / 15), ("d2", "d4", 1.0)]
    kept = [json.loads(line)["id"] for line in (tmp_path / "clean.jsonl").read_text().splitlines()]
    assert kept == ["d1", "d2", "d5"]
    again = ragstone("overlap", "--within", "clean.jsonl", "--method", "jaccard", cwd=tmp_path)
    assert details(again)["redundant"] == 0


def test_b_is_written_without_what_stands_in_a(folder: Path) -> None:
    args = ["--a", "a", "--b", "b", "--method", "jaccard", "--write-deduplicated", "clean.gz"]
    assert ragstone("overlap", *args, cwd=folder).code == 0
    whole = (folder / "b").read_bytes().splitlines(keepends=True)
    assert gzip.decompress((folder / "clean.gz").read_bytes()) == whole[2] + whole[3]


@pytest.mark.parametrize("name", ["clean.csv", "clean.JSON.gz", "clean.parquet.zst"])
def test_a_name_that_promises_another_format_is_refused(folder: Path, name: str) -> None:
    before = sorted(folder.iterdir())
    done = ragstone("overlap", "--within", "no", "--write-deduplicated", name, cwd=folder)
    kind = name.removeprefix("clean").lower()
    assert done.code == 2
    assert done.message == (
        f"error: {name}: a corpus is written as JSON lines or Parquet, not as {kind}; name a "
        ".jsonl, .jsonl.gz, .jsonl.zst or .parquet"
    )
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--a", "a"], "error: give --a and --b, or one corpus and --within"),
        (["--within"], "error: --within has no corpus; name it behind --within or with --a"),
        (["--a", "a", "--b", "b", "--within"], "error: --within compares one corpus with itself;"),
        (["--a", "a", "--b", "no"], "error: no: no such file"),
        ([*SIMILAR, "--threshold", "0"], "error: the threshold is 0; above 0 and"),
        ([*SIMILAR, "--threshold", "1.1"], "error: the threshold is 1.1; above 0"),
        ([*SIMILAR, "--threshold", "nan"], "error: the threshold is nan; above 0"),
        (["--a", "a", "--b", "b", "--num-perm", "70000"], "error: Invalid value for '--num-perm'"),
        (["--a", "a", "--b", "b", "--workers", "257"], "error: Invalid value for '--workers': 257"),
        (["--a", "a", "--b", "b", "--max-overlap", "x"], "error: --max-overlap is 'x'; write a"),
        (
            ["--a", "a", "--b", "b", "--method", "minhash", "--num-perm", "2", "--threshold", ".3"],
            "error: 2 permutations find a pair at the threshold 0.3 with less than probability",
        ),
        (["--a", "a", "--b", "b", "--out", "b"], "error: --out b is what --b reads; name another"),
        (["--a", "twice", "--b", "b"], "error: twice:2: document 'x' has two rows, the first at"),
        (["--a", "cut", "--b", "b"], "error: cut:1: "),
        (["--a", "bytes", "--b", "b"], "error: bytes:1: not UTF-8"),
        (["--a", "blank", "--b", "b"], "error: blank: none of its 2 documents has a text"),
    ],
)
def test_what_is_refused(folder: Path, args: list[str], message: str) -> None:
    write(folder / "twice", [("x", "1"), ("x", "2")])
    write(folder / "blank", [("x", ""), ("y", " ")])
    (folder / "cut").write_text('{"id": "x", "text": "ab')
    (folder / "bytes").write_bytes(b'{"id": "x", "text": "\xc7\xd1"}\n')
    before = sorted(folder.iterdir())
    done = ragstone("overlap", *args, "--write-deduplicated", "clean", cwd=folder)
    assert done.code == 2
    assert done.message.startswith(message)
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize(
    ("args", "reader"),
    [
        (["--within", "a"], "--within"),
        (["--a", "a", "--within"], "--a"),
        (["--a", "b", "--within", "a"], "--a or --within"),
        (["--a", "b", "--b", "a"], "--b"),
    ],
    ids=str,
)
def test_the_flag_that_reads_what_would_be_written(
    folder: Path, args: list[str], reader: str
) -> None:
    done = ragstone("overlap", *args, "--write-deduplicated", "a", cwd=folder)
    assert done.message.startswith(f"error: --write-deduplicated a is what {reader} reads; name")


@pytest.mark.parametrize(
    ("method", "flag", "others"),
    [
        ("exact", "--threshold=0.7", "jaccard and minhash"),
        ("exact", "--shingle=1", "jaccard and minhash"),
        ("exact", "--char-shingle=1", "jaccard and minhash"),
        *((method, "--num-perm=1", "minhash") for method in METHODS[:2]),
        *((method, "--seed=1", "minhash") for method in METHODS[:2]),
    ],
)
def test_what_a_method_does_not_look_at_is_said(
    folder: Path, method: str, flag: str, others: str
) -> None:
    said = f"{flag.partition('=')[0]} does nothing with --method {method}; it is of {others}"
    done = ragstone(*BOTH, "--method", method, flag, cwd=folder)
    assert (done.code, done.message) == (0, f"note: {said}")
    if method == "exact":
        unnamed = ragstone(*BOTH, flag, cwd=folder)
        assert unnamed.code == 2
        assert unnamed.message.startswith(f"error: {said}: name one, or leave --")


def test_one_document_repeats_and_two_repeat(folder: Path) -> None:
    write(folder / "twice", [("x", "same"), ("y", "same"), ("z", "other")])
    args = ["--format", "table"]
    within = ragstone("overlap", "--within", "twice", *args, cwd=folder)
    assert within.text.startswith("1 of 3 documents (33.33%) repeats another\n")
    between = ragstone("overlap", "--a", "a", "--b", "b", *args, cwd=folder)
    assert between.text.startswith("1 of 4 documents of b (25.00%) stands in a\n")


def test_the_first_documents_alone(folder: Path) -> None:
    args = ["overlap", "--a", "a", "--b", "b", "--max-records", "1"]
    found = details(ragstone(*args, cwd=folder))
    assert (found["a"]["documents"], found["a"]["truncated"]) == (1, True)
    table = ragstone(*args, "--format", "table", cwd=folder).text
    assert "a: only its first 1 documents were read" in table
    done = ragstone(*args, "--write-deduplicated", "clean", cwd=folder)
    assert done.code == 2
    assert "only the first 1 documents are read" in done.message


# ---- faults that people reported of other tools -------------------------------------------------

CASES: dict[str, dict[str, list[tuple[str, str, float]]]] = {
    "73": {method: [("a1", "b2", 1.0)] for method in METHODS},
    "78": {"exact": [], "jaccard": [("a1", "b1", 24 / 28)], "minhash": [("a1", "b1", 24 / 28)]},
}


def case(shared: Path, number: str) -> Path:
    return next((shared / "cases").glob(f"{number}-*"))


@pytest.mark.parametrize("number", CASES)
@pytest.mark.parametrize("method", METHODS)
def test_case(shared: Path, number: str, method: str) -> None:
    done = ragstone(
        "overlap", "--a", "a.jsonl", "--b", "b.jsonl", "--method", method, cwd=case(shared, number)
    )
    assert pairs(done) == CASES[number][method]


@pytest.mark.parametrize("method", METHODS)
def test_case_75(shared: Path, method: str) -> None:
    args = ["overlap", "--a", "a.jsonl", "--b", "b.jsonl", "--method", method, "--threshold"]
    assert pairs(ragstone(*args, "1.0", cwd=case(shared, "75"))) == [("a1", "b1", 1.0)]
    for wrong in ("0", "1.1", "nan"):
        done = ragstone(*args, wrong, cwd=case(shared, "75"))
        assert done.code == 2
        assert "above 0 and up to 1 is possible" in done.message


@pytest.mark.parametrize("method", METHODS)
def test_case_80(shared: Path, tmp_path: Path, method: str) -> None:
    """Hash seeds, the order of rows, and processes change nothing."""
    rows = (case(shared, "80") / "a.jsonl").read_text().splitlines(keepends=True)
    b = str(case(shared, "80") / "b.jsonl")
    reports = []
    for seed, order, workers in ((0, 1, "1"), (1, 1, "2"), (2, -1, "1")):
        (tmp_path / "a.jsonl").write_text("".join(rows[::order]))
        args = ["--a", "a.jsonl", "--b", b, "--method", method, "--workers", workers]
        done = child("overlap", "--quiet", *args, cwd=tmp_path, PYTHONHASHSEED=str(seed))
        assert (done.code, done.err) == (0, "")
        reports.append(done)
    assert reports[0].out == reports[1].out
    assert details(reports[0]) == details(reports[2])
    assert details(reports[0])["pairs"] or method == "exact"


@pytest.mark.parametrize("method", METHODS)
def test_case_82(shared: Path, tmp_path: Path, method: str) -> None:
    """Three thousand copies on each side are one cluster and one pair."""
    with chdir(tmp_path):
        runpy.run_path(str(case(shared, "82") / "make.py"))
    done = ragstone("overlap", "--a", "a.jsonl", "--b", "b.jsonl", "--method", method, cwd=tmp_path)
    found = details(done)
    assert found["a"]["overlapping"] == found["b"]["overlapping"] == 3000
    assert found["pairs"] == [
        {
            "cluster": 1,
            "a_id": "a0",
            "b_id": "b0",
            "jaccard": 1.0,
            "a_copies": 3000,
            "b_copies": 3000,
        }
    ]
    assert [len(each["a_ids"]) for each in found["clusters"]] == [3000]


def test_a_report_without_scores_is_not_compared(folder: Path) -> None:
    """The message names every command whose reports would do."""
    assert ragstone(*BOTH, "--out", "o.json", cwd=folder).code == 0
    done = ragstone("compare", "--baseline", "o.json", "--candidate", "o.json", cwd=folder)
    assert done.code == 2
    assert done.message == (
        "error: o.json: is a report of kind ragstone.overlap, which has no scores; "
        "a report of ragstone score, match, evaluate or leakage was expected"
    )
