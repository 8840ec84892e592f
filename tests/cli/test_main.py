"""The root command: global flags, what is unknown, and how an error becomes a line and a code."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import click
import pytest

import ragstone as package
from commands import RAGSTONE, Done, child, ragstone
from interrupts import interrupted_while_reading, killed_while_reading, needs_proc
from ragstone.cli import log as log_module
from ragstone.cli.main import root, run
from ragstone.errors import (
    ExitCode,
    InputError,
    InvalidReportError,
    NotComparableError,
    RagstoneError,
)

SCORE = ["score", "--qrels", "qrels.trec", "--run", "run.trec"]
MISSING = ["score", "--qrels", "no.trec", "--run", "run.trec"]


# ---- version, help, no command at all ------------------------------------------------------------


def test_the_version(tmp_path: Path) -> None:
    done = ragstone("--version", cwd=tmp_path)
    assert done == Done(0, f"ragstone, version {package.__version__}\n".encode(), "")


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_goes_to_standard_output(tmp_path: Path, flag: str) -> None:
    done = ragstone(flag, cwd=tmp_path)
    assert (done.code, done.err) == (0, "")
    assert done.text.startswith("Usage: ragstone [OPTIONS] COMMAND [ARGS]...\n")
    codes = " ".join(done.text.split()).partition("Exit codes:")[2]
    assert all(f" {code.value} " in codes for code in ExitCode)


def test_without_a_command_the_help_is_the_error(tmp_path: Path) -> None:
    done = ragstone(cwd=tmp_path)
    assert (done.code, done.out) == (2, b"")
    assert done.err == ragstone("--help", cwd=tmp_path).text


def test_the_module_is_the_command(tmp_path: Path) -> None:
    assert child("--help", cwd=tmp_path) == ragstone("--help", cwd=tmp_path)


def test_shells_may_ask_what_could_be_typed(tmp_path: Path) -> None:
    asked = child(
        cwd=tmp_path, _RAGSTONE_COMPLETE="bash_complete", COMP_WORDS="ragstone comp", COMP_CWORD="1"
    )
    assert asked.text == "plain,compare\n"


# ---- what is unknown is answered with the nearest ------------------------------------------------


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["scor"], "no such command 'scor'; did you mean score"),
        (["Compare"], "no such command 'Compare'; did you mean compare"),
        (["zzz"], "no such command 'zzz'; see ragstone --help"),
        (["--verson"], "No such option '--verson'. (Did you mean one of: '--verbose', '--version'"),
        (["score", "--qrel", "x"], "No such option '--qrel'. (Did you mean one of: '--help', "),
        (["score", "-x"], "No such option '-x'; see ragstone score --help"),
        ([*SCORE, "--format", "tabel"], "Invalid value for '--format': 'tabel' is not one of"),
        ([*SCORE, "--measure", "ndgc"], "unknown measure 'ndgc'; did you mean nDCG?"),
        ([*SCORE, "--measure", "ngcd@10"], "unknown measure 'ngcd'; did you mean nDCG?"),
        ([*SCORE, "--measure", "recal_5"], "unknown measure 'recal'; did you mean recall"),
        ([*SCORE, "--floor", "ndgc=0.5"], "floor 'ndgc': unknown measure 'ndgc'; did you mean"),
        ([*SCORE, "--floor", "nDCG@10=0.5"], "floor 'nDCG@10' names no measure of the report; "),
        (["-q"], "Missing command; see ragstone --help"),
        (["convert"], "Missing argument '{qrels|run|samples}'. Choose from: qrels, run,"),
    ],
)
def test_what_is_unknown(small: Path, args: list[str], message: str) -> None:
    done = ragstone(*args, cwd=small)
    assert (done.code, done.out) == (2, b"")
    assert done.message.startswith(f"error: {message}")


# ---- global flags, before the command and after it -----------------------------------------------


def places(flag: Sequence[str], args: Sequence[str]) -> list[list[str]]:
    """Put a global flag before the command, right after it, and last."""
    return [[*flag, *args], [args[0], *flag, *args[1:]], [*args, *flag]]


@pytest.mark.parametrize("flag", [["-v"], ["--verbose"]])
@pytest.mark.parametrize("args", [MISSING, [*SCORE, "--k", "0"], [*SCORE, "--bogus"]])
def test_verbose_shows_the_traceback(small: Path, flag: list[str], args: list[str]) -> None:
    plain = ragstone(*args, cwd=small)
    assert "Traceback" not in plain.err
    for given in places(flag, args):
        done = ragstone(*given, cwd=small)
        assert done.code == plain.code == 2
        assert done.err.startswith("Traceback (most recent call last):\n")
        assert done.err.endswith(plain.err)


@pytest.fixture
def noisy(small: Path) -> Path:
    """A run that deserves a warning."""
    with (small / "run.trec").open("a") as run:
        run.write("q3 Q0 q3 2 0.5 t\n")
    return small


def test_a_warning_is_told_unless_quiet(noisy: Path) -> None:
    done = ragstone(*SCORE, cwd=noisy)
    assert done.message == ("warning: 1 query retrieved the document that has the query's own id")
    for given in (*places(["-q"], SCORE), *places(["--quiet"], SCORE)):
        assert ragstone(*given, cwd=noisy) == Done(0, done.out, "")


def test_quiet_does_not_silence_an_error(small: Path) -> None:
    for given in places(["-q"], MISSING):
        assert ragstone(*given, cwd=small).message == "error: no.trec: no such file"


@pytest.mark.parametrize("flag", [["--log-format", "json"], ["--log-format=json"]])
@pytest.mark.parametrize("args", [MISSING, [*SCORE, "--k", "0"], [*SCORE, "--bogus"]])
def test_messages_as_json_lines(small: Path, flag: list[str], args: list[str]) -> None:
    text = ragstone(*args, cwd=small).message.removeprefix("error: ")
    for given in places(flag, args):
        done = ragstone(*given, cwd=small)
        assert json.loads(done.message) == {"level": "error", "message": text}
        told = json.loads(ragstone(*given, "-v", cwd=small).message)
        assert told.pop("traceback").startswith("Traceback (most recent call last):\n")
        assert told == {"level": "error", "message": text}


def test_warnings_as_json_lines(noisy: Path) -> None:
    done = ragstone("--log-format", "json", *SCORE, cwd=noisy)
    assert json.loads(done.message)["level"] == "warning"
    assert ragstone("--log-format", "text", *SCORE, cwd=noisy).err.startswith("warning: ")


def test_a_log_format_that_is_none(small: Path) -> None:
    for given in places(["--log-format", "xml"], SCORE):
        message = ragstone(*given, cwd=small).message
        assert "'--log-format': 'xml' is not one of 'text', 'json'" in message


def test_one_run_leaves_nothing_to_the_next(noisy: Path) -> None:
    ragstone("-v", "-q", "--log-format", "json", *MISSING, cwd=noisy)
    assert ragstone(*MISSING, cwd=noisy).message == "error: no.trec: no such file"
    assert ragstone(*SCORE, cwd=noisy).err.startswith("warning: ")


# ---- one line, whatever stands in it -------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("two\nlines", r"two\nlines"),
        ("\x1b[31mred\x1b]0;title\x07", r"\x1b[31mred\x1b]0;title\x07"),
        ("\u202egnp.exe", r"\u202egnp.exe"),
        ("한국어\u3000문서 é", "한국어\u3000문서 é"),
        ("\udced\udc95\udc9c \udcff", r"한 \xff"),
        ("\ud800", r"\ud800"),
        ("::error::x", "::error::x"),
    ],
)
def test_a_name_in_a_message_commands_no_terminal(tmp_path: Path, name: str, shown: str) -> None:
    done = ragstone("score", "--qrels", name, "--run", "x", cwd=tmp_path)
    assert done.message == f"error: {shown}: no such file"
    told = ragstone("--log-format=json", "score", "--qrels", name, "--run", "x", cwd=tmp_path)
    assert json.loads(told.message)["message"].endswith(": no such file")


# ---- the one table of codes ----------------------------------------------------------------------


class Raised(Exception):
    """Something that ragstone never raises on purpose."""


UNEXPECTED = "unexpected failure of ragstone itself: Raised: a: b; please report it with the output"


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (InputError("a: b"), 2, "a: b"),
        (NotComparableError("a: b"), 4, "a: b"),
        (InvalidReportError("a: b"), 4, "a: b"),
        (RagstoneError("a: b"), 3, "a: b"),
        (Raised("a: b"), 3, f"{UNEXPECTED} of --verbose"),
        (KeyboardInterrupt(), 3, "interrupted"),
        (click.Abort(), 3, "interrupted"),
        (OSError(5, "Input/output error", "a"), 2, "a: Input/output error"),
        (OSError(28, "No space left on device"), 2, "input or output failed: No space left on"),
    ],
)
@pytest.mark.parametrize("verbose", [False, True])
def test_every_error_has_a_line_and_a_code(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    error: BaseException,
    code: int,
    message: str,
    *,
    verbose: bool,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(root, "invoke", fail)
    done = ragstone(*["-v"] * verbose, "score", cwd=tmp_path)
    assert done.code == code
    assert ("Traceback" in done.err) is verbose
    assert done.err.splitlines()[-1].startswith(f"error: {message}")


def test_the_table_has_no_other_code() -> None:
    assert [int(code) for code in ExitCode] == [0, 2, 3, 4, 5]


def test_run_takes_the_arguments_of_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["ragstone", "--version"])
    assert run() == 0


def test_the_log_never_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream in (None, (closed := open(os.devnull, "w"))):  # noqa: PTH123, SIM115
        closed.close() if stream else None
        monkeypatch.setattr(sys, "stderr", stream)
        log_module.Log().error("nobody hears")


# ---- Ctrl-C, and a reader that has gone ----------------------------------------------------------


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that takes seconds to score."""
    folder = tmp_path_factory.mktemp("big")
    (folder / "qrels.trec").write_text("".join(f"q{n} 0 d1 1\n" for n in range(2000)))
    with (folder / "run.trec").open("w") as run:
        for query in range(2000):
            run.writelines(f"q{query} Q0 d{n} 1 {500 - n} t\n" for n in range(400))
    return folder


