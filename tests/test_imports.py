"""What may be imported where, and what a command leaves in memory."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from sources import Import, imports, modules, parse

CORE = {"click", "msgspec", "numpy", "rich"}

# Library -> the one module that may import it, or None where no module does yet.
OPTIONAL: dict[str, str | None] = {
    "altair": "ragstone.reports.charts.draw",
    "cryptography": None,
    "genai_prices": "ragstone.formats.prices",
    "haystack*": "ragstone.pipelines.systems.haystack",
    "httpx": "ragstone.http.client",
    "jinja2": None,
    "jmespath": "ragstone.pipelines.mapping",
    "kiwipiepy": "ragstone.text.tokenizers.kiwi",
    "langchain*": "ragstone.pipelines.systems.langchain",
    "llama_index*": "ragstone.pipelines.systems.llamaindex",
    "nltk": "ragstone.text.tokenizers.english",
    "pandas": None,
    "pyarrow": "ragstone.formats.corpus.arrow",
    "pyspark": "ragstone.corpus.spark.session",
    "sacrebleu": "ragstone.answers.translation",
    "sentence_transformers": "ragstone.encoders.local",
    "torch": None,
    "transformers": "ragstone.encoders.local",
    "vl_convert": "ragstone.reports.charts.write",
    "zstandard": "ragstone.formats.packing",
}

# Oracles of tests, and two that we do not use for their open advisories.
NEVER = {"diskcache", "litellm", "pytrec_eval", "rouge_score", "scipy", "statsmodels"}

# Whatever opens a socket: ours is opened in one module.
NETWORK: dict[str, str | None] = {
    "ftplib": None,
    "http": None,
    "smtplib": None,
    "socket": None,
    "ssl": None,
    "urllib.request": None,
}

# A plugin is imported by pytest, which is then there.
PLUGIN = {"pytest": {"ragstone.pytest_plugin"}}

# What costs a start: imported with their module only by these, and by all others when needed.
EAGER = {
    "numpy": {"ragstone.statistics.bootstrap", "ragstone.statistics.permutation"},
    "rich": {"ragstone.reports.renderers.terminal"},
}

ALL = {name: list(imports(parse(path))) for name, path in modules().items()}


def of(library: str, found: Import) -> bool:
    """Tell whether an import is of a library, or of something in it."""
    top = found.target.split(".")[0]
    return fnmatchcase(top, library) or f"{found.target}.".startswith(f"{library}.")


def importers(library: str, *, eager: bool = False) -> set[str]:
    """Return the modules that import a library at all, or as soon as they are imported."""
    return {
        name
        for name, found in ALL.items()
        if any(of(library, each) and (each.eager or not eager) for each in found)
    }


@pytest.mark.parametrize(("library", "home"), [*OPTIONAL.items(), *NETWORK.items()])
def test_an_optional_library_is_imported_in_its_one_module(library: str, home: str | None) -> None:
    assert importers(library) == ({home} if home else set())
    assert importers(library, eager=True) == set()


@pytest.mark.parametrize("library", sorted(NEVER))
def test_a_library_for_tests_is_never_imported(library: str) -> None:
    assert importers(library) == set()


def test_every_other_library_is_a_dependency() -> None:
    known = [*CORE, *OPTIONAL, *NEVER, *PLUGIN, "ragstone", *sys.stdlib_module_names]
    strange = {
        f"{name}:{each.line} {each.target}"
        for name, found in ALL.items()
        for each in found
        if not any(of(library, each) for library in known)
    }
    assert strange == set()


@pytest.mark.parametrize("library", PLUGIN)
def test_what_runs_a_plugin_is_imported_by_the_plugin(library: str) -> None:
    assert importers(library) == PLUGIN[library]


@pytest.mark.parametrize("library", EAGER)
def test_what_is_slow_to_import_is_imported_when_needed(library: str) -> None:
    assert importers(library, eager=True) == EAGER[library]


def test_click_is_for_the_command_line() -> None:
    assert {name.split(".")[1] for name in importers("click")} <= {"cli"}


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import numpy as np", [("numpy", True)]),
        ("import a, b.c", [("a", True), ("b.c", True)]),
        ("from a.b import c", [("a.b.c", True)]),
        ("def f():\n import a", [("a", False)]),
        ("class C:\n import a\n async def f(self):\n  import b", [("a", True), ("b", False)]),
        ("try:\n import a\nexcept ImportError:\n import b", [("a", True), ("b", True)]),
        ("if TYPE_CHECKING:\n import a", [("a", False)]),
        ("if typing.TYPE_CHECKING:\n from a import b", [("a.b", False)]),
        ("x = importlib.import_module('a')", [("a", True)]),
        ("f = lambda: __import__('a.b')", [("a.b", False)]),
        ("import_module('a', None)", [("a", True)]),
    ],
)
def test_the_reader_of_imports(code: str, expected: list[tuple[str, bool]]) -> None:
    found = [(each.target, each.eager) for each in imports(ast.parse(code))]
    assert found == expected


@pytest.mark.parametrize(
    ("library", "target", "expected"),
    [
        ("numpy", "numpy.typing.NDArray", True),
        ("numpy", "numpyro", False),
        ("langchain*", "langchain_core.documents", True),
        ("urllib.request", "urllib.request.urlopen", True),
        ("urllib.request", "urllib.parse", False),
        ("http", "ragstone.http", False),
    ],
)
def test_the_reader_of_names(library: str, target: str, *, expected: bool) -> None:
    assert of(library, Import(target, 1, eager=True)) is expected


# ---- what is in memory afterwards ---------------------------------------------------------------

REPORT = """
import atexit, sys
atexit.register(lambda: print(*sorted(sys.modules), file=sys.stderr))
"""
COMMAND = f"{REPORT}\nimport runpy; runpy.run_module('ragstone', run_name='__main__')"


def loaded(code: str, *arguments: str, folder: Path) -> set[str]:
    """Run code in a new process, its output into a pipe; return which costly modules it holds."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        check=False,
        capture_output=True,
        text=True,
        cwd=folder,
    )
    assert done.returncode == 0, done.stderr
    return CORE & set(done.stderr.split())


