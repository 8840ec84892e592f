"""The frozen values: each is what we compute, and the files are what their maker makes."""

from __future__ import annotations

import importlib.util
import json
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import pytest

from ragstone.formats import open_run, read_qrels, read_run
from ragstone.measures import parse_measure
from ragstone.scoring import score

HERE = Path(__file__).parent
SETS = ("ties", "graded", "float32")


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_reference", HERE / "make.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_files_are_what_their_maker_makes(maker: ModuleType, tmp_path: Path) -> None:
    maker.write(tmp_path)
    made = sorted(path.name for path in tmp_path.iterdir())
    assert made == sorted(f"{name}.{kind}" for name in SETS for kind in ("qrels", "run", "json"))
    for name in made:
        assert (tmp_path / name).read_bytes() == (HERE / name).read_bytes(), name


def test_the_sets_have_what_they_are_for() -> None:
    for name in SETS:
        qrels, run = read_qrels(HERE / f"{name}.qrels"), read_run(HERE / f"{name}.run")
        assert "q13" not in qrels
        assert "q14" not in run
        assert max(qrels["q12"].values()) == 0
        assert {len(ranking) for ranking in run.values()} & {1, 2}
        scored = score(qrels, run, ["AP"])
        assert scored.facts["order_differs_between_versions"] == 4 * (name == "float32")
        ties = [len(set(ranking.values())) < len(ranking) for ranking in run.values()]
        assert any(ties) == (name != "graded")
        negative = [grade < 0 for judged in qrels.values() for grade in judged.values()]
        assert any(negative) == (name != "ties")


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("name", SETS)
def test_drawn_sets(name: str, level: int) -> None:
    frozen = json.loads((HERE / f"{name}.json").read_text("utf-8"))[str(level)]
    qrels, run = read_qrels(HERE / f"{name}.qrels"), open_run(HERE / f"{name}.run")
    names = sorted(frozen["q1"])
    assert len(names) == 43
    scores = score(qrels, run, names, relevance_level=level, trec_eval=9)
    assert set(scores.items) == {*frozen, "q14"}
    for each in names:
        column = scores[str(parse_measure(each))]
        found = dict(zip(scores.items, column.values, strict=True))
        expected = {query: row[each] for query, row in frozen.items()}
        expected["q14"] = sum(g >= level for g in qrels["q14"].values()) * (each == "num_rel")
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-12), each


@pytest.mark.parametrize("version", [10, 9])
def test_the_set_by_hand(version: int) -> None:
    frozen = json.loads((HERE / "hand.json").read_text("utf-8"))[str(version)]
    qrels, run = read_qrels(HERE / "hand.qrels"), open_run(HERE / "hand.run")
    for query, values in frozen.items():
        scores = score(qrels, run, list(values), trec_eval=version)
        place = scores.items.index(query)
        found = {name: scores[str(parse_measure(name))].values[place] for name in values}
        expected = {name: float(Fraction(text)) for name, text in values.items()}
        assert found == pytest.approx(expected, rel=1e-15, abs=1e-15)
