"""From a text to one JSON object, to what it says, and to whether its quotations are there."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.judge.quoting import Evidence
from ragstone.judge.reading import UnusableReplyError, read_object
from ragstone.judge.shapes import Choice, Claims, Verdicts, choice, number, yes_or_no
from ragstone.text import words


def reason_of(text: str) -> str:
    with pytest.raises(UnusableReplyError) as caught:
        read_object(text)
    return caught.value.reason


WANTED = {"verdict": "yes", "n": [1, {"a": None}]}
PLAIN = json.dumps(WANTED)


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        f"\ufeff {PLAIN}\n",
        f"```json\n{PLAIN}\n```",
        f"```\n{PLAIN}\n```\n",
        f"Sure! Here it is:\n```JSON\n{PLAIN}\n```\nAnything else?",
        f"The answer is {PLAIN}, as asked.",
        f"<think>First {{a}}, then {{b}}.</think>\n{PLAIN}",
        f"<thinking>hm</thinking>```json\n{PLAIN}```",
    ],
)
def test_one_object_is_found(text: str) -> None:
    assert read_object(text) == WANTED


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        (" \n\t", "empty"),
        ("<think>only thoughts</think>", "empty"),
        ("yes", "not_json"),
        ('"yes"', "not_an_object"),
        ("null", "not_an_object"),
        ("3", "not_an_object"),
        (f"[{PLAIN}]", "not_an_object"),
        ('{"verdict": "yes",}', "not_json"),
        ('{"verdicts": [{"id": 1, "verdict": "yes"}, {"id": 2', "not_json"),
        ('Here: {"verdicts": [{"id": 1, "verdict": "yes"}, {"id": 2', "not_json"),
        (f"{PLAIN}{PLAIN}", "several_objects"),
        (f"```json\n{PLAIN}\n```\n```json\n{PLAIN}\n```", "several_objects"),
        ('{"a": 1, "a": 1}', "duplicate_keys"),
        ('Well: {"b": {"a": 1, "a": 1}}', "duplicate_keys"),
        ('{"a": NaN}', "not_finite"),
        ('{"a": [-Infinity]}', "not_finite"),
        ('{"a": "\\udc00"}', "not_text"),
        ("[" * 100_000, "not_json"),
        ('{"a": ' + "[" * 100_000, "not_json"),
    ],
)
def test_what_is_not_one_object_has_its_reason(text: str, reason: str) -> None:
    assert reason_of(text) == reason


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(value=st.dictionaries(st.text(), JSON, max_size=4), before=st.text("ab .:\n", max_size=9))
def test_any_object_comes_back_whatever_stands_before_it(value: Any, before: str) -> None:
    assert read_object(before + json.dumps(value)) == value


@given(value=st.dictionaries(st.text(), JSON, min_size=1, max_size=4), data=st.data())
def test_an_object_that_is_cut_off_is_never_read(value: Any, data: st.DataObject) -> None:
    whole = json.dumps(value)
    cut = whole[: data.draw(st.integers(1, len(whole) - 1))]
    assert reason_of(cut) == "not_json"


@given(st.text())
def test_any_text_gives_an_object_or_a_reason(text: str) -> None:
    try:
        found: object = read_object(text)
    except UnusableReplyError as error:
        found = error
    assert isinstance(found, dict) or (isinstance(found, UnusableReplyError) and found.reason)


# ---- shapes ------------------------------------------------------------------------------------


def verdicts(*given: dict[str, Any], count: int = 2) -> Any:
    return Verdicts(count).read({"verdicts": list(given)})


ONE = {"id": 1, "quote": "a", "verdict": "supported"}
TWO = {"id": 2, "quote": "", "verdict": "not_found"}


def test_verdicts_come_in_the_order_of_their_ids() -> None:
    found = verdicts({**TWO, "id": "2"}, {**ONE, "verdict": " Supported", "more": 1})
    assert [(each.id, each.verdict, each.quote) for each in found] == [
        (1, "supported", "a"),
        (2, "not_found", ""),
    ]


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ([ONE], "wrong_count"),
        ([ONE, TWO, {**TWO, "id": 3}], "wrong_count"),
        ([], "wrong_count"),
        ([ONE, ONE], "wrong_ids"),
        ([ONE, {**TWO, "id": 3}], "wrong_ids"),
        ([{**ONE, "id": 0}, {**TWO, "id": 1}], "wrong_ids"),
        ([ONE, {**TWO, "id": 2.0}], "wrong_ids"),
        ([ONE, {**TWO, "id": True}], "wrong_ids"),
        ([ONE, {"verdict": "not_found"}], "missing_field"),
        ([ONE, {"id": 2}], "missing_field"),
        ([ONE, {**TWO, "verdict": "maybe"}], "wrong_verdict"),
        ([ONE, {**TWO, "verdict": -1}], "wrong_type"),
        ([ONE, {**TWO, "verdict": None}], "wrong_type"),
        ([ONE, {**TWO, "quote": ["a"]}], "wrong_type"),
        ([ONE, "not_found"], "wrong_type"),
    ],
)
def test_verdicts_that_do_not_match_what_was_asked(given: list[Any], reason: str) -> None:
    with pytest.raises(UnusableReplyError) as caught:
        verdicts(*given)
    assert caught.value.reason == reason


@pytest.mark.parametrize("reply", [{}, {"verdicts": None}, {"verdicts": {"1": ONE}}])
def test_verdicts_are_a_list(reply: dict[str, Any]) -> None:
    with pytest.raises(UnusableReplyError, match=r"'verdicts'"):
        Verdicts(1).read(reply)


def test_claims_are_texts_and_each_counts_once() -> None:
    assert Claims().read({"claims": [" a ", "b", "a"]}) == ("a", "b")
    assert Claims().read({"claims": []}) == ()
    for wrong in (["a", ""], ["a", None], [{"text": "a"}], [1]):
        with pytest.raises(UnusableReplyError, match="is no text"):
            Claims().read({"claims": wrong})


@pytest.mark.parametrize("shape", [Claims(), Verdicts(3), Choice(("a", "b"))])
def test_schemas_are_closed_and_the_expected_reply_is_one(shape: Any) -> None:
    import jsonschema

    schema = shape.schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(shape.expected("0815"), schema)
    shape.read(shape.expected("0815"))
    found = json.dumps(schema)
    assert found.count('"additionalProperties": false') == found.count('"type": "object"')
    assert "minItems" not in found


def test_a_choice_is_one_of_its_words() -> None:
    assert choice({"v": "Not-Found "}, "v", ("not_found",)) == "not_found"
    for wrong in ("", "found", "not_found."):
        with pytest.raises(UnusableReplyError):
            choice({"v": wrong}, "v", ("not_found",))


@pytest.mark.parametrize(
    ("value", "expected"), [(4, 4.0), ("4", 4.0), (" 0.50 ", 0.5), (0, 0.0), ("+1", 1.0)]
)
def test_a_number_may_stand_in_a_text(value: Any, expected: float) -> None:
    assert number({"n": value}, "n", 0, 5) == expected


@pytest.mark.parametrize(
    "value",
    [True, False, None, "", "high", "1e9", "0x1", "\u0663", "4/5", {"value": 1}, [1], 6, -1, "9"],
)
def test_what_is_no_number_in_range_is_refused(value: Any) -> None:
    with pytest.raises(UnusableReplyError):
        number({"n": value}, "n", 0, 5)


@pytest.mark.parametrize("value", ["maybe", None, 2, 0.5, [True], {"yes": 1}])
def test_what_is_neither_yes_nor_no_is_refused(value: Any) -> None:
    with pytest.raises(UnusableReplyError):
        yes_or_no({"v": value}, "v")


# ---- quotations --------------------------------------------------------------------------------

TEXTS = ["Paris is the capital of France, since 987.", "Lyon (pop. 522,250) is a city."]


@pytest.mark.parametrize(
    ("quote", "where"),
    [
        ("Paris is the capital", 0),
        ("paris IS the\ncapital  of France", 0),
        ("\u201cParis is the capital\u201d", 0),
        ("Pa\u00adris is the \uff43apital", 0),
        ("France since 987", 0),
        ("pop. 522,250", 1),
        ("Paris ... of France", 0),
        ("Paris \u2026 987", 0),
        ("Paris [...] France", 0),
        ("... Lyon", 1),
        ("of France ... Paris", None),
        ("Paris ... city", None),
        ("Paris is capital", None),
        ("Paris is the capita", None),
        ("aris is", None),
        ("Paris, capital of France", None),
        ("", None),
        ("...", None),
        ("?!", None),
        ("522,251", None),
    ],
)
def test_a_quotation_is_in_a_text_word_by_word(quote: str, where: int | None) -> None:
    assert Evidence(TEXTS).find(quote) == where


@pytest.mark.parametrize(
    ("text", "quote", "found"),
    [
        ("서울은 대한민국의 수도이다.", "대한민국의 수도", True),
        ("서울은 대한민국의 수도이다.", "서울", True),
        ("서울은 대한민국의 수도이다.", "대한민국 수도", False),
        ("東京は日本の首都です。", "日本の首都", True),
        ("東京は日本の首都です。", "日本首都", False),
        ("Der Fluß heißt Spree.", "DER FLUSS", False),
        ("x\u0301 marks", "x\u0301 marks", True),
    ],
)
def test_quotations_in_other_scripts(text: str, quote: str, *, found: bool) -> None:
    assert (Evidence([text]).find(quote) is not None) is found


@given(text=st.text("ab c.\u00adé", max_size=20), data=st.data())
def test_every_run_of_words_of_a_text_is_found_and_no_other_is(
    text: str, data: st.DataObject
) -> None:
    there = words(text)
    drawn = st.lists(st.sampled_from(["a", "b", "ab", "c", "é"]), min_size=1, max_size=3)
    quote: list[str] = data.draw(drawn)
    if there and len(quote) < 3:
        start = data.draw(st.integers(0, len(there) - 1))
        quote = there[start : start + data.draw(st.integers(1, 4))]
    expected = any(there[n : n + len(quote)] == quote for n in range(len(there)))
    assert (Evidence([text]).find(" ".join(quote)) == 0) is expected
