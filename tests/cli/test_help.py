"""Help: every option explained, in 80 columns, and every example does what it says."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from commands import Done, ragstone
from ragstone.cli.group import COMMANDS, ENTRIES
from ragstone.cli.main import root
from ragstone.judge.calibration import calibrate
from ragstone.model import Cell, ScoresBuilder, Signature
from ragstone.reports import write_report
from ragstone.reports.calibrate import build_calibrate

OURS = ["score", "compare", "convert", "validate-report", "demo"]


def command(name: str) -> click.Command:
    found = root.get_command(click.Context(root), name)
    assert found is not None
    return found


def options(name: str) -> Iterator[click.Option]:
    for parameter in command(name).params:
        if isinstance(parameter, click.Option):
            yield parameter


def shown(*args: str, folder: Path) -> str:
    done = ragstone(*args, "--help", cwd=folder, COLUMNS="80")
    assert (done.code, done.err) == (0, "")
    return done.text


@pytest.mark.parametrize("name", [None, *ENTRIES])
def test_help_fits_80_columns(tmp_path: Path, name: str | None) -> None:
    text = shown(*[name] if name else [], folder=tmp_path)
    assert [line for line in text.splitlines() if len(line) > 80] == []
    assert text.isprintable() or text.replace("\n", "").isprintable()


def test_commands_are_listed_by_what_they_are_for(tmp_path: Path) -> None:
    text = shown(folder=tmp_path)
    assert list(COMMANDS) == ["Measure", "Decide", "Produce", "Files"]
    for title, entries in COMMANDS.items():
        section = text.partition(f"\n{title}:\n")[2].partition("\n\n")[0]
        listed = re.findall(r"^  (\S+)  +(.+)$", section, re.MULTILINE)
        assert [name for name, _ in listed] == list(entries)
        for name, said in listed:
            assert entries[name].help.startswith(said)


@pytest.mark.parametrize("name", ENTRIES)
def test_every_option_says_what_it_is_for(name: str) -> None:
    for option in options(name):
        if option.hidden:
            continue
        assert option.help, option.name
        assert option.help.rstrip().endswith((".", "]", ")")), option.help


@pytest.mark.parametrize("name", ENTRIES)
def test_what_an_option_takes_has_a_name_and_no_type(name: str) -> None:
    unnamed = [
        option.opts[0]
        for option in options(name)
        if not (option.is_flag or option.hidden or isinstance(option.type, click.Choice))
        and option.metavar is None
    ]
    assert unnamed == []


@pytest.mark.parametrize("name", OURS)
def test_every_default_is_said(tmp_path: Path, name: str) -> None:
    said = re.compile(r"\[default: |[Bb]y default|\[required\]|Repeatable|needed", re.DOTALL)
    text = " ".join(shown(name, folder=tmp_path).partition("Options:\n")[2].split())
    silent = {"--help", "--per-query", "--inputs", "--out", "--qrels", "--run", "--floor"}
    silent |= {"--junit"}
    for option in options(name):
        if option.hidden or set(option.opts) & silent:
            continue
        described = text.partition(f"{option.opts[0]} ")[2]
        described = re.split(r" --?[a-z]", described.partition(" Examples: ")[0])[0]
        assert said.search(described), (option.opts, described)


@pytest.mark.parametrize("name", OURS)
def test_hidden_options_are_the_global_ones_and_the_names_of_another_tool(name: str) -> None:
    hidden = {option.opts[0] for option in options(name) if option.hidden}
    others = {"score": {"--queries", "--retrieved"}, "compare": {"--primary-metric"}}
    assert hidden == {"-v", "-q", "--log-format"} | others.get(name, set())


# ---- examples ------------------------------------------------------------------------------------


def examples(name: str) -> list[str]:
    """Return the commands in an epilog, those of several lines joined."""
    epilog = command(name).epilog or ""
    head, _, text = epilog.partition("Examples:\n")
    assert head == "\b\n"
    joined = re.sub(r" \\\n\s+", " ", text)
    return [line.strip() for line in joined.splitlines()]


COPIES = {
    "qrels/test.tsv": ["qrels.tsv", "qrels/test.tsv"],
    "baseline.trec": ["run.trec"],
    "main.json": ["score.json", "reports/main.json", "baselines/a.json"],
    "branch.json": ["reports/branch.json", "baselines/b.json"],
}
MADE = [
    "score --qrels qrels/test.tsv --run baseline.trec --k 10 --out main.json",
    "score --qrels qrels/test.tsv --run candidate.trec --k 10 --out branch.json",
    "compare --baseline main.json --candidate branch.json --out compare.json",
    "convert run --in baseline.trec --to jsonl --out run.jsonl.gz",
    "convert run --in baseline.trec --to trec --out run.trec.gz",
    "convert qrels --in qrels/test.tsv --to trec --out qrels.trec.gz",
]


@pytest.fixture(scope="module")
def prepared(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's files, and what is made of them, under the names that the examples use."""
    folder = tmp_path_factory.mktemp("examples") / "files"
    shutil.copytree(made, folder)
    for line in MADE:
        assert ragstone(*line.split(), cwd=folder).code in {0, 4}
    sample = {"id": "q1", "answer": "F1", "contexts": [{"id": "d1", "text": "F1 helps."}]}
    (folder / "traces.jsonl").write_text(json.dumps(sample))
    write_calibration(folder)
    for source, names in COPIES.items():
        for name in names:
            (folder / name).parent.mkdir(exist_ok=True)
            if name != source:
                shutil.copy(folder / source, folder / name)
    return folder


