"""What a view works out once and for several measures, beside the plain way to do it."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.answers.figures import SCALES, numbers
from ragstone.answers.language import weights
from ragstone.answers.view import Settings, View, grams_among, grams_in, share_in
from ragstone.answers.words import plain_words, squad_form
from ragstone.model.samples import Context, Sample
from ragstone.text.ngrams import tokens_of
from ragstone.text.normal import normalise
from ragstone.text.scripts import HANGUL, UNSPACED, letters_of

WORDS = ["it", "opened", "in", "May", "1937", "[1]", "café", "환불은", "東京", "ไทย", "-"]
texts = st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)
ANY = st.text(st.characters(exclude_categories=["Cs"]))


def all_grams(text: str) -> set[tuple[str, ...]]:
    """Return every run of one to four tokens."""
    tokens = tokens_of(text, "mixed")
    return {tuple(tokens[a : a + n]) for n in range(1, 5) for a in range(len(tokens) - n + 1)}


@given(texts, texts)
def test_n_grams_that_a_text_has(sentence: str, text: str) -> None:
    wanted = frozenset(grams_in(sentence))
    assert grams_among(wanted, text) == wanted & all_grams(text)


@given(st.lists(texts, min_size=1, max_size=3), st.lists(texts, max_size=3))
def test_support_is_the_share_among_all_n_grams_of_the_contexts(
    sentences: list[str], contexts: list[str]
) -> None:
    sample = Sample("q", answer="\n".join(sentences), contexts=tuple(map(Context, contexts)))
    view = View(sample, Settings())
    known = set[tuple[str, ...]]().union(*map(all_grams, contexts))
    assert view.support == [share_in(grams_in(each.text), known) for each in view.sentences]


def test_citations_are_looked_up_for_each_view() -> None:
    from ragstone.answers.citing import citations_of

    views = [
        View(Sample("q", answer=answer, contexts=(Context("x"), Context("y"))), Settings())
        for answer in ("It is [1].", "It is [2].")
    ]
    assert [citations_of(view)[0].context for view in (*views, views[0])] == [0, 1, 0]


PARTS = ["1", "23", "456", ",", ".", "-", " ", "a", "_", "만", "million", "\u0663"]


@given(st.lists(st.sampled_from(PARTS), max_size=12).map("".join))
def test_numbers_begin_where_no_word_and_no_number_goes_on(text: str) -> None:
    scales = "|".join(sorted(SCALES, key=len, reverse=True))
    plain = re.compile(
        r"(?<![\w.])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?!\.?\d)" + rf"(?:\s?(?:{scales}))?"
    )
    listed = re.sub(r"(?m)^\s*\d{1,3}[.)]\s", " ", normalise(text))
    assert [written for written, _ in numbers(text)] == plain.findall(listed)


@given(ANY)
def test_punctuation_is_dropped_wherever_it_stands(text: str) -> None:
    ascii_symbols = set("$+<=>^`|~")
    kept = "".join(
        char
        for char in normalise(text)
        if not (unicodedata.category(char).startswith("P") or char in ascii_symbols)
    )
    assert squad_form(text, "de") == " ".join(kept.split())


@given(ANY.filter(lambda text: script_free(normalise(text))))
def test_plain_words_are_runs_of_letters_and_digits(text: str) -> None:
    assert plain_words(text) == re.findall(r"[^\W_]+", normalise(text))


def script_free(text: str) -> bool:
    return not letters_of(HANGUL | UNSPACED).search(text)


@pytest.mark.parametrize("text", ["Größe 東京", "カタカナと漢字", "abc", ""])
def test_weights_are_kept_and_not_changed(text: str) -> None:
    from ragstone.answers.language import main_script

    before = dict(weights(text))
    main_script([text, text])
    assert dict(weights(text)) == before