def interrupted(folder: Path, *more: str) -> subprocess.CompletedProcess[bytes]:
    return interrupted_while_reading("run.trec", [*SCORE, *more], folder)


@needs_proc
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_leaves_nothing_behind(big: Path, workers: str) -> None:
    before = sorted(big.iterdir())
    done = interrupted(big, "--out", "new/report.json", "--workers", workers)
    assert done.returncode == 3
    assert (done.stdout, done.stderr) == (b"", b"error: interrupted\n")
    assert sorted(big.iterdir()) == before


@needs_proc
def test_a_command_that_is_killed_leaves_no_worker(big: Path) -> None:
    args = [*SCORE, "--workers", "2"]
    done = killed_while_reading("run.trec", args, big, signal.SIGKILL)
    assert done.returncode == -signal.SIGKILL


@needs_proc
def test_ctrl_c_keeps_the_old_report(big: Path) -> None:
    old = big / "old.json"
    old.write_bytes(b"old")
    assert interrupted(big, "--out", "old.json").returncode == 3
    assert old.read_bytes() == b"old"
    old.unlink()


@pytest.mark.parametrize(
    "args",
    [["--help"], ["score", "--help"], SCORE, [*SCORE, "--format", "table"], ["demo"]],
    ids=lambda args: " ".join(args[:1] + args[5:]),
)
def test_a_reader_that_has_gone_is_left_in_peace(small: Path, args: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*RAGSTONE, *args],
        cwd=small,
        stdout=writer,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": ""},
        check=False,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (3, b"")


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_head_of_a_long_output_is_quiet(tmp_path: Path, unbuffered: str) -> None:
    """More than a pipe holds, so that the reader goes while we write."""
    (tmp_path / "qrels.trec").write_text("".join(f"q{n} 0 d 1\n" for n in range(5000)))
    (tmp_path / "run.trec").write_text("".join(f"q{n} Q0 d 1 1 t\n" for n in range(5000)))
    command = '"$@" | head -1; echo "${PIPESTATUS[0]}"'
    lines = ["--format=trec_eval", "--per-query"]
    done = subprocess.run(
        ["bash", "-c", command, "bash", *RAGSTONE, *SCORE, *lines],
        cwd=tmp_path,
        capture_output=True,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        check=True,
    )
    assert done.stdout == b"recall_5              \tq0\t1.0000\n3\n"
    assert done.stderr == b""


def test_ctrl_c_before_the_command_is_there() -> None:
    code = (
        "import sys\n"
        "class Interrupted:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'click':\n"
        "            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupted())\n"
        "import ragstone.cli\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (3, "", "error: interrupted\n")
