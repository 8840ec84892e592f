"""`ragstone leakage`: what is read, printed, written and returned."""

from __future__ import annotations

import gzip
import json
import signal
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from commands import Done, child, ragstone
from interrupts import interrupted_while_reading, killed_while_reading, needs_proc
from ragstone.formats.corpus import corpus as corpus_module
from ragstone.reports import read_report, validate_report

FILES = ["--corpus", "corpus.jsonl", "--items", "items.jsonl"]
DOCUMENTS = {
    "d1": "The boiling point of water falls as the air gets thinner, so rice takes longer.",
    "d2": "Ask about our opening hours. How do I renew my\nlibrary card online? At the desk.",
    "d3": "How do I renew my library card abroad? Paris, they say.",
    "d4": "도서관은 월요일에 문을 닫고 화요일에 다시 엽니다.",
}
ITEMS = [
    {"id": "q1", "question": "How do I renew my library card online?", "answer": "At the desk"},
    {"id": "q2", "question": "Who painted the ceiling?", "answer": "?"},
    {"id": "q3", "question": "도서관이 월요일에 문을 닫고 화요일에 다시 엽니까"},
]


def write(folder: Path, documents: Mapping[str, str], items: Sequence[Any]) -> None:
    rows = [{"_id": doc, "text": text} for doc, text in documents.items()]
    for name, each in (("corpus.jsonl", rows), ("items.jsonl", items)):
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in each)
        (folder / name).write_text("".join(lines), encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A corpus with a copy and a near copy of a question, and items."""
    write(tmp_path, DOCUMENTS, ITEMS)
    return tmp_path


def leakage(folder: Path, *more: str, **given: Any) -> Done:
    return ragstone("leakage", *FILES, *more, cwd=folder, **given)


def predicate(done: Done) -> Any:
    return json.loads(done.out)["predicate"]


# ---- what is found ------------------------------------------------------------------------------


def test_leaks_and_their_places(folder: Path) -> None:
    done = leakage(folder, "-q")
    assert (done.code, done.err) == (4, "")
    found = predicate(done)
    assert (found["verdict"], found["exit_code"]) == ("fail", 4)
    leaks = found["details"]["leaks"]
    assert [(each["item_id"], each["field"], each["doc_id"]) for each in leaks] == [
        ("q1", "answer", "d2"),
        ("q1", "question", "d2"),
        ("q1", "question", "d3"),
        ("q3", "question", "d4"),
    ]
    exact, near, korean = leaks[1:]
    assert exact == {
        "item_id": "q1",
        "field": "question",
        "doc_id": "d2",
        "containment": 1.0,
        "shared": 6,
        "item_ngrams": 6,
        "unit": "word",
        "documents_at_threshold": 2,
        "documents_sharing": 2,
        "passage": "How do I renew my\nlibrary card online",
        "start": 29,
        "end": 66,
    }
    assert (near["shared"], near["item_ngrams"], near["containment"]) == (5, 6, 5 / 6)
    assert korean["unit"] == "char"
    for each in leaks:
        assert DOCUMENTS[each["doc_id"]][each["start"] : each["end"]] == each["passage"]
    assert found["details"]["leaking_items"] == 2
    assert found["scores"]["columns"]["leaked"]["values"] == [1.0, 0.0, 1.0]
    assert found["summary"]["leaked:sum"] == 2.0
    assert validate_report(done.out, "-").errors == []


def test_the_subject_is_the_items_and_both_files_are_inputs(folder: Path) -> None:
    report = json.loads(leakage(folder, "-q").out)
    assert [each["name"] for each in report["subject"]] == ["items.jsonl"]
    assert [(each["role"], each["name"]) for each in report["predicate"]["inputs"]] == [
        ("items", "items.jsonl"),
        ("corpus", "corpus.jsonl"),
    ]


def test_the_table(folder: Path) -> None:
    done = leakage(folder, "--format", "table")
    lines = done.text.splitlines()
    assert lines[0] == "FAIL: 2 of 3 items leak (0 allowed); 4 documents read"
    assert [line.split() for line in lines if line.startswith(("question ", "answer "))] == [
        ["question", "3", "0", "2"],
        ["answer", "1", "1", "1"],
    ]
    row = next(line for line in lines if line.startswith("q1") and "question" in line)
    assert row.split()[:5] == ["q1", "question", "1.0000", "d2", "2"]
    assert "How do I renew my library card online" in row
    assert "warning: 1 text not looked for: no letter or digit (items q2)" in lines
    assert lines[-1].startswith("n-grams of 3 words or 4 letters, as the script asks for; a text")
    assert done.err == "warning: 1 text not looked for: no letter or digit (items q2)\n"
    assert "Texts that leak: 1 of 3" in leakage(folder, "--format", "table", "--top", "1").text


def test_markdown(folder: Path) -> None:
    text = leakage(folder, "--format", "markdown", "-q").text
    assert text.startswith("**FAIL: 2 of 3 items leak (0 allowed); 4 documents read**\n")
    assert "| q1 | question | 1.0000 | d2 | 2 | How do I renew my library card online |" in text


def test_a_stock_phrase_is_hinted_at(tmp_path: Path) -> None:
    documents = {f"d{n}": f"number {n}: yes, of course" for n in range(12)}
    write(tmp_path, documents, [{"id": 1, "answer": "yes"}, {"id": 2, "answer": "number 7"}])
    text = leakage(tmp_path, "--format", "table").text
    assert "1 of these texts stands in 10 documents or more: rather a stock phrase than" in text
    found = leakage(tmp_path, "--ignore-common", "50%", "--format", "table")
    assert found.text.startswith("FAIL: 1 of 1 item leaks")
    assert "n-grams in more than 50% of the documents do not count" in found.text
    counts = predicate(leakage(tmp_path, "--ignore-common", "5", "-q"))["scores"]["counts"]
    assert counts == {"ignored_ngrams": [1, 0], "ngrams": [1, 1], "texts": [0, 1]}


@pytest.mark.parametrize(
    ("more", "code"),
    [
        (["--max-leaks", "2"], 0),
        (["--max-leaks", "1"], 4),
        (["--max-leaks", "66%"], 4),
        (["--max-leaks", "67%"], 0),
        (["--threshold", "1", "--field", "question", "--max-leaks", "1"], 0),
        (["--field", "answer", "--min-words", "3"], 4),
        (["--field", "question", "--unit", "char", "--char-shingle", "40", "--max-leaks", "0"], 4),
        (["--max-records", "1"], 0),
    ],
)
def test_the_exit_code(folder: Path, more: list[str], code: int) -> None:
    done = leakage(folder, "-q", "--out", "report.json", *more)
    assert done.code == code
    report = read_report(folder / "report.json")
    assert (report.exit_code, report.verdict) == (code, "fail" if code else "pass")
    assert validate_report((folder / "report.json").read_bytes(), "x").errors == []


@pytest.mark.slow
def test_morphemes(folder: Path) -> None:
    done = leakage(folder, "-q", "--unit", "morpheme", "--field", "question")
    found = predicate(done)
    korean = found["details"]["leaks"][-1]
    assert (korean["doc_id"], korean["unit"]) == ("d4", "morpheme")
    assert DOCUMENTS["d4"][korean["start"] : korean["end"]] == korean["passage"]
    assert korean["passage"] == "월요일에 문을 닫고 화요일에 다시 엽"
    assert found["signature"]["tokenizer"] == "kiwi"
    assert validate_report(done.out, "-").errors == []


def test_a_part_of_a_corpus_is_said_to_be_one(folder: Path) -> None:
    done = leakage(folder, "--max-records", "2", "--field", "question")
    assert done.err == "warning: only the first 2 documents of the corpus were read\n"
    facts = predicate(done)["scores"]["facts"]
    assert (facts["documents"], facts["truncated"]) == (2, 1)


def test_rows_of_the_report(folder: Path) -> None:
    leakage(folder, "--rows", "worst:1:leaked", "--out", "report.json")
    report = read_report(folder / "report.json")
    assert len(report.details.leaks) == 4
    assert validate_report((folder / "report.json").read_bytes(), "x").errors == []


# ---- what is read -------------------------------------------------------------------------------


def test_files_may_be_packed_and_standard_input(folder: Path) -> None:
    plain = predicate(leakage(folder, "-q"))
    corpus = (folder / "corpus.jsonl").read_bytes()
    (folder / "corpus.jsonl.gz").write_bytes(gzip.compress(corpus))
    (folder / "items.gz").write_bytes(gzip.compress((folder / "items.jsonl").read_bytes()))
    packed = ["--corpus", "corpus.jsonl.gz", "--items", "items.gz"]
    for done in (
        ragstone("leakage", "-q", *packed, cwd=folder),
        ragstone("leakage", "-q", "--corpus", "-", *FILES[2:], cwd=folder, stdin=corpus),
        ragstone(
            *("leakage", "-q", *FILES[:2], "--items", "-"),
            cwd=folder,
            stdin=(folder / "items.jsonl").read_bytes(),
        ),
    ):
        found = predicate(done)
        assert (found["details"], found["scores"]) == (plain["details"], plain["scores"])


def test_several_corpora_and_a_folder(folder: Path) -> None:
    (folder / "docs").mkdir()
    (folder / "docs" / "one.txt").write_text("Somebody asks who painted the ceiling.")
    done = leakage(folder, "-q", "--corpus", "docs")
    leaks = predicate(done)["details"]["leaks"]
    assert ("q2", "one.txt") in [(each["item_id"], each["doc_id"]) for each in leaks]
    assert predicate(done)["scores"]["facts"]["documents"] == 5


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (
            [*FILES, "--field", "qestion"],
            "items.jsonl: no item has the field 'qestion'; the fields there are: id, question, "
            "answer; did you mean question?",
        ),
        (
            [*FILES, "--min-words", "99"],
            "no text of the items can be looked for: 4 with fewer words",
        ),
        ([*FILES, "--max-leaks", "-1"], "--max-leaks is '-1'; write a count of items as 3, or a"),
        ([*FILES, "--threshold", "0"], "Invalid value for '--threshold': 0.0 is not in the range"),
        ([*FILES, "--ignore-common", "x"], "ignore_common is 'x'; write a number of documents as"),
        ([*FILES[:2], "--items", "no"], "no: no such file"),
        (["--corpus", "no", *FILES[2:]], "no: no such file"),
        (["--corpus", "-", "--items", "-"], "standard input (-) can be one input only"),
        ([*FILES, "--out", "items.jsonl"], "--out items.jsonl is what --items reads; name another"),
        (FILES[:2], "Missing option '--items'; see ragstone leakage --help"),
    ],
)
def test_what_cannot_be(folder: Path, args: list[str], message: str) -> None:
    done = ragstone("leakage", *args, cwd=folder)
    assert (done.code, done.out) == (2, b"")
    assert done.message.startswith(f"error: {message}")


def spoil(line: int, row: bytes) -> Callable[[Path], None]:
    """Return what replaces a line of the corpus."""

    def spoiled(folder: Path) -> None:
        lines = (folder / "corpus.jsonl").read_bytes().splitlines(keepends=True)
        lines[line - 1 :] = [row]
        (folder / "corpus.jsonl").write_bytes(b"".join(lines))

    return spoiled


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (spoil(3, b'{"_id": "d3", "text": "cut in the'), "corpus.jsonl:3: JSON that does not end"),
        (spoil(2, b'{"_id": "d2", "text": "\xb0\xa1"}\n'), "corpus.jsonl:2: not UTF-8: byte 0xb0"),
        (
            spoil(4, b'{"_id": "d1", "text": "again"}\n'),
            "corpus.jsonl:4: document 'd1' has two rows, the first at corpus.jsonl:1; a document",
        ),
        (spoil(1, b""), "corpus.jsonl: has no document in it"),
        (spoil(1, b'{"_id": "d1", "text": "?"}\n'), "no document of the corpus has a word"),
    ],
)
def test_a_corpus_that_cannot_be_read(
    folder: Path, change: Callable[[Path], None], message: str
) -> None:
    change(folder)
    before = sorted(folder.iterdir())
    done = leakage(folder)
    assert (done.code, done.out) == (2, b"")
    assert done.message.startswith(f"error: {message}")
    assert sorted(folder.iterdir()) == before
    done = leakage(folder, "--out", "error.json")
    report = read_report(folder / "error.json")
    assert (done.code, report.kind, report.verdict) == (2, "ragstone.error", "error")


def test_case_47_bytes_that_are_not_utf8(shared: Path, tmp_path: Path) -> None:
    corpus = shared / "cases" / "47-invalid-utf8" / "corpus.jsonl"
    write(tmp_path, {}, ITEMS)
    done = ragstone("leakage", "--corpus", str(corpus), *FILES[2:], cwd=tmp_path)
    assert done.code == 2
    assert done.message.startswith(f"error: {corpus}:2: not UTF-8: byte 0x")


def test_korean_is_read_in_any_locale(folder: Path) -> None:
    done = child("leakage", "-q", *FILES, cwd=folder, LC_ALL="C", PYTHONUTF8="0")
    assert [each["doc_id"] for each in predicate(done)["details"]["leaks"]][-1] == "d4"


def test_a_full_disk_leaves_no_half_report(folder: Path) -> None:
    done = leakage(folder, "-q", "--out", "/dev/full")
    assert (done.code, done.out) == (2, b"")
    assert done.message == (
        "error: /dev/full: cannot be written: the disk is full; make room or choose another path"
    )


@needs_proc
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_leaves_nothing_behind(tmp_path: Path, workers: str) -> None:
    write(tmp_path, {f"d{n}": "some words of a long text " * 400 for n in range(2000)}, ITEMS)
    before = sorted(tmp_path.iterdir())
    args = ["leakage", "-q", *FILES, "--out", "new/report.json", "--workers", workers]
    done = interrupted_while_reading("corpus.jsonl", args, tmp_path)
    assert done.returncode == 3
    assert (done.stdout, done.stderr) == (b"", b"error: interrupted\n")
    assert sorted(tmp_path.iterdir()) == before


@needs_proc
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_command_that_is_killed_leaves_no_worker(tmp_path: Path, number: signal.Signals) -> None:
    write(tmp_path, {f"d{n}": "some words of a long text " * 400 for n in range(2000)}, ITEMS)
    args = ["leakage", "-q", *FILES, "--workers", "2"]
    assert killed_while_reading("corpus.jsonl", args, tmp_path, number).returncode == -number


# ---- the same bytes -----------------------------------------------------------------------------


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """A corpus of some batches, with ties, and items in two units."""
    texts = [f"w{n % 5} w{n % 7} w{n % 3} w{n % 11} 검색 품질은 w{n % 2} 좋다" for n in range(150)]
    items = [{"id": n, "question": texts[n * 4], "answer": f"w{n % 11}"} for n in range(30)]
    write(tmp_path, {f"d{n}": text for n, text in enumerate(texts)}, items)
    return tmp_path


@pytest.mark.parametrize("more", [[], ["--ignore-common", "40%"]], ids=["", "twice"])
def test_workers_blocks_and_seeds_do_not_matter(many: Path, more: list[str]) -> None:
    one = leakage(many, "-q", *more).out
    assert json.loads(one)["predicate"]["details"]["leaks"]
    assert leakage(many, "-q", "--workers", "3", *more).out == one
    for characters in (1, 1000):
        with patch.object(corpus_module, "CHARACTERS", characters):
            batches = corpus_module.Corpus.batches
            small = dict(batches.__kwdefaults__ or {}, characters=characters)
            with patch.object(batches, "__kwdefaults__", small):
                assert leakage(many, "-q", *more).out == one
    assert child("leakage", "-q", *FILES, *more, cwd=many, PYTHONHASHSEED="1").out == one


def test_the_order_of_rows_matters_to_the_digests_alone(many: Path) -> None:
    one = json.loads(leakage(many, "-q").out)
    for name in ("corpus.jsonl", "items.jsonl"):
        lines = (many / name).read_text(encoding="utf-8").splitlines(keepends=True)
        (many / name).write_text("".join(reversed(lines)), encoding="utf-8")
    other = json.loads(leakage(many, "-q").out)
    assert other["subject"] != one["subject"]
    for part in (one["predicate"], other["predicate"]):
        del part["inputs"]
    assert other["predicate"] == one["predicate"]


# ---- two versions of a corpus -------------------------------------------------------------------


@pytest.fixture
def versions(folder: Path) -> Path:
    """Reports of a corpus without, and one with leaks."""
    leakage(folder, "--out", "after.json")
    write(folder, {"d1": DOCUMENTS["d1"]}, ITEMS)
    assert leakage(folder, "--out", "before.json").code == 0
    return folder


def compared(folder: Path, before: str, after: str, *more: str) -> Done:
    sides = ["--baseline", before, "--candidate", after]
    return ragstone("compare", *sides, *more, "--format", "table", cwd=folder)


def test_compare_gates_a_change_in_leakage(versions: Path) -> None:
    budget = ["--budget", "leaked:sum=0abs"]
    worse = compared(versions, "before.json", "after.json", *budget)
    assert worse.code == 4
    assert worse.text.startswith("FAIL: leaked:sum got worse beyond what is allowed")
    assert compared(versions, "after.json", "before.json", *budget).code == 0
    allowed = ["--budget", "leaked:sum=2abs"]
    assert compared(versions, "before.json", "after.json", *allowed).code == 0
    share = ["--budget", "containment=0.5abs"]
    assert compared(versions, "before.json", "after.json", *share).code == 4


def test_other_items_or_settings_cannot_be_compared(versions: Path) -> None:
    leakage(versions, "--threshold", "0.7", "--out", "threshold.json")
    done = compared(versions, "before.json", "threshold.json", "--budget", "leaked=0abs")
    assert done.code == 4
    assert "threshold" in done.text
    leakage(versions, "--shingle", "2", "--out", "shingle.json")
    assert "shingle" in compared(versions, "before.json", "shingle.json").text
    write(versions, DOCUMENTS, [{**ITEMS[0], "question": "Changed?"}, *ITEMS[1:]])
    leakage(versions, "--out", "items.json")
    done = compared(versions, "before.json", "items.json")
    assert done.code == 4
    assert "items" in done.text


def test_score_says_who_measures_leakage(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q 0 d 1\n")
    (tmp_path / "run").write_text("q Q0 d 1 1 t\n")
    files = ["--qrels", "qrels", "--run", "run", "--measure", "leaked"]
    done = ragstone("score", *files, cwd=tmp_path)
    assert done.code == 2
    assert done.message == (
        "error: leaked is about corpora, not about retrieval; "
        "`ragstone leakage --corpus --items` computes it"
    )
