"""How far a measure agrees with people: joins, scales, people among each other, slices."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET
from scipy import stats
from statsmodels.stats.inter_rater import cohens_kappa

from ragstone.errors import FormatError, InputError, UsageError
from ragstone.judge.calibration import calibrate
from ragstone.judge.calibration_result import Calibrated, MeasureCalibration
from ragstone.judge.calibration_scale import parse_scale
from ragstone.judge.calibration_slices import traits_of
from ragstone.model import Cell, Scores, ScoresBuilder, Signature, Status
from ragstone.model.samples import Sample

FAILED = Cell(0.0, Status.FAILED, reason="timeout")
JUDGED = Signature.of(judge="openai:gpt-4o", prompt="ab12")


def scores(
    columns: Mapping[str, Mapping[str, float | None]], signature: Signature = JUDGED
) -> Scores:
    """Build Scores from measure -> item -> value; None failed."""
    builder = ScoresBuilder(list(columns))
    for item in next(iter(columns.values())):
        values = [columns[name][item] for name in columns]
        builder.add(item, [FAILED if value is None else Cell(value) for value in values])
    return builder.build(columns=dict.fromkeys(columns, signature))


def labelled(labels: Mapping[str, Any], **more: Any) -> list[dict[str, Any]]:
    return [{"id": item, "label": label, **more} for item, label in labels.items()]


def one(values: Mapping[str, float | None], labels: Any, **options: Any) -> MeasureCalibration:
    name = options.pop("name", "faithfulness")
    rows = labelled(labels, measure=name) if isinstance(labels, Mapping) else labels
    found = calibrate(scores({name: values}), rows, resamples=99, **options)
    return found[name]


VALUES = {"a": 1.0, "b": 0.9, "c": 0.4, "d": 0.0, "e": 1.0, "f": 0.2, "g": 0.8, "h": 0.6}
PEOPLE = {"a": True, "b": True, "c": False, "d": False, "e": False, "f": True, "g": True}


def test_a_threshold_turns_values_into_verdicts() -> None:
    found = one(VALUES, PEOPLE, thresholds={"faithfulness": 0.8})
    assert (found.scale, found.threshold, found.label_threshold) == ("binary", 0.8, 0.5)
    assert (found.labels, found.items, found.annotators) == (7, 7, 1)
    assert (found.judge, found.prompt) == ("openai:gpt-4o", "ab12")
    assert found.categorical is not UNSET
    # yes by people: a b f g; yes by the measure: a b e g (0.8 is yes)
    assert found.categorical.confusion.categories == ["no", "yes"]
    assert found.categorical.confusion.counts == [[2, 1], [1, 3]]
    reference = cohens_kappa([[2, 1], [1, 3]], return_results=True)
    assert found.categorical.kappa.value == pytest.approx(float(reference.kappa))
    error = found.categorical.kappa.standard_error
    assert error == pytest.approx(float(reference.std_kappa))
    assert found.categorical.balanced_accuracy.value == pytest.approx((2 / 3 + 3 / 4) / 2)
    assert found.categorical.exact == pytest.approx(5 / 7)
    assert [(each.item, each.label, each.verdict) for each in found.disagreements] == [
        ("e", "false", "yes"),
        ("f", "true", "no"),
    ]


def test_without_one_they_stay_numbers() -> None:
    result = calibrate(scores({"faithfulness": VALUES}), labelled(PEOPLE), resamples=99)
    found = result["faithfulness"]
    assert (found.scale, found.categorical, result.kappa(found)) == ("continuous", UNSET, None)
    values = [VALUES[item] for item in PEOPLE]
    for mine, theirs in ((found.pearson, stats.pearsonr), (found.spearman, stats.spearmanr)):
        assert mine.value == pytest.approx(float(theirs(list(PEOPLE.values()), values).statistic))
    assert found.disagreements == []
    assert result.warnings[0] == (
        "faithfulness: labels and values are compared as numbers; kappa needs "
        "--threshold faithfulness=..."
    )


def test_numbers_of_people_need_a_threshold_of_their_own() -> None:
    stars = {"a": 5, "b": 4, "c": 2, "d": 1}
    with pytest.raises(UsageError, match="numbers up to 5; say from which one"):
        one(VALUES, stars, thresholds={"faithfulness": 0.5})
    found = one(VALUES, stars, thresholds={"": 0.5}, label_thresholds={"": 4})
    assert found.categorical is not UNSET
    assert found.categorical.confusion.counts == [[2, 0], [0, 2]]
    with pytest.raises(UsageError, match="its values are not 0 or 1; say from which one"):
        one(VALUES, stars, label_thresholds={"faithfulness": 4})


def test_words_of_a_judged_scale_are_known() -> None:
    values = {"a": 1.0, "b": 2 / 3, "c": 1 / 3, "d": 0.0, "e": 0.5}
    people = {"a": "full", "b": "full", "c": "partly", "d": "none", "e": "partly"}
    found = one(values, people, name="answer_relevance", weights="quadratic")
    assert found.scale == "ordinal"
    assert found.categorical is not UNSET
    assert found.categorical.confusion.categories == ["none", "partly", "mostly", "full"]
    assert found.categorical.confusion.counts == [
        [1, 0, 0, 0],
        [0, 2, 0, 0],  # 0.5 is as near to mostly as to partly: the lower
        [0, 0, 0, 0],
        [0, 0, 1, 1],
    ]
    table = found.categorical.confusion.counts
    for weights in ("linear", "quadratic"):
        estimate = found.categorical.weighted(weights)
        reference = float(cohens_kappa(table, wt=weights).kappa)
        assert estimate.value == pytest.approx(reference)
    plain = float(cohens_kappa(table).kappa)
    assert found.categorical.kappa.value == pytest.approx(plain)
    assert found.categorical.recalls == [1.0, 1.0, None, 0.5]


def test_the_weights_decide_which_kappa_counts() -> None:
    values = {"a": 1.0, "b": 2 / 3, "c": 1 / 3, "d": 0.0, "e": 2 / 3}
    people = {"a": "full", "b": "full", "c": "partly", "d": "none", "e": "partly"}
    rows = labelled(people, measure="coherence")
    words = parse_scale("none:0,partly:1/3,mostly:2/3,full:1")
    kappas = {}
    for weights in ("none", "linear", "quadratic"):
        found = calibrate(
            scores({"coherence": values}), rows, scales={"": words}, weights=weights, resamples=9
        )
        kappas[weights] = found.kappa(found["coherence"])
    assert kappas["none"] < kappas["linear"] < kappas["quadratic"]  # type: ignore[operator]


def test_a_word_that_no_scale_has() -> None:
    with pytest.raises(InputError) as raised:
        one({"a": 1.0, "b": 0.0}, {"a": "ful", "b": "none"}, name="answer_relevance")
    assert str(raised.value) == (
        "labels:1: the label 'ful' is no number, and no word of the scale of answer_relevance "
        "(words: full, mostly, partly, none); did you mean full?"
    )
    with pytest.raises(InputError, match="give its words with --scale faithfulness=WORD:NUMBER"):
        one({"a": 1.0, "b": 0.0}, {"a": "good", "b": "bad"})


def test_equal_sets_of_few_numbers_are_categories() -> None:
    found = one({"a": 1.0, "b": 0.5, "c": 0.0}, {"a": 1, "b": 0.5, "c": 0.5})
    assert found.scale == "ordinal"
    assert found.categorical is not UNSET
    assert found.categorical.confusion.categories == ["0", "0.5", "1"]
    assert one({"a": 1.0, "b": 0.5}, {"a": 4, "b": 3}).scale == "continuous"


def preferences() -> tuple[Scores, Scores, list[dict[str, Any]]]:
    first = scores({"faithfulness": {"a": 0.5, "b": 0.5, "c": 0.9, "d": 0.1}})
    second = scores({"faithfulness": {"a": 0.7, "b": 0.52, "c": 0.3, "d": 0.8}})
    return first, second, labelled({"a": "second", "b": "tie", "c": "second"})


def test_preferences_between_two_systems() -> None:
    first, second, rows = preferences()
    result = calibrate(first, rows, second=second, tie=0.05, resamples=99)
    found = result["faithfulness"]
    assert (found.scale, found.tie) == ("preference", 0.05)
    assert found.categorical is not UNSET
    assert found.categorical.confusion.categories == ["first", "tie", "second"]
    assert found.categorical.confusion.counts == [[0, 0, 0], [0, 1, 0], [1, 0, 1]]
    assert found.powered is not UNSET
    assert (found.powered.labelled, found.powered.others) == (3, 1)
    [differ] = found.disagreements
    assert (differ.item, differ.second, differ.label, differ.verdict) == (
        "c",
        "c",
        "second",
        "first",
    )
    assert differ.value == pytest.approx(-0.6)


def test_preferences_within_one_report_and_lower_is_better() -> None:
    values = {"1/a": 1.0, "1/b": 0.0, "2/a": 0.0, "2/b": 1.0}
    rows = [
        {"first": "1/a", "second": "1/b", "measure": "toxicity", "label": 2},
        {"first": "2/a", "second": "2/b", "measure": "toxicity", "label": -1},
    ]
    found = calibrate(scores({"toxicity": values}), rows, resamples=99)["toxicity"]
    assert found.categorical is not UNSET
    assert found.categorical.confusion.categories == ["first", "second"]  # nobody said tie
    assert found.categorical.kappa.value == 1.0
    assert found.pearson.value == pytest.approx(1.0)
    with pytest.raises(InputError, match="'x' is compared with itself"):
        calibrate(scores({"toxicity": values}), [{"first": "x", "second": "x", "label": 1}])


def several() -> list[dict[str, Any]]:
    ada = {"a": 1, "b": 1, "c": 0, "d": 0}
    bob = {"a": 1, "b": 0, "c": 0, "d": 1, "e": 1}
    return labelled(ada, annotator="ada") + labelled(bob, annotator="bob")


@pytest.mark.parametrize("said", [True, False, "yes", "no"])
def test_yes_and_no_are_no_preference(said: bool | str) -> None:
    first, second, _ = preferences()
    with pytest.raises(FormatError) as caught:
        calibrate(first, labelled({"a": "second", "b": said}), second=second)
    word = str(said).lower()
    assert f"the label of 'b' is {word}, and faithfulness is compared between" in str(caught.value)
    assert "first, tie, second, or a number (above 0 where the second is better)" in str(
        caught.value
    )


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"thresholds": {"": 3.0}}, "threshold"),
        ({"label_thresholds": {"faithfulness": 3.0}}, "label threshold"),
        ({"scales": {"": {"no": 0.0, "yes": 1.0}}}, "scale"),
    ],
    ids=["threshold", "label threshold", "scale"],
)
def test_what_does_nothing_for_preferences_is_refused(given: Any, name: str) -> None:
    first, second, rows = preferences()
    with pytest.raises(UsageError, match=f"^a {name} does nothing for faithfulness, whose labels"):
        calibrate(first, rows, second=second, **given)


def test_several_annotators() -> None:
    values = {"a": 1.0, "b": 1.0, "c": 0.0, "d": 0.0, "e": 1.0}
    found = one(values, several())
    assert (found.labels, found.items, found.annotators) == (9, 5, 2)
    assert found.categorical is not UNSET
    # each label counts once: ada agrees on 4 of 4, bob on 3 of 5
    assert found.categorical.confusion.counts == [[3, 1], [1, 4]]
    assert found.categorical.kappa.standard_error is UNSET  # labels of an item are not independent
    by_name = {each.annotator: each for each in found.with_annotators}
    assert by_name["ada"].kappa == 1.0
    assert by_name["bob"].kappa == pytest.approx(float(cohens_kappa([[1, 1], [1, 2]]).kappa))
    assert found.among_people is not UNSET
    assert (found.among_people.pairs, found.among_people.items) == (1, 4)
    assert found.among_people.kappa == pytest.approx(0.0)  # of a, b, c, d they share two
    assert found.among_people.exact == 0.5


def test_what_people_say_of_an_item_is_the_mean_of_its_labels() -> None:
    values = {"a": 1.0, "b": 1.0, "c": 0.0, "d": 0.0, "e": 1.0}
    powered = one(values, several()).powered
    assert powered is not UNSET
    assert powered.labels_mean == pytest.approx((1 + 0.5 + 0 + 0.5 + 1) / 5)
    assert (powered.measured, powered.labelled, powered.others) == (0.6, 5, 0)
    assert powered.high == 1.0  # the scale ends there


def test_what_has_no_value_is_counted() -> None:
    values = {"a": 1.0, "b": None, "c": 0.0}
    rows = labelled({"a": 1, "b": 1, "c": 0, "x": 1, "y": 0})
    result = calibrate(scores({"faithfulness": values}), rows, resamples=99)
    found = result["faithfulness"]
    assert (found.labels, found.not_in_report, found.without_value) == (2, 2, 1)
    assert found.powered is not UNSET
    assert found.powered.others == 0
    assert any("2 labels are of items that the report does not have" in w for w in result.warnings)
    assert any("1 labels are of items without a value" in w for w in result.warnings)


def test_a_kappa_that_is_not_defined_is_none() -> None:
    result = calibrate(
        scores({"faithfulness": {"a": 1.0, "b": 1.0}}), labelled({"a": 1, "b": 1}), resamples=9
    )
    found = result["faithfulness"]
    assert result.kappa(found) is None
    assert found.categorical is not UNSET
    assert found.categorical.ac1.value == 1.0
    assert any("kappa is not defined" in warning for warning in result.warnings)


JOINS: list[tuple[list[dict[str, Any]], dict[str, Any], str]] = [
    (
        labelled({"x": 1, "y": 0}),
        {},
        "no label of faithfulness is of an item of the report; labels "
        "are of 'x', 'y', ..., the report has 'a', 'b', 'c', ...",
    ),
    (
        labelled({"a": 1}, measure="coherence"),
        {},
        "has labels of coherence, and the report has values of faithfulness",
    ),
    (
        labelled({"a": 1}),
        {"measures": ["RR"]},
        "RR: the report has no such measure; it has faithfulness",
    ),
    (
        labelled({"a": 1}),
        {"thresholds": {"RR": 1.0}},
        "RR: no label is of this measure; labels are of faithfulness",
    ),
    (labelled({"c": 1}), {}, "no labelled item has a value of faithfulness"),
    (labelled({"a": 1}), {"resamples": 0}, "resamples is 0; at least 1 was expected"),
    (
        labelled({"a": 1}),
        {"weights": "cubic"},
        "weights is 'cubic'; one of none, linear, quadratic",
    ),
    (labelled({"a": 1}), {"tie": -1}, "tie is -1; a number of at least 0 was expected"),
    (labelled({"a": 1}), {"confidence": 1.0}, "confidence is 1.0; a number between 0 and 1"),
    (
        [*labelled({"a": 1}), {"first": "a", "second": "b", "label": 1}],
        {},
        "has both labels of single items and preferences between two; put them into two files",
    ),
]


@pytest.mark.parametrize(("rows", "options", "message"), JOINS, ids=range(len(JOINS)))
def test_what_cannot_be_joined(rows: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as raised:
        calibrate(scores({"faithfulness": {"a": 1.0, "b": 0.0, "c": None}}), rows, **options)
    assert message in str(raised.value)


def test_a_label_names_its_measure_where_there_are_several() -> None:
    both = scores({"faithfulness": {"a": 1.0, "b": 0.0}, "coherence": {"a": 1.0, "b": 0.0}})
    with pytest.raises(
        InputError, match="labels:1: the label of 'a' has no 'measure'; name one of"
    ):
        calibrate(both, labelled({"a": 1, "b": 0}))
    found = calibrate(both, labelled({"a": 1, "b": 0}), measures=["coherence"], resamples=9)
    assert [each.measure for each in found.measures] == ["coherence"]
    other = labelled({"a": 1, "b": 0}, measure="groundedness") + labelled({"a": 1}, measure="style")
    result = calibrate(both, other, resamples=9)
    assert [each.measure for each in result.measures] == ["faithfulness"]
    assert result.warnings[0].startswith("labels of style were not used")


SCALES = {
    "full": "'full' is not a word and its number, once, as in full:1",
    "a:0,a:1": "'a:1' is not a word and its number, once",
    "a:0,b:0": "a scale has two numbers at least",
    "a:x,b:1": "'x' is not a number, as in 0.5 or 1/3",
    "a:1/0,b:1": "'1/0' is not a number",
    "a:nan,b:1": "'nan' is not a number of a scale",
}


@pytest.mark.parametrize(("text", "message"), SCALES.items())
def test_scales_that_cannot_be(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        parse_scale(text)


# ---- leaning -------------------------------------------------------------------------------------


def leaning() -> tuple[Scores, list[dict[str, Any]], list[Sample]]:
    """Thirty answers; the measure says yes to all long ones and to those of its own family."""
    people = {f"q{n:02}": n % 2 for n in range(30)}
    values = {item: float(n >= 20 or bool(n % 2)) for n, item in enumerate(people)}
    samples = [
        Sample(
            item,
            answer="word " * (n + 1),
            model="gpt-4o-mini" if n >= 20 else "Llama-3-8B",
            lang="ko" if n % 3 else "en",
        )
        for n, item in enumerate(people)
    ]
    return scores({"faithfulness": values}), labelled(people), samples


def test_bias_by_length_family_and_language() -> None:
    values, rows, samples = leaning()
    found = calibrate(values, rows, traits=traits_of(samples), resamples=99)["faithfulness"]
    by = {(each.by, each.name): each for each in found.slices}
    long = by["answer length", "above 21 words"]
    assert (long.items, long.measure) == (9, 1.0)
    assert long.people == pytest.approx(5 / 9)
    assert long.bias == pytest.approx(4 / 9)
    assert long.low is not None
    assert long.low > 0
    assert by["answer length", "below 11 words"].bias == 0.0
    own = by["model family", "gpt"]
    assert (own.own, own.bias, own.items) == (True, 0.5, 10)
    assert (by["model family", "llama"].own, by["model family", "llama"].items) == (False, 20)
    assert {name for kind, name in by if kind == "language"} == {"en", "ko"}
    assert found.length is not UNSET
    assert found.length.measure is not None
    assert found.length.people is not None
    assert found.length.measure > found.length.people + 0.3
    assert sum(each.items for each in found.slices if each.by == "answer length") == 30


def test_lengths_come_from_the_report_where_there_are_no_samples() -> None:
    items = {f"q{n}": float(n) for n in range(9)}
    both = scores(
        {"faithfulness": {item: n % 2 for item, n in items.items()}, "answer_length": items}
    )
    rows = labelled({item: int(n) % 2 for item, n in items.items()}, measure="faithfulness")
    found = calibrate(both, rows, resamples=9)["faithfulness"]
    assert [each.name for each in found.slices] == [
        "below 3 tokens",
        "3 to 6 tokens",
        "above 6 tokens",
    ]


def test_bias_of_preferences_towards_the_longer_answer() -> None:
    first, second, rows = preferences()
    lengths = {"a": "one", "b": "one two", "c": "one two three", "d": "one"}
    found = calibrate(
        first,
        [
            {**row, "first": "a", "second": row["id"]} | {"id": None}
            for row in rows
            if row["id"] != "a"
        ],
        second=second,
        traits=traits_of([Sample(item, answer=text) for item, text in lengths.items()]),
        resamples=9,
    )["faithfulness"]
    assert found.length is not UNSET
    assert found.length.items == 2


# ---- what always holds ---------------------------------------------------------------------------


@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 4)), min_size=2, max_size=25),
    st.randoms(),
)
@settings(max_examples=40)
def test_the_order_of_rows_does_not_matter(pairs: Sequence[tuple[bool, int]], random: Any) -> None:
    values = {f"q{n}": value / 4 for n, (_, value) in enumerate(pairs)}
    rows = labelled({f"q{n}": label for n, (label, _) in enumerate(pairs)})
    shuffled = list(rows)
    random.shuffle(shuffled)
    first, second = (
        calibrate(scores({"faithfulness": values}), each, thresholds={"": 0.5}, resamples=50)
        for each in (rows, shuffled)
    )
    assert first == second
    check(first)


def check(result: Calibrated) -> None:
    """Every statistic is in its range, and inside of its interval's range."""
    for each in result.measures:
        assert each.categorical is not UNSET
        for name, least in (("kappa", -1), ("ac1", -1), ("balanced_accuracy", 0)):
            estimate = getattr(each.categorical, name)
            assert estimate.value is None or least <= estimate.value <= 1
            if estimate.low is not None:
                assert least <= estimate.low <= estimate.high <= 1
        for estimate in (each.pearson, each.spearman):
            assert estimate.value is None or -1 <= estimate.value <= 1
        assert sum(map(sum, each.categorical.confusion.counts)) == each.labels
        off = each.labels - sum(row[k] for k, row in enumerate(each.categorical.confusion.counts))
        assert each.disagree == off
