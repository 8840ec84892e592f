"""Judged measures in the registry, and those of rubrics, which nobody has registered."""

from __future__ import annotations

import pytest

from ragstone.errors import UnknownNameError
from ragstone.measures import JUDGED, MEASURES, Area, Direction, parse_aggregate, parse_measure
from ragstone.measures.judged import rubric_declaration


@pytest.mark.parametrize("measure", JUDGED, ids=str)
def test_a_judged_measure_is_about_answers_and_parses_from_its_name(measure: object) -> None:
    found = parse_measure(str(measure))
    assert found == measure
    assert found.declaration.area is Area.ANSWERS
    assert found.declaration.range == (0.0, 1.0)


def test_less_is_better_of_toxicity_alone() -> None:
    lower = {str(each) for each in JUDGED if each.declaration.direction is Direction.LOWER}
    assert lower == {"toxicity"}


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("groundedness", "faithfulness"),
        ("answer_relevancy", "answer_relevance"),
        ("factual_correctness", "answer_correctness"),
    ],
)
def test_names_of_other_tools_are_known(alias: str, name: str) -> None:
    assert str(parse_measure(alias)) == name


def test_a_rubric_has_a_measure_whose_name_says_which_way_is_better() -> None:
    assert "rubric.polite" in MEASURES
    assert "rubric.polite" not in list(MEASURES)
    assert "RUBRIC.Polite" in MEASURES
    assert MEASURES.resolve("RUBRIC.Polite") == "rubric.polite"
    assert parse_measure("rubric.polite").declaration.direction is Direction.HIGHER
    assert parse_measure("rubric_lower.waffle").declaration.direction is Direction.LOWER
    assert str(parse_aggregate("rubric.polite:p50")) == "rubric.polite:p50"


def test_what_is_no_name_of_a_rubric_is_unknown() -> None:
    for name in ("rubric.", "rubric.1", "rubric", "rubrics.polite", "rubric.a b"):
        assert rubric_declaration(name) is None
        with pytest.raises(UnknownNameError):
            MEASURES[name]
