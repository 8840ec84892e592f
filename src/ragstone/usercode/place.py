"""Where in the user's code an exception comes from."""

from __future__ import annotations

import sysconfig
import traceback
from pathlib import Path

from ragstone.errors import RagstoneError, readable, shortened

_OURS = str(Path(__file__).resolve().parents[1])
_LIBRARIES = tuple({sysconfig.get_paths()[name] for name in ("stdlib", "purelib", "platlib")})


class PlainError(Exception):
    """An error that says all by itself: neither its class nor its place helps a reader."""


def said(error: BaseException) -> str:
    """Return an exception's type, what it says, and its place in the user's code.

    >>> said(ValueError("no index"))
    'ValueError: no index'
    """
    if isinstance(error, RagstoneError | PlainError):
        return str(error)
    text = str(error).strip()
    if isinstance(error, SyntaxError):
        text = error.msg
    what = f"{type(error).__name__}: {text}" if text else type(error).__name__
    place = place_of(error)
    return shortened(readable(" ".join(what.split()))) + (f" ({place})" if place else "")


def place_of(error: BaseException) -> str:
    """Return `file:line, in function` of the last frame that is the user's; else "".

    Libraries and ragstone itself are passed over, but for an error that never leaves a library.
    """
    if isinstance(error, SyntaxError) and error.filename:
        return f"{_short(error.filename)}:{error.lineno}"
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith((_OURS, "<frozen"))
    ]
    own = [frame for frame in frames if not frame.filename.startswith(_LIBRARIES)]
    if not (own or frames):
        return ""
    last = (own or frames)[-1]
    return f"{_short(last.filename)}:{last.lineno}, in {last.name}"


def _short(path: str) -> str:
    """Return a path as seen from the current directory where it is below it."""
    try:
        return str(Path(path).resolve().relative_to(Path.cwd()))
    except (ValueError, OSError):
        return path
