"""What is kept on disk: the atomic write.

Layer: statistics | measures | formats | text | http | store. Imports model, registry, errors.
"""

from ragstone.store.atomic import write_atomic

__all__ = ["write_atomic"]
