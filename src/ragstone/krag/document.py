"""A document, and what else is taken for one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from reprlib import repr as brief
from typing import Any

from ragstone.errors import UsageError
from ragstone.matching import Passage

SUMMARY = 100
TEXT_KEYS = ("page_content", "text", "content")


class DocumentsError(UsageError, ValueError):
    """Documents that cannot be evaluated. A ValueError too, which Krag raises."""


class Document:
    """A text with metadata, as Krag's and LangChain's.

    >>> Document(page_content="A text.", metadata={"page": 3}).page_content
    'A text.'
    """

    def __init__(
        self,
        page_content: str,
        metadata: Mapping[str, Any] | None = None,
        id: str | None = None,  # noqa: A002 - its name in LangChain
    ) -> None:
        """Keep the text, what is known of it, and its id."""
        self.page_content, self.id = page_content, id
        self.metadata = dict(metadata or {})

    def __repr__(self) -> str:
        """Show the beginning of the text."""
        return f"Document(page_content={self.get_summary()!r})"

    def __eq__(self, other: object) -> bool:
        """Compare the text, the metadata and the id."""
        return isinstance(other, Document) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    def get_summary(self) -> str:
        """Return the first hundred characters."""
        text = self.page_content
        return f"{text[:SUMMARY]}..." if len(text) > SUMMARY else text


def passages(documents: Any, name: str) -> list[list[Passage]]:
    """Return the texts of the documents of each query; `name` is what errors call them.

    A document is a text, a dict with a text, or any object with `page_content`, as LangChain's.
    """
    if not _is_list(documents):
        raise DocumentsError(f"{name} is {brief(documents)}; a list of lists was expected")
    if not documents:
        raise DocumentsError(f"{name} is empty; a list of documents for each query was expected")
    return [_passages(each, f"{name}[{place}]") for place, each in enumerate(documents)]


def _passages(documents: Any, name: str) -> list[Passage]:
    if not _is_list(documents):
        raise DocumentsError(f"{name} is {brief(documents)}; a list of documents was expected")
    return [_passage(each, f"{name}[{place}]") for place, each in enumerate(documents)]


def _passage(document: Any, name: str) -> Passage:
    if isinstance(document, str):
        return Passage(document)
    if isinstance(document, Mapping):
        text = next((document[key] for key in TEXT_KEYS if key in document), None)
        identity = document.get("id")
    else:
        text, identity = getattr(document, "page_content", None), getattr(document, "id", None)
    if not isinstance(text, str):
        raise DocumentsError(
            f"{name} is {brief(document)}; a text was expected, or a document with page_content"
        )
    return Passage(text, None if identity is None else str(identity))


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)
