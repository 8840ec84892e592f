"""The network guard fails a test that tries to leave the machine, and lets loopback be."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

TESTS = Path(__file__).resolve().parent
CASES = TESTS / "support" / "guarded"


def names(cases: str) -> list[str]:
    """Return the inner tests of a file."""
    tree = ast.parse((CASES / f"{cases}.py").read_text(encoding="utf-8"))
    functions = (node.name for node in tree.body if isinstance(node, ast.FunctionDef))
    return [name for name in functions if name.startswith("test_")]


def run(pytester: pytest.Pytester, cases: str) -> pytest.RunResult:
    """Run inner tests in a pytest of their own, with this project's conftest and guard."""
    shutil.copy(TESTS / "conftest.py", pytester.path)
    shutil.copytree(TESTS / "guard", pytester.path / "guard")
    shutil.copy(CASES / f"{cases}.py", pytester.path / "test_inner.py")
    pytester.makeini("[pytest]\npythonpath = guard\n")
    return pytester.runpytest_subprocess("-p", "no:cacheprovider")


def test_what_leaves_the_machine_fails_even_where_it_is_hidden(pytester: pytest.Pytester) -> None:
    result = run(pytester, "leaves")
    result.assert_outcomes(failed=len(names("leaves")))
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    told = [line for line in result.outlines if line.startswith("tests have no network, refused: ")]
    assert len(told) == len(names("leaves")) - 1
    result.stdout.fnmatch_lines(["E*for another reason", "E*network: socket.gethostbyname*"])


def test_loopback_passes(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    monkeypatch.setenv("PYTHONHASHSEED", "0")
    run(pytester, "stays").assert_outcomes(passed=len(names("stays")))


def test_a_child_that_outlives_the_tests_fails_the_run(pytester: pytest.Pytester) -> None:
    shutil.copytree(TESTS / "guard", pytester.path / "guard")
    late = "with suppress(Exception):\n        socket.gethostbyname('example.com')"
    pytester.makeconftest(
        f"{(TESTS / 'conftest.py').read_text(encoding='utf-8')}\n"
        "import socket\nfrom contextlib import suppress\n"
        f"@pytest.hookimpl(tryfirst=True)\ndef pytest_sessionfinish():\n    {late}\n"
    )
    pytester.makeini("[pytest]\npythonpath = guard\n")
    pytester.makepyfile("def test(): pass")
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stderr.fnmatch_lines(["network: socket.gethostbyname 'example.com'*"])
