"""The demo's files: the collection as it is, and runs that can be made again."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragstone.demo import helpdesk
from ragstone.demo.retrievers import DEPTH, baseline, candidate
from ragstone.demo.tour import FILES, QRELS, RETRIEVERS, prepare, steps
from ragstone.errors import InputError
from ragstone.formats import read_qrels, read_run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tour") / "new" / "folder"
    assert prepare(folder) == "101 documents, 55 questions"
    return folder


def test_the_collection_is_written_as_it_is(folder: Path) -> None:
    assert {str(place) for place in FILES.values()} == {
        "corpus.jsonl",
        "queries.jsonl",
        "qrels/test.tsv",
    }
    for name, place in FILES.items():
        assert (folder / place).read_text("utf-8") == helpdesk.read(name)


@pytest.mark.parametrize(("name", "search"), [("baseline", baseline()), ("candidate", candidate())])
def test_a_run_is_what_its_retriever_finds(folder: Path, name: str, search: object) -> None:
    assert callable(search)
    texts = helpdesk.queries()
    run = read_run(folder / f"{name}.trec")
    assert set(run) == set(read_qrels(folder / QRELS)) == set(texts)
    for query, ranking in run.items():
        assert list(ranking.items()) == search(texts[query])
        assert 0 < len(ranking) <= DEPTH
    tags = {line.split()[-1] for line in (folder / f"{name}.trec").read_text().splitlines()}
    assert tags == {name}


def test_the_same_bytes_again(folder: Path, tmp_path: Path) -> None:
    prepare(tmp_path)
    for name in (*map(str, FILES.values()), *(f"{name}.trec" for name in RETRIEVERS)):
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()


def test_the_steps_are_commands_on_these_files() -> None:
    commands = [step.args for step in steps(Path("here"))]
    assert [args[0] for args in commands] == ["score", "score", "compare"]
    for name, args in zip(RETRIEVERS, commands, strict=False):
        assert args[1:] == (
            "--qrels", "here/qrels/test.tsv", "--run", f"here/{name}.trec",
            "--out", f"here/{name}.json",
        )  # fmt: skip
    assert commands[2][1:5] == (
        "--baseline", "here/baseline.json", "--candidate", "here/candidate.json"
    )  # fmt: skip
    assert all(step.said.endswith(".") for step in steps(Path()))


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="one of its folders is a file"):
        prepare(tmp_path / "file" / "demo")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
