"""Prompts: files with a version, in English and Korean, filled with the texts of a sample."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Literal, TypeAlias

from msgspec import Struct

from ragstone.judge.protocol import Message
from ragstone.model.samples import Sample
from ragstone.text.scripts import script_of

Language: TypeAlias = Literal["auto", "en", "ko"]
LANGUAGES = ("en", "ko")
MOSTLY_KOREAN = 0.3

_PLACE = re.compile(r"\{\{(\w+)\}\}")
TAGS = ("question", "answer", "source", "claim", "fact", "text", "reference", "context")
_TAG = re.compile(rf"<(?=\s*/?\s*(?:{'|'.join(TAGS)})\b)", re.IGNORECASE)


class Prompt(Struct, frozen=True):
    """A prompt with places to fill."""

    name: str
    language: str
    version: int
    system: str
    user: str
    digest: str

    def messages(self, values: Mapping[str, str]) -> tuple[Message, ...]:
        """Return what is sent, with all places filled."""
        turns = []
        if self.system:
            turns.append(Message("system", _filled(self.system, values)))
        return (*turns, Message("user", _filled(self.user, values)))


@cache
def prompt(name: str, language: str) -> Prompt:
    """Return a prompt by its name, as `claims`, and its language."""
    data = (files("ragstone.judge") / "prompts" / f"{name}.{language}.toml").read_bytes()
    table = tomllib.loads(data.decode())
    digest = hashlib.sha256(data).hexdigest()
    system, user = table["system"].strip(), table["user"].strip()
    return Prompt(name, language, table["version"], system, user, digest)


def prompt_hash(names: Iterable[str], language: Language, more: str = "") -> str:
    """Return what changes when one of these prompts does: 16 hex digits.

    language: auto stands for all of them. more: what else an answer depends on, as a rubric.
    """
    chosen = LANGUAGES if language == "auto" else (language,)
    needed = sorted({*names, "repair"})
    digests = [prompt(name, each).digest for name in needed for each in chosen]
    return hashlib.sha256("\n".join([*digests, more]).encode()).hexdigest()[:16]


def language_of(sample: Sample, language: Language = "auto") -> str:
    """Return the language of the prompts for a sample: Korean where it is Korean, else English.

    >>> language_of(Sample("q", query="세탁기 필터는?")), language_of(Sample("q", lang="de"))
    ('ko', 'en')
    """
    if language != "auto":
        return language
    if sample.lang:
        return "ko" if sample.lang.lower().split("-")[0] in {"ko", "kor", "korean"} else "en"
    letters = [char for char in f"{sample.query or ''}{sample.answer or ''}" if char.isalpha()]
    korean = sum(script_of(char) == "hangul" for char in letters if not char.isascii())
    return "ko" if letters and korean / len(letters) >= MOSTLY_KOREAN else "en"


def tagged(tag: str, text: str, number: int | None = None) -> str:
    r"""Return a text between tags, so that it cannot be taken for instructions.

    What looks like one of our tags in it loses its bracket.

    >>> print(tagged("claim", "An <answer> is 42.", 1).replace("\u2039", "("))
    <claim id="1">
    An (answer> is 42.
    </claim>
    """
    mark = "" if number is None else f' id="{number}"'
    safe = _TAG.sub("\u2039", text.strip())
    return f"<{tag}{mark}>\n{safe}\n</{tag}>"


def numbered(tag: str, texts: Iterable[str]) -> str:
    """Return texts between tags with ids from 1."""
    return "\n".join(tagged(tag, text, number) for number, text in enumerate(texts, 1))


def _filled(template: str, values: Mapping[str, str]) -> str:
    """Fill all places at once, so that what fills one is never taken for another."""
    return _PLACE.sub(lambda place: values[place[1]], template)
