"""`ragstone match`: what is read, printed, written and returned."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from commands import Done, child, ragstone

GOLD: list[dict[str, Any]] = [
    {"id": "q1", "gold": [{"id": "g1", "text": "Refunds take five days."}, "Cancel any time."]},
    {"id": "q2", "gold": ["The warranty lasts two years."]},
    {"id": "q3", "gold": ["Shipping is free."]},
]
RETRIEVED: list[dict[str, Any]] = [
    {"id": "q1", "retrieved": [{"id": "c7", "text": "Refunds take five days!"}, "Call us."]},
    {"id": "q2", "retrieved": ["Two years of warranty", "The warranty lasts two years. Always."]},
    {"id": "q3", "retrieved": ["Cancel any time."]},
]
TWO = ("--gold", "gold.jsonl", "--retrieved", "retrieved.jsonl")


def lines(rows: list[Any]) -> str:
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "gold.jsonl").write_text(lines(GOLD))
    (tmp_path / "retrieved.jsonl").write_text(lines(RETRIEVED))
    both = [gold | found for gold, found in zip(GOLD, RETRIEVED, strict=True)]
    (tmp_path / "texts.jsonl").write_text(lines(both))
    return tmp_path


def summary(done: Done) -> dict[str, float]:
    assert done.code in {0, 4}, done.err
    found: dict[str, float] = json.loads(done.out)["predicate"]["summary"]
    return found


def details(done: Done) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(done.out)["predicate"]["details"]
    return found


# ---- what is printed -----------------------------------------------------------------------------


def test_a_table(folder: Path) -> None:
    done = ragstone("match", *TWO, "--out", "match.json", cwd=folder)
    assert (done.code, done.err) == (0, "")
    assert (
        done.text
        == """\
retrieved.jsonl: 3 queries, matched by rouge1 at 0.5: 2 of 4 gold texts found

measure     value  aggregate  queries  by default
---------  ------  ---------  -------  ----------
R@5        0.5000  mean             3           0
P@5        0.1333  mean             3           0
F1@5       0.2063  mean             3           0
nDCG@5     0.5377  mean             3           0
RR@5       0.6667  mean             3           0
AP@5       0.5000  mean             3           0
Success@5  0.6667  mean             3           0

Gold texts not found (nearest: the highest similarity of a retrieved text)
query  gold  nearest  at rank  text of the gold
-----  ----  -------  -------  -----------------
q1     2      0.0000        -  Cancel any time.
q3     1      0.0000        -  Shipping is free.

