"""When a report was made."""

from __future__ import annotations

import os
import time

from ragstone.errors import InputError

VARIABLE = "SOURCE_DATE_EPOCH"
YEAR_10000 = 253402300800


def created_at() -> str:
    """Return the time as `YYYY-MM-DDTHH:MM:SSZ`: SOURCE_DATE_EPOCH where it is set, or now.

    Raises InputError when SOURCE_DATE_EPOCH is not whole seconds since 1970.
    """
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(_seconds()))


def _seconds() -> float:
    text = os.environ.get(VARIABLE, "").strip()
    if not text:
        return time.time()
    if not (text.isascii() and text.isdigit() and len(text) < 13 and int(text) < YEAR_10000):
        raise InputError(
            f"{VARIABLE} is {text!r}; whole seconds since 1970 were expected, as in 1750000000"
        )
    return int(text)
