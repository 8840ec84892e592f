"""One request, from the outside: what comes back or how it fails."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ragstone.errors import EndpointError
from ragstone.http import Client, Limits, Response, Retry

QUICK = Limits(timeout=5.0, connect_timeout=2.0)
ONCE = Retry(attempts=1)


def ask(url: str, json: Any = None, **options: Any) -> Response:
    """Send one request by a client of its own."""
    return asyncio.run(_ask(url, json, **{"limits": QUICK, **options}))


async def _ask(url: str, json: Any, **options: Any) -> Response:
    async with Client(**options) as client:
        return await client.post_json(url, json)


def failure(url: str, json: Any = None, **options: Any) -> EndpointError:
    """Send one request that fails; only once unless told otherwise."""
    with pytest.raises(EndpointError) as caught:
        ask(url, json, **{"retry": ONCE, **options})
    return caught.value
