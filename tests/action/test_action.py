"""The GitHub Action, its steps executed: what it outputs, shows, and never executes."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from composite import Action, obeyed
from ragstone.model import Cell, ScoresBuilder, Status
from ragstone.reports import build_score, read_report, write_report
from sources import ROOT

HERE = Path(__file__).resolve().parent
GIVEN = {"python": {"python-path": sys.executable}, "install": {"python": sys.executable}}


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the reports of both runs, and of one with another set of queries."""
    folder = tmp_path_factory.mktemp("reports")
    runs = {"baseline": "qrels.txt", "candidate": "qrels.txt", "other": "other.txt"}
    (folder / "other.txt").write_text("q1 0 d1 1\n")
    shutil.copy(HERE / "qrels.txt", folder)
    for name, qrels in runs.items():
        run = HERE / f"{'baseline' if name == 'other' else name}.run"
        score(folder, qrels, run, f"{name}.json")
    return folder


def score(folder: Path, qrels: str, run: Path, out: str) -> None:
    """Write the report of a run."""
    command = ["score", "--qrels", qrels, "--run", str(run), "--k", "10", "--out", out, "--quiet"]
    subprocess.run(
        [sys.executable, "-m", "ragstone", *command],
        check=True,
        cwd=folder,
        stdout=subprocess.DEVNULL,
    )


@pytest.fixture
def workspace(reports: Path, tmp_path: Path) -> Path:
    """A job's folder with the reports in it."""
    return shutil.copytree(reports, tmp_path / "work space")


@pytest.fixture
def action(workspace: Path) -> Action:
    return Action(ROOT, workspace, GIVEN)


BOTH = {"baseline": "baseline.json", "candidate": "candidate.json"}
SAME = {"baseline": "baseline.json", "candidate": "baseline.json"}


def written(verdict: str, code: int, report: str = "rag-compare.json") -> dict[str, str]:
    return {"verdict": verdict, "exit-code": str(code), "report": report}


def test_the_same_report_passes(action: Action, workspace: Path) -> None:
    assert action.run(**SAME) == written("pass", 0)
    assert action.code == 0
    assert action.summary.startswith("**PASS: 6 gated measures within budget (8 queries compared)")
    [notice] = obeyed(action.log)
    assert notice.startswith("::notice title=ragstone%3A comparison::PASS")
    report = json.loads((workspace / "rag-compare.json").read_bytes())
    assert report["predicate"]["verdict"] == "pass"


def test_four_of_eight_lost_fails_by_its_budget(action: Action) -> None:
    assert action.run(**BOTH, alpha="0.05") == written("fail", 4)
    assert action.code == 4
    assert action.summary.startswith("**FAIL: AP@10, nDCG@10, P@10, R@10, RR@10, Success@10 got")
    assert "the test could not have failed" in action.summary
    assert sum(line.startswith("::error ") for line in obeyed(action.log)) == 6


def test_a_t_test_may_be_asked_for(action: Action) -> None:
    assert action.run(**BOTH, alpha="0.05", test="t-test") == written("fail", 4)
    assert "t-test" in action.summary


def test_fail_on_regression_false_lets_the_job_go_on(action: Action) -> None:
    found = action.run(**BOTH, budgets="ndcg=1\nhit_rate=off", fail_on_regression="false")
    assert found == written("fail", 4)
    assert action.code == 0


@pytest.mark.parametrize("value", ["true", "", "no", "False", "false; true"])
def test_only_false_is_false(value: str, action: Action) -> None:
    action.run(**BOTH, fail_on_regression=value)
    assert action.code == 4


def test_budgets_are_one_a_line_whatever_the_blanks(action: Action) -> None:
    off = ["ndcg=off", "precision=off", "recall=off", "mrr=off", "map=off", "hit_rate = off"]
    budgets = "\n".join(f"  {line}\t\r" for line in ["", *off, ""])
    assert action.run(**BOTH, budgets=budgets) == written("pass", 0)


def test_percents_reach_the_gate(action: Action) -> None:
    found = action.run(**BOTH, max_recall_regression_pct="60", max_regression_pct="49.9")
    assert found == written("fail", 4)
    assert "R@10" not in action.summary.splitlines()[0].replace("RR@10", "")


def test_two_that_cannot_be_compared_fail(action: Action) -> None:
    assert action.run(baseline="baseline.json", candidate="other.json") == written("fail", 4)
    assert "query\\_set\\_mismatch" in action.summary


def test_undecided_is_not_a_pass(action: Action, workspace: Path) -> None:
    path = workspace / "candidate.json"
    spoil_first_item(workspace / "baseline.json", path)
    assert action.run(**BOTH) == written("inconclusive", 5)
    assert action.code == 5
    assert action.summary.startswith("**INCONCLUSIVE: ")


