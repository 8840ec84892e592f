"""Times as tools write them down, in ISO form, and as spans have them."""

from __future__ import annotations

from datetime import UTC, datetime

from ragstone.formats.samples.fields import Fields


def time_of(fields: Fields, name: str) -> int | None:
    """Take a time, in nanoseconds since 1970; raises FormatError for what is none."""
    name, value = fields.take(name)
    if value is None:
        return None
    found = nanoseconds(value)
    if found is None:
        raise fields.wrong(name, value, "a time like 2026-01-30T14:14:52.273Z")
    return found


def nanoseconds(value: object) -> int | None:
    """Return an ISO time as nanoseconds since 1970; one without a zone is UTC; None for no time.

    >>> nanoseconds("1970-01-01T00:00:01.5"), nanoseconds("1970-01-01T01:00:00+01:00")
    (1500000000, 0)
    """
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    since = moment - datetime(1970, 1, 1, tzinfo=UTC)
    return (since.days * 86_400 + since.seconds) * 10**9 + since.microseconds * 1000
