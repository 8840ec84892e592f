"""Terminals, pipes, locales, seeds: the same bytes, or colours where somebody looks."""

from __future__ import annotations

import errno
import json
import os
import pty
import re
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import pytest

from commands import EPOCH, RAGSTONE, Done, child, ragstone

SCORE = ["score", "--qrels", "qrels.trec", "--run", "run.trec"]
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


# ---- a terminal ----------------------------------------------------------------------------------


def on_a_terminal(*args: str, cwd: Path, **environment: str) -> tuple[int, str]:
    """Run a command whose output is a terminal of 80 columns; return its code and what it drew."""
    ours, theirs = pty.openpty()
    inherited = {name: text for name, text in os.environ.items() if name != "COLUMNS"}
    with subprocess.Popen(
        [*RAGSTONE, *args],
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.STDOUT,
        env={**inherited, **EPOCH, "TERM": "xterm-256color", **environment},
    ) as process:
        os.close(theirs)
        drawn = b"".join(iter(lambda: read(ours), b""))
    os.close(ours)
    return process.returncode, drawn.decode().replace("\r\n", "\n")


def read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError as error:  # Linux says so when the other end is closed
        if error.errno != errno.EIO:
            raise
        return b""


@pytest.fixture(scope="module")
def compared(made: Path) -> list[str]:
    reports = ["--baseline", "baseline.json", "--candidate", "candidate.json"]
    return ["compare", *reports, "--alpha", "0.05", "--format", "table"]


def test_a_terminal_gets_colours(made: Path, compared: list[str]) -> None:
    code, drawn = on_a_terminal(*compared, cwd=made)
    assert code == 4
    assert drawn.startswith("\x1b[1;31mFAIL: nDCG@5, ")
    assert "\x1b[33mpass" in drawn
    plain = " ".join(ESCAPE.sub("", drawn).split())
    for word in ragstone(*compared, cwd=made).text.replace("/", "/ ").split():
        assert word.strip("-") in plain
    assert all(len(ESCAPE.sub("", line)) <= 80 for line in drawn.splitlines())


@pytest.mark.parametrize(
    ("environment", "found", "absent"),
    [
        ({"NO_COLOR": "1"}, r"\x1b\[1mFAIL", r"\x1b\[[0-9;]*3[0-7]"),
        ({"NO_COLOR": ""}, r"\x1b\[1;31mFAIL", r"\Z\A"),
        ({"TERM": "dumb", "FORCE_COLOR": "1"}, r"\AFAIL: ", "\x1b"),
        ({"COLUMNS": "200"}, r"\x1b\[33mpass \(not significant\)", r"\Z\A"),
        ({"COLUMNS": "10"}, r"14/5  \x1b\[33mpass \(not significant\)", r"\Z\A"),
        ({"COLUMNS": "1"}, r"14/5  \x1b\[33mpass \(not significant\)", r"\Z\A"),
    ],
    ids=str,
)
def test_what_the_environment_asks_for(
    made: Path, compared: list[str], environment: dict[str, Any], found: str, absent: str
) -> None:
    code, drawn = on_a_terminal(*compared, cwd=made, **environment)
    assert code == 4
    assert re.search(found, drawn)
    assert not re.search(absent, drawn)


def test_a_dumb_terminal_gets_what_a_pipe_gets(made: Path, compared: list[str]) -> None:
    code, drawn = on_a_terminal(*compared, cwd=made, TERM="dumb")
    assert (code, drawn) == (4, ragstone(*compared, cwd=made).text)


@pytest.mark.parametrize("name", ["json", "markdown", "trec_eval"])
def test_only_the_table_has_colours(small: Path, name: str) -> None:
    code, drawn = on_a_terminal(*SCORE, "--format", name, cwd=small)
    assert (code, drawn) == (0, ragstone(*SCORE, "--format", name, cwd=small).text)


def test_a_pipe_gets_none(made: Path, compared: list[str]) -> None:
    done = child(*compared, cwd=made, TERM="xterm-256color", COLORTERM="truecolor")
    assert done == ragstone(*compared, cwd=made)
    assert "\x1b" not in done.text


# ---- streams that are closed ---------------------------------------------------------------------


def shell(command: str, folder: Path, unbuffered: str = "") -> Done:
    """Run `ragstone ...` with redirections."""
    done = subprocess.run(
        ["bash", "-c", command.replace("ragstone", '"$@"', 1), "bash", *RAGSTONE],
        cwd=folder,
        capture_output=True,
        env={**os.environ, **EPOCH, "PYTHONUNBUFFERED": unbuffered},
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr.decode())


def test_standard_output_that_is_closed(small: Path) -> None:
    score = f"ragstone {' '.join(SCORE)}"
    for command in (score, f"{score} --format table", f"{score} --out report.json"):
        done = shell(f"{command} >&-", small)
        assert done.code == 2
        assert done.message == "error: standard output is closed; nothing could be printed"
    # It was whole before anything was to be printed.
    assert json.loads((small / "report.json").read_text())["predicate"]["exit_code"] == 0
    assert shell("ragstone --help >&-", small).code == 0


@pytest.mark.parametrize("command", ["no-such", f"{' '.join(SCORE)} --measure no -v", "score"])
def test_standard_error_that_nobody_hears(small: Path, command: str) -> None:
    for gone in (" 2>&-", " 2>/dev/full", " <&- >&- 2>&-"):
        assert shell(f"ragstone {command}{gone}", small) == Done(2, b"", "")
    assert shell(f"ragstone {command} 2>/dev/full", small, "1") == Done(2, b"", "")


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_help_on_a_disk_that_is_full(small: Path, unbuffered: str) -> None:
    done = shell("ragstone --help > /dev/full", small, unbuffered)
    assert done.code == 2
    assert done.message == "error: input or output failed: No space left on device"


