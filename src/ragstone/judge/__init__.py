"""Judges: model client, prompts, verdicts that code checks, spending, and the judged measures.

Layer: matching | corpus | judge. Imports scoring, encoders and what is below. httpx is imported
when an endpoint is asked.
"""

from ragstone.judge.agreement import Agreement, Difference
from ragstone.judge.config import JudgeConfig, JudgeLimits, JudgePrices, judge_config, read_judge
from ragstone.judge.estimating import Estimate, estimate
from ragstone.judge.exchange import Exchange, Totals, Turn
from ragstone.judge.function import CallableJudge
from ragstone.judge.judged import Failure, Judged, Who
from ragstone.judge.plan import Plan, open_judges
from ragstone.judge.prices import list_price
from ragstone.judge.protocol import CallFailedError, Judge, Message, Reply, Request
from ragstone.judge.rubric import Rubric, read_rubric, rubric_of
from ragstone.judge.run import judge_samples
from ragstone.judge.spread import Spread
from ragstone.model.prices import Rates

__all__ = [
    "Agreement",
    "CallFailedError",
    "CallableJudge",
    "Difference",
    "Estimate",
    "Exchange",
    "Failure",
    "Judge",
    "JudgeConfig",
    "JudgeLimits",
    "JudgePrices",
    "Judged",
    "Message",
    "Plan",
    "Rates",
    "Reply",
    "Request",
    "Rubric",
    "Spread",
    "Totals",
    "Turn",
    "Who",
    "estimate",
    "judge_config",
    "judge_samples",
    "list_price",
    "open_judges",
    "read_judge",
    "read_rubric",
    "rubric_of",
]
