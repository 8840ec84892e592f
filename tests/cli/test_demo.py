"""`ragstone demo`: the files it leaves, and that what it prints is what it ran."""

from __future__ import annotations

import os
import resource
import shlex
import subprocess
from pathlib import Path

import pytest

from commands import EPOCH, RAGSTONE, Done, child, ragstone
from ragstone.reports import read_report

FILES = {
    "corpus.jsonl", "queries.jsonl", "qrels/test.tsv", "baseline.trec", "candidate.trec",
    "baseline.json", "candidate.json", "compare.json",
}  # fmt: skip


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def printed(done: Done) -> list[tuple[list[str], str, int]]:
    """Take the output apart: each command, what it printed, its exit code."""
    found = []
    for part in done.text.split("\n$ ragstone ")[1:]:
        command, _, rest = part.partition("\n\n")
        output, _, code = rest.partition("[exit code ")
        found.append((shlex.split(command), output, int(code.partition("]")[0])))
    return found


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Done]:
    folder = tmp_path_factory.mktemp("demo")
    return folder, ragstone("demo", cwd=folder)


def test_the_demo_succeeds_and_the_gate_fails(shown: tuple[Path, Done]) -> None:
    folder, done = shown
    assert (done.code, done.err) == (0, "")
    assert set(contents(folder / "ragstone-demo")) == FILES
    assert [code for _, _, code in printed(done)] == [0, 0, 4]
    assert "\nFAIL: nDCG@5, " in done.text
    assert done.text.startswith("A help desk: 101 documents, 55 questions, and the results of two")
    assert "The gate failed the candidate with exit code 4: that is what turns a build" in done.text
    report = read_report(folder / "ragstone-demo" / "compare.json")
    assert (report.verdict, report.exit_code) == ("fail", 4)


def test_the_commands_that_are_shown_give_what_is_shown(
    shown: tuple[Path, Done], tmp_path: Path
) -> None:
    _, done = shown
    child("demo", "--quiet", cwd=tmp_path)
    reports = {name for name in FILES if name.endswith(".json")}
    for name in reports:
        (tmp_path / "ragstone-demo" / name).unlink()
    for args, output, code in printed(done):
        again = child(*args, cwd=tmp_path)
        assert (again.code, again.text, again.err) == (code, output, "")
    assert contents(tmp_path / "ragstone-demo") == contents(shown[0] / "ragstone-demo")


def test_a_second_time_gives_the_same(shown: tuple[Path, Done]) -> None:
    folder, done = shown
    before = contents(folder)
    (folder / "ragstone-demo" / "baseline.trec").write_text("spoiled")
    assert ragstone("demo", cwd=folder) == done
    assert contents(folder) == before


@pytest.mark.parametrize("name", ["two words", "질문/deep", "a'b", "-x", "..", "."])
def test_any_folder(tmp_path: Path, name: str) -> None:
    here = tmp_path / "here"
    here.mkdir()
    done = ragstone("demo", f"--folder={name}", cwd=here)
    assert (done.code, done.err) == (0, "")
    assert set(contents(here / name)) >= FILES
    args, output, code = printed(done)[0]
    assert args[args.index("--run") + 1] == str(Path(name, "baseline.trec"))
    if not name.startswith("-"):
        assert ragstone(*args, cwd=here) == Done(code, output.encode(), "")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("file", "file/corpus.jsonl: cannot be written: one of its folders is a file; choose an"),
        ("/proc/no", "/proc/no/corpus.jsonl: cannot be written: "),
        ("/dev/null", "/dev/null/corpus.jsonl: cannot be written: one of its folders is a file;"),
        ("", "Invalid value for '--folder': the name is empty; a path was expected; see rags"),
        ("a\0b", "'a\\x00b/corpus.jsonl': cannot be written: a path has no NUL in it"),
    ],
)
def test_where_it_cannot_write(tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "file").touch()
    done = ragstone("demo", "--folder", name, cwd=tmp_path)
    assert (done.code, done.out) == (2, b"")
    assert done.message.startswith(f"error: {message}")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_it_takes_no_arguments(tmp_path: Path) -> None:
    done = ragstone("demo", "here", cwd=tmp_path)
    assert done.message == ("error: Got unexpected extra argument (here); see ragstone demo --help")


def test_it_takes_two_seconds_at_most(tmp_path: Path) -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [*RAGSTONE, "demo"],
        cwd=tmp_path,
        check=True,
        stdout=subprocess.DEVNULL,
        env={**os.environ, **EPOCH},
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 2
