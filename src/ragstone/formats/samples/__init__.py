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
from ragstone.formats.samples.own import sample_from
from ragstone.formats.samples.questions import read_questions
from ragstone.formats.samples.tokens import usage_of
from ragstone.formats.samples.writer import plain, write_samples

__all__ = [
    "SAMPLES_FORMATS",
    "SamplesFile",
    "detect_samples",
    "open_samples",
    "plain",
    "read_questions",
    "read_samples",
    "sample_from",
    "usage_of",
    "write_samples",
]
