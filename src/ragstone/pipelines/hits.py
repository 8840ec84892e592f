"""What a retriever returned, read as hits: ids, scores, texts and metadata, whatever its form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Real
from reprlib import repr as brief
from typing import Any, NamedTuple, TypeAlias

ID_NAMES = ("id", "_id", "doc_id", "document_id", "docid")
SCORE_NAMES = ("score", "_score")
TEXT_NAMES = ("text", "page_content", "content")
METADATA_NAMES = ("metadata", "meta", "_source", "payload")
LIST_NAMES = ("results", "documents", "hits", "matches")

RESULT = "result"
FORMS = "ids, (id, score) pairs, dicts with an id, or documents of a framework"

Read: TypeAlias = Callable[[str], Any]


class Hit(NamedTuple):
    """One result before its id is checked. `get` finds a metadata key, None where it is not."""

    id: Any
    score: Any = None
    text: Any = None
    metadata: Callable[[], Mapping[str, Any]] = dict
    unstable: bool = False
    noun: str = RESULT


class NotResultsError(Exception):
    """What came back is no list of results, before the query is known."""


def as_list(raw: Any) -> Sequence[Any]:
    """Return the results as a list; a generator is run to its end here, as part of the call."""
    if isinstance(raw, list | tuple):
        return raw
    if isinstance(raw, Mapping):
        return _inside(raw)
    if hasattr(raw, "__await__"):
        close = getattr(raw, "close", None)
        if close:
            close()  # or Python warns that it was never awaited
        raise NotResultsError(
            "a coroutine came back from a function that is not async; "
            "make it `async def` and await there"
        )
    if isinstance(raw, set | frozenset):
        raise NotResultsError("a set has no order; a list of results was expected")
    if raw is None or isinstance(raw, str | bytes) or not isinstance(raw, Iterable):
        raise NotResultsError(f"{brief(raw)} came back; expected a list of {FORMS}")
    return list(raw)


def _inside(raw: Mapping[Any, Any]) -> Sequence[Any]:
    """Read {"documents": [...]}, or {document id: score}, best first."""
    for name in LIST_NAMES:
        if isinstance(raw.get(name), list | tuple):
            found: Sequence[Any] = raw[name]
            return found
    if all(isinstance(value, Real) for value in raw.values()):
        return sorted(raw.items(), key=lambda pair: -float(pair[1]))
    keys = ", ".join(map(repr, list(raw)[:8]))
    raise NotResultsError(
        f"a dict with {keys} came back; expected a list of {FORMS}, or a dict of "
        "document ids and scores"
    )


def read_hit(item: Any) -> Hit:
    """Read one result."""
    kind = type(item)
    if kind is str or kind is int:
        return Hit(item)
    if kind is tuple or kind is list:
        return _pair(item)
    if isinstance(item, Mapping):
        return _fields(item.get, item, RESULT)
    if isinstance(item, str) or hasattr(item, "__index__"):
        return Hit(item)
    node = getattr(item, "node", item)
    if hasattr(node, "ref_doc_id") and hasattr(node, "node_id"):
        return _node(item, node)
    return _object(item)


def _pair(item: Sequence[Any]) -> Hit:
    if len(item) != 2:
        raise NotResultsError(f"{brief(item)} is no (id, score) pair")
    first, score = item
    if type(first) is str:
        return Hit(first, score)
    if isinstance(first, float) and isinstance(score, str):
        raise NotResultsError(f"{brief(item)} is a (score, id) pair; (id, score) was expected")
    return read_hit(first)._replace(score=score)


def _node(item: Any, node: Any) -> Hit:
    """Read a LlamaIndex node: the id of its document, or its own, which each build makes anew."""
    document = node.ref_doc_id
    return Hit(
        document or node.node_id,
        getattr(item, "score", None),
        getattr(node, "text", None),
        lambda: node.metadata or {},
        unstable=not document,
        noun="LlamaIndex node",
    )


def _object(item: Any) -> Hit:
    if not any(hasattr(item, name) for name in (*ID_NAMES, *METADATA_NAMES)):
        raise NotResultsError(f"{brief(item)} came back as a result; expected {FORMS}")
    attributes = getattr(item, "__dict__", {})
    return _fields(lambda name: getattr(item, name, None), attributes, type(item).__name__)


def _fields(get: Read, fields: Mapping[str, Any], noun: str) -> Hit:
    def metadata() -> Mapping[str, Any]:
        found = _first(get, METADATA_NAMES)
        if not isinstance(found, Mapping):
            return fields
        return {**fields, **found} if noun == RESULT else found

    return Hit(
        _first(get, ID_NAMES),
        _first(get, SCORE_NAMES),
        _first(get, TEXT_NAMES),
        metadata,
        noun=noun,
    )


def _first(get: Read, names: tuple[str, ...]) -> Any:
    for name in names:
        value = get(name)
        if value is not None:
            return value
    return None


def metadata_keys(hit: Hit) -> list[str]:
    """Return the keys an id could be taken from: all that is no part of a result as such."""
    own = {"id", *SCORE_NAMES, *TEXT_NAMES, *METADATA_NAMES}
    metadata = hit.metadata()
    return [str(key) for key in metadata if key not in own and metadata[key] is not None]


def has_unstable_ids(raw: Any) -> bool:
    """Tell whether a result is known by an id that its framework made up."""
    return any(read_hit(item).unstable for item in as_list(raw))
