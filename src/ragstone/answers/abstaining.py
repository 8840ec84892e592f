"""Answers that say that there is no answer, told by patterns."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence

from ragstone.answers.sentences import Sentence
from ragstone.formats.source import Source
from ragstone.model import Scalar

# What was read, as the subject of a sentence: no law that an article tells of, and no source code.
_BEFORE = (
    r"(?:^\W*|[,;:] |\b(?:but|however|unfortunately|sorry|afraid|as|since|because|and|seems|"
    r"appears|note|found) (?:that )?)(?:(?:the|this|that|these|those|your|my|our|any) "
    r"(?:(?!the\b|says?\b|said\b|claims?\b)[\w'-]+ ){0,2})?"
)
_SOURCE = (
    r"(?:contexts?|documents?|documentation|reports?|passages?|texts?|articles?|sources?|excerpts?|"
    r"papers?|pages?|files?|manuals?|snippets?|materials?|records?|transcripts?|references?|"
    r"knowledge base|(?:search )?results?|information)"
)
_WHICH = (
    r" (?:itself|themselves|above|below|here|provided|given|retrieved|supplied|available|"
    r"(?:that |which )?(?:i|you|we) (?:have|had|provided|gave|shared|found)|"
    r"(?:that |which )(?:is|are|was|were|has been|have been) \w+|"
    r"(?:in|from|of|about|on|to|for) (?:(?:the|this|your|my|these) )?[\w'-]+(?: [\w'-]+)?)"
)
_SURELY = r"(?: (?:actually|explicitly|directly|specifically|clearly|currently|however|really))?"
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
    rf"{_BEFORE}{_SOURCE}(?:{_WHICH}){{0,3}}{_SURELY} (?:do|does|did)(?: not|n't){_SURELY} "
    r"(?:contain|provide|mention|include|specify|say|state|answer|address|give|discuss|describe|"
    r"cover|indicate|list|name|explain|disclose|reveal|tell|have (?:an answer|(?:any |enough |"
    r"sufficient |the |such |that )?(?:information|details?|data|mention)))\b",
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
    r"(?:문서|보고서|본문|지문|자료|문맥|맥락|기사|글|텍스트|출처|컨텍스트|매뉴얼|설명서|"
    r"검색 ?결과)들?(?:에는|에서는|에서|에|은|는|이|가|만으로는)[^.!?]{0,30}"
    r"(?:(?:나와|적혀|쓰여|담겨|들어) ?있지 ?않|나오지 ?않|확인되지 ?않|알려 ?주지 ?않|"
    r"(?:포함|설명|기술|서술|공개)(?:되어|돼|하고) ?있지 ?않|(?:다루|밝히|말하)(?:고 ?있)?지 ?않)"
    r"(?:습니다|았습니다|아요|았어요|음|다|았다|는다|네요)?\W*$",
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