# ---- locales -------------------------------------------------------------------------------------

ASCII: dict[str, Any] = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
KOREAN_TABLE = """\
결과.run: 2 queries

measure   value  aggregate  queries  by default
-------  ------  ---------  -------  ----------
RR       0.5000  mean             2           0

query      RR
-----  ------
질문1  1.0000
질문2  0.0000

signature: te10|rel1|q:606503|n2
"""


@pytest.fixture
def korean(tmp_path: Path) -> Path:
    folder = tmp_path / "폴더"
    folder.mkdir()
    (folder / "판정.qrels").write_text(
        "질문1 0 문서1 1\n질문1 0 문서2 1\n질문2 0 문서3 1\n", "utf-8"
    )
    (folder / "결과.run").write_text("질문1 Q0 문서1 1 2 t\n질문2 Q0 문서9 1 1 t\n", "utf-8")
    return tmp_path


KOREAN = ["score", "--qrels", "폴더/판정.qrels", "--run", "폴더/결과.run", "--measure", "RR"]


@pytest.mark.parametrize("name", ["table", "markdown", "trec_eval"])
def test_korean_in_a_locale_that_has_none(korean: Path, name: str) -> None:
    args = [*KOREAN, "--format", name, "--per-query"]
    done = child(*args, cwd=korean, **ASCII)
    assert done == ragstone(*args, cwd=korean)
    assert (done.code, "질문1" in done.text) == (0, True)
    if name == "table":
        assert done.text == KOREAN_TABLE


def test_reports_in_a_locale_that_has_none(korean: Path) -> None:
    out = ["--out", "폴더/보고/보고.json", "--format", "json"]
    done = child(*KOREAN, *out, cwd=korean, **ASCII)
    assert done == ragstone(*KOREAN, cwd=korean)
    assert (korean / "폴더" / "보고" / "보고.json").read_bytes() == done.out
    assert [file["name"] for file in json.loads(done.out)["predicate"]["inputs"]] == [
        "판정.qrels",
        "결과.run",
    ]
    reports = ["--baseline", "폴더/보고/보고.json", "--candidate", "폴더/보고/보고.json"]
    compared = child("compare", *reports, cwd=korean, **ASCII)
    assert compared == ragstone("compare", *reports, cwd=korean)
    assert compared.code == 0
    checked = child("validate-report", "폴더/보고/보고.json", cwd=korean, **ASCII)
    assert checked.text == "VALID: 폴더/보고/보고.json (ragstone.score)\n"


def test_errors_in_a_locale_that_has_none(korean: Path) -> None:
    (korean / "폴더" / "결과.run").write_text("질문1 Q0 문서1 1 높음 t\n", "utf-8")
    done = child(*KOREAN, "--out", "오류.json", cwd=korean, **ASCII)
    assert done.code == 2
    assert done.message == (
        "error: 폴더/결과.run:1: the score '높음' is not a finite number such as 12.5"
    )
    report = json.loads((korean / "오류.json").read_text("utf-8"))["predicate"]
    assert f"error: {report['details']['message']}" == done.message
    told = child("--log-format", "json", *KOREAN, cwd=korean, **ASCII)
    assert f"error: {json.loads(told.message)['message']}" == done.message


def test_a_terminal_in_a_locale_that_has_none(korean: Path) -> None:
    args = [*KOREAN, "--format", "table", "--per-query"]
    code, drawn = on_a_terminal(*args, cwd=korean, **ASCII)
    assert code == 0
    plain = ESCAPE.sub("", drawn)
    assert {*KOREAN_TABLE.replace("-", "").split()} <= {*plain.split()}


def test_the_demo_in_a_locale_that_has_none(tmp_path: Path) -> None:
    done = child("demo", "--folder", "시연", cwd=tmp_path, **ASCII)
    assert (done.code, done.err) == (0, "")
    assert "in 시연/\n" in done.text
    assert (tmp_path / "시연" / "compare.json").is_file()


# ---- seeds of hashes, and the order of rows ------------------------------------------------------


def shuffled(folder: Path) -> None:
    """Put the rows of both files into another order; TREC allows any, queries apart too."""
    for name in ("qrels.trec", "run.trec"):
        rows = (folder / name).read_text().splitlines(keepends=True)
        Random(name).shuffle(rows)
        (folder / name).write_text("".join(rows))


def test_no_seed_of_the_hashes_changes_a_byte(made: Path, compared: list[str]) -> None:
    score = ["score", "--qrels", "qrels/test.tsv", "--run", "baseline.trec", "--floor", "RR@5=0.1"]
    for args in (score, compared[:-2]):
        expected = child(*args, cwd=made, PYTHONHASHSEED="0")
        for seed in ("1", "random"):
            assert child(*args, cwd=made, PYTHONHASHSEED=seed) == expected


def test_the_order_of_rows_changes_only_what_names_the_files(small: Path) -> None:
    def reports() -> list[dict[str, object]]:
        done = [child(*SCORE, "--out", f"{name}.json", cwd=small) for name in ("a", "b")]
        assert [each.code for each in done] == [0, 0]
        (small / "b.json").write_bytes((small / "a.json").read_bytes())
        compared = child("compare", "--baseline", "a.json", "--candidate", "b.json", cwd=small)
        return [json.loads((small / "a.json").read_text()), json.loads(compared.out)]

    def without_names(document: dict[str, object]) -> dict[str, object]:
        predicate = document["predicate"]
        assert isinstance(predicate, dict)
        assert document.pop("subject")
        assert predicate.pop("inputs")
        return document

    before = reports()
    shuffled(small)
    after = reports()
    assert before != after
    assert list(map(without_names, before)) == list(map(without_names, after))
