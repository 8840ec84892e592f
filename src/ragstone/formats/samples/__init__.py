"""Samples from files: our own JSON lines, other tools' results, and traces.

Layer: statistics | measures | formats | text | http | store. Imports model, registry, errors. A
module reads one format; `reading` and `fields` are what they share, `spans` what traces share.
"""

from ragstone.formats.samples.files import (
    SAMPLES_FORMATS,
    SamplesFile,
    detect_samples,
    open_samples,
    read_samples,
)
from ragstone.formats.samples.given import SamplesLike, samples_given
from ragstone.formats.samples.own import sample_from, sample_slips
from ragstone.formats.samples.questions import question_slips, read_questions
from ragstone.formats.samples.tokens import odd_count, usage_of
from ragstone.formats.samples.writer import plain, write_samples

__all__ = [
    "SAMPLES_FORMATS",
    "SamplesFile",
    "SamplesLike",
    "detect_samples",
    "odd_count",
    "open_samples",
    "plain",
    "question_slips",
    "read_questions",
    "read_samples",
    "sample_from",
    "sample_slips",
    "samples_given",
    "usage_of",
    "write_samples",
]
