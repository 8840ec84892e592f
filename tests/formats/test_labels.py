"""Labels of people: what is read, and what an error says."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragstone.errors import FormatError
from ragstone.formats.labels import Label, read_labels


def test_every_kind_of_label(tmp_path: Path) -> None:
    file = tmp_path / "human.jsonl"
    file.write_text(
        '{"id": "q1", "measure": "faithfulness", "label": true, "annotator": "ada"}\n'
        "# a comment\n"
        '{"_id": 7, "measure": "coherence", "label": " mostly ", "why": "it jumps"}\n'
        '{"id": "q2", "label": 4.5, "annotator": 3}\n'
        '{"first": "q1/a", "second": "q1/b", "measure": "token_f1", "label": "second"}\n'
        '{"id": "q3", "label": null}\n'
    )
    found = read_labels(file)
    assert found.rows == (
        Label("q1", "faithfulness", True, "ada", "", 1),
        Label("7", "coherence", "mostly", "", "", 3),
        Label("q2", "", 4.5, "3", "", 4),
        Label("q1/a", "token_f1", "second", "", "q1/b", 5),
    )
    assert found.facts == {"labels_missing": 1}
    assert [label.text for label in found.rows] == ["true", "mostly", "4.5", "second"]
    assert found.rows[3].what == ("q1/a", "q1/b")


BAD = {
    '{"measure": "m", "label": 1}': "1: a label without an id; expected {",
    '{"id": "q", "lable": 1}': "1: has no 'label', only 'id', 'lable'; expected {",
    '{"id": "q", "label": [1]}': "1: has an array as its 'label'; a number, true or false, or a "
    "word was expected",
    '{"id": "q", "label": ""}': "1: has '' as its 'label'",
    '{"id": "q", "label": 1e400}': "1: has Infinity as its 'label'",
    '{"id": "q", "label": NaN}': "1: NaN is not JSON",
    '{"id": "q", "first": "a", "second": "b", "label": 1}': "1: a preference has 'first' and "
    "'second', two ids, and no 'id'; this row has id, first, second",
    '{"first": "a", "label": 1}': "1: a preference has 'first' and 'second'",
    '{"id": "q", "label": 1}\n{"id": "q", "label": 0}': "2: 'q' has a second label of nobody named "
    "for the same measure, the first is at line 1; tell several people apart with 'annotator'",
    '{"id": "q", "label": null}': "human.jsonl: there is no label; one a line was expected",
    "[1]": "1: JSON array; expected one object per line",
    '{"id": "q", "label": 1, "measure": 1.5}': "1: item 'q' has 1.5 as its 'measure'",
}


@pytest.mark.parametrize(("text", "message"), BAD.items())
def test_what_is_wrong_is_named(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "human.jsonl"
    file.write_text(text + "\n")
    with pytest.raises(FormatError) as raised:
        read_labels(file)
    assert message in str(raised.value)
    assert str(raised.value).startswith(str(file))


def test_words_for_yes_and_no_and_numbers_in_quotes() -> None:
    said = ["yes", "no", "true", "1", "0.5", "-2", "Yes", "maybe", "1e3", "nan"]
    rows = read_labels([{"id": str(n), "label": each} for n, each in enumerate(said)]).rows
    assert [row.value for row in rows] == [True, False, True, 1.0, 0.5, -2.0, *said[6:]]
    assert [row.text for row in rows] == said  # a scale may have these words


def test_words_of_a_preference_stay_words() -> None:
    [label] = read_labels([{"first": "a", "second": "b", "label": "yes"}]).rows
    assert (label.value, label.word) == ("yes", "")


def test_a_slip_in_the_name_of_a_field_is_pointed_out() -> None:
    found = read_labels(
        [{"id": "a", "label": 1, "anotator": "ada"}, {"_id": "b", "label": 1, "why": "so"}]
    )
    assert found.notes() == [
        "labels: 1 label has 'anotator', which ragstone does not know; did you mean annotator?"
    ]


def test_rows_in_memory() -> None:
    assert read_labels([{"id": 1, "label": 0.5}]).rows == (Label("1", "", 0.5, line=1),)
    with pytest.raises(FormatError, match="labels:1: a label without an id"):
        read_labels([{"label": 0.5}])
    with pytest.raises(FormatError, match="labels: there is no label"):
        read_labels([])
