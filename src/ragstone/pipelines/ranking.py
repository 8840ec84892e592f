"""From what a retriever returned to a ranking: ids checked, folded, de-duplicated, then cut."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from operator import ge
from typing import Any, NamedTuple

from ragstone.errors import InputError
from ragstone.pipelines.hits import NotResultsError, as_list
from ragstone.pipelines.identity import BadHitError, Hit, Hits, score_of


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
        return self.scores is not None and all(map(ge, self.scores, self.scores[1:]))


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
        self.k, self.keep_text, self.columns = k, keep_text, columns
        self._hits = Hits(id_key, fold_to_parent, columns=columns)
        self._as_they_are = not (id_key or fold_to_parent or keep_text)

    def rank(self, query: str, raw: Any) -> Ranking:
        """Read one call's results. Raises InputError with query, rank, finding and advice."""
        if self._as_they_are and (plain := plain_ranking(raw, self.k, columns=self.columns)):
            return plain
        rank, seen, facts = 0, dict[str, Hit](), Counter[str]()
        try:
            items = as_list(raw)
            for rank, item in enumerate(items, 1):  # noqa: B007 - the error says it
                hit = self._hits.hit(item)
                seen.setdefault(self._hits.id(hit, facts), hit)
        except (NotResultsError, BadHitError) as error:
            place = f"query {query!r}, rank {rank}" if rank else f"query {query!r}"
            raise InputError(f"{place}: {error}") from None
        facts["results"] = len(items)
        facts["folded" if self._hits.folding else "duplicates_removed"] = len(items) - len(seen)
        return self._cut(query, seen, {name: n for name, n in facts.items() if n})

    def _cut(self, query: str, seen: Mapping[str, Hit], facts: dict[str, int]) -> Ranking:
        docs = list(seen)[: self.k]
        hits = list(seen.values())[: self.k]
        try:
            scores = _scores(docs, hits)
        except BadHitError as error:
            raise InputError(f"query {query!r}: {error}") from None
        texts = [_text(form.text(item)) for form, item, _ in hits] if self.keep_text else None
        return Ranking(docs, scores, texts, facts)


def plain_ranking(raw: Any, k: int, *, columns: bool = False) -> Ranking | None:
    """Read good ids, (id, score) tuples or {id, score} dicts all at once; None for anything else.

    This is what the way by single hits must agree with; it is there for speed alone.
    """
    if type(raw) is not list or not raw:
        return None
    ids, given = _columns(raw)
    if not _good(ids, columns=columns):
        return None
    if given is None:
        return _unique(ids, None, k)
    scores = _finite(given)
    return None if scores is None else _unique(ids, scores, k)


def _good(ids: Sequence[Any], *, columns: bool) -> bool:
    if set(map(type, ids)) != {str} or not all(ids):
        return False
    letters = "".join(ids)
    return letters.isprintable() and not (columns and " " in letters)


def _finite(given: Sequence[Any]) -> list[float] | None:
    if not set(map(type, given)) <= {float, int}:
        return None
    try:
        scores = list(map(float, given))
    except OverflowError:
        return None
    return scores if all(map(math.isfinite, scores)) else None


def _columns(raw: list[Any]) -> tuple[Sequence[Any], Sequence[Any] | None]:
    """Return ids and scores of results of one kind, None where there are ids alone."""
    kinds = set(map(type, raw))
    if kinds == {tuple} and set(map(len, raw)) == {2}:
        ids, given = zip(*raw, strict=True)
        return ids, given
    if kinds == {dict}:
        return [each.get("id") for each in raw], [each.get("score") for each in raw]
    return raw, None


def _unique(ids: Sequence[str], scores: list[float] | None, k: int) -> Ranking:
    first = dict.fromkeys(ids)
    facts = {"results": len(ids)}
    if len(first) < len(ids):
        facts["duplicates_removed"] = len(ids) - len(first)
        if scores is not None:
            best = dict(zip(reversed(ids), reversed(scores), strict=True))
            scores = [best[doc] for doc in first]
    return Ranking(list(first)[:k], None if scores is None else scores[:k], None, facts)


def _scores(docs: Sequence[str], hits: Sequence[Hit]) -> list[float] | None:
    scores = []
    for doc, (_, _, given) in zip(docs, hits, strict=True):
        if given is None:
            return None
        scores.append(score_of(given, doc))
    return scores


def _text(text: Any) -> str | None:
    """Return a text that UTF-8 can hold, None for what is none."""
    if not isinstance(text, str):
        return None
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()
