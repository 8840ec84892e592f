"""Which failures are worth another attempt, and how long to wait before it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from msgspec import Struct

from ragstone.errors import UsageError

AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Statuses after which the same request may succeed."""

QUOTA = re.compile(
    r"insufficient_quota|quota_exceeded|exceeded your current quota|credit balance is too low"
    r"|billing_hard_limit|billing_not_active|insufficient[ _](?:credit|balance|funds)"
    r"|out of credits",
    re.IGNORECASE,
)
_SECONDS = re.compile(r"\d{1,9}(\.\d{1,9})?")


class Retry(Struct, frozen=True):
    """How often and when a request is sent again.

    attempts: the most, with the first. first, factor, longest: seconds before the second attempt,
    growth with each, and where it ends; each wait is drawn from its upper half. patience: the most
    seconds an endpoint may ask for by Retry-After; where it asks for more, the request has failed,
    since an earlier attempt would be in vain. statuses: those after which it is sent again.
    exhausted: tells by status and body that a quota is used up, so that no attempt will help.
    hidden: finds in the JSON of an answer with status 200 the status that it really is, as gateways
    send it; None for a success. seed: of the jitter, for tests.
    """

    attempts: int = 4
    first: float = 0.5
    factor: float = 2.0
    longest: float = 30.0
    patience: float = 120.0
    statuses: frozenset[int] = AGAIN
    exhausted: Callable[[int, bytes], bool] | None = None
    hidden: Callable[[Any], int | None] | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        """Refuse what is no number of attempts."""
        if self.attempts < 1:
            raise UsageError(f"attempts is {self.attempts}; at least 1 was expected")

    def random(self) -> Random:
        """Return where the jitter comes from."""
        return Random(self.seed)  # noqa: S311 - spreads requests, hides nothing

    def wait(self, attempt: int, asked: float | None, random: Random) -> float:
        """Return the seconds to wait after an attempt, counted from 1.

        >>> retry = Retry(first=1.0, longest=3.0)
        >>> [round(retry.wait(n, None, Random(1)), 2) for n in (1, 2, 3, 4)]
        [0.57, 1.13, 1.7, 1.7]
        >>> retry.wait(1, 20.0, Random(1))
        20.0
        """
        longest = min(self.longest, self.first * self.factor ** min(attempt - 1, 60))
        return max(asked or 0.0, longest * random.uniform(0.5, 1.0))


def is_exhausted(status: int, body: bytes) -> bool:
    """Tell that a quota or a balance is used up, as providers of models say it.

    >>> is_exhausted(429, b'{"error": {"code": "insufficient_quota"}}'), is_exhausted(429, b"slow")
    (True, False)
    """
    return status in {402, 403, 429, 400} and bool(QUOTA.search(body.decode("utf-8", "replace")))


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Return the seconds that Retry-After asks for, by number or by date; None without.

    A date is read against the answer's own Date, so that a wrong clock does no harm; `now`, in
    seconds since 1970, is used where it has none. Names of headers are in lower case.

    >>> retry_after({"retry-after": "7"}, 0)
    7.0
    >>> retry_after({"retry-after": "Thu, 01 Jan 1970 00:01:00 GMT"}, 20)
    40.0
    """
    value = headers.get("retry-after", "").strip()
    if _SECONDS.fullmatch(value):
        return float(value)
    until = _date(value)
    if until is None:
        return None
    sent = _date(headers.get("date", ""))
    return max(0.0, until - (now if sent is None else sent))


def _date(value: str) -> float | None:
    from datetime import UTC
    from email.utils import parsedate_to_datetime

    try:
        moment = parsedate_to_datetime(value)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
