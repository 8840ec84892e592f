"""From what a retriever returned to a ranking: ids checked, folded, de-duplicated, then cut."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from operator import index
from reprlib import repr as brief
from typing import Any, NamedTuple

from ragstone.errors import InputError
from ragstone.model import is_id
from ragstone.pipelines.folding import FLAG, ByKey, folding, lookup
from ragstone.pipelines.hits import Hit, NotResultsError, as_list, metadata_keys, read_hit

_SPACE = re.compile(r"[ \t\n\r\v\f]")


class Ranking(NamedTuple):
    """One query's documents, best first; scores is None where a result had none.

    facts: results (before anything was left out), and where not 0 duplicates_removed, folded,
    ids_not_folded, unstable_ids.
    """

    docs: list[str]
    scores: list[float] | None
    texts: list[str | None] | None
    facts: dict[str, int]

    @property
    def falls(self) -> bool:
        """Whether the scores put the documents into this order."""
        return self.scores is not None and all(a >= b for a, b in pairwise(self.scores))


class Ranker:
    """Turns results into rankings, and counts what it leaves out."""

    def __init__(
        self,
        k: int,
        *,
        id_key: str | None = None,
        fold_to_parent: str | None = None,
        keep_text: bool = False,
        columns: bool = False,
    ) -> None:
        """Keep the rules. columns: the ids go into columns, so they may have no white space."""
        self.k, self.id_key, self.keep_text, self.columns = k, id_key, keep_text, columns
        self.folding = folding(fold_to_parent)

    def rank(self, query: str, raw: Any) -> Ranking:
        """Read one call's results. Raises InputError with query, rank, finding and advice."""
        rank, seen, facts = 0, dict[str, Hit](), Counter[str]()
        try:
            items = as_list(raw)
            for rank, item in enumerate(items, 1):  # noqa: B007 - the error says it
                hit = read_hit(item)
                seen.setdefault(self._id(hit, facts), hit)
        except NotResultsError as error:
            place = f"query {query!r}, rank {rank}" if rank else f"query {query!r}"
            raise InputError(f"{place}: {error}") from None
        except _BadHitError as error:
            raise InputError(f"query {query!r}, rank {rank}: {error}") from None
        facts["results"] = len(items)
        facts["folded" if self.folding else "duplicates_removed"] = len(items) - len(seen)
        return self._cut(query, seen, {name: n for name, n in facts.items() if n})

    def _cut(self, query: str, seen: Mapping[str, Hit], facts: dict[str, int]) -> Ranking:
        docs = list(seen)[: self.k]
        hits = list(seen.values())[: self.k]
        try:
            scores = _scores(hits)
        except _BadHitError as error:
            raise InputError(f"query {query!r}: {error}") from None
        texts = [_text(hit.text) for hit in hits] if self.keep_text else None
        return Ranking(docs, scores, texts, facts)

    def _id(self, hit: Hit, facts: Counter[str]) -> str:
        own = hit.id if self.id_key is None else _needed(hit, self.id_key, "--id-key")
        if self.folding is not None:
            parent = self.folding.parent(hit, own, facts)
            if parent is None and isinstance(self.folding, ByKey):
                parent = _needed(hit, self.folding.key, FLAG)
            return self._checked(parent, hit)
        if hit.unstable and self.id_key is None:
            facts["unstable_ids"] += 1
        return self._checked(own, hit)

    def _checked(self, value: Any, hit: Hit) -> str:
        if type(value) is str and value.isprintable() and value:
            text = value
        elif value is None or value == "":
            raise _BadHitError(_no_id(hit))
        else:
            text = _id_text(value)
        if self.columns and _SPACE.search(text):
            raise _BadHitError(
                f"the id {text!r} has white space in it, and a TREC run separates its columns by "
                "white space; write JSON lines with --to jsonl"
            )
        return text


class _BadHitError(Exception):
    """What is wrong with one result, before its place is known."""


def _id_text(value: Any) -> str:
    if isinstance(value, str) and is_id(value):
        return str(value)
    if hasattr(value, "__index__") and not isinstance(value, bool):
        return str(index(value))
    if isinstance(value, str):
        raise _BadHitError(
            f"the id {brief(value)} has control characters or half of a surrogate pair in it"
        )
    raise _BadHitError(
        f"the id {brief(value)} is a {type(value).__name__}; an id is a string or an integer"
    )


def _no_id(hit: Hit) -> str:
    keys = metadata_keys(hit)
    what = f"the {hit.noun} has no id"
    if not keys:
        return (
            f"{what} and no metadata; return results that have one, or say where it is with "
            "--id-key (for an endpoint: --results)"
        )
    likely = next((key for key in keys if "id" in key.lower()), keys[0])
    return (
        f"{what}; name the metadata key that has it with --id-key, "
        f"as in --id-key {likely} (there is: {', '.join(keys[:8])})"
    )


def _needed(hit: Hit, key: str, flag: str) -> Any:
    value = lookup(hit.metadata(), key)
    if value is None:
        keys = ", ".join(metadata_keys(hit)[:8]) or "none"
        raise _BadHitError(f"the {hit.noun} has no {key!r}, which {flag} names; its keys: {keys}")
    return value


def _scores(hits: Sequence[Hit]) -> list[float] | None:
    scores = []
    for hit in hits:
        score = hit.score
        if score is None:
            return None
        if type(score) is not float:
            score = _number(score, hit)
        if not math.isfinite(score):
            raise _BadHitError(f"the score of {brief(hit.id)} is {score}; a score must be finite")
        scores.append(score)
    return scores


def _number(score: Any, hit: Hit) -> float:
    try:
        if isinstance(score, bool | str | bytes):
            raise TypeError
        return float(score)
    except (TypeError, ValueError, OverflowError):
        raise _BadHitError(
            f"the score of {brief(hit.id)} is {brief(score)}; a number was expected"
        ) from None


def _text(text: Any) -> str | None:
    return text if isinstance(text, str) else None
