"""Answers that say that there is none, and answers that only sound like it."""

from __future__ import annotations

import pytest

from ragstone.answers import Abstentions
from ragstone.answers.sentences import sentences

ABSTAINS = """
The report doesn't mention the CEO.
Unfortunately, the report does not say who founded it.
This article does not specify the price.
The provided documents do not contain that date.
The context you provided doesn't state when it opened.
Sources don't give a figure.
The text itself does not explicitly name the author.
I'm sorry, but the passage does not discuss refunds.
The annual report for 2023 did not disclose the figure.
It seems that the documentation doesn't cover this.
The information in the retrieved passages does not include the address.
The page that was retrieved doesn't list any opening hours.
The manual does not have any information on that.
Based on what I read, these sources do not answer the question.
The search results do not tell who won.
""".strip().splitlines()
ANSWERS = """
The source code does not contain comments.
The policy does not cover flood damage.
The article says the law does not provide relief.
He said the report does not mention him.
The document management system does not provide OCR.
The text field does not have a limit.
Sources say the ministry did not provide aid.
The warranty does not include batteries.
The contract does not mention a deadline, and either side may end it.
The report mentions the CEO, Ada Lovelace.
The passage states that refunds take a week.
Free plans do not include support.
The context menu doesn't list hidden files.
The reporter did not say who paid.
The document does contain a date: 1937.
""".strip().splitlines()
ABSTAINS_KOREAN = """
보고서에는 대표 이사의 이름이 나와 있지 않습니다.
문서에 설립 연도가 적혀 있지 않습니다.
이 기사는 가격을 다루지 않습니다.
본문에서는 그 날짜가 나오지 않습니다.
제공된 자료는 환불 절차를 설명하고 있지 않습니다.
해당 글에는 저자가 쓰여 있지 않아요.
보고서는 매출액을 밝히지 않았습니다.
매뉴얼에는 그 기능이 포함되어 있지 않습니다.
검색 결과에서 우승자가 확인되지 않습니다.
지문에 그 내용은 담겨 있지 않다.
설명서에는 전압이 기술되어 있지 않음.
출처에 금액이 언급되어 있지 않습니다.
보고서에는 최고 경영자에 대한 언급이 없습니다.
텍스트는 누가 썼는지 말하지 않습니다.
문서들에는 영업시간이 들어 있지 않습니다.
""".strip().splitlines()
ANSWERS_KOREAN = """
이 보험은 침수 피해를 포함하고 있지 않습니다.
기사는 그 법이 빈곤을 다루지 않는다고 비판했다.
보고서에 따르면 대표 이사는 에이다입니다.
문서에는 1937년이라고 적혀 있습니다.
무료 요금제는 지원을 포함하지 않습니다.
본문에 나오는 사람은 세 명입니다.
기자는 누가 돈을 냈는지 밝히지 않았습니다.
이 제품은 건전지가 들어 있지 않습니다.
매뉴얼은 전압을 설명합니다.
그는 보고서가 자신을 다루지 않았다고 말했습니다.
글꼴은 바꾸지 않습니다.
환불은 일주일이 걸립니다.
자료는 매주 갱신됩니다.
회의에는 아무도 오지 않았습니다.
설명서의 3쪽에 나와 있습니다.
""".strip().splitlines()


def abstains(answer: str) -> bool:
    return Abstentions().found(answer, sentences(answer))


def test_there_are_enough() -> None:
    tables = (ABSTAINS, ANSWERS, ABSTAINS_KOREAN, ANSWERS_KOREAN)
    assert [len(each) for each in tables] == [15] * 4


@pytest.mark.parametrize("answer", [*ABSTAINS, *ABSTAINS_KOREAN])
def test_an_answer_that_says_there_is_none(answer: str) -> None:
    assert abstains(answer)
    assert abstains(answer.replace("n't", "n\u2019t"))


@pytest.mark.parametrize("answer", [*ANSWERS, *ANSWERS_KOREAN])
def test_an_answer_that_only_sounds_like_it(answer: str) -> None:
    assert not abstains(answer)
