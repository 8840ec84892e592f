"""Tokenizers: a text to its tokens, by name, each with a signature.

Layer: statistics | measures | formats | text | http | store. Imports model, registry, errors.
"""

from ragstone.text.tokenizers.parse import TOKENIZERS, parse_tokenizer
from ragstone.text.tokenizers.tokenizer import Function, Tokenizer

__all__ = ["TOKENIZERS", "Function", "Tokenizer", "parse_tokenizer"]