def spoil_first_item(source: Path, target: Path) -> None:
    """Copy a report, its first item under every measure turned into one that failed."""
    scores = read_report(source).scores
    builder = ScoresBuilder(list(scores.columns))
    for place, item in enumerate(scores.items):
        cells = [Cell(column.values[place]) for column in scores.columns.values()]
        failed = [Cell(0.0, Status.FAILED, reason="timeout")] * len(cells)
        builder.add(item, cells if place else failed)
    own = {name: column.signature for name, column in scores.columns.items()}
    write_report(build_score(builder.build(scores.signature, own), []), target)


@pytest.mark.parametrize("fail_on_regression", ["true", "false"])
def test_an_input_that_is_not_there_is_an_error(fail_on_regression: str, action: Action) -> None:
    found = action.run(
        baseline="missing.json", candidate="missing.json", fail_on_regression=fail_on_regression
    )
    assert found == written("error", 2, "")
    assert action.code == 2
    assert action.summary == (
        "**ERROR: no comparison (exit code 2)**\n\n    error: missing.json: no such file\n"
    )
    assert obeyed(action.log) == [
        "::error title=ragstone%3A no comparison::missing.json: no such file"
    ]


def test_an_old_report_does_not_speak_for_a_run_that_failed(
    action: Action, workspace: Path
) -> None:
    shutil.copy(workspace / "baseline.json", workspace / "rag-compare.json")
    assert action.run(baseline="x", candidate="y") == written("error", 2, "")
    assert not (workspace / "rag-compare.json").exists()


def test_the_report_of_an_error_says_error(action: Action, workspace: Path) -> None:
    (workspace / "candidate.json").write_text("{}")
    assert action.run(**BOTH) == written("error", 2)
    report = json.loads((workspace / "rag-compare.json").read_bytes())
    assert report["predicate"]["kind"] == "ragstone.error"


@pytest.mark.parametrize("report", ["baseline.json", "./candidate.json"])
def test_a_report_is_not_written_over_an_input(
    report: str, action: Action, workspace: Path
) -> None:
    before = (workspace / report).read_bytes()
    assert action.run(**BOTH, report=report) == written("error", 2, "")
    assert (workspace / report).read_bytes() == before


def test_paths_may_have_blanks_and_be_new(action: Action, workspace: Path) -> None:
    folder = workspace / "my reports; (new)"
    folder.mkdir()
    for name in ("baseline", "candidate"):
        (workspace / f"{name}.json").rename(folder / f"{name} 1.json")
    report = "out put/deep er/compare é.json"
    found = action.run(
        baseline="my reports; (new)/baseline 1.json",
        candidate="my reports; (new)/candidate 1.json",
        report=report,
    )
    assert found == written("fail", 4, report)
    assert (workspace / report).exists()


# Each where it would do most harm; the slow test has each in every input.
HOSTILE = {
    "$(touch x)": "budgets",
    "`touch x`": "report",
    "; touch x #": "alpha",
    "' || touch x #": "budgets",
    '" && touch x #': "budgets",
    "a\n::error::taken\n": "baseline",
    "::add-mask::fail": "candidate",
    "##[add-mask]fail": "baseline",
    "x\nverdict=pass\nexit-code=0": "report",
    "a\r::stop-commands::t\r": "report",
    "-x": "baseline",
    "--help": "budgets",
    "--version": "candidate",
    "-": "candidate",
    "${{ github.token }}": "max_regression_pct",
    "%0A::error::taken": "baseline",
    "x" * 5_000: "report",
    "*": "budgets",
    "~": "report",
    "!!": "test",
    "é\u2028\u202e": "report",
}
FREE = [
    *("baseline", "candidate", "max_recall_regression_pct", "max_regression_pct"),
    *("budgets", "alpha", "test", "report"),
]


@pytest.mark.parametrize(("hostile", "name"), HOSTILE.items())
def test_no_input_is_executed(hostile: str, name: str, workspace: Path) -> None:
    check_inert(hostile, name, workspace)


@pytest.mark.slow
@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda text: repr(text[:20]))
def test_none_is_executed_in_any_input(hostile: str, workspace: Path) -> None:
    for name in FREE:
        check_inert(hostile, name, workspace)


