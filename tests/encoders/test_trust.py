"""A model is trusted with a language it ranks rightly, and with no other."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from ragstone.encoders import check_languages, open_encoder
from ragstone.encoders.languages import LITTLE_WORDS, NAMES, language_of, languages_of, spread
from ragstone.encoders.pairs import ROWS
from ragstone.encoders.trust import MOST_WRONG, LanguageCheck
from ragstone.errors import InputError

# ---- languages ---------------------------------------------------------------------------------


@pytest.mark.parametrize("language", sorted(ROWS))
def test_the_sentences_that_are_built_in_are_told(language: str) -> None:
    sentences = [sentence for row in ROWS[language] for sentence in row]
    assert len(sentences) == len(set(sentences)) == 18
    assert languages_of(sentences) == [language]
    told = [language_of(sentence) for sentence in sentences]
    assert told.count(language) >= 12, dict(zip(sentences, told, strict=True))


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("", None),
        ("42 %, 3.5 - \U0001f600", None),
        ("nDCG", "latin"),
        ("API를 호출합니다", "ko"),
        ("API API API 를", "latin"),
        ("東京都", "zh"),
        ("東京都の人", "ja"),
        ("カメラ", "ja"),
        ("「東京特許許可局」と言う", "ja"),
        ("Привет", "cyrillic"),
        ("مرحبا", "arabic"),
        ("สวัสดี", "thai"),
        ("\uff26\uff35\uff2c\uff2c width", "latin"),
        ("le chat est sur la table", "fr"),
        ("el gato y los perros", "es"),
        ("die Katze ist auf dem Dach", "de"),
        ("the cat is on the roof", "en"),
        ("the cat, el gato", "latin"),  # as many of each
    ],
)
def test_the_language_of_a_text(text: str, language: str | None) -> None:
    assert language_of(text) == language


def test_a_language_counts_from_a_twentieth_of_the_texts() -> None:
    english, korean = ["the cat"] * 95, ["고양이"] * 5
    assert languages_of([*english, *korean]) == ["en", "ko"]
    assert languages_of([*english, "the dog", *korean]) == ["en"]
    assert languages_of(["1", "2"]) == []
    assert languages_of([]) == []


def test_what_tells_nothing_is_in_the_language_of_the_others() -> None:
    assert languages_of(["nDCG"]) == ["en"]
    assert languages_of(["nDCG"] * 9 + ["der Zug"]) == ["de"]
    assert languages_of(["nDCG"] * 8 + ["der Zug", "die Bahn", "the train"]) == ["de", "en"]
    assert languages_of(["nDCG", "고양이"]) == ["en", "ko"]


def test_of_many_texts_some_are_read_from_all_over() -> None:
    texts = ["the cat"] * 50_000 + ["고양이"] * 50_000
    assert sorted(languages_of(texts)) == ["en", "ko"]
    assert spread([str(n) for n in range(10)], 4) == ["0", "2", "5", "7"]


def test_little_words_are_of_one_language() -> None:
    for one, other in combinations(LITTLE_WORDS.values(), 2):
        assert not set(one.split()) & set(other.split())
    assert set(NAMES) == set(ROWS)


# ---- ranking -----------------------------------------------------------------------------------


def check(alike: list[float], unlike: list[float]) -> LanguageCheck:
    return LanguageCheck("en", tuple(alike), tuple(unlike))


def test_the_rule() -> None:
    good = check([0.9] * 6, [0.1] * 6)
    assert (good.wrong, good.trusted, good.comparisons) == (0, True, 36)
    # One unrelated pair nearer than three paraphrases, then than four.
    three = check([0.5, 0.5, 0.5, 0.9, 0.9, 0.9], [0.6, 0, 0, 0, 0, 0])
    four = check([0.5, 0.5, 0.5, 0.5, 0.9, 0.9], [0.6, 0, 0, 0, 0, 0])
    assert (three.wrong, three.trusted) == (3, True)
    assert (four.wrong, four.trusted) == (4, False)
    equal = check([0.5] * 6, [0.5] * 6)
    assert (equal.wrong, equal.trusted) == (18, False)


def test_a_model_that_knows_nothing_passes_as_rarely_as_we_say() -> None:
    passed = 0
    for places in combinations(range(12), 6):
        alike = [float(place) for place in places]
        unlike = [float(place) for place in range(12) if place not in places]
        passed += check(alike, unlike).trusted
    assert (MOST_WRONG, passed) == (3, 7)  # of 924


def knowing(*languages: str) -> Any:
    """An encoder that knows what is alike in some languages, and looks at letters in others."""
    topics = {
        s: (code, n) for code in languages for n, row in enumerate(ROWS[code]) for s in row[:2]
    }

    def embed(texts: list[str]) -> Any:
        rows = np.zeros((len(texts), 512), dtype=np.float32)
        for place, text in enumerate(texts):
            seed = random.Random(str(topics.get(text, text)))
            if text in topics:
                rows[place] = [seed.gauss(0, 1) for _ in range(512)]
            else:
                for char in text:
                    rows[place, ord(char) % 512] += 1
        return rows

    return open_encoder(embed, name="half")


def test_a_model_that_knows_the_language_of_the_texts() -> None:
    found = check_languages(knowing("en", "ko"), ["the cat", "고양이"])
    assert [(each.language, each.trusted) for each in found.checks] == [("en", True), ("ko", True)]
    assert (found.untried, found.notes()) == ((), [])


@pytest.mark.parametrize("language", sorted(ROWS))
def test_letters_are_not_meaning(language: str) -> None:
    texts = [row[0] for row in ROWS[language]]
    with pytest.raises(InputError) as caught:
        check_languages(knowing(), texts)
    message = str(caught.value)
    assert message.startswith(f"half: it does not rank {NAMES[language]} rightly: ")
    assert "--accept-model" in message
    assert any(row[1] in message and row[2] in message for row in ROWS[language])
    found = check_languages(knowing(), texts, accept=True)
    assert len(found.notes()) == 1


def test_only_the_languages_of_the_texts_are_tried() -> None:
    check_languages(knowing("en"), ["the cat"])
    with pytest.raises(
        InputError, match=r"rank Korean rightly: \d+ of 36 .* that knows Korean, or"
    ):
        check_languages(knowing("en"), ["the cat", "고양이"])


def test_a_language_without_sentences_is_said() -> None:
    found = check_languages(knowing("en"), ["Привет, мир", "the cat"])
    assert found.untried == ("cyrillic",)
    assert found.notes() == [
        "no sentences are built in for cyrillic: whether the model knows it was not tried"
    ]
