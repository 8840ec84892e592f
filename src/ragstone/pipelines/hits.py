"""What a retriever returned, whatever its form: where a result has id, score, text, metadata."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Real
from reprlib import repr as brief
from typing import Any, TypeAlias

from msgspec import Struct

from ragstone.usercode import PlainError

ID_NAMES = ("id", "_id", "doc_id", "document_id", "docid")
SCORE_NAMES = ("score", "_score")
TEXT_NAMES = ("text", "page_content", "content")
METADATA_NAMES = ("metadata", "meta", "_source", "payload")
LIST_NAMES = ("results", "documents", "hits", "matches")

FORMS = "ids, (id, score) pairs, dicts with an id, or documents of a framework"

Read: TypeAlias = Callable[[Any], Any]


class NotResultsError(PlainError):
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


class Form(Struct, frozen=True):
    """How results of one type are read: each function takes a result and returns a part of it.

    noun: what errors call such a result. made_up: whether its id is one that the framework drew.
    """

    noun: str
    id: Read
    score: Read
    text: Read
    metadata: Callable[[Any], Mapping[Any, Any]]
    made_up: Callable[[Any], bool]


def split(pair: Sequence[Any]) -> tuple[Any, Any]:
    """Return what is scored and its score."""
    if len(pair) != 2:
        raise NotResultsError(f"{brief(pair)} is no (id, score) pair")
    first, score = pair
    if isinstance(first, float) and isinstance(score, str):
        raise NotResultsError(f"{brief(pair)} is a (score, id) pair; (id, score) was expected")
    return first, score


def form_of(item: Any) -> Form:
    """Return how results of this one's type are read."""
    if isinstance(item, Mapping):
        return MAPPING
    if isinstance(item, str) or hasattr(item, "__index__"):
        return BARE
    if _is_node(getattr(item, "node", None)):
        return SCORED_NODE
    if _is_node(item):
        return NODE
    if any(hasattr(item, name) for name in (*ID_NAMES, *METADATA_NAMES)):
        return Form(
            type(item).__name__, _object_id, _object_score, _object_text, _object_metadata, _never
        )
    raise NotResultsError(f"{brief(item)} came back as a result; expected {FORMS}")


def metadata_keys(form: Form, item: Any) -> list[str]:
    """Return the keys an id could be taken from: all that is no part of a result as such."""
    own = {"id", *SCORE_NAMES, *TEXT_NAMES, *METADATA_NAMES}
    metadata = form.metadata(item)
    return [str(key) for key in metadata if key not in own and metadata[key] is not None]


def has_made_up_ids(raw: Any) -> bool:
    """Tell whether a result is known by an id that its framework drew."""
    first = (item[0] if isinstance(item, list | tuple) else item for item in as_list(raw))
    return any(form_of(item).made_up(item) for item in first)


def _first(get: Read, names: tuple[str, ...]) -> Any:
    for name in names:
        value = get(name)
        if value is not None:
            return value
    return None


# ---- bare ids -----------------------------------------------------------------------------------


def _itself(item: Any) -> Any:
    return item


def _nothing(item: Any) -> None:  # noqa: ARG001
    return None


def _no_metadata(item: Any) -> Mapping[Any, Any]:  # noqa: ARG001
    return {}


def _never(item: Any) -> bool:  # noqa: ARG001
    return False


BARE = Form("result", _itself, _nothing, _nothing, _no_metadata, _never)


# ---- dicts --------------------------------------------------------------------------------------


def _mapping_id(item: Any) -> Any:
    value = item.get("id")
    return value if value is not None else _first(item.get, ID_NAMES)


def _mapping_score(item: Any) -> Any:
    value = item.get("score")
    return value if value is not None else _first(item.get, SCORE_NAMES)


def _mapping_text(item: Any) -> Any:
    return _first(item.get, TEXT_NAMES)


def _mapping_metadata(item: Any) -> Mapping[Any, Any]:
    found = _first(item.get, METADATA_NAMES)
    return {**item, **found} if isinstance(found, Mapping) else item


MAPPING = Form("result", _mapping_id, _mapping_score, _mapping_text, _mapping_metadata, _never)


# ---- objects: documents of LangChain, Haystack, and what has their fields -----------------------


def _object_id(item: Any) -> Any:
    value = getattr(item, "id", None)
    return value if value is not None else _attribute(item, ID_NAMES)


def _object_score(item: Any) -> Any:
    value = getattr(item, "score", None)
    return value if value is not None else _attribute(item, SCORE_NAMES)


def _object_text(item: Any) -> Any:
    return _attribute(item, TEXT_NAMES)


def _object_metadata(item: Any) -> Mapping[Any, Any]:
    found = _attribute(item, METADATA_NAMES)
    return found if isinstance(found, Mapping) else getattr(item, "__dict__", {})


def _attribute(item: Any, names: tuple[str, ...]) -> Any:
    return _first(lambda name: getattr(item, name, None), names)


# ---- nodes of LlamaIndex: by the id of their document, else by their own, drawn at each build ----


def _is_node(item: Any) -> bool:
    return hasattr(item, "ref_doc_id") and hasattr(item, "node_id")


def _node_id(node: Any) -> Any:
    return node.ref_doc_id or node.node_id


def _node_text(node: Any) -> Any:
    return getattr(node, "text", None)


def _node_metadata(node: Any) -> Mapping[Any, Any]:
    return node.metadata or {}


def _without_document(node: Any) -> bool:
    return not node.ref_doc_id


NODE = Form("LlamaIndex node", _node_id, _nothing, _node_text, _node_metadata, _without_document)
SCORED_NODE = Form(
    "LlamaIndex node",
    lambda item: _node_id(item.node),
    lambda item: item.score,
    lambda item: _node_text(item.node),
    lambda item: _node_metadata(item.node),
    lambda item: _without_document(item.node),
)
