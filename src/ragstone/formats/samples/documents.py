"""Retrieved documents as frameworks write them in JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ragstone.formats.samples.chat import text_of
from ragstone.formats.samples.fields import finite
from ragstone.model import is_id
from ragstone.model.samples import Context

LIST_NAMES = (
    "documents", "context", "contexts", "source_documents", "source_nodes", "nodes",
    "retrieved_contexts", "retrieved_documents", "retrieval_context",
)  # fmt: skip
RETRIEVER_NAMES = (*LIST_NAMES, "docs", "output", "results", "hits", "matches")
TEXT_NAMES = ("page_content", "text", "content", "chunk")
ID_NAMES = ("id", "_id", "doc_id", "document_id", "id_")
MARKS = ("page_content", "node", "ref_doc_id", "blob")
METADATA_NAMES = ("metadata", "meta", "extra_info")


def documents_in(value: Any) -> tuple[Context, ...] | None:
    """Return the documents in what a step was given or gave; None where it names none as such.

    >>> documents_in({"documents": [{"page_content": "a", "metadata": {"id": "d1"}}]})
    (Context(text='a', id='d1', score=None, extra={}),)
    """
    return _in_object(value, LIST_NAMES) if isinstance(value, Mapping) else None


def retrieved_in(value: Any) -> tuple[Context, ...] | None:
    """Return the documents in what came out of a retriever: a list, or an object with one.

    >>> retrieved_in([{"id": 7, "text": "a", "score": 0.5}])
    (Context(text='a', id='7', score=0.5, extra={}),)
    """
    return _in_object(value, RETRIEVER_NAMES) if isinstance(value, Mapping) else _listed(value)


def are_documents(values: Any) -> bool:
    """Tell a list of documents that is nothing else: LangChain's, LlamaIndex's or Haystack's."""
    return (
        isinstance(values, list)
        and bool(values)
        and all(isinstance(each, Mapping) and any(map(each.__contains__, MARKS)) for each in values)
    )


def richest(*found: tuple[Context, ...] | None) -> tuple[Context, ...] | None:
    """Return the first of some lists that has an id for each, else the first that there is."""
    known = [each for each in found if each is not None]
    whole = (each for each in known if all(context.id is not None for context in each))
    return next(whole, known[0] if known else None)


def _in_object(value: Mapping[str, Any], names: Sequence[str]) -> tuple[Context, ...] | None:
    """Look under some names; only contexts may be bare texts, other texts are representations."""
    for name in names:
        found = _listed(value.get(name))
        if found is not None and ("context" in name or not _has_texts(value[name])):
            return found
    return None


def _has_texts(values: Any) -> bool:
    return any(isinstance(each, str) for each in values)


def _listed(values: Any) -> tuple[Context, ...] | None:
    if not isinstance(values, list):
        return None
    found = [document_of(each) for each in values]
    known = tuple(each for each in found if each is not None)
    return known if len(known) == len(found) else None


def document_of(value: Any) -> Context | None:
    """Return a document as a context; None for what is none.

    The id is the document's own, else that in its metadata; a LlamaIndex node is known by the
    document it is a part of.
    """
    if isinstance(value, str):
        return Context(value)
    if not isinstance(value, Mapping) or "role" in value:
        return None
    if isinstance(value.get("kwargs"), Mapping):  # as LangChain writes an object down
        return document_of(value["kwargs"])
    if isinstance(value.get("node"), Mapping):
        return _scored(value)
    text = _first(value, TEXT_NAMES)
    metadata = _mapping(_first(value, METADATA_NAMES))
    doc = _parent(value) or _id(value) or _id(metadata)
    if text is None and doc is None:
        return None
    kept = {name: each for name, each in metadata.items() if name not in ID_NAMES}
    return Context(
        text if isinstance(text, str) or text is None else text_of(text),
        doc,
        finite(value.get("score")),
        {"metadata": kept} if kept else {},
    )


def _scored(value: Mapping[str, Any]) -> Context | None:
    node = document_of(value["node"])
    if node is None:
        return None
    return Context(node.text, node.id, finite(value.get("score")), node.extra)


def _parent(node: Mapping[str, Any]) -> str | None:
    """Return the id of the document that a LlamaIndex node was cut from."""
    source = _mapping(_mapping(node.get("relationships")).get("1"))
    return _checked(source.get("node_id"))


def _id(value: Mapping[str, Any]) -> str | None:
    return _checked(_first(value, ID_NAMES))


def _checked(value: Any) -> str | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) and is_id(value) else None


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _first(value: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((value[name] for name in names if value.get(name) is not None), None)
