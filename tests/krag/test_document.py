"""Documents: ours, LangChain's, texts and dicts, and what is none."""

from __future__ import annotations

from typing import Any

import pytest

from ragstone.errors import UsageError
from ragstone.krag import Document, DocumentsError, OfflineRetrievalEvaluators
from ragstone.krag.document import passages
from ragstone.matching import Passage


def test_a_document() -> None:
    document = Document("x" * 101, {"page": 3}, id="d1")
    assert document.get_summary() == "x" * 100 + "..."
    assert Document("short").get_summary() == "short"
    assert repr(Document("a")) == "Document(page_content='a')"
    assert document == Document("x" * 101, {"page": 3}, id="d1")
    assert document != Document("x" * 101, {"page": 4}, id="d1")
    given: dict[str, Any] = {"page": 3}
    kept = Document("a", given)
    given["page"] = 4
    assert kept.metadata == {"page": 3}
    assert Document("a").metadata is not Document("a").metadata


def test_documents_of_langchain() -> None:
    from langchain_core.documents import Document as LangChain

    gold = [[LangChain(page_content="The first."), LangChain(page_content="The second.", id="2")]]
    found = [[LangChain(page_content="the FIRST.", metadata={"score": 0.5}), Document("other")]]
    assert passages(gold, "gold") == [[Passage("The first."), Passage("The second.", "2")]]
    assert OfflineRetrievalEvaluators(gold, found).calculate_recall(2)["micro_recall"] == 0.5


def test_what_is_taken_for_a_document() -> None:
    given = [["a", Document("b", id="1"), {"text": "c", "id": 2}, {"content": "d"}, Passage("e")]]
    with pytest.raises(DocumentsError):
        passages(given, "gold")  # a Passage has no page_content
    wanted = [Passage("a"), Passage("b", "1"), Passage("c", "2"), Passage("d")]
    assert passages([given[0][:4]], "gold") == [wanted]
    assert passages(((("a",)),), "gold") == [[Passage("a")]]


@pytest.mark.parametrize(
    ("gold", "found", "message"),
    [
        ([], [], "actual_docs is empty; a list of documents for each query was expected"),
        ([["a"]], [], "predicted_docs is empty; a list of documents"),
        ([["a"]], [["b"], ["c"]], "actual_docs has 1 queries, predicted_docs 2; a list for each"),
        ("text", [["a"]], "actual_docs is 'text'; a list of lists was expected"),
        (["text"], [["a"]], r"actual_docs\[0\] is 'text'; a list of documents was expected"),
        ([["a"]], [["a", 3]], r"predicted_docs\[0\]\[1\] is 3; a text was expected, or a document"),
        ([["a"]], [[{"body": "x"}]], r"predicted_docs\[0\]\[0\] is \{'body': 'x'\}; a text was"),
        ([[Document(page_content=None)]], [["a"]], r"actual_docs\[0\]\[0\] is <Document in"),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_list_of_documents(gold: Any, found: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        OfflineRetrievalEvaluators(gold, found)
    assert isinstance(caught.value, UsageError)
