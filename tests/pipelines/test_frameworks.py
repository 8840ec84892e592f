"""Real retrievers of the current LangChain, LlamaIndex and Haystack, in memory.

Importing them takes seconds, so that this file runs in `make test-all`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from ragstone.errors import InputError
from ragstone.pipelines import run_retriever
from ragstone.pipelines.retrievers import adapter_of
from ragstone.usercode.loading import switch_telemetry_off

pytestmark = pytest.mark.slow

TEXTS = {
    "doc-refund": "refund money card payment",
    "doc-keys": "keyboard shortcuts keys",
    "doc-export": "export data file download",
    "doc-login": "login password reset",
}
WORDS = sorted({word for text in TEXTS.values() for word in text.split()})
QUERIES = {"q1": "refund card", "q2": "export file", "q3": "password"}
BEST = {"q1": "doc-refund", "q2": "doc-export", "q3": "doc-login"}


@pytest.fixture(scope="module", autouse=True)
def quiet() -> None:
    """No telemetry of a framework, as the command has it."""
    switch_telemetry_off()


def vector(text: str) -> list[float]:
    """One dimension a word, and one that is never 0."""
    return [0.01, *(float(text.split().count(word)) for word in WORDS)]


def best(run: Any) -> dict[str, str]:
    return {query: next(iter(run[query])) for query in run}


BOTH = pytest.mark.parametrize("concurrency", [1, 3])


# ---- LangChain ----------------------------------------------------------------------------------


def langchain_store(*, ids: bool = True) -> Any:
    from langchain_core.documents import Document
    from langchain_core.embeddings import Embeddings
    from langchain_core.vectorstores import InMemoryVectorStore

    class Bags(Embeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [vector(text) for text in texts]

        def embed_query(self, text: str) -> list[float]:
            return vector(text)

    store = InMemoryVectorStore(Bags())
    store.add_documents(
        [
            Document(page_content=text, metadata={"doc_id": f"m-{doc}"}, id=doc if ids else None)
            for doc, text in TEXTS.items()
        ]
    )
    return store


@BOTH
def test_langchain_by_its_ids(concurrency: int) -> None:
    retriever = langchain_store().as_retriever(search_kwargs={"k": 3})
    run = run_retriever(retriever, QUERIES, concurrency=concurrency, keep_text=True)
    assert run.framework == "langchain"
    assert best(run) == BEST
    record = run.records[0]
    assert len(record.docs) == 3
    assert record.scores is None  # LangChain's retrievers give none
    assert record.texts is not None
    assert record.texts[0] == TEXTS["doc-refund"]
    assert run.warnings() == []


@BOTH
def test_langchain_by_a_metadata_key(concurrency: int) -> None:
    retriever = langchain_store(ids=False).as_retriever()
    run = run_retriever(retriever, QUERIES, concurrency=concurrency, id_key="doc_id")
    assert best(run) == {query: f"m-{doc}" for query, doc in BEST.items()}


def langchain_retriever(**more: Any) -> Any:
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever

    class Own(BaseRetriever):
        def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:
            time.sleep(0.05)
            return [Document(page_content=str(threading.get_ident()), **more)]

    return Own()


def test_langchain_without_ids_names_the_keys() -> None:
    retriever = langchain_retriever(metadata={"page": 1, "source_id": "a"})
    with pytest.raises(InputError) as caught:
        run_retriever(retriever, QUERIES)
    assert str(caught.value) == (
        "query 'q1', rank 1: the Document has no id; name the metadata key that has it with "
        "--id-key, as in --id-key source_id (there is: page, source_id)"
    )
    assert best(run_retriever(retriever, QUERIES, id_key="source_id"))["q1"] == "a"


def test_langchain_of_which_the_asynchronous_side_is_but_a_wrapper_runs_in_threads() -> None:
    queries = {f"q{n}": "x" for n in range(12)}
    start = time.perf_counter()
    run = run_retriever(langchain_retriever(id="a"), queries, concurrency=12, keep_text=True)
    assert time.perf_counter() - start < 0.4  # 0.6 one by one
    assert len({(record.texts or [""])[0] for record in run.records}) == 12


def test_langchain_pairs_of_document_and_score() -> None:
    store = langchain_store()
    run = run_retriever(lambda text: store.similarity_search_with_score(text, k=4), QUERIES)
    assert run.framework == "callable"
    assert best(run) == BEST
    scores = run.records[0].scores or []
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > 0.6


def test_langchain_a_chain() -> None:
    from langchain_core.runnables import RunnableLambda

    chain = langchain_store().as_retriever() | RunnableLambda(lambda docs: docs[:1])
    run = run_retriever(chain, QUERIES, concurrency=2)
    assert {query: list(run[query]) for query in run} == {q: [doc] for q, doc in BEST.items()}


def test_langchain_a_store_is_no_retriever() -> None:
    with pytest.raises(InputError, match=r"InMemoryVectorStore, cannot be called.*as_retriever\("):
        run_retriever(langchain_store(), QUERIES)


# ---- LlamaIndex ---------------------------------------------------------------------------------


def llama_index(*, sources: bool = True) -> Any:
    from llama_index.core import Document, VectorStoreIndex
    from llama_index.core.embeddings import BaseEmbedding
    from llama_index.core.schema import TextNode

    class Bags(BaseEmbedding):
        def _get_text_embedding(self, text: str) -> list[float]:
            return vector(text)

        def _get_query_embedding(self, query: str) -> list[float]:
            return vector(query)

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return vector(query)

    if sources:
        documents = [Document(text=text, doc_id=doc) for doc, text in TEXTS.items()]
        return VectorStoreIndex.from_documents(documents, embed_model=Bags())
    nodes = [TextNode(text=text, metadata={"doc": doc}) for doc, text in TEXTS.items()]
    return VectorStoreIndex(nodes, embed_model=Bags())


@BOTH
def test_llamaindex_by_the_id_of_the_document(concurrency: int) -> None:
    retriever = llama_index().as_retriever(similarity_top_k=3)
    run = run_retriever(retriever, QUERIES, k=3, concurrency=concurrency, keep_text=True)
    assert run.framework == "llamaindex"
    assert best(run) == BEST
    record = run.records[0]
    assert record.scored
    assert record.texts is not None
    assert record.texts[0] == TEXTS["doc-refund"]
    assert run.warnings() == []
    assert len(record.latencies_ms) == 1


def test_llamaindex_by_its_own_ids_is_warned_of_and_asked_twice() -> None:
    calls: list[str] = []
    retriever = llama_index(sources=False).as_retriever(similarity_top_k=3)
    run = run_retriever(_Counted(retriever, calls), QUERIES, k=3)
    assert calls == [QUERIES[query] for query in ("q1", "q1", "q2", "q3")]
    [warning] = run.warnings()
    assert warning.startswith(
        "9 results known by LlamaIndex's node_id alone, a random id that each"
    )
    assert "--id-key" in warning
    assert all(len(record.latencies_ms) == 1 for record in run.records)


class _Counted:
    """Looks like a retriever of LlamaIndex."""

    def __init__(self, inner: Any, calls: list[str]) -> None:
        self._inner, self._calls = inner, calls

    def retrieve(self, text: str) -> Any:
        self._calls.append(text)
        return self._inner.retrieve(text)


def test_llamaindex_by_a_metadata_key() -> None:
    retriever = llama_index(sources=False).as_retriever()
    run = run_retriever(retriever, QUERIES, id_key="doc")
    assert best(run) == BEST
    assert not [line for line in run.warnings() if "node_id" in line]


def test_llamaindex_ids_that_change_between_two_calls() -> None:
    class Rebuilt:
        def retrieve(self, text: str) -> Any:
            return llama_index(sources=False).as_retriever().retrieve(text)

    with pytest.raises(InputError) as caught:
        run_retriever(Rebuilt(), QUERIES)
    said = str(caught.value)
    assert said.startswith("query 'q1': two calls gave different ids, ")
    assert "node ids, which LlamaIndex makes anew at each build" in said
    assert "--id-key" in said
    assert best(run_retriever(Rebuilt(), QUERIES, id_key="doc")) == BEST


def test_llamaindex_chunks_of_one_document_are_one() -> None:
    from llama_index.core import Document, VectorStoreIndex
    from llama_index.core.embeddings import MockEmbedding
    from llama_index.core.node_parser import SentenceSplitter

    text = " ".join(f"Sentence number {n} says nothing." for n in range(60))
    splitter = SentenceSplitter(chunk_size=64, chunk_overlap=0)
    index = VectorStoreIndex.from_documents(
        [Document(text=text, doc_id=doc) for doc in ("a", "b")],
        embed_model=MockEmbedding(embed_dim=4),
        transformations=[splitter],
    )
    run = run_retriever(index.as_retriever(similarity_top_k=50), {"q": "x"})
    assert set(run["q"]) == {"a", "b"}
    assert run.records[0].facts["duplicates_removed"] > 2


def test_llamaindex_a_retriever_that_only_blocks_runs_in_threads() -> None:
    from llama_index.core.retrievers import BaseRetriever
    from llama_index.core.schema import NodeWithScore, TextNode

    class Own(BaseRetriever):
        def _retrieve(self, query_bundle: Any) -> list[NodeWithScore]:
            time.sleep(0.05)
            node = TextNode(text="x", metadata={"doc": "a"})
            return [NodeWithScore(node=node, score=1.0)]

    start = time.perf_counter()
    queries = {f"q{n}": "x" for n in range(12)}
    run = run_retriever(Own(), queries, concurrency=12, id_key="doc")
    assert time.perf_counter() - start < 0.4  # 0.6 one by one
    assert run["q3"] == {"a": 1.0}


def test_llamaindex_an_index_is_no_retriever() -> None:
    with pytest.raises(InputError, match=r"VectorStoreIndex, cannot be called.*as_retriever\("):
        run_retriever(llama_index(), QUERIES)


# ---- Haystack -----------------------------------------------------------------------------------


def haystack_store() -> Any:
    from haystack import Document
    from haystack.document_stores.in_memory import InMemoryDocumentStore

    store = InMemoryDocumentStore()
    store.write_documents(
        [
            Document(id=doc, content=text, meta={"parent": f"m-{doc}"}, embedding=vector(text))
            for doc, text in TEXTS.items()
        ]
    )
    return store


@BOTH
def test_haystack_bm25(concurrency: int) -> None:
    from haystack.components.retrievers.in_memory import InMemoryBM25Retriever

    retriever = InMemoryBM25Retriever(haystack_store(), top_k=4)
    run = run_retriever(retriever, QUERIES, concurrency=concurrency, keep_text=True)
    assert run.framework == "haystack"
    assert best(run) == BEST
    record = run.records[0]
    assert record.scored
    assert record.texts is not None
    assert record.texts[0] == TEXTS["doc-refund"]


@BOTH
def test_haystack_embeddings_and_a_key_of_meta(concurrency: int) -> None:
    from haystack import component
    from haystack.components.retrievers import TextEmbeddingRetriever
    from haystack.components.retrievers.in_memory import InMemoryEmbeddingRetriever

    @component
    class Bags:
        @component.output_types(embedding=list[float])
        def run(self, text: str) -> dict[str, Any]:
            return {"embedding": vector(text)}

    inner = InMemoryEmbeddingRetriever(haystack_store())
    retriever = TextEmbeddingRetriever(retriever=inner, text_embedder=Bags())
    run = run_retriever(retriever, QUERIES, concurrency=concurrency, id_key="parent")
    assert best(run) == {query: f"m-{doc}" for query, doc in BEST.items()}
    with pytest.raises(InputError, match="takes an embedding, needs a function"):
        run_retriever(inner, QUERIES)


def test_haystack_a_component_of_ones_own_that_has_to_be_warmed_up() -> None:
    from haystack import Document, component

    @component
    class Own:
        def __init__(self) -> None:
            self.warm = False

        def warm_up(self) -> None:
            self.warm = True

        @component.output_types(documents=list[Document])
        def run(self, query: str) -> dict[str, Any]:
            assert self.warm
            return {"documents": [Document(id="a", content=query)]}

    retriever = Own()
    assert adapter_of(retriever) == "haystack"
    assert best(run_retriever(retriever, QUERIES))["q2"] == "a"


# ---- nothing is sent home -----------------------------------------------------------------------

PIPELINE = """
from haystack import Document, Pipeline
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.document_stores.in_memory import InMemoryDocumentStore

store = InMemoryDocumentStore()
store.write_documents([Document(id="a", content="refund"), Document(id="b", content="keys")])
pipeline = Pipeline()
pipeline.add_component("bm25", InMemoryBM25Retriever(store))

def search(text):
    return pipeline.run({"bm25": {"query": text}})["bm25"]["documents"]
"""


def test_a_haystack_pipeline_tells_its_makers_nothing(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(PIPELINE)
    (tmp_path / "queries.jsonl").write_text('{"id": "q1", "text": "refund"}\n')
    environment = {**os.environ, "HOME": str(tmp_path / "home")}
    environment.pop("HAYSTACK_TELEMETRY_ENABLED", None)
    command = ["run-retriever", "--retriever", "mine:search", "--queries", "queries.jsonl",
               "--out", "run.trec"]  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "ragstone", *command],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "run.trec").read_text().startswith("q1 Q0 a 1 ")
    assert not (tmp_path / "home").exists()  # where Haystack keeps the id of its telemetry