def check_inert(hostile: str, name: str, workspace: Path) -> None:
    """Run the action with one hostile input; nothing but its report may be new."""
    before = {path.name for path in workspace.iterdir()}
    job = Action(ROOT, workspace, GIVEN)
    found = job.run(**{**BOTH, name: hostile})
    made = {path.name for path in workspace.iterdir()} - before
    assert made <= {"rag-compare.json", *([hostile] if name == "report" else [])} - {"x"}
    assert not any("\n" in value or "\r" in value for value in found.values())
    expected = ("fail", "4") if name == "report" and found["report"] else ("error", "2")
    assert (found["verdict"], found["exit-code"]) == expected, job.log
    assert job.code == int(found["exit-code"])
    for line in obeyed(job.log):
        assert line.startswith(("::error title=ragstone", "::notice title=ragstone"))
        # what would start a command of its own is not at the start of a line
        assert line.count("::error::taken") == 0 or "\\n" in line or "%25" in line
    for path in made:
        (workspace / path).unlink()


def test_what_is_in_a_report_is_not_executed_either(action: Action, workspace: Path) -> None:
    hostile = "$(touch${IFS}x)::error::taken##[add-mask]y"
    qrels = (HERE / "qrels.txt").read_text().replace("q8", hostile)
    (workspace / "hostile.txt").write_text(qrels)
    for name in ("baseline", "candidate"):
        run = workspace / f"{name}.run"
        run.write_text((HERE / run.name).read_text().replace("q8", hostile))
        score(workspace, "hostile.txt", run, f"{name}.json")
    assert action.run(**BOTH) == written("fail", 4)
    assert not (workspace / "x").exists()
    assert all(
        line.startswith(("::error title=", "::notice title=")) for line in obeyed(action.log)
    )


def test_a_module_in_the_workspace_is_not_imported(action: Action, workspace: Path) -> None:
    for name in ("ragstone", "json", "numpy", "sitecustomize"):
        (workspace / f"{name}.py").write_text("open('x', 'w')\n")
    assert action.run(**BOTH) == written("fail", 4)
    assert not (workspace / "x").exists()


def test_the_commands_that_a_runner_would_obey() -> None:
    log = " ::error::a\n::stop-commands::t\n::error::b\nx ##[c]\n::t::\ny ##[d]\n"
    assert obeyed(log) == [" ::error::a", "y ##[d]"]


# ---- installing --------------------------------------------------------------------------------

FAKE = """#!/usr/bin/env bash
printf '%s\\n' "$*" >>"$RUNNER_TEMP/calls"
if [ "$2 $3" = "-m venv" ]; then
    mkdir -p "$5/bin"
    cp "$0" "$5/bin/python"
fi
"""


def test_installs_from_its_own_checkout_into_a_place_of_its_own(tmp_path: Path) -> None:
    fake = tmp_path / "python fake"
    fake.write_text(FAKE)
    fake.chmod(0o755)
    (tmp_path / "job").mkdir()
    given = {"python": {"python-path": str(fake)}, "compare": {"exit-code": "0"}}
    job = Action(ROOT, tmp_path / "job", given)
    job.run(baseline="a", candidate="b")
    assert job.code == 0, job.log
    folder = tmp_path / "job-runner"
    assert job.steps["install"] == {"python": f"{folder}/ragstone/bin/python"}
    assert (folder / "calls").read_text().splitlines() == [
        f"-I -m venv --clear {folder}/ragstone",
        f"-I -m pip install --quiet --disable-pip-version-check {ROOT}",
    ]


def test_without_a_python_version_it_is_the_runners_own(tmp_path: Path) -> None:
    (tmp_path / "job").mkdir()
    job = Action(ROOT, tmp_path / "job", {"python": {}, "compare": {}})
    fake = tmp_path / "python3"
    fake.write_text("#!/usr/bin/env bash\nexit 7\n")
    fake.chmod(0o755)
    job.env = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    job.run(baseline="a", candidate="b", python_version="")
    assert job.code == 7


# ---- as declared -------------------------------------------------------------------------------


def test_inputs_and_defaults() -> None:
    declared = Action(ROOT, HERE, {}).action
    assert {name: each.get("default") for name, each in declared["inputs"].items()} == {
        "baseline": None,
        "candidate": None,
        "max-recall-regression-pct": "2.0",
        "max-regression-pct": "",
        "budgets": "",
        "alpha": "",
        "test": "permutation",
        "report": "rag-compare.json",
        "fail-on-regression": "true",
        "python-version": "3.12",
    }
    assert list(declared["outputs"]) == ["verdict", "exit-code", "report"]
    assert [name for name, each in declared["inputs"].items() if each.get("required")] == [
        "baseline",
        "candidate",
    ]


def test_an_action_that_did_not_get_to_its_verdict_fails(tmp_path: Path) -> None:
    (tmp_path / "job").mkdir()
    job = Action(ROOT, tmp_path / "job", {"python": {}, "install": {}, "compare": {}})
    job.run(baseline="a", candidate="b", fail_on_regression="false")
    assert job.code == 3