signature: q:c4570c|matcher:rouge1|normaliser:1|rouge_score:f|threshold:0.5|tokenizer:words|n3
"""
    )


def test_the_report_has_every_pair_and_what_is_left(folder: Path) -> None:
    first, second, third = details(ragstone("match", *TWO, cwd=folder))["queries"]
    assert first == {
        "id": "q1",
        "matches": [
            {
                "gold": {"id": "g1", "place": 1, "text": "Refunds take five days."},
                "retrieved": {"id": "c7", "place": 1, "text": "Refunds take five days!"},
                "similarity": 1.0,
            }
        ],
        "not_found": [{"gold": {"place": 2, "text": "Cancel any time."}, "similarity": 0.0}],
        "unmatched": [{"retrieved": {"place": 2, "text": "Call us."}, "similarity": 0.0}],
    }
    assert [match["similarity"] for match in second["matches"]] == [pytest.approx(6 / 9)]
    assert third["unmatched"][0]["retrieved"]["text"] == "Cancel any time."


def test_three_ways_to_give_the_files(folder: Path) -> None:
    one = ragstone("match", *TWO, cwd=folder)
    for args in (["--texts", "texts.jsonl"], ["--gold", "texts.jsonl"], ["--texts", "-"]):
        data = (folder / "texts.jsonl").read_bytes()
        other = ragstone("match", *args, cwd=folder, stdin=data)
        assert (summary(other), details(other)) == (summary(one), details(one))
    roles = [each["role"] for each in json.loads(other.out)["predicate"]["inputs"]]
    assert roles == ["texts"]
    assert json.loads(other.out)["subject"][0]["name"] == "-"
    assert json.loads(one.out)["subject"][0]["name"] == "retrieved.jsonl"


def test_rows_of_run_retriever(folder: Path) -> None:
    (folder / "mine.py").write_text(
        "def search(text): return [{'id': 'c1', 'text': 'Refunds take five days'}]\n"
    )
    (folder / "queries.jsonl").write_text('{"id": "q1", "text": "refunds?"}\n')
    arguments = ["--retriever", "mine:search", "--queries", "queries.jsonl", "--k", "5"]
    done = child("run-retriever", *arguments, "--keep-text", "--out", "run.jsonl", "-q", cwd=folder)
    assert done.code == 0, done.err
    done = ragstone(
        "match", "--gold", "gold.jsonl", "--retrieved", "run.jsonl", "--k", "1", cwd=folder
    )
    assert summary(done)["R@1"] == pytest.approx(0.5 / 3)
    assert details(done)["queries"][0]["matches"][0]["retrieved"]["id"] == "c1"
    assert done.message == "warning: 2 queries with gold texts and no retrieved one, scored 0"


def test_cutoffs_averages_and_criteria(folder: Path) -> None:
    more = ["--k", "1,2", "--average", "both", "--criteria", "all"]
    found = summary(ragstone("match", *TWO, *more, cwd=folder))
    assert found["R@2"] == pytest.approx(0.5)
    assert found["R@2:micro"] == pytest.approx(2 / 4)
    assert found["P@1:micro"] == pytest.approx(2 / 3)
    assert found["Success(share=1.0)@2"] == pytest.approx(1 / 3)
    assert "Success@2" not in found
    assert len(found) == 2 * (7 + 3)


def test_measures_by_name(folder: Path) -> None:
    more = ["--measure", "map", "--measure", "recall_at_k:micro", "--k", "1,2"]
    assert list(summary(ragstone("match", *TWO, *more, cwd=folder))) == [
        "AP",
        "R@1:micro",
        "R@2:micro",
    ]


def test_a_sweep_as_a_table_and_as_curves(folder: Path) -> None:
    more = ["--sweep", "0.5:1:0.25", "--measure", "R@1", "--measure", "AP", "--format", "table"]
    done = ragstone("match", *TWO, *more, "--top", "0", cwd=folder)
    table, curves = done.text.split("\n\n")[2:-1]
    assert table.splitlines() == [
        "Over thresholds",
        "threshold  found     R@1      AP",
        "---------  -----  ------  ------",
        "0.5            2  0.5000  0.5000",
        "0.75           2  0.1667  0.3333",
        "1              1  0.1667  0.1667",
    ]
    assert curves.splitlines() == [
        "From threshold 0.5 on the left to 1 on the right; full height is 1",
        "measure  curve  highest",
        "-------  -----  -------",
        "R@1      ▅▂▂     0.5000",
        "AP       ▅▃▂     0.5000",
    ]


def test_a_sweep_of_many_measures_is_a_table_a_cutoff(folder: Path) -> None:
    more = ["--sweep", "0.5:0.6:0.1", "--k", "1,3", "--format", "table"]
    heads = [
        line.split()[2]
        for line in ragstone("match", *TWO, *more, cwd=folder).text.splitlines()
        if line.startswith("threshold")
    ]
    assert heads == ["R@1", "R@3"]


def test_a_gold_whose_text_counts_for_another_is_explained(folder: Path) -> None:
    rows = [{"id": "q", "gold": ["a b c", "a b d"], "retrieved": ["a b c"]}]
    (folder / "texts.jsonl").write_text(lines(rows))
    done = ragstone("match", "--texts", "texts.jsonl", "--format", "table", cwd=folder)
    assert "q      2      0.6667        1  a b d" in done.text
    assert "nearest at the threshold or above: that text counts for another gold" in done.text


def test_markdown_and_each_query(folder: Path) -> None:
    more = ["--format", "markdown", "--per-query", "--measure", "RR", "--sweep", "0.5:0.6:0.1"]
    done = ragstone("match", *TWO, *more, cwd=folder)
    assert "**retrieved.jsonl: 3 queries, matched by rouge1 at 0.5: 2 of 4 gold" in done.text
    assert "| q1 | 1.0000 |" in done.text
    assert "| 0.6 | 2 | 0.6667 |" in done.text


def test_charts(folder: Path) -> None:
    pytest.importorskip("vl_convert")
    more = ["--chart", "bars.svg", "--histogram", "pairs.svg"]
    assert ragstone("match", *TWO, *more, cwd=folder).code == 0
    more = ["--sweep", "0.1:0.9:0.1", "--k", "1,3", "--chart", "curves.svg"]
    assert ragstone("match", *TWO, *more, cwd=folder).code == 0
    drawn = {name: (folder / f"{name}.svg").read_text() for name in ("bars", "pairs", "curves")}
    assert "2 of 4 gold texts found" in drawn["bars"]
    assert "not matched" in drawn["pairs"]
    assert "the first 8 of 14 measures" in drawn["curves"]


# ---- floors, comparing, exit codes ---------------------------------------------------------------


def test_a_floor(folder: Path) -> None:
    held = ragstone("match", *TWO, "--floor", "R@5=0.4", "--format", "table", cwd=folder)
    missed = ragstone("match", *TWO, "--floor", "R@5=0.6", "--format", "table", cwd=folder)
    assert (held.code, missed.code) == (0, 4)
    assert held.text.startswith("PASS: retrieved.jsonl: 3 queries")
    assert "below its floor: R@5 0.5000, at least 0.6 was asked for" in missed.text


def test_reports_that_compare_and_reports_that_do_not(folder: Path) -> None:
    for name, more in {"a": [], "b": ["--threshold", "0.8"], "c": ["--tokenizer", "chars"]}.items():
        assert ragstone("match", *TWO, *more, "--out", f"{name}.json", cwd=folder).code == 0
        assert ragstone("validate-report", f"{name}.json", cwd=folder).code == 0
    pair = ("compare", "--baseline", "a.json", "--format", "table", "--candidate")
    same = ragstone(*pair, "a.json", cwd=folder)
    assert same.code == 0
    assert same.text.startswith("PASS")
    for name, field in {"b": "threshold is 0.5 in", "c": "tokenizer is 'words' in"}.items():
        other = ragstone(*pair, f"{name}.json", cwd=folder)
        assert other.code == 4
        assert field in other.text


def test_a_gain_concerns_ndcg_alone(folder: Path) -> None:
    for name, more in {"a": [], "b": ["--gain", "similarity"]}.items():
        assert ragstone("match", *TWO, *more, "--out", f"{name}.json", cwd=folder).code == 0
    pair = ("--baseline", "a.json", "--candidate", "b.json", "--format", "table")
    done = ragstone("compare", *pair, "--budget", "ndcg=off", cwd=folder)
    assert done.code == 0
    assert "nDCG@5 cannot be compared" in done.text


def test_free_counting_is_a_sound_report(folder: Path) -> None:
    rows = [{"id": "q", "gold": ["a b"], "retrieved": ["a b", "A B", "a  b"]}]
    (folder / "thrice.jsonl").write_text(lines(rows))
    one = ["--texts", "thrice.jsonl", "--k", "3", "--method", "exact", "--out"]
    done = ragstone("match", *one, "free.json", "--assignment", "free", cwd=folder)
    assert "AP@3       3.0000" in done.text
    assert ragstone("match", *one, "once.json", cwd=folder).code == 0
    for name in ("free.json", "once.json"):
        checked = ragstone("validate-report", name, cwd=folder)
        assert checked.code == 0, checked.text
    pair = ("--baseline", "free.json", "--candidate", "once.json", "--format", "table")
    compared = ragstone("compare", *pair, cwd=folder)
    assert compared.code == 4
    assert "assignment is 'free' in the baseline and 'greedy' in the candidate" in compared.text


def test_what_a_report_keeps(folder: Path) -> None:
    done = ragstone("match", *TWO, "--rows", "worst:1:R@5", cwd=folder)
    assert [query["id"] for query in details(done)["queries"]] == ["q3"]
    assert "queries" not in details(ragstone("match", *TWO, "--rows", "none", cwd=folder))
    table = ragstone("match", *TWO, "--rows", "none", "--format", "table", cwd=folder).text
    assert table.startswith("retrieved.jsonl: 3 queries, matched by rouge1 at 0.5: 2 of 4 gold")


# ---- embeddings ----------------------------------------------------------------------------------

ENCODER = """
import numpy as np

