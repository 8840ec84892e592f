"""Texts made comparable: one normalisation, and words.

Layer: statistics | measures | formats | text | http | store. Imports model, registry, errors.
"""

from ragstone.text.normal import normalise, words

__all__ = ["normalise", "words"]
