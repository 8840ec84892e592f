"""Names and aliases to values."""

from __future__ import annotations

import pytest

from ragstone.errors import UnknownNameError
from ragstone.registry import Registry


@pytest.fixture
def colours() -> Registry[int]:
    registry = Registry[int]("colour", fold=str.lower)
    registry.add("Red", 1, aliases=["rouge", "RED"])
    registry.add("blue", 2)
    return registry


def test_names_and_aliases(colours: Registry[int]) -> None:
    assert [colours[name] for name in ("Red", "red", "ROUGE", "Blue")] == [1, 1, 1, 2]
    assert colours.resolve("rouge") == "Red"
    assert list(colours) == ["Red", "blue"]
    assert dict(colours) == {"Red": 1, "blue": 2}
    assert len(colours) == 2


def test_a_mapping_keeps_its_promises(colours: Registry[int]) -> None:
    assert "rouge" in colours
    assert "green" not in colours
    assert not colours.__contains__(7)
    assert colours.get("rouge") == 1
    assert colours.get("green") is None
    assert colours.get("green", 3) == 3
    with pytest.raises(KeyError):
        colours["green"]


def test_an_unknown_name_is_answered_with_the_nearest(colours: Registry[int]) -> None:
    with pytest.raises(UnknownNameError) as caught:
        colours["rogue"]
    assert str(caught.value) == "unknown colour 'rogue'; did you mean rouge or Red?"
    with pytest.raises(UnknownNameError) as caught:
        colours.resolve("xyz")
    assert str(caught.value) == "unknown colour 'xyz'; known: Red, blue, rouge"


def test_a_name_is_taken_once(colours: Registry[int]) -> None:
    for name, aliases in (("RED", []), ("rouge", []), ("green", ["Blue"])):
        with pytest.raises(ValueError, match="is registered twice"):
            colours.add(name, 9, aliases)
    assert dict(colours) == {"Red": 1, "blue": 2}


def test_without_folding_case_matters() -> None:
    registry = Registry[int]("tokenizer")
    registry.add("a", 1)
    registry.add("A", 2)
    assert (registry["a"], registry["A"]) == (1, 2)


def test_a_family_has_the_names_that_nobody_registered(colours: Registry[int]) -> None:
    colours.families.append(lambda name: int(name[4:]) if name.startswith("grey") else None)
    assert (colours["Grey40"], colours.resolve("GREY40"), "grey1" in colours) == (
        40,
        "grey40",
        True,
    )
    assert "Grey40" not in list(colours)
    assert "green" not in colours
    with pytest.raises(UnknownNameError):
        colours["green"]
