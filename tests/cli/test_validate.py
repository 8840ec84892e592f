"""`ragstone validate-report`: what is valid, what is not, and what cannot be read."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from commands import Done, child, ragstone

Spoil = Callable[[bytes], bytes]


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """A copy of the demo's files."""
    return Path(shutil.copytree(made, tmp_path / "demo"))


def validate(folder: Path, *args: str, stdin: bytes = b"") -> Done:
    return ragstone("validate-report", *args, cwd=folder, stdin=stdin)


@pytest.mark.parametrize("name", ["baseline", "candidate", "compare"])
def test_what_the_demo_wrote_is_valid(folder: Path, name: str) -> None:
    kind = "compare" if name == "compare" else "score"
    done = validate(folder, f"{name}.json")
    assert done == Done(0, f"VALID: {name}.json (ragstone.{kind})\n".encode(), "")
    assert validate(folder, f"{name}.json", "--inputs", ".") == done


def test_the_report_of_an_error_is_valid(folder: Path) -> None:
    args = ["score", "--qrels", "no", "--run", "baseline.trec", "--out", "error.json"]
    assert ragstone(*args, cwd=folder).code == 2
    done = validate(folder, "error.json", "--inputs", ".")
    assert done == Done(0, b"VALID: error.json (ragstone.error)\n", "")


def test_several_reports(folder: Path) -> None:
    (folder / "candidate.json").write_bytes(b"{}")
    done = validate(folder, "baseline.json", "candidate.json", "compare.json")
    assert done.code == 4
    assert [line.split(":")[0] for line in done.text.splitlines() if "VALID" in line] == [
        "VALID",
        "NOT VALID",
        "VALID",
    ]
    lines = validate(folder, "baseline.json", "candidate.json", "--format", "json").text.split("\n")
    assert [json.loads(line)["ok"] for line in lines[:-1]] == [True, False]


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_report_from_standard_input(folder: Path, pack: Callable[[bytes], bytes]) -> None:
    data = pack((folder / "baseline.json").read_bytes())
    done = validate(folder, "-", stdin=data)
    assert done == Done(0, b"VALID: - (ragstone.score)\n", "")
    assert child("validate-report", "-", cwd=folder, stdin=data) == done
    assert validate(folder, "-", "-", stdin=data).message == (
        "error: standard input (-) can be one input only"
    )


def edited(change: Callable[[dict[str, object]], object]) -> Spoil:
    """Return what edits the predicate and writes it in canonical form."""

    def spoil(data: bytes) -> bytes:
        document = json.loads(data)
        change(document["predicate"])
        return (json.dumps(document, sort_keys=True, separators=(",", ":")) + "\n").encode()

    return spoil


SPOILED: dict[str, tuple[Spoil, str, str]] = {
    "spaces": (
        lambda data: data.replace(b'":', b'": ', 1),
        "$",
        "has spaces or line ends between its parts; none were expected",
    ),
    "summary": (
        edited(lambda predicate: predicate.update(summary={"R@5": 1.0})),
        "$.predicate.summary",
        "",
    ),
    "exit code": (edited(lambda predicate: predicate.update(exit_code=9)), "$.predicate.exit", ""),
    "kind": (edited(lambda predicate: predicate.update(kind="x")), "$.predicate.kind", 'is "x"'),
    "twice": (lambda data: data.replace(b"{", b'{"a":1,"a":1,', 1), "$", "stands twice in one"),
    "nan": (
        lambda data: data.replace(b'"exit_code":0', b'"exit_code":NaN'),
        "$",
        "exit_code is Na",
    ),
    "cut": (lambda data: data[:-50], "$", "line 1: not JSON"),
    "none": (lambda _: b"{}\n", "$", "is no report: it has no predicateType"),
    "deep": (lambda _: b"[" * 100_000, "$", "is nested too deeply to be a report"),
    "empty": (lambda _: b"", "$", "is empty; a report was expected"),
}


@pytest.mark.parametrize("name", SPOILED)
def test_what_is_not_valid(folder: Path, name: str) -> None:
    spoil, path, said = SPOILED[name]
    report = folder / "baseline.json"
    report.write_bytes(spoil(report.read_bytes()))
    done = validate(folder, "baseline.json", "--format", "json")
    assert (done.code, done.err) == (4, "")
    found = json.loads(done.out)
    assert found["ok"] is False
    [first, *_] = found["errors"]
    assert first["path"].startswith(path)
    assert said in first["message"]
    table = validate(folder, "baseline.json")
    assert table.code == 4
    assert table.text.startswith("NOT VALID: baseline.json (")
    markdown = validate(folder, "baseline.json", "--format", "markdown")
    assert markdown.code == 4
    assert markdown.text.startswith("**NOT VALID: baseline.json (")
    assert "| where | what is wrong |\n| --- | --- |\n" in markdown.text


def test_another_input_than_was_scored(folder: Path) -> None:
    with (folder / "baseline.trec").open("a") as run:
        run.write("q Q0 d 1 1 t\n")
    done = validate(folder, "baseline.json", "--inputs", ".")
    assert done.code == 4
    assert "baseline.trec" in done.text


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["no.json"], "no.json: cannot be read: no such file; a report was expected"),
        (["."], ".: cannot be read: Is a directory; a report was expected"),
        (["a\0b"], "'a\\x00b': cannot be read: "),
        (["baseline.json", "--inputs", "no"], "no: is not a folder; the folder of the inputs was"),
        ([], "Missing argument 'REPORT...'; see ragstone validate-report --help"),
        (["baseline.json", "--format", "trec_eval"], "Invalid value for '--format': 'trec_eval' i"),
    ],
)
def test_what_cannot_be_checked(folder: Path, args: list[str], message: str) -> None:
    done = validate(folder, *args)
    assert (done.code, done.out) == (2, b"")
    assert done.message.startswith(f"error: {message}")


def test_a_name_on_the_page_commands_no_terminal(folder: Path) -> None:
    name = "\x1b[31m\n한국어.json"
    shutil.copy(folder / "baseline.json", folder / name)
    assert validate(folder, name).text == "VALID: \\x1b[31m\\n한국어.json (ragstone.score)\n"
