"""Code of the user's: how it is found by its name, how it may be called, where it failed.

Layer: model | registry | progress | processes | usercode. Imports errors only.
"""

from ragstone.usercode.calling import is_async, misfit, parameters
from ragstone.usercode.loading import Spec, load
from ragstone.usercode.place import PlainError, place_of, said

__all__ = [
    "PlainError",
    "Spec",
    "is_async",
    "load",
    "misfit",
    "parameters",
    "place_of",
    "said",
]
