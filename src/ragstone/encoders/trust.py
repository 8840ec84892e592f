"""Whether a model knows a language: tried with sentences of which it is known which are alike."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ragstone.encoders.encoder import Encoder
from ragstone.encoders.languages import NAMES, languages_of
from ragstone.encoders.pairs import ROWS
from ragstone.encoders.vectors import normalized
from ragstone.errors import InputError

MOST_WRONG = 3
"""Of 36 comparisons; a model that knows nothing has as few with a probability of 7 / 924."""


class LanguageCheck(Struct, frozen=True):
    """How a model ranked the sentences of a language.

    alike: the cosines of six sentences with their paraphrases. unlike: with six others that have
    their form and some of their words.
    """

    language: str
    alike: tuple[float, ...]
    unlike: tuple[float, ...]

    @property
    def comparisons(self) -> int:
        """How often one of each kind is compared."""
        return len(self.alike) * len(self.unlike)

    @property
    def wrong(self) -> float:
        """How often of these the unrelated pair is nearer; equal ones count half."""
        return sum((a < b) + 0.5 * (a == b) for a in self.alike for b in self.unlike)

    @property
    def trusted(self) -> bool:
        """Whether the model ranks them rightly."""
        return self.wrong <= MOST_WRONG

    @property
    def worst(self) -> tuple[str, str, str]:
        """The row whose paraphrase is furthest behind its other sentence."""
        gaps = [b - a for a, b in zip(self.alike, self.unlike, strict=True)]
        return ROWS[self.language][gaps.index(max(gaps))]


class LanguageChecks(Struct, frozen=True):
    """What was tried, and the languages or scripts for which no sentences are built in."""

    checks: tuple[LanguageCheck, ...]
    untried: tuple[str, ...] = ()

    def notes(self) -> list[str]:
        """Return a line for each thing that a reader should know."""
        lines = [_said(each) for each in self.checks if not each.trusted]
        if self.untried:
            lines.append(
                f"no sentences are built in for {', '.join(self.untried)}: whether the model knows "
                "it was not tried"
            )
        return lines


def check_languages(
    encoder: Encoder, texts: Sequence[str], *, accept: bool = False
) -> LanguageChecks:
    """Try a model with the languages of the texts; raises InputError where it fails.

    accept: trust it all the same. The sentences are encoded like any text, so that a cache that
    has them answers.
    """
    found = languages_of(texts)
    checks = tuple(check_language(encoder, code) for code in found if code in ROWS)
    result = LanguageChecks(checks, tuple(code for code in found if code not in ROWS))
    failed = [each for each in checks if not each.trusted]
    if failed and not accept:
        names = " and ".join(NAMES[each.language] for each in failed)
        raise InputError(
            f"{encoder.name}: {'; '.join(map(_said, failed))}; take a model that knows {names}, or "
            "use this one all the same with --accept-model"
        )
    return result


def check_language(encoder: Encoder, language: str) -> LanguageCheck:
    """Encode the sentences of a language and compare them."""
    import numpy as np

    rows = ROWS[language]
    vectors = normalized(encoder.encode([sentence for row in rows for sentence in row]))
    first, alike, unlike = (vectors[place::3].astype(np.float64) for place in range(3))
    return LanguageCheck(
        language,
        tuple((first * alike).sum(axis=1).tolist()),
        tuple((first * unlike).sum(axis=1).tolist()),
    )


def _said(check: LanguageCheck) -> str:
    place = ROWS[check.language].index(check.worst)
    first, alike, unlike = check.worst
    return (
        f"it does not rank {NAMES[check.language]} rightly: {check.wrong:g} of "
        f"{check.comparisons} times sentences that have nothing in common are nearer than a "
        f"paraphrase, and {MOST_WRONG} are the most; {first!r} has a cosine of "
        f"{check.alike[place]:.2f} with its paraphrase {alike!r}, and of "
        f"{check.unlike[place]:.2f} with {unlike!r}"
    )
