"""Answers: samples to Scores, by deterministic measures, judged ones, and operations.

Layer: answers | lint | pipelines. Imports matching, corpus, judge and what is below. A module
computes measures of one kind; `kernels` says what a sample must have for each.
"""

from ragstone.answers.abstaining import Abstentions, read_abstentions
from ragstone.answers.choosing import LeftOut
from ragstone.answers.entailment import NliSupport, SupportFunction
from ragstone.answers.evaluating import Evaluation, check_measures, evaluate
from ragstone.answers.form import WordList, read_word_list
from ragstone.answers.options import Options

__all__ = [
    "Abstentions",
    "Evaluation",
    "LeftOut",
    "NliSupport",
    "Options",
    "SupportFunction",
    "WordList",
    "check_measures",
    "evaluate",
    "read_abstentions",
    "read_word_list",
]
