"""`ragstone calibrate`, and `ragstone compare --calibration`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from commands import Done, ragstone
from ragstone.cli.calibrate import by_measure
from ragstone.errors import UsageError
from ragstone.model import Cell, Scores, ScoresBuilder, Signature
from ragstone.reports import Input, build_score, read_report, write_report

JUDGED = {"judge": "openai:gpt-4o", "prompt": "ab12cd34"}
ITEMS = [f"q{n:02}" for n in range(40)]


def scores(drop: float = 0.0, **signature: str) -> Scores:
    """Forty items; the first twenty are faithful, and in the candidate less so."""
    builder = ScoresBuilder(["faithfulness", "RR"])
    for n, item in enumerate(ITEMS):
        builder.add(item, [Cell(max(0.0, (0.9 if n < 20 else 0.1) - drop)), Cell(1.0)])
    return builder.build(columns={"faithfulness": Signature.of({**JUDGED, **signature})})


def write(path: Path, found: Scores) -> None:
    write_report(build_score(found, [Input(role="run", name="x", sha256="0" * 64)]), path)


def labels(wrong: int = 0, count: int = 40) -> str:
    rows = [
        {"id": item, "measure": "faithfulness", "label": (n < 20) is (n % 20 >= wrong)}
        for n, item in enumerate(ITEMS[:count])
    ]
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "main.json", scores())
    write(tmp_path / "branch.json", scores(drop=0.2))
    (tmp_path / "human.jsonl").write_text(labels(wrong=3))
    return tmp_path


GIVEN = ["--labels", "human.jsonl", "--report", "main.json", "--threshold", "faithfulness=0.5"]


def calibrated(folder: Path, *more: str) -> Done:
    return ragstone("calibrate", *GIVEN, *more, cwd=folder)


def test_what_does_nothing_with_a_second_report_is_refused(folder: Path) -> None:
    done = calibrated(folder, "--second", "branch.json")
    assert done.code == 2
    assert "--threshold does nothing with --second, preferences" in done.message
    given = ["--labels", "human.jsonl", "--report", "main.json", "--second", "branch.json"]
    done = ragstone("calibrate", *given, cwd=folder)
    assert (done.code, done.out) == (2, b"")
    assert done.message.startswith("error: human.jsonl:1: the label of 'q00' is false")


def test_yes_and_no_are_true_and_false(folder: Path) -> None:
    before = calibrated(folder, "--format", "table").out.decode().splitlines()
    words = labels(wrong=3).replace("true", '"yes"').replace("false", '"no"')
    (folder / "human.jsonl").write_text(words)
    after = calibrated(folder, "--format", "table").out.decode().splitlines()
    differ = [new for old, new in zip(before, after, strict=True) if old != new]
    assert differ[0] == "q00   no     0.9000  yes"  # people said no, the measure yes
    assert len(differ) == 6


def test_a_slip_in_the_name_of_a_field_is_warned_of(folder: Path) -> None:
    (folder / "human.jsonl").write_text(labels().replace('"label"', '"anotator": "a", "label"'))
    assert (
        "warning: human.jsonl: 40 labels have 'anotator', which ragstone does not know; did you "
        "mean annotator?\n"
    ) in calibrated(folder).err


def compared(folder: Path, *more: str) -> Done:
    sides = ["--baseline", "main.json", "--candidate", "branch.json"]
    return ragstone("compare", *sides, *more, cwd=folder)


def test_a_report_and_a_table(folder: Path) -> None:
    done = calibrated(folder, "--out", "c.json")
    assert (done.code, done.err) == (0, "")
    assert done.text.startswith(
        "faithfulness agrees with 1 person on 40 items to a kappa of 0.70\n"
    )
    report = read_report(folder / "c.json")
    assert report.kind == "ragstone.calibrate"
    assert [file.role for file in report.inputs] == ["labels", "report"]
    assert ragstone("validate-report", "c.json", "--inputs", ".", cwd=folder).code == 0
    again = calibrated(folder, "--format", "json")
    assert again.out == (folder / "c.json").read_bytes()


def test_a_judged_measure_is_advisory_until_it_is_calibrated(folder: Path) -> None:
    calibrated(folder, "--out", "c.json")
    alone = compared(folder)
    assert alone.code == 0
    assert (
        "faithfulness: advisory, shown but unable to fail this comparison: no calibration"
        in (json.loads(alone.out)["predicate"]["details"]["reasons"][0]["message"])
    )
    trusted = compared(folder, "--calibration", "c.json", "--out", "compare.json")
    assert trusted.code == 4
    settings = read_report(folder / "compare.json").details.settings
    assert [each.kappa for each in settings.calibrations] == [pytest.approx(0.7)]
    roles = [file.role for file in read_report(folder / "compare.json").inputs]
    assert sorted(roles) == ["baseline", "calibration", "candidate"]
    strict = compared(folder, "--calibration", "c.json", "--min-kappa", "0.71", "--format", "table")
    assert strict.code == 0
    assert "agrees with people to a kappa of 0.7, at least 0.71 is needed" in strict.text


def test_a_calibration_of_another_prompt_is_none(folder: Path) -> None:
    write(folder / "main.json", scores(prompt="ffff"))
    calibrated(folder, "--out", "c.json")
    write(folder / "main.json", scores())
    assert compared(folder, "--calibration", "c.json").code == 0


def test_of_several_calibrations_the_lowest_counts(folder: Path) -> None:
    calibrated(folder, "--out", "good.json")
    (folder / "human.jsonl").write_text(labels(wrong=9))
    calibrated(folder, "--out", "bad.json")
    both = ["--calibration", "good.json", "--calibration", "bad.json"]
    done = compared(folder, *both, "--out", "compare.json")
    assert done.code == 0
    roles = [file.role for file in read_report(folder / "compare.json").inputs]
    assert roles.count("calibration") == 2


def test_what_is_no_calibration(folder: Path) -> None:
    done = compared(folder, "--calibration", "main.json", "--out", "compare.json")
    assert done.code == 2
    assert done.message == (
        "error: main.json: is a report of kind ragstone.score; one of kind ragstone.calibrate was "
        "expected, as `ragstone calibrate --out` writes it"
    )
    assert read_report(folder / "compare.json").kind == "ragstone.error"
    assert compared(folder, "--calibration", "none.json").code == 2


def test_a_calibration_without_a_kappa_says_so(folder: Path) -> None:
    plain = ["--labels", "human.jsonl", "--report", "main.json", "--out", "c.json"]
    assert ragstone("calibrate", *plain, cwd=folder).code == 0
    done = compared(folder, "--calibration", "c.json")
    assert done.code == 0
    assert "c.json: there is no kappa of faithfulness: there is no threshold" in done.err


@pytest.mark.parametrize(("least", "code"), [("0.6", 0), ("0.8", 4)])
def test_min_kappa(folder: Path, least: str, code: int) -> None:
    assert calibrated(folder, "--min-kappa", least).code == code


@pytest.mark.parametrize(("count", "code"), [(2, 5), (9, 5), (10, 0)])
def test_a_few_labels_never_reach_min_kappa(folder: Path, count: int, code: int) -> None:
    """Two labels that agree give a kappa of 1, by chance more often than not."""
    rows = labels().splitlines()[20 - count // 2 : 20 + count - count // 2]  # good ones and bad
    (folder / "human.jsonl").write_text("".join(f"{row}\n" for row in rows))
    done = calibrated(folder, "--min-kappa", "0.6", "--out", "calibration.json")
    assert done.code == code
    assert "to a kappa of 1.00" in done.text
    assert done.text.startswith("INCONCLUSIVE: " if code else "PASS: ")
    assert ("too few to gate by; have at least 10" in done.text) is bool(code)
    assert ragstone("validate-report", "calibration.json", cwd=folder).code == 0
    gated = compared(folder, "--calibration", "calibration.json", "--format", "table")
    assert gated.code == (0 if code else 4)
    said = f"was held against people on {count} labelled items only"
    assert said in gated.text
    assert ("few_labels: faithfulness: " in gated.text) is (not code)


def test_below_the_least_kappa_a_few_labels_are_not_decided_either(folder: Path) -> None:
    (folder / "human.jsonl").write_text(labels(wrong=3, count=4))
    assert calibrated(folder, "--min-kappa", "0.99").code == 5


def test_where_all_agree_there_is_no_interval(folder: Path) -> None:
    (folder / "human.jsonl").write_text(labels())
    done = calibrated(folder, "--out", "calibration.json")
    [kappa] = [line for line in done.text.splitlines() if line.startswith("kappa ")]
    assert kappa.split() == ["kappa", "1.0000", "n/a"]
    assert "all labels agree, so no interval can say what more would show" in done.text
    found = read_report(folder / "calibration.json").details.measures[0].categorical
    for each in (found.kappa, found.ac1, found.balanced_accuracy):
        assert (each.value, each.low, each.high) == (1.0, None, None)


def test_a_floor_of_a_judged_measure_needs_a_calibration(folder: Path) -> None:
    sides = ["compare", "--baseline", "main.json", "--candidate", "main.json", "--format", "table"]
    done = ragstone(*sides, "--floor", "faithfulness=0.9", cwd=folder)
    assert done.code == 0
    assert done.text.startswith(
        "PASS, but faithfulness is advisory (no calibration): --floor faithfulness=0.9 not applied;"
    )
    assert "no calibration says how far openai:gpt-4o with prompt ab12cd34" in done.text
    assert calibrated(folder, "--out", "calibration.json").code == 0
    trusted = [*sides, "--calibration", "calibration.json", "--floor", "faithfulness=0.9"]
    assert ragstone(*trusted, cwd=folder).code == 4
    weak = ragstone(*trusted, "--min-kappa", "0.95", cwd=folder)
    assert weak.code == 0
    assert weak.text.startswith(
        "PASS, but faithfulness is advisory (kappa 0.7, at least 0.95 needed): "
    )


def test_preferences_between_two_reports(folder: Path) -> None:
    rows = [{"id": item, "measure": "faithfulness", "label": "first"} for item in ITEMS[:30]]
    (folder / "preferred.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = ragstone(
        *("calibrate", "--labels", "preferred.jsonl", "--report", "main.json"),
        *("--second", "branch.json", "--tie", "0.15", "--format", "table"),
        cwd=folder,
    )
    assert (done.code, done.err) == (0, "")
    assert "values are second minus first, better is more; a tie up to 0.15" in done.text
    assert "first      20   10       0  66.7%" in done.text


def test_slices_from_samples(folder: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"id": item, "query": "?", "answer": "w " * (n + 1), "model": "gpt-4o" if n % 2 else "qwen"}
        for n, item in enumerate(ITEMS)
    ]
    (folder / "samples.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = calibrated(folder, "--samples", "samples.jsonl", "--format", "table")
    assert (done.code, done.err) == (0, "")
    assert "answer length  below 14 words" in done.text
    assert "gpt (the judge's own)" in done.text


MISTAKES = [
    (["--threshold", "0.5", "--threshold", "0.6"], "--threshold 0.6: is given twice for all"),
    (["--threshold", "faithfulness=high"], "--threshold faithfulness=high: 'high' is not a number"),
    (["--threshold", "RR=0.5"], "RR: no label is of this measure; labels are of faithfulness"),
    (["--scale", "faithfulness=good"], "--scale faithfulness=good: 'good' is not a word and its"),
    (["--measure", "coherence"], "coherence: the report has no such measure; it has faithfulness"),
    (["--out", "human.jsonl"], "--out human.jsonl is what --labels reads; name another file"),
]


@pytest.mark.parametrize(("more", "message"), MISTAKES, ids=range(len(MISTAKES)))
def test_mistakes_are_named(folder: Path, more: list[str], message: str) -> None:
    done = ragstone("calibrate", *GIVEN[:4], *more, cwd=folder)
    assert done.code == 2
    assert message in done.message


def test_an_error_report_names_what_could_be_read(folder: Path) -> None:
    (folder / "human.jsonl").write_text('{"id": "q00"}\n')
    done = calibrated(folder, "--out", "c.json")
    assert done.code == 2
    assert done.message.startswith("error: human.jsonl:1: has no 'label', only 'id'; expected {")
    report = read_report(folder / "c.json")
    assert [file.role for file in report.inputs] == ["labels", "report"]


def test_names_of_measures_may_have_an_equals_sign() -> None:
    assert by_measure("--threshold", ["P(rel=2)@5=0.5", "1"], float) == {"P(rel=2)@5": 0.5, "": 1.0}
    with pytest.raises(UsageError, match="is given twice for P@5"):
        by_measure("--threshold", ["P@5=1", "P@5=2"], float)
