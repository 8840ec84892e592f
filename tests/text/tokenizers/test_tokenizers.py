"""Tokenizers by name, what they make of texts, and what identifies them."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from itertools import chain
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score import tokenize as rouge_score_tokenize

from ragstone.errors import InputError, MissingExtraError, UnknownNameError, UsageError
from ragstone.text import normalise, words
from ragstone.text.tokenizers import TOKENIZERS, Tokenizer, english, kiwi, parse_tokenizer

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
ASCII = st.text(st.characters(max_codepoint=127))


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "words",
            "Don't re-use snake_case: 검색!",
            ["don", "t", "re", "use", "snake", "case", "검색"],
        ),
        ("words", "\U0001f600 up \U0001f44d", ["up"]),
        ("words", "\U0001f600\U0001f44d!", ["\U0001f600", "\U0001f44d"]),
        ("words", "\U0001f468\u200d\U0001f469", ["\U0001f468", "\U0001f469"]),
        ("words", "... $ + = <>", []),
        ("words", " \t\n", []),
        ("whitespace", "Hello,  WORLD \u00a0!", ["hello,", "world", "!"]),
        ("whitespace", "a\u200bb", ["ab"]),
        ("chars", "두 해,", ["두", "해"]),
        ("chars:1", "두 해,", ["두", "해"]),
        ("chars:2", "Ab c", ["ab", "bc"]),
        ("chars:3", "a b", ["ab"]),
        ("chars:3", "?!", []),
        ("chars:2", "\U0001f600\U0001f44d", ["\U0001f600\U0001f44d"]),
    ],
)
def test_tokens(name: str, text: str, expected: list[str]) -> None:
    assert parse_tokenizer(name)(text) == expected


@given(TEXTS)
def test_words_are_the_words_of_every_text_that_has_one(text: str) -> None:
    assert not words(text) or parse_tokenizer("words")(text) == words(text)


@given(ASCII)
def test_words_are_the_tokens_of_rouge_score_on_ascii(text: str) -> None:
    assert parse_tokenizer("words")(text) == rouge_score_tokenize.tokenize(text, None)


@given(TEXTS, st.integers(1, 6))
def test_runs_of_characters_cover_the_words(text: str, n: int) -> None:
    runs = parse_tokenizer(f"chars:{n}")(text)
    joined = "".join(parse_tokenizer("words")(text))
    assert "".join(run[0] for run in runs[:-1]) + "".join(runs[-1:]) == joined
    assert all(len(run) == n for run in runs) or runs == [joined]


@pytest.mark.parametrize("name", ["words", "whitespace", "chars", "chars:3"])
def test_a_name_is_its_signature_and_reads_back(name: str) -> None:
    tokenizer = parse_tokenizer(name)
    assert tokenizer.name == name
    assert dict(tokenizer.signature) == {"tokenizer": name}
    assert parse_tokenizer(tokenizer) is tokenizer


@pytest.mark.parametrize("name", TOKENIZERS)
def test_all_are_tokenizers(name: str) -> None:
    assert isinstance(TOKENIZERS[name](), Tokenizer)
    assert TOKENIZERS[name]().signature["tokenizer"] == name


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("wrods", UnknownNameError, "unknown tokenizer 'wrods'; did you mean words?"),
        ("chars:", UsageError, "a whole number from 1 to 100 was expected behind the colon"),
        ("chars:0", UsageError, "a whole number from 1 to 100"),
        ("chars:-1", UsageError, "a whole number from 1 to 100"),
        ("chars:٣", UsageError, "a whole number from 1 to 100"),
        ("chars:101", UsageError, "a whole number from 1 to 100"),
        ("words:3", UsageError, "words takes nothing behind a colon; chars:3 does"),
    ],
)
def test_a_name_that_cannot_be(name: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        parse_tokenizer(name)


# ---- functions -----------------------------------------------------------------------------------


def by_comma(text: str) -> list[str]:
    return text.split(",")


class Splitter:
    def __call__(self, text: str) -> list[str]:
        return text.split("|")


def test_a_function_is_known_by_its_place() -> None:
    tokenizer = parse_tokenizer(by_comma)
    assert tokenizer("a,b") == ["a", "b"]
    assert dict(tokenizer.signature) == {"tokenizer": f"python:{__name__}:by_comma"}
    assert parse_tokenizer(Splitter()).name == f"python:{__name__}:Splitter"
    assert parse_tokenizer(str.split).name == "python:builtins:str.split"


@pytest.mark.parametrize("returned", ["a b", [1, 2], None, ("a",)])
def test_a_function_that_gives_no_list_of_texts(returned: Any) -> None:
    function: Callable[[str], list[str]] = lambda text: returned  # noqa: E731
    with pytest.raises(InputError, match="a list of texts was expected"):
        parse_tokenizer(function)("text")


# ---- English -------------------------------------------------------------------------------------


def test_nltk_words_need_no_download() -> None:
    tokenizer = parse_tokenizer("nltk")
    assert tokenizer("It's (the) END.") == ["it", "'s", "(", "the", ")", "end", "."]
    assert tokenizer.signature["tokenizer_version"] == f"nltk {version('nltk')}"


@given(ASCII)
def test_morphemes_of_ascii_are_its_words(text: str) -> None:
    assert parse_tokenizer("kiwi")(text) == words(text)


@given(ASCII)
def test_stems_are_those_of_rouge_score(text: str) -> None:
    from nltk.stem.porter import PorterStemmer

    expected = rouge_score_tokenize.tokenize(text, PorterStemmer())
    assert parse_tokenizer("porter")(text) == expected


def test_stems() -> None:
    assert parse_tokenizer("porter")("Was running, caresses: 검색했다") == [
        "was",
        "run",
        "caress",
        "검색했다",
    ]


# ---- Korean --------------------------------------------------------------------------------------


def test_morphemes_without_punctuation() -> None:
    tokenizer = parse_tokenizer("kiwi")
    assert tokenizer("서울은 대한민국의 수도이다.")[:5] == ["서울", "은", "대한민국", "의", "수도"]
    assert tokenizer("This is the first document. 검색") == [
        *["this", "is", "the", "first", "document", "검색"]
    ]
    assert tokenizer("RAG는 3.5점, café였다.")[:6] == ["rag", "는", "3", "5", "점", "café"]
    assert tokenizer("\U0001f600!") == ["\U0001f600"]
    assert tokenizer("... ?!") == []
    spaced = "".join(chain.from_iterable(map(tokenizer, ["검색 품질을", "재는", "도구"])))
    assert spaced == "검색품질을재는도구"


def test_morphemes_are_placed_in_the_normalised_text() -> None:
    tokenizer = kiwi.Kiwi()
    text = normalise("BM25로 \U0001f600 검색했습니다, ﬁrst.")
    placed = tokenizer.placed(text)
    assert [token.text for token in placed] == tokenizer(text)
    there = {token.text: text[token.start : token.end] for token in placed}
    assert [there[word] for word in ("bm25", "검색", "하", "first")] == [
        "bm25",
        "검색",
        "했",
        "first",
    ]
    assert [token.start for token in placed] == sorted(token.start for token in placed)


def test_the_model_is_loaded_once_and_only_for_a_text() -> None:
    kiwi._loaded.cache_clear()
    tokenizers = [parse_tokenizer("kiwi"), parse_tokenizer("kiwi")]
    signature = dict(tokenizers[0].signature)
    assert kiwi._loaded.cache_info().misses == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [each("검색") for each in tokenizers] == [["검색"], ["검색"]]
    assert kiwi._loaded.cache_info().misses == 1
    assert signature == {
        "tokenizer": "kiwi",
        "tokenizer_version": f"kiwipiepy {version('kiwipiepy')}, "
        f"model {version('kiwipiepy_model')}",
    }


# ---- extras --------------------------------------------------------------------------------------


def absent(name: str) -> str:
    raise PackageNotFoundError(name)


@pytest.mark.parametrize(
    ("name", "module", "extra"),
    [("kiwi", kiwi, "korean"), ("nltk", english, "nltk"), ("porter", english, "nltk")],
)
def test_a_missing_extra_is_named_with_its_install_line(
    name: str, module: Any, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "version", absent)
    if name == "kiwi":
        kiwi._versions.cache_clear()
    with pytest.raises(MissingExtraError) as raised:
        parse_tokenizer(name)
    assert str(raised.value) == (
        f'the tokenizer {name} needs an extra: pip install "ragstone[{extra}]"'
    )


def test_a_model_that_cannot_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    kiwi._loaded.cache_clear()
    monkeypatch.setitem(sys.modules, "kiwipiepy", None)
    with pytest.raises(MissingExtraError, match="korean"):
        parse_tokenizer("kiwi")("검색")
