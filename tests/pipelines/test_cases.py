"""The cases of kind adapter in ../shared/cases."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

import pytest

from ragstone import InputError, score, summary
from ragstone.pipelines import run_retriever


def test_91_a_document_without_an_id(shared: Path) -> None:
    path = shared / "cases" / "91-langchain-doc-without-id" / "retriever.py"
    retriever = runpy.run_path(str(path))["make"]()
    with pytest.raises(InputError) as caught:
        run_retriever(retriever, {"q1": "x"})
    assert "query 'q1', rank 1: the D has no id" in str(caught.value)
    assert "--id-key doc_id" in str(caught.value)
    run = run_retriever(retriever, {"q1": "x"}, id_key="doc_id")
    assert list(run["q1"]) == ["m-a", "m-b"]


def test_93_chunks_of_one_parent(shared: Path) -> None:
    folder = shared / "cases" / "93-many-chunks-one-parent"
    query = json.loads((folder / "queries.jsonl").read_text())
    chunks = json.loads((folder / "retrieved.jsonl").read_text())["retrieved_ids"]
    found = [{"id": chunk, "parent": chunk.partition("#")[0]} for chunk in chunks]
    qrels, texts = {query["id"]: query["relevant_ids"]}, {query["id"]: "x"}
    measures = ["R@3", "P@3", "AP"]

    unfolded = run_retriever(lambda text: found, texts)
    assert summary(score(qrels, unfolded, measures)) == dict.fromkeys(measures, 0.0)
    [hint] = unfolded.warnings(query["relevant_ids"])
    assert "none of the 4 retrieved ids is judged" in hint
    assert "--fold-to-parent '^(.*)#'" in hint

    folded = run_retriever(lambda text: found, texts, k=3, fold_to_parent="parent")
    assert list(folded["q1"]) == ["p1", "p2", "p3"]
    values = summary(score(qrels, folded, measures))
    assert values == pytest.approx({"R@3": 1.0, "P@3": 2 / 3, "AP": 5 / 6})
    assert folded.warnings(query["relevant_ids"]) == []
