"""`--chart` of score and compare: the file that is written, and when none is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import ragstone
from pictures import Drawing, read_png

SCORE = ("score", "--qrels", "qrels.trec", "--run", "run.trec")
PLAIN = (*SCORE, "--measure", "RR", "--measure", "nDCG@10")


def test_score_draws_its_measures(small: Path) -> None:
    done = ragstone(*PLAIN, "--floor", "RR=0.9", "--chart", "chart.svg", cwd=small)
    assert (done.code, done.err) == (4, "")
    drawing = Drawing.of((small / "chart.svg").read_text())
    summary = json.loads(done.out)["predicate"]["summary"]
    assert drawing.labels("bar") == [
        f"RR, run.trec: {summary['RR']:.4f} FAIL",
        f"nDCG@10, run.trec: {summary['nDCG@10']:.4f}",
    ]
    assert drawing.named("title") == "FAIL: run.trec: 3 queries"


@pytest.mark.parametrize("name", ["chart.png", "new/folder/chart.html"])
def test_the_suffix_says_the_form(small: Path, name: str) -> None:
    assert ragstone(*PLAIN, "--chart", name, cwd=small).code == 0
    data = (small / name).read_bytes()
    if name.endswith("png"):
        assert read_png(data).width > 1000
    else:
        assert b"<svg " in data
        assert b"<script" not in data


def test_the_report_is_the_same_with_a_chart(small: Path) -> None:
    with_chart = ragstone(*PLAIN, "--chart", "chart.svg", cwd=small)
    assert with_chart.out == ragstone(*PLAIN, cwd=small).out


def compared(made: Path, folder: Path, *more: str) -> tuple[int, str]:
    sides = ("--baseline", str(made / "baseline.json"), "--candidate", str(made / "candidate.json"))
    done = ragstone("compare", *sides, *more, cwd=folder)
    return done.code, done.err


def test_compare_draws_both_sides(made: Path, tmp_path: Path) -> None:
    code, said = compared(made, tmp_path, "--chart", "chart.svg")
    assert (code, said) == (4, "")
    drawing = Drawing.of((tmp_path / "chart.svg").read_text())
    labels = drawing.labels("bar")
    assert len(labels) == 12
    assert sum(label.endswith("FAIL") for label in labels) >= 1
    assert not any("baseline" in label and label.endswith("FAIL") for label in labels)
    assert drawing.named("title").startswith("FAIL: ")
    assert "baseline (baseline.json)" in drawing.texts()


def test_the_same_chart_each_time(made: Path, tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg", "a.png", "b.png"):
        compared(made, tmp_path, "--chart", name)
    for form in ("svg", "png"):
        assert (tmp_path / f"a.{form}").read_bytes() == (tmp_path / f"b.{form}").read_bytes()


def test_nothing_in_common_is_drawn_side_by_side(small: Path) -> None:
    for measure in ("RR", "AP"):
        ragstone(*SCORE, "--measure", measure, "--out", f"{measure}.json", cwd=small)
    done = ragstone("compare", "--baseline", "RR.json", "--candidate", "AP.json",
                    "--chart", "chart.svg", cwd=small)  # fmt: skip
    assert (done.code, done.err) == (4, "")
    labels = Drawing.of((small / "chart.svg").read_text()).labels("bar")
    assert [label.partition(":")[0] for label in labels] == [
        "AP, candidate (AP.json)",
        "RR, baseline (RR.json)",
    ]


def refused(folder: Path, *arguments: str) -> str:
    """Return the error of a command that did nothing."""
    before = {path.name for path in folder.iterdir()}
    done = ragstone(*arguments, cwd=folder)
    assert (done.code, done.out) == (2, b"")
    assert {path.name for path in folder.iterdir()} == before
    return done.message


def test_a_name_that_is_no_picture_is_refused_first(small: Path) -> None:
    said = refused(small, "score", "--qrels", "missing", "--run", "missing", "--chart", "a.jpg")
    assert said == "error: a.jpg: a chart is written as .svg, .png, .html; name such a file"


def test_an_input_is_not_replaced(small: Path) -> None:
    (small / "run.svg").write_bytes((small / "run.trec").read_bytes())
    said = refused(
        small, "score", "--qrels", "qrels.trec", "--run", "run.svg", "--chart", "run.svg"
    )
    assert said == "error: --chart run.svg is what --run reads; name another file"
    said = refused(small, *SCORE, "--out", "x.svg", "--chart", "x.svg")
    assert said == "error: --chart x.svg is what --out writes; name another file"


def test_standard_output_and_an_empty_name(small: Path) -> None:
    assert "- is standard output" in refused(small, *SCORE, "--chart", "-")
    assert "the name is empty" in refused(small, *SCORE, "--chart", "")


def test_without_the_extra(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert refused(small, *SCORE, "--chart", "a.svg") == (
        'error: drawing a chart needs an extra: pip install "ragstone[report]"'
    )
