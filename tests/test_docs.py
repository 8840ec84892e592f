"""Every example in README.md and docs/ does what the text around it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from fenced import Block, ExampleError, Page, blocks, commands
from sources import ROOT

FILES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks_of(path: Path) -> list[Block]:
    return list(blocks(path.read_text(encoding="utf-8"), path.relative_to(ROOT).as_posix()))


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", FILES, ids=name)
def test_the_examples_of(path: Path, tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    page = Page(tmp_path)
    for block in blocks_of(path):
        page.run(block)


@pytest.mark.parametrize(
    "block", [b for path in FILES for b in blocks_of(path) if b.skipped], ids=lambda b: b.place
)
def test_not_run(block: Block) -> None:
    pytest.skip(f"{block.place}: {block.skipped}")


def test_the_example_that_contributing_shows(tmp_path: Path) -> None:
    [shown] = [b for b in blocks_of(ROOT / "CONTRIBUTING.md") if b.language == "markdown"]
    [example] = blocks(shown.text, "CONTRIBUTING.md")
    Page(tmp_path).run(example)


# ---- the runner itself --------------------------------------------------------------------------


def run(text: str, folder: Path) -> None:
    page = Page(folder)
    for block in blocks(text, "x.md"):
        page.run(block)


def fenced(info: str, *lines: str) -> str:
    return "\n".join(["Text.", "", f"```{info}", *lines, "```", ""])


GOOD = {
    "commands run": fenced("console", "$ true", "$ echo x | grep -q x"),
    "output is not compared unasked": fenced("console", "$ echo one", "two"),
    "output": fenced("console output", "$ echo one; echo two >&2", "one", "two", "$ true"),
    "ellipsis": fenced("console output", "$ seq 9; echo took 3 s", "1", "...", "9", "took ... s"),
    "trailing spaces": fenced("console output", "$ echo 'a  '; echo", "a", ""),
    "exit code": fenced("console exit=4", "$ true", "$ exit 4"),
    "exit code and output": fenced("console exit=2 output", "$ echo a; exit 2", "a"),
    "backslash": fenced("console output", "$ echo a \\", "    b", "a b"),
    "second prompt": fenced("console output", "$ for x in a b; do", "> echo $x; done", "a", "b"),
    "here-document": fenced("console", "$ cat > f <<'EOF'", "$ x", "", "EOF", "$ grep -q x f"),
    "indented": "1. Text.\n\n   ```console output\n   $ echo a\n   a\n   ```\n",
    "longer fence": "````markdown\n```console\n$ false\n```\n````\n",
    "tildes": "~~~console\n$ true\n~~~\n",
    "files stay": fenced("console", "$ echo 1 > f") + fenced("console output", "$ cat f", "1"),
    "python sees files": fenced("console", "$ echo 1 > f") + fenced("python", "open('f').close()"),
    "the folder is the home": fenced("console", "$ test $PWD -ef ~"),
    "this python is first": fenced("console", "$ python -c 'import ragstone'"),
    "names stay": fenced("python", "a = 1") + fenced("python", ">>> b = a", ">>> b", "1")
    + fenced("python", "assert b == 1"),
    "printing is allowed": fenced("python", "print('x')"),
    "skipped": fenced('console skip-because="it fails"', "$ false"),
    "here-string": fenced("console output", "$ cat <<< 'a'", "a"),
    "another language": fenced("json", "{") + fenced("", "false") + fenced("yaml title=x", ""),
}  # fmt: skip

BAD = {
    "a command fails": (fenced("console", "$ false"), "x.md:4: exit code 1, expected 0: false"),
    "one before the last fails": (fenced("console exit=4", "$ exit 4", "$ exit 4"), "x.md:4: exit"),
    "part of a pipe fails": (fenced("console", "$ false | cat"), "exit code 1"),
    "it should have failed": (fenced("console exit=4", "$ true"), "exit code 0, expected 4"),
    "another output": (fenced("console output", "$ true", "$ echo one", "two"), "x.md:5: the out"),
    "no output": (fenced("console output", "$ true", "one"), "the output differs"),
    "more output": (fenced("console output", "$ echo one"), "the output differs"),
    "a line short": (fenced("console output", "$ seq 3", "1", "3"), "the output differs"),
    "no command": (fenced("console", "ragstone --help"), "output before any command"),
    "empty": (fenced("console"), "output before any command"),
    "an option misspelled": (fenced("console exitt=4", "$ exit 4"), "unknown: exitt"),
    "an option of another": (fenced("python output", "1"), "unknown: output"),
    "no number": (fenced("console exit=four", "$ exit 4"), "exit is a number"),
    "no reason": (fenced("console skip-because=", "$ false"), "say why"),
    "a shell by name": (fenced("bash", "false"), "write console or python, not 'bash'"),
    "no name": (fenced("", "$ false"), "write console or python, not ''"),
    "not closed": ("```console\n$ true\n", "x.md:1: the block is not closed"),
    "an exception": (fenced("python", "", "1 / 0"), "ZeroDivisionError"),
    "a syntax error": (fenced("python", "1 +"), "SyntaxError"),
    "a wrong value": (fenced("python", ">>> 1 + 1", "3"), "Expected:\n    3\nGot:\n    2"),
    "a name not defined": (fenced("python", ">>> a", "1"), "NameError"),
}  # fmt: skip


@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD)
def test_a_good_example_passes(text: str, tmp_path: Path) -> None:
    run(text, tmp_path)


@pytest.mark.parametrize(("text", "message"), BAD.values(), ids=BAD)
def test_a_bad_example_fails(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ExampleError) as caught:
        run(text, tmp_path)
    assert message in str(caught.value)


def test_lines_are_those_of_the_file() -> None:
    [block] = blocks(fenced("console", "$ a \\", "b", "out", "$ c"), "x.md")
    assert [(c.line, c.script, c.shown) for c in commands(block)] == [
        (4, "a \\\nb", "out\n"),
        (7, "c", ""),
    ]
