"""Texts to vectors: models on this machine, endpoints, or a function of the user's.

Layer: scoring | encoders. Imports statistics, measures, formats, text, http, store, model,
registry, progress and errors. NumPy and a model's library are imported when a text is encoded.
"""

from ragstone.encoders.checking import CheckedEncoder
from ragstone.encoders.config import EncoderConfig, encoder_config, read_encoder_config
from ragstone.encoders.encoder import Encoder
from ragstone.encoders.opening import open_encoder
from ragstone.encoders.trust import LanguageCheck, LanguageChecks, check_languages
from ragstone.encoders.vectors import cosines, error_bound, normalized

__all__ = [
    "CheckedEncoder",
    "Encoder",
    "EncoderConfig",
    "LanguageCheck",
    "LanguageChecks",
    "check_languages",
    "cosines",
    "encoder_config",
    "error_bound",
    "normalized",
    "open_encoder",
    "read_encoder_config",
]
