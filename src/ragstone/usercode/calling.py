"""How a function of the user's may be called, as far as it says."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any


def is_async(function: Any, kind: Callable[[Any], bool] = inspect.iscoroutinefunction) -> bool:
    """Tell whether a function, or the method that an object is called by, is async.

    kind: which async function it is to be, as inspect.isasyncgenfunction.
    """
    called = getattr(type(function), "__call__", None)  # noqa: B004 - the method, not whether
    return kind(function) or kind(called)


def parameters(function: Any) -> Mapping[str, inspect.Parameter]:
    """Return the parameters of a function by name; none where nobody can tell.

    >>> list(parameters(lambda text, k=10: text)), list(parameters(3))
    (['text', 'k'], [])
    """
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):
        return {}


def misfit(function: Callable[..., Any], *given: Any, **named: Any) -> str:
    """Return why a function cannot be called so; "" where it can, or where nobody can tell.

    >>> misfit(lambda text: text, words="a b")
    "missing a required argument: 'text'"
    >>> misfit(lambda **more: more, words="a b"), misfit(dict, [])
    ('', '')
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return ""
    try:
        signature.bind(*given, **named)
    except TypeError as error:
        return str(error)
    return ""