def test_importing_the_package_loads_no_library(tmp_path: Path) -> None:
    assert loaded(f"{REPORT}\nimport ragstone", folder=tmp_path) == set()


def test_the_report_of_modules_is_not_blind(tmp_path: Path) -> None:
    assert loaded(f"{REPORT}\nimport numpy, rich", folder=tmp_path) == {"numpy", "rich"}


def cpu(code: str) -> float:
    """Return the least CPU, in seconds, that code in a new process took in a number of tries."""

    def once() -> float:
        pid = os.spawnv(os.P_NOWAIT, sys.executable, [sys.executable, "-c", code])
        _, status, usage = os.wait4(pid, 0)
        assert status == 0
        return usage.ru_utime + usage.ru_stime

    return min(once() for _ in range(7))


def test_importing_the_package_takes_a_tenth_of_a_second_at_most() -> None:
    assert cpu("import ragstone") - cpu("pass") <= 0.10


def test_a_slow_import_is_seen() -> None:
    code = "import time\nwhile time.process_time() < 0.25: pass"
    assert cpu(code) - cpu("pass") > 0.10


@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_help_loads_no_library_but_the_parser(argument: str, tmp_path: Path) -> None:
    assert loaded(COMMAND, argument, folder=tmp_path) <= {"click"}


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A folder with judgments and a run of two queries."""
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\nq2 0 d2 1\n")
    (tmp_path / "run.txt").write_text("q1 Q0 d1 1 2.0 x\nq1 Q0 d2 2 1.0 x\nq2 Q0 d1 1 1.0 x\n")
    return tmp_path


SCORE = ["score", "--qrels", "qrels.txt", "--run", "run.txt"]


MATCH = ["match", "--texts", "texts.jsonl", "--sweep", "0.5:0.9:0.1"]


@pytest.mark.parametrize("more", [[], ["--method", "containment"], ["--format", "table"]])
def test_matching_into_a_pipe_loads_neither_numpy_nor_rich(more: list[str], tmp_path: Path) -> None:
    (tmp_path / "texts.jsonl").write_text('{"id": 1, "gold": ["a b"], "retrieved": ["a b c"]}\n')
    assert loaded(COMMAND, *MATCH, *more, folder=tmp_path) & {"numpy", "rich"} == set()


@pytest.mark.parametrize(
    "more", [[], ["--out", "report.json"], ["--format", "trec_eval"]], ids=" ".join
)
def test_scoring_into_a_pipe_loads_neither_numpy_nor_rich(more: list[str], small: Path) -> None:
    assert loaded(COMMAND, *SCORE, *more, folder=small) & {"numpy", "rich"} == set()
