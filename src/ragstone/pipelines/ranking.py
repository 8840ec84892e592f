"""From what a retriever returned to a ranking: ids checked, folded, de-duplicated, then cut."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from operator import ge, index
from reprlib import repr as brief
from typing import Any, NamedTuple, TypeAlias

from ragstone.errors import InputError
from ragstone.formats.writers import has_white_space
from ragstone.model import is_id
from ragstone.pipelines.folding import FLAG, ByKey, folding, lookup
from ragstone.pipelines.hits import (
    Form,
    NotResultsError,
    as_list,
    form_of,
    metadata_keys,
    split,
)

Hit: TypeAlias = tuple[Form, Any, Any]  # how it is read, the result, its score


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
        self.k, self.id_key, self.keep_text, self.columns = k, id_key, keep_text, columns
        self.folding = folding(fold_to_parent)
        self._forms: dict[type, Form] = {}
        self._as_they_are = not (id_key or fold_to_parent or keep_text)

    def rank(self, query: str, raw: Any) -> Ranking:
        """Read one call's results. Raises InputError with query, rank, finding and advice."""
        if self._as_they_are and (plain := plain_ranking(raw, self.k, columns=self.columns)):
            return plain
        rank, seen, facts = 0, dict[str, Hit](), Counter[str]()
        try:
            items = as_list(raw)
            for rank, item in enumerate(items, 1):  # noqa: B007 - the error says it
                hit = self._hit(item)
                seen.setdefault(self._id(hit, facts), hit)
        except (NotResultsError, _BadHitError) as error:
            place = f"query {query!r}, rank {rank}" if rank else f"query {query!r}"
            raise InputError(f"{place}: {error}") from None
        facts["results"] = len(items)
        facts["folded" if self.folding else "duplicates_removed"] = len(items) - len(seen)
        return self._cut(query, seen, {name: n for name, n in facts.items() if n})

    def _hit(self, item: Any) -> Hit:
        kind = type(item)
        if kind is tuple or kind is list:
            first, score = split(item)
            return self._form(first), first, score
        form = self._form(item)
        return form, item, form.score(item)

    def _form(self, item: Any) -> Form:
        """Return how an item is read; one of a type stands for all."""
        form = self._forms.get(type(item))
        if form is None:
            form = self._forms[type(item)] = form_of(item)
        return form

    def _cut(self, query: str, seen: Mapping[str, Hit], facts: dict[str, int]) -> Ranking:
        docs = list(seen)[: self.k]
        hits = list(seen.values())[: self.k]
        try:
            scores = _scores(docs, hits)
        except _BadHitError as error:
            raise InputError(f"query {query!r}: {error}") from None
        texts = [_text(form.text(item)) for form, item, _ in hits] if self.keep_text else None
        return Ranking(docs, scores, texts, facts)

    def _id(self, hit: Hit, facts: Counter[str]) -> str:
        form, item, _ = hit
        own = form.id(item) if self.id_key is None else _needed(hit, self.id_key, "--id-key")
        if self.folding is not None:
            parent = self.folding.parent(lambda: form.metadata(item), own, facts)
            if parent is None and isinstance(self.folding, ByKey):
                parent = _needed(hit, self.folding.key, FLAG)
            return self._checked(parent, hit)
        if self.id_key is None and form.made_up(item):
            facts["unstable_ids"] += 1
        return self._checked(own, hit)

    def _checked(self, value: Any, hit: Hit) -> str:
        if type(value) is str and value.isprintable() and value:
            text = value
        elif value is None or value == "":
            raise _BadHitError(_no_id(hit))
        else:
            text = _id_text(value)
        if self.columns and has_white_space(text):
            raise _BadHitError(
                f"the id {text!r} has white space in it, and a TREC run separates its columns by "
                "white space; write JSON lines with --to jsonl"
            )
        return text


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
    form, item, _ = hit
    keys = metadata_keys(form, item)
    what = f"the {form.noun} has no id"
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
    form, item, _ = hit
    value = lookup(form.metadata(item), key)
    if value is None:
        keys = ", ".join(metadata_keys(form, item)[:8]) or "none"
        raise _BadHitError(f"the {form.noun} has no {key!r}, which {flag} names; its keys: {keys}")
    return value


def _scores(docs: Sequence[str], hits: Sequence[Hit]) -> list[float] | None:
    scores = []
    for doc, (_, _, given) in zip(docs, hits, strict=True):
        if given is None:
            return None
        score = given if type(given) is float else _number(given, doc)
        if not math.isfinite(score):
            raise _BadHitError(f"the score of {brief(doc)} is {score}; a score must be finite")
        scores.append(score)
    return scores


def _number(score: Any, doc: str) -> float:
    try:
        if isinstance(score, bool | str | bytes):
            raise TypeError
        return float(score)
    except (TypeError, ValueError, OverflowError):
        raise _BadHitError(
            f"the score of {brief(doc)} is {brief(score)}; a number was expected"
        ) from None


def _text(text: Any) -> str | None:
    """Return a text that UTF-8 can hold, None for what is none."""
    if not isinstance(text, str):
        return None
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()
