"""How an object is found to be of some framework's kind; no framework is imported.

A framework's class is known by the module of one of its bases. Whatever else has its methods is
taken as well.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from msgspec import Struct

from ragstone.errors import InputError, RagstoneError
from ragstone.pipelines.hits import NotResultsError
from ragstone.usercode import said

B = TypeVar("B")


class Adapter(Struct, Generic[B], frozen=True):
    """How a kind of retriever or pipeline is known and called.

    prefixes: modules of the framework. fits: whether an object has what is called. bind: a
    function from an object and how it is to be called to its Search. advice: what to give where
    the object does not fit.
    """

    prefixes: tuple[str, ...]
    fits: Callable[[Any], bool]
    bind: B
    advice: str


def chosen(
    known: Mapping[str, Adapter[Any]], thing: Any, framework: str, noun: str, expected: str
) -> str:
    """Return the name of the kind that an object is of; raises InputError where it is of none.

    framework: its name, or auto. noun, expected: what errors call the object, and what it can be.
    """
    if framework != "auto":
        kind = known[framework]
        if not kind.fits(thing):
            raise _unfit(noun, thing, kind.advice)
        return framework
    if isinstance(thing, type):
        raise _unfit(noun, thing, "that is a class; write module:Class() for an instance of it")
    for name, kind in known.items():
        if is_of(thing, kind.prefixes):
            if kind.fits(thing):
                return name
            raise _unfit(noun, thing, kind.advice)
    for name, kind in known.items():
        if kind.fits(thing):
            return name
    hint = "; write module:factory() where it makes one" if callable(thing) else ""
    raise _unfit(noun, thing, f"expected {expected}{hint}")


def is_of(thing: Any, prefixes: tuple[str, ...]) -> bool:
    """Tell whether a class of an object, or its metaclass's, lies in one of some modules."""
    kinds = (*type(thing).__mro__, *type(type(thing)).__mro__)
    return bool(prefixes) and any(kind.__module__.startswith(prefixes) for kind in kinds)


def _unfit(noun: str, thing: Any, advice: str) -> InputError:
    kind = thing if isinstance(thing, type) else type(thing)
    name = f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.")
    return InputError(f"the {noun}, a {name}, cannot be called with a query; {advice}")


@contextmanager
def made_ready(noun: str) -> Iterator[None]:
    """Turn an error of the user's code, while it is made ready, into an InputError."""
    try:
        yield
    except RagstoneError:
        raise
    except NotResultsError as error:
        raise InputError(str(error)) from None
    except Exception as error:
        raise InputError(f"the {noun} could not be made ready: {said(error)}") from error


def takes_a_query(function: Any) -> bool:
    """Tell a search from a factory: whether it can be called with one argument."""
    if isinstance(function, type) or not callable(function):
        return False
    try:
        inspect.signature(function).bind_partial("a query")
    except TypeError:
        return False
    except ValueError:
        return True
    return True
