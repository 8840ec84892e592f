"""House rules that no other tool checks."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

from sources import ROOT, modules, parse

MODULE_LINES = 400
FUNCTION_LINES = 60

# Written in pieces, so that this file keeps its own rules.
MACHINE_PATH = re.compile(
    r"(?<![\w.~}/-])/(?:home|root|Users|work|mnt|opt|srv)/\w|\b[A-Z]:\\+Users\b"
)
REGISTRY_HOST = re.compile(
    r"\b(?:pypi|pythonhosted|npmjs|crates|debian|golang|maven)\.(?:org|io)\b"
)
UNFINISHED = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|X" + r"XX)\b")


def tracked() -> list[Path]:
    """Return the files under version control; skip where there is none."""
    done = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=False, capture_output=True, text=True
    )
    if done.returncode:
        pytest.skip("not a git checkout")
    return [path for name in done.stdout.split("\0") if name and (path := ROOT / name).is_file()]


def places(pattern: re.Pattern[str], files: list[Path]) -> list[str]:
    """Return `file:line: text` for each line in which the pattern is."""
    return [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:80]}"
        for path in files
        for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1)
        if pattern.search(line)
    ]


@pytest.mark.parametrize(
    "pattern", [MACHINE_PATH, REGISTRY_HOST, UNFINISHED], ids=["path", "host", "unfinished"]
)
def test_no_tracked_file_has(pattern: re.Pattern[str]) -> None:
    assert places(pattern, tracked()) == []


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (MACHINE_PATH, "see /" + "home/ann/x"),
        (MACHINE_PATH, '"/' + 'work/main"'),
        (MACHINE_PATH, "C:" + "\\Users\\ann"),
        (REGISTRY_HOST, "https://" + "pypi" + ".org/simple"),
        (REGISTRY_HOST, "files." + "pythonhosted" + ".org"),
        (UNFINISHED, "# TO" + "DO: later"),
    ],
)
def test_the_patterns_find(pattern: re.Pattern[str], text: str) -> None:
    assert pattern.search(text)


@pytest.mark.parametrize("text", ["docs/home/x", "~/home/x", "https://a.example/home/x", r"C:\n"])
def test_the_patterns_let_be(text: str) -> None:
    assert not MACHINE_PATH.search(text)


def test_modules_are_short() -> None:
    lengths = {name: path.read_text("utf-8").count("\n") for name, path in modules().items()}
    assert {name: n for name, n in lengths.items() if n >= MODULE_LINES} == {}


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count the lines of a function but for its docstring, which may need room for examples."""
    lines = (function.end_lineno or 0) - function.lineno + 1
    if ast.get_docstring(function) is None:
        return lines
    docstring = function.body[0]
    return lines - ((docstring.end_lineno or 0) - docstring.lineno + 1)


def functions(tree: ast.AST) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Return every function and method."""
    return [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]


def test_functions_are_short() -> None:
    lengths = {
        f"{name}.{function.name}": length(function)
        for name, path in modules().items()
        for function in functions(parse(path))
    }
    assert {name: n for name, n in lengths.items() if n > FUNCTION_LINES} == {}


def test_the_length_of_a_function() -> None:
    tree = ast.parse(
        'def f(\n    a,\n):\n    """A.\n\n    B.\n    """\n    return a\ndef g(): pass\n'
    )
    assert [length(function) for function in functions(tree)] == [4, 1]
