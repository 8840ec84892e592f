"""Answers that say that there is no answer, told by patterns."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence

from ragstone.answers.sentences import Sentence
from ragstone.formats.source import Source
from ragstone.model import Scalar

ENGLISH = (
    r"\bi (?:do not|don't|dont) (?:know|have (?:an answer|(?:enough|sufficient|any) "
    r"(?:information|context|data)|(?:that|this) information))",
    r"\b(?:i am|i'm|we are|we're) (?:not (?:sure|able to (?:answer|find|determine|provide))"
    r"|unable to (?:answer|find|determine|provide|help))",
    r"\b(?:i|we) (?:cannot|can't|can not|could not|couldn't|am unable to) "
    r"(?:answer|find|determine|provide|tell|help|confirm|locate)\b",
    r"\b(?:cannot|can't|can not|could not|couldn't) be (?:answered|determined|found|inferred)\b",
    r"\b(?:no|not enough|insufficient) (?:relevant |sufficient |such )?(?:information|context)\b"
    r"(?: (?:is|was|to|in|about|on|available|found|provided|given)|[.!]|$)",
    r"\b(?:context|contexts|document|documents|passage|passages|text|sources?|excerpts?|"
    r"information)\b[^.!?]{0,40} (?:do|does|did)(?: not|n't) (?:contain|provide|mention|include|"
    r"specify|say|state|have|answer|address|give|discuss)\b",
    r"\b(?:is|are|was|were)(?: not|n't) (?:mentioned|provided|specified|stated|given|included|"
    r"available|found|discussed|addressed) (?:in|by) (?:the|this|these|any|my) "
    r"(?:given |provided |retrieved )?(?:context|document|passage|text|source|excerpt|information)",
    r"\b(?:unanswerable|not answerable)\b",
    r"^\W*(?:n/a|unknown|none|no answer|not (?:found|mentioned|available|provided|specified))\W*$",
)
KOREAN = (
    r"(?:모르겠|모릅니다|알 ?수 ?(?:가 |는 )?없|알지 못)",
    r"(?:답변|대답|답)(?:을|를|해|하기|드리기|드릴)?[^.!?]{0,12}"
    r"(?:할 ?수 ?(?:가 )?없|드릴 ?수 ?(?:가 )?없|불가|어렵|어려)",
    r"(?:확인|파악|판단|제공|안내)(?:을|를)?(?:해|하기|되지)? ?"
    r"(?:할 ?수 ?(?:가 |는 )?없|해 ?드릴 ?수 ?없|되지 ?않|이? ?어렵|이? ?불가)",
    r"(?:정보|내용|자료|근거|답|언급)(?:이|가|은|는|을|를|도)? ?[^.!?]{0,10}"
    r"(?:없습니다|없어요|없음|없다|부족합니다|부족하여|부족해|찾을 ?수 ?없|나와 ?있지 ?않|"
    r"포함(?:되어|하고|돼) ?있지 ?않)",
    r"언급(?:되어|돼|하고|되지|하지) ?(?:있지 ?)?않",
    r"(?:명시|기재|제시)(?:되어|돼) ?있지 ?않",
)
FIRST = 2
"""How many sentences at the start are looked at, beside the last one."""


class Abstentions:
    """Finds answers that abstain: English and Korean patterns of ours, and more of the user's."""

    def __init__(self, more: Iterable[str] = ()) -> None:
        """Compile; raises re.error for a pattern that is none."""
        self._more = tuple(more)
        self._patterns = [
            re.compile(each, re.IGNORECASE) for each in (*ENGLISH, *KOREAN, *self._more)
        ]

    def found(self, answer: str, parts: Sequence[Sentence]) -> bool:
        """Tell whether an answer abstains: it is blank, or says so at its start or at its end.

        Its first two sentences and its last are looked at.

        >>> from ragstone.answers.sentences import sentences
        >>> said = "Sorry. I could not find this in the documents."
        >>> Abstentions().found(said, sentences(said)), Abstentions().found(" ", [])
        (True, True)
        """
        if not answer.strip():
            return True
        texts = [part.text for part in (*parts[:FIRST], *parts[FIRST:][-1:])] or [answer]
        straight = [text.replace("’", "'") for text in texts]  # noqa: RUF001
        return any(pattern.search(text) for pattern in self._patterns for text in straight)

    @property
    def signature(self) -> Mapping[str, Scalar]:
        """What the patterns are known by, where there are some of the user's."""
        if not self._more:
            return {}
        return {"abstention_patterns": hashlib.sha256("\n".join(self._more).encode()).hexdigest()}


def read_abstentions(path: str | Source) -> Abstentions:
    """Read more patterns: a regular expression a line, case ignored; `#` begins a comment line.

    Raises FormatError with file and line for one that is none.
    """
    source = path if isinstance(path, Source) else Source(path)
    patterns = []
    for number, text in read_list(source):
        try:
            re.compile(text)
        except re.error as error:
            raise source.error(
                f"{text!r} is no regular expression ({error}); one a line was expected", number
            ) from None
        patterns.append(text)
    return Abstentions(patterns)


def read_list(source: Source) -> list[tuple[int, str]]:
    """Return the entries of a list, one a line, with their numbers; `#` begins a comment line.

    Raises FormatError where there is none.
    """
    found = [(number, data.decode()) for number, data in source.lines()]
    if not found:
        raise source.error("the list is empty; one entry a line was expected")
    return found
