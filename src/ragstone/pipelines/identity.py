"""Which document a result is of: its own id, one from its metadata, or that of its parent."""

from __future__ import annotations

import math
from collections import Counter
from operator import index
from reprlib import repr as brief
from typing import Any, TypeAlias

from ragstone.formats.writers import has_white_space
from ragstone.model import is_id
from ragstone.pipelines.folding import FLAG, ByKey, folding, lookup
from ragstone.pipelines.hits import Form, form_of, metadata_keys, split

Hit: TypeAlias = tuple[Form, Any, Any]  # how it is read, the result, its score


class BadHitError(Exception):
    """What is wrong with one result, before its place is known."""


class Hits:
    """Reads single results, and finds the ids that they go by."""

    def __init__(
        self, id_key: str | None = None, fold_to_parent: str | None = None, *, columns: bool = False
    ) -> None:
        """Keep the rules. columns: the ids go into columns, so they may have no white space."""
        self.id_key, self.columns = id_key, columns
        self.folding = folding(fold_to_parent)
        self._forms: dict[type, Form] = {}

    def hit(self, item: Any) -> Hit:
        """Return how a result is read, the result, and its score; raises NotResultsError."""
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

    def has_id(self, hit: Hit) -> bool:
        """Tell whether a result has an id of its own, or has to have one that an option names."""
        form, item, _ = hit
        return bool(self.id_key or self.folding) or form.id(item) not in (None, "")

    def id(self, hit: Hit, facts: Counter[str]) -> str:
        """Return the id of a result; raises BadHitError for none, or one that cannot be."""
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
            raise BadHitError(_no_id(hit))
        else:
            text = _id_text(value)
        if self.columns and has_white_space(text):
            raise BadHitError(
                f"the id {text!r} has white space in it, and a TREC run separates its columns by "
                "white space; write JSON lines with --to jsonl"
            )
        return text


def _id_text(value: Any) -> str:
    if isinstance(value, str) and is_id(value):
        return str(value)
    if hasattr(value, "__index__") and not isinstance(value, bool):
        return str(index(value))
    if isinstance(value, str):
        raise BadHitError(
            f"the id {brief(value)} has control characters or half of a surrogate pair in it"
        )
    raise BadHitError(
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
        raise BadHitError(f"the {form.noun} has no {key!r}, which {flag} names; its keys: {keys}")
    return value


def score_of(given: Any, doc: object) -> float:
    """Return a score as a float; raises BadHitError for what is no finite number."""
    score = given if type(given) is float else _number(given, doc)
    if not math.isfinite(score):
        raise BadHitError(f"the score of {brief(doc)} is {score}; a score must be finite")
    return score


def _number(given: Any, doc: object) -> float:
    try:
        if isinstance(given, bool | str | bytes):
            raise TypeError
        return float(given)
    except (TypeError, ValueError, OverflowError):
        raise BadHitError(
            f"the score of {brief(doc)} is {brief(given)}; a number was expected"
        ) from None