def embed(texts):
    rows = np.zeros((len(texts), 64), dtype=np.float32)
    for row, text in enumerate(texts):
        for word in text.lower().split():
            rows[row, sum(map(ord, word)) % 64] += 1
    return rows
"""


def test_an_encoder_of_the_user(folder: Path) -> None:
    (folder / "mine.py").write_text(ENCODER)
    more = ["--method", "embedding", "--encoder", "mine:embed", "--accept-model", "--k", "2"]
    done = child("match", *TWO, *more, "-q", cwd=folder)
    assert summary(done)["R@2"] == pytest.approx(0.5)
    signature = json.loads(done.out)["predicate"]["signature"]
    assert signature["matcher"] == "embedding"
    assert signature["threshold"] == 0.7
    assert "encoder" in signature
    both = child(
        "match", *TWO, *more, "-q", "--method", "embedding+rougeL",
        "--embedding-threshold", "0.99", "--threshold", "0.1", cwd=folder,
    )  # fmt: skip
    assert summary(both)["R@2"] <= summary(done)["R@2"]
    assert json.loads(both.out)["predicate"]["signature"]["embedding_threshold"] == 0.99


def test_a_second_run_makes_no_call(folder: Path) -> None:
    counted = ENCODER.replace("    rows =", "    open('calls', 'a').write('x')\n    rows =")
    (folder / "mine.py").write_text(f"{counted}\nembed.revision = 'v1'\n")
    more = ["--method", "embedding", "--encoder", "mine:embed", "--accept-model", "--cache", "v.db"]
    first = child("match", *TWO, *more, "-q", cwd=folder)
    calls = (folder / "calls").read_text()
    assert (first.code, bool(calls)) == (0, True), first.err
    for again in ([], ["--offline"]):
        done = child("match", *TWO, *more, *again, "-q", cwd=folder)
        assert (done.code, done.out) == (0, first.out)
    assert (folder / "calls").read_text() == calls


# ---- errors --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "--gold FILE and --retrieved FILE are needed, or --texts FILE with both"),
        (["--retrieved", "retrieved.jsonl"], "--gold FILE and --retrieved FILE are needed"),
        ([*TWO, "--texts", "texts.jsonl"], "--texts has both; give it alone"),
        (["--gold", "-", "--retrieved", "-"], "query 'q1' has no 'retrieved'"),
        (["--gold", "gold.jsonl"], "gold.jsonl:1: query 'q1' has no 'retrieved'; retrieved texts"),
        ([*TWO, "--method", "rouge"], "unknown matching method 'rouge'; did you mean rouge"),
        ([*TWO, "--method", "exact", "--threshold", "0.5"], "exact takes no threshold"),
        ([*TWO, "--method", "exact", "--sweep", "0:1:0.1"], "exact has no threshold to sweep"),
        (
            [*TWO, "--method", "exact", "--tokenizer", "kiwi"],
            "--tokenizer does nothing with --method exact; leave one of them out",
        ),
        ([*TWO, "--ngram", "3"], "--ngram does nothing with --method rouge1"),
        ([*TWO, "--cache", "c.db"], "--cache does nothing with --method rouge1"),
        ([*TWO, "--method", "embedding"], "needs an encoder; name one with --encoder"),
        ([*TWO, "--tokenizer", "kiwwi"], "unknown tokenizer 'kiwwi'; did you mean kiwi?"),
        (
            [*TWO, "--k", "0"],
            "'0': whole numbers from 1, below 10**9, were expected, as in 5 or 1,5,10",
        ),
        ([*TWO, "--k", "1000000000"], "'1000000000': whole numbers from 1, below 10**9,"),
        ([*TWO, "--k", "1,,2"], "'1,,2': whole numbers from 1"),
        ([*TWO, "--sweep", "0.9:0.5:0.1"], "FROM:TO:STEP was expected, from 0 to 1"),
        ([*TWO, "--sweep", "0.5"], "FROM:TO:STEP was expected"),
        ([*TWO, "--sweep", "nan:1:0.1"], "FROM:TO:STEP was expected"),
        ([*TWO, "--sweep", "0:1:0.0001"], "at most 1,000 thresholds"),
        ([*TWO, "--per-query"], "--per-query goes with --format table or markdown"),
        ([*TWO, "--measure", "ndgc"], "unknown measure 'ndgc'; did you mean nDCG"),
        ([*TWO, "--floor", "R@7=0.5"], "names no measure"),
        ([*TWO, "--out", "gold.jsonl"], "--out gold.jsonl is what --gold reads"),
        (["--gold", "none.jsonl", "--retrieved", "gold.jsonl"], "none.jsonl: no such file"),
    ],
)
def test_what_cannot_be(folder: Path, args: list[str], message: str) -> None:
    done = ragstone("match", *args, cwd=folder, stdin=(folder / "gold.jsonl").read_bytes())
    assert done.code == 2
    assert message in done.err
    assert done.out == b""


def test_an_error_report(folder: Path) -> None:
    (folder / "gold.jsonl").write_text('{"id": "q1", "gold": [7]}\n')
    done = ragstone("match", *TWO, "--out", "match.json", cwd=folder)
    assert done.code == 2
    report = json.loads((folder / "match.json").read_text())["predicate"]
    assert (report["kind"], report["details"]["command"]) == ("ragstone.error", "match")
    assert [each["role"] for each in report["inputs"]] == ["gold", "retrieved"]


def test_no_query_in_common(folder: Path) -> None:
    (folder / "gold.jsonl").write_text('{"id": "Q1", "gold": ["a"]}\n')
    done = ragstone("match", *TWO, cwd=folder)
    assert done.code == 2
    assert "gold texts are of 'Q1', retrieved ones of 'q1', 'q2', 'q3'" in done.err


def test_what_is_said_of_texts_that_are_left_out(folder: Path) -> None:
    rows = [
        {"id": "q1", "gold": ["a b", "A  B", "..."], "retrieved": ["", "a b", "a b"]},
        {"id": "q2", "gold": [" "], "retrieved": ["x"]},
    ]
    (folder / "texts.jsonl").write_text(lines(rows))
    done = ragstone("match", "--texts", "texts.jsonl", "--method", "exact", cwd=folder)
    assert done.err.splitlines() == [
        "warning: 1 query without a gold text, left out",
        "warning: 2 gold texts without a word, left out",
        "warning: 1 gold text listed again for the same query, left out",
        "warning: 1 retrieved text without a word: it keeps its rank and matches nothing",
        "warning: 1 retrieved text equal to one above: it keeps its rank and matches nothing",
    ]
    assert details(done)["warnings"] == [
        line.removeprefix("warning: ") for line in done.err.splitlines()
    ]
    assert details(done)["queries"][0]["unmatched"][1] == {
        "repeats": 2,
        "retrieved": {"place": 3, "text": "a b"},
        "similarity": 1.0,
    }


def test_the_bytes_depend_on_nothing_else(folder: Path) -> None:
    """Not on the seed of hashes, and not on the order of rows and golds."""
    seeds = [child("match", *TWO, cwd=folder, PYTHONHASHSEED=seed) for seed in ("0", "7")]
    assert seeds[0].out == seeds[1].out
    turned = [{**row, "gold": row["gold"][::-1]} for row in GOLD[::-1]]
    (folder / "gold.jsonl").write_text(lines(turned))
    other = ragstone("match", *TWO, cwd=folder)
    for part in ("summary", "signature", "scores"):
        first, second = (json.loads(done.out)["predicate"][part] for done in (seeds[0], other))
        assert first == second
