"""What is kept on disk: the atomic write, the journal behind --resume, the cache.

Layer: statistics | measures | formats | text | http | store. Imports model, registry, errors.
"""

from ragstone.store.atomic import write_atomic, write_stream
from ragstone.store.cache import Cache, cache_key
from ragstone.store.journal import Journal

__all__ = ["Cache", "Journal", "cache_key", "write_atomic", "write_stream"]