def write_calibration(folder: Path) -> None:
    """Write what people said of two answers, and how far a judge agreed with them."""
    builder = ScoresBuilder(["faithfulness"])
    rows = []
    for item, value in (("q1", 1.0), ("q2", 0.0)):
        builder.add(item, [Cell(value)])
        rows.append({"id": item, "measure": "faithfulness", "label": value > 0.5})
    judged = builder.build(Signature.of(judge="openai:some-model", prompt="ab12"))
    made = build_calibrate(calibrate(judged, rows), [])
    write_report(made, folder / "calibration.json")


@pytest.fixture
def files(prepared: Path, tmp_path: Path) -> Path:
    """A copy of them."""
    return Path(shutil.copytree(prepared, tmp_path / "files"))


def bash(script: str, folder: Path) -> Done:
    """Run a line of shell in which `ragstone` is the command of this interpreter."""
    function = f'ragstone() {{ "{sys.executable}" -m ragstone "$@"; }}; set -o pipefail; '
    done = subprocess.run(
        ["bash", "-c", function + script], cwd=folder, capture_output=True, check=False
    )
    return Done(done.returncode, done.stdout, done.stderr.decode())


@pytest.mark.parametrize(
    ("name", "example"), [(name, example) for name in OURS for example in examples(name)]
)
def test_an_example_runs(files: Path, name: str, example: str) -> None:
    assert f"ragstone {name} " in f"{example} "
    done = bash(example, files)
    # The calibration is of a judge, and no judge measured these reports.
    unused = "warning: --calibration calibration.json is not used: "
    told = unused if "--calibration" in example else ""
    assert done.err.startswith(told)
    assert done.err.count("\n") == bool(told)
    # The candidate lost more than its budgets allow, and the exit code says so.
    assert done.code == (4 if name == "compare" else 0)
    assert done.out or ">" in example or "--out" in example


@pytest.mark.parametrize("name", ENTRIES)
def test_every_command_has_an_example(name: str) -> None:
    assert len(examples(name)) >= 2


def test_the_terminal_may_be_narrow_or_wide(tmp_path: Path) -> None:
    for columns in ("1", "20", "79", "200", "0", "-3", "x"):
        done = ragstone("score", "--help", cwd=tmp_path, COLUMNS=columns)
        assert (done.code, done.err) == (0, "")
