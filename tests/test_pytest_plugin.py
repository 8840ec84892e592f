"""The pytest plugin, from the outside: whole test runs in processes of their own."""

from __future__ import annotations

import subprocess
import sys
from xml.etree import ElementTree as ET

import pytest

from ragstone.pytest_plugin import file_name
from ragstone.reports import read_report, validate_report

DATA = """
QRELS = {f"q{n}": {f"d{n}": 1} for n in range(8)}
GOOD = {f"q{n}": [f"d{n}", "x"] for n in range(8)}
BAD = {f"q{n}": [f"d{n}" if n < 4 else "y", "x"] for n in range(8)}
QUERIES = {f"q{n}": f"text {n}" for n in range(8)}
def search(text):
    return GOOD["q" + text.split()[1]]
"""
CHECK = f"""{DATA}
import os
RUN = {{"good": GOOD, "bad": BAD}}[os.environ.get("RUN", "good")]
def test_quality(ragstone_gate):
    ragstone_gate.check(RUN, QRELS, baseline="base/line.json", measures=["nDCG@10", "R@10"])
"""


def run_as_installed(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """Run pytest in a process of its own, with every plugin that is installed."""
    return pytester.runpytest_subprocess("-p", "no:cacheprovider", *arguments)


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """Run pytest in a process of its own, with our plugin alone: three times as fast."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        return run_as_installed(pytester, "-p", "ragstone.pytest_plugin", *arguments)


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    """A project with one gated test and its baseline."""
    pytester.makepyfile(test_a=CHECK)
    run(pytester, "--ragstone-update-baseline").assert_outcomes(passed=1)
    return pytester


def test_a_missing_baseline_fails_and_says_what_to_do(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_a=CHECK)
    result = run(pytester)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["E *Failed: ragstone: base/line.json: there is no baseline yet; run pytest with "
         "--ragstone-update-baseline to write it, then commit it"]
    )  # fmt: skip
    assert not (pytester.path / "base").exists()


def test_an_update_writes_the_baseline_passes_and_says_so(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_a=CHECK)
    result = run(pytester, "--ragstone-update-baseline")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(
        ["=* ragstone *=", "UPDATED test_a.py::test_quality base/line.json"]
    )
    assert [path.name for path in (pytester.path / "base").iterdir()] == ["line.json"]
    data = (pytester.path / "base" / "line.json").read_bytes()
    assert validate_report(data, "line.json").ok
    assert read_report(pytester.path / "base" / "line.json").aggregates == ("nDCG@10", "R@10")


def test_an_update_replaces_what_is_there(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RUN", "bad")
    run(project).assert_outcomes(failed=1)
    run(project, "--ragstone-update-baseline").assert_outcomes(passed=1)
    run(project).assert_outcomes(passed=1)


def test_what_did_not_get_worse_passes_with_a_line_a_measure(project: pytest.Pytester) -> None:
    result = run(project)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(
        [
            "=* ragstone *=",
            "PASSED test_a.py::test_quality nDCG@10: 1.0000 to 1.0000 (0.00%), budget 2%, p 1.0000",
            "PASSED test_a.py::test_quality R@10: 1.0000 to 1.0000 (0.00%), budget 2%, p 1.0000",
        ]
    )


def test_a_failure_names_measure_values_drop_budget_and_p(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RUN", "bad")
    result = run(project)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "*ragstone_gate.check(RUN, QRELS*",
            "E *ragstone: FAIL: nDCG@10, R@10 got worse beyond what is allowed (8 queries*",
            "E *nDCG@10 fell from 1 to 0.5 (-50%), over its budget of 2%: 4 worse*; p = 0.125*",
            "E *most regressed queries (nDCG@10): q4 1 to 0, q5 1 to 0, q6 1 to 0, q7 1 to 0",
            "E *if this is what you want: pytest --ragstone-update-baseline",
            "FAILED test_a.py::test_quality nDCG@10: 1.0000 to 0.5000 (-50.00%), budget 2%, p*",
        ]
    )
    assert "pytest_plugin.py" not in result.stdout.str()


def test_budgets_floors_and_alpha_are_those_of_compare(project: pytest.Pytester) -> None:
    project.makepyfile(
        test_a=f"""{DATA}
import pytest
def check(gate, **options):
    return gate.check(BAD, QRELS, baseline="base/line.json", **options)
def test_wide(ragstone_gate):
    found = check(ragstone_gate, budgets=["ndcg=50", "recall=0.5abs"])
    assert found["nDCG@10"].candidate == 0.5
def test_off(ragstone_gate):
    check(ragstone_gate, budgets={{"nDCG@10": "off", "R@10": "off"}})
def test_floor(ragstone_gate):
    check(ragstone_gate, budgets=["ndcg=off", "recall=off"], floors=["nDCG@10=0.6"])
def test_alpha(ragstone_gate):
    check(ragstone_gate, alpha=0.05)
def test_unknown(ragstone_gate):
    check(ragstone_gate, budgets=["ndgc=1"])
def test_twice(ragstone_gate):
    check(ragstone_gate, budgets=["ndcg=60", "recall=60"])
    check(ragstone_gate)
"""
    )
    result = run(project)
    result.assert_outcomes(passed=2, failed=4)
    result.stdout.fnmatch_lines_random(
        [
            "SKIPPED test_a.py::test_off nDCG@10: 1.0000 to 0.5000 (-50.00%), not gated, p*",
            "FAILED test_a.py::test_floor nDCG@10: 1.0000 to 0.5000 (-50.00%), not gated, "
            "floor 0.6, p*",
            "E *the test could not have failed*",
            "E *ragstone: budget 'ndgc': unknown measure 'ndgc'; did you mean nDCG*",
        ]
    )
    assert result.stdout.str().count("test_a.py::test_twice R@10") == 2


def test_it_takes_paths_runs_scores_and_retrievers(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_a=f"""{DATA}
import json, pathlib, pytest, ragstone
MEASURES = ["nDCG@10"]
def files():
    qrels = "".join(f"{{q}} 0 {{d}} 1\\n" for q, docs in QRELS.items() for d in docs)
    pathlib.Path("qrels.txt").write_text(qrels)
    rows = [f"{{q}} Q0 {{docs[0]}} 1 2.0 x\\n" for q, docs in GOOD.items()]
    pathlib.Path("run.txt").write_text("".join(rows))
    lines = [json.dumps({{"_id": q, "text": text}}) + "\\n" for q, text in QUERIES.items()]
    pathlib.Path("queries.jsonl").write_text("".join(lines))
files()
SCORES = ragstone.score(QRELS, GOOD, MEASURES)
CASES = {{
    "paths": dict(run="run.txt", qrels=pathlib.Path("qrels.txt")),
    "run": dict(run=ragstone.read_run("run.txt"), qrels=ragstone.read_qrels("qrels.txt")),
    "lists": dict(run=list(GOOD.values()), qrels=[list(docs) for docs in QRELS.values()]),
    "scores": dict(run=SCORES),
    "function": dict(run=search, qrels=QRELS, queries=QUERIES),
    "query file": dict(run=search, qrels="qrels.txt", queries="queries.jsonl",
                       retriever=dict(k=5, concurrency=2)),
}}
@pytest.mark.parametrize("case", CASES)
def test_it(case, ragstone_gate):
    ragstone_gate.check(**CASES[case], baseline=f"{{case}}.json", measures=MEASURES)
@pytest.mark.parametrize("case", ["paths", "scores", "function"])
def test_measures_of_the_baseline(case, ragstone_gate):
    found = ragstone_gate.check(**CASES[case], baseline=f"{{case}}.json")
    assert [each.name for each in found.measures] == MEASURES
def test_no_queries(ragstone_gate):
    ragstone_gate.check(search, QRELS, baseline="paths.json")
def test_other_queries(ragstone_gate):
    ragstone_gate.check(search, QRELS, baseline="paths.json", queries={{"x": "y"}})
def test_no_qrels(ragstone_gate):
    ragstone_gate.check(GOOD, baseline="paths.json")
def test_no_file(ragstone_gate):
    ragstone_gate.check("none.txt", QRELS, baseline="paths.json")
def test_fails_inside(ragstone_gate):
    def broken(text):
        raise ZeroDivisionError("inside")
    ragstone_gate.check(broken, QRELS, baseline="paths.json", queries=QUERIES)
"""
    )
    run(pytester, "--ragstone-update-baseline", "-k", "test_it").assert_outcomes(passed=6)
    result = run(pytester)
    result.assert_outcomes(passed=9, failed=5)
    result.stdout.fnmatch_lines(
        [
            "E *ragstone: a retriever needs queries: a path, or a dict of ids and texts",
            "E *ragstone: the qrels judge none of the queries; their ids must be the same text",
            "E *ragstone: qrels are needed: a path, Qrels, or a dict",
            "E *ragstone: none.txt: no such file",
            "E *ZeroDivisionError: inside",
            "E *ragstone: query 'q0': the retriever failed: ZeroDivisionError: inside*",
        ]
    )


def test_reports_are_written_where_asked(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RUN", "bad")
    run(project, "--ragstone-report-dir", "out/here").assert_outcomes(failed=1)
    folder = project.path / "out" / "here"
    name = file_name("test_a.py::test_quality", 1)
    assert {path.name for path in folder.iterdir()} == {
        f"{name}.score.json",
        f"{name}.compare.json",
    }
    path = folder / f"{name}.compare.json"
    assert read_report(path).verdict == "fail"
    (folder / "line.json").write_bytes((project.path / "base" / "line.json").read_bytes())
    assert validate_report(path.read_bytes(), path.name, folder).ok


def test_junit_xml_has_the_lines_too(project: pytest.Pytester) -> None:
    run(project, "--junitxml", "x.xml")
    properties = ET.parse(project.path / "x.xml").getroot().iter("property")
    values = [each.attrib["value"] for each in properties if each.attrib["name"] == "ragstone"]
    assert [value.split(":")[0] for value in values] == ["PASSED nDCG@10", "PASSED R@10"]


def test_undecided_fails(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_a="""
from ragstone.model import Cell, ScoresBuilder, Status
def scores(status):
    builder = ScoresBuilder(["RR@10"])
    builder.add("q1", [Cell(1.0)])
    builder.add("q2", [Cell(0.0, status)])
    return builder.build()
def test_it(ragstone_gate):
    ragstone_gate.check(scores(Status.SCORED), baseline="a.json")
def test_failed(ragstone_gate):
    ragstone_gate.check(scores(Status.FAILED), baseline="a.json")
"""
    )
    run(pytester, "--ragstone-update-baseline", "-k", "test_it").assert_outcomes(passed=1)
    result = run(pytester, "-k", "test_failed")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["E *INCONCLUSIVE: coverage_changed*", "UNDECIDED test_a.py::test_failed RR@10:*"]
    )


@pytest.mark.slow
def test_it_works_in_several_processes(project: pytest.Pytester) -> None:
    result = run_as_installed(project, "-n", "2", "--ragstone-report-dir", "out")
    result.assert_outcomes(passed=1)
    assert result.stdout.str().count("PASSED test_a.py::test_quality nDCG@10: ") == 1
    assert len(list((project.path / "out").iterdir())) == 2


# ---- runs that do not use it ---------------------------------------------------------------------

PLAIN = "def test_plain():\n    assert True\n"


def test_a_run_that_does_not_use_it_shows_nothing(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(PLAIN)
    result = run_as_installed(pytester)
    result.assert_outcomes(passed=1)
    said = [line for line in result.outlines if "ragstone" in line]
    assert all(line.startswith("plugins: ") for line in said)


def test_it_can_be_switched_off(project: pytest.Pytester) -> None:
    project.makepyfile(test_b=PLAIN)
    result = run_as_installed(project, "-p", "no:ragstone")
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["E *fixture 'ragstone_gate' not found"])
    assert run_as_installed(project, "-p", "no:ragstone", "--ragstone-update-baseline").ret == 4


def test_help_names_its_options(pytester: pytest.Pytester) -> None:
    run_as_installed(pytester, "--help").stdout.fnmatch_lines(
        ["retrieval quality:", "*--ragstone-update-baseline*", "*--ragstone-report-dir=DIR*"]
    )


LOADED = """
import sys
def test_loaded():
    ours = {name for name in sys.modules if name.partition(".")[0] == "ragstone"}
    assert ours == {"ragstone", "ragstone.pytest_plugin"}
    heavy = {"numpy", "msgspec", "click", "rich", "httpx", "langchain_core", "llama_index"}
    assert not heavy & set(sys.modules)
"""


def test_it_imports_nothing_heavy(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(LOADED)
    # rich is of the pytest plugin of another package, where there is one
    run_as_installed(pytester, "-p", "no:langsmith", "-p", "no:anyio").assert_outcomes(passed=1)


def test_its_import_adds_pytest_and_the_standard_library_alone() -> None:
    code = (
        "import pytest, sys; a = set(sys.modules); import ragstone.pytest_plugin; "
        "print(*{m.split('.')[0] for m in set(sys.modules) - a} - sys.stdlib_module_names)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["ragstone"]


def test_names_of_files() -> None:
    long = file_name("tests/a.py::test[" + "é/../x" * 200 + "]", 3)
    assert len(long) < 120
    assert long.endswith("-3")
    assert not set(long) & set("/\\[]: ")
    assert file_name("a::b", 1) != file_name("a/b", 1)
