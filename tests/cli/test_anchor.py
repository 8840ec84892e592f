"""`ragstone anchor`, and `ragstone match --method spans` against what it makes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from commands import Done, ragstone
from ragstone.matching.locating import digest_of
from ragstone.reports import validate_report

DOC = "Refunds are paid within ten days. Shipping is free above fifty euros. We answer mail."
OTHER = "모든 상품의 보증 기간은 구매일로부터 2년입니다."


def lines(*rows: Any) -> str:
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two documents, gold texts of three queries, and chunks without places."""
    files = {
        "corpus": lines({"id": "d", "text": DOC}, {"id": "e", "title": "보증", "text": OTHER}),
        "gold": lines(
            {"id": "q1", "gold": ["Shipping is free above  fifty euros", "never written"]},
            {"id": "q2", "gold": [{"id": "g", "text": "보증 기간은 구매일로부터 2년입니다."}]},
            {"id": "q3", "gold": ["nor this one here"]},
        ),
        "chunks": lines(
            {"id": "q1", "retrieved": [DOC[:34], DOC[30:]]},
            {"id": "q2", "retrieved": [{"doc": "e", "start": 0, "end": 12}]},
        ),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def anchored(folder: Path) -> list[Any]:
    done = ragstone("anchor", "--gold", "gold", "--corpus", "corpus", "--out", "p", cwd=folder)
    assert (done.code, done.text) == (0, "")
    assert done.err == (
        "note: 2 of 4 golds have a place\n"
        "note: 1 differ from their document in spaces, punctuation, case or more\n"
        "warning: query 'q1': no document has the gold 'never written'\n"
        "warning: query 'q3': no document has the gold 'nor this one here'\n"
    )
    return [json.loads(row) for row in (folder / "p").read_text().splitlines()]


def test_gold_texts_become_places(folder: Path) -> None:
    first, second, third = anchored(folder)
    text = "Shipping is free above fifty euros"
    start = DOC.index(text)
    place = {"doc": "d", "start": start, "end": start + len(text), "sha256": digest_of(DOC)}
    assert first == {"id": "q1", "gold": [{**place, "text": text}]}
    [gold] = second["gold"]
    whole = f"보증\n{OTHER}"
    assert (
        whole[gold["start"] : gold["end"]] == gold["text"] == "보증 기간은 구매일로부터 2년입니다."
    )
    assert (gold["id"], gold["sha256"]) == ("g", digest_of(whole))
    assert third == {"id": "q3", "gold": []}


def test_judged_documents_become_places(folder: Path) -> None:
    (folder / "qrels").write_text("q1 0 d 1\nq1 0 e 0\nq2 0 gone 2\n")
    done = ragstone("anchor", "--qrels", "qrels", "--corpus", "corpus", cwd=folder)
    assert done.code == 0
    rows = [json.loads(row) for row in done.text.splitlines()]
    assert rows == [
        {"id": "q1", "gold": [{"doc": "d", "start": 0, "end": len(DOC), "sha256": digest_of(DOC),
                               "id": "d"}]},
        {"id": "q2", "gold": []},
    ]  # fmt: skip
    assert "no document has the gold 'gone'" in done.err


def match(folder: Path, *args: str) -> Done:
    return ragstone("match", "--gold", "p", "--retrieved", "chunks", "--method", "spans", *args,
                    cwd=folder)  # fmt: skip


def test_chunks_are_scored_against_places(folder: Path) -> None:
    anchored(folder)
    done = match(folder, "--corpus", "corpus", "--k", "1,2", "--out", "r.json")
    assert done.code == 0
    assert validate_report((folder / "r.json").read_bytes(), "r", folder).errors == []
    summary = json.loads((folder / "r.json").read_bytes())["predicate"]["summary"]
    assert summary["SpanRecall@2"] == pytest.approx((1 + 3 / 28) / 2, abs=0.05)
    assert summary["R@2"] == 0.5
    assert summary["SpanRecall@1"] < summary["SpanRecall@2"]
    all_of_it = match(folder, "--corpus", "corpus", "--k", "2", "--min-coverage", "0.05")
    assert json.loads(all_of_it.out)["predicate"]["summary"]["R@2"] == 1.0


def test_an_edited_document_is_told_from_a_ranking_loss(folder: Path) -> None:
    anchored(folder)
    assert match(folder, "--corpus", "corpus", "--out", "before.json").code == 0
    edited = lines({"id": "d", "text": DOC.replace("fifty", "ninety")}, {"id": "e", "text": OTHER})
    (folder / "corpus").write_text(edited)
    done = match(folder, "--corpus", "corpus", "--out", "after.json")
    assert "warning: 1 gold whose passage was edited, left out" in done.err
    assert "warning: 1 gold found at another place of the corpus than the labels say" in done.err
    compared = ragstone("compare", "--baseline", "before.json", "--candidate", "after.json",
                        cwd=folder)  # fmt: skip
    assert compared.code == 4
    assert "judgments" in compared.text or "query" in compared.text


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--corpus", "no"], "error: no: no such file"),
        (["--assignment", "free", "--corpus", "corpus"], "error: --assignment does nothing with"),
        (
            ["--threshold", "0.5"],
            "error: --threshold does nothing with --method spans, where --min-",
        ),
        (["--tokenizer", "chars"], "error: --tokenizer does nothing with --method spans;"),
        (
            [],
            "error: query 'q1': the text 'Refunds are paid within ten days. ', retrieved[1], has "
            "no place; give",
        ),
    ],
)
def test_what_match_refuses(folder: Path, args: list[str], message: str) -> None:
    anchored(folder)
    done = match(folder, *args)
    assert done.code == 2
    assert done.message.startswith(message)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--corpus", "corpus"], "error: give --gold or --qrels, one of them"),
        (["--gold", "lost", "--corpus", "corpus"], "error: no gold was found in the corpus; are"),
        (["--gold", "gold", "--corpus", "corpus", "--out", "gold"], "error: --out gold is what"),
        (
            ["--gold", "gold", "--corpus", "corpus", "--qrels-format", "trec"],
            "error: --qrels-format does nothing with --gold; leave one of them out",
        ),
        (
            ["--gold", "gold", "--corpus", "corpus", "--out", "p.parquet"],
            "error: --out p.parquet: places are JSON lines; name a .jsonl, .jsonl.gz or .zst",
        ),
        (["--gold", "wrong", "--corpus", "corpus"], "error: wrong:1: query 'q' has 5 to 2 as the "),
    ],
)
def test_what_anchor_refuses(folder: Path, args: list[str], message: str) -> None:
    (folder / "lost").write_text(lines({"id": "q", "gold": ["stands nowhere at all"]}))
    (folder / "wrong").write_text(lines({"id": "q", "gold": [{"doc": "d", "start": 5, "end": 2}]}))
    done = ragstone("anchor", *args, cwd=folder)
    assert done.code == 2
    assert done.message.startswith(message)
