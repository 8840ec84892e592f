"""What was found out about an endpoint, kept in the cache for the next run."""

from __future__ import annotations

import msgspec

from ragstone.http import shown
from ragstone.judge.asking import Asker
from ragstone.judge.endpoint import EndpointJudge
from ragstone.store import cache_key


def recall(asker: Asker) -> None:
    """Open an endpoint, and start on the rung that held the last time; offline, do neither.

    The asker is told of attempts that are made again.

    Raises UsageError for a key that is not there, and MissingExtraError without httpx.
    """
    judge, cache = asker.judge, asker.cache
    if not isinstance(judge, EndpointJudge) or asker.offline:
        return
    judge.on_retry = asker.missed
    judge.open()
    if cache is None:
        return
    kept = cache.get(_key(judge))
    if kept is not None:
        judge.ladder.restore(msgspec.json.decode(kept))


def remember(asker: Asker) -> None:
    """Keep the rung that held."""
    judge, cache = asker.judge, asker.cache
    if not isinstance(judge, EndpointJudge) or cache is None or cache.read_only:
        return
    state = msgspec.json.encode(judge.ladder.state)
    if judge.ladder.held and cache.get(_key(judge)) != state:
        cache.put(_key(judge), state)


def _key(judge: EndpointJudge) -> str:
    parameters = dict(judge.parameters)
    return cache_key(ladder=1, url=shown(judge.url), model=judge.model, parameters=parameters)
