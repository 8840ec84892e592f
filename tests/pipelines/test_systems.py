"""Real pipelines of the current LangChain, LlamaIndex and Haystack, with the models they ship.

Importing them takes seconds, so that this file runs in `make test-all`.
"""

from __future__ import annotations

import time
from typing import Any

import pytest

from ragstone.errors import InputError, PipelineError
from ragstone.model.samples import Sample, Usage
from ragstone.pipelines import CallSettings, PipelineRun, PipelineRunner, run_pipeline
from ragstone.pipelines.mapping import Expression
from ragstone.usercode.loading import switch_telemetry_off

pytestmark = pytest.mark.slow

ASKED = {"q1": "help keys", "q2": "refund card", "q3": "help keys"}
PAGES = {"doc-keys": "help keys shortcuts", "doc-refund": "refund money card"}
BOTH = pytest.mark.parametrize("concurrency", [1, 3])


@pytest.fixture(scope="module", autouse=True)
def quiet() -> None:
    """No telemetry of a framework, as the command has it."""
    switch_telemetry_off()


def requested(pipeline: Any, request: str, **options: Any) -> PipelineRun:
    expression = Expression("--request", request)
    return PipelineRunner(pipeline, ASKED, CallSettings(**options), request=expression).run()


def ids(sample: Sample) -> list[str | None]:
    return [context.id for context in sample.contexts or ()]


def assert_timed(sample: Sample, *parts: str) -> None:
    latency = sample.latency_ms
    assert latency is not None
    assert latency.total is not None
    for part in ("retrieval", "generation", "first_token"):
        found = getattr(latency, part)
        assert (found is not None) == (part in parts), part
        assert found is None or 0 <= found <= latency.total


# ---- LangChain ----------------------------------------------------------------------------------


def pages(pause: float = 0.0) -> Any:
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever

    class Pages(BaseRetriever):
        def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Any]:
            time.sleep(pause)
            words = set(query.split())
            return [
                Document(page_content=text, id=doc, metadata={"page": 3})
                for doc, text in PAGES.items()
                if words & set(text.split())
            ]

    return Pages()


def counted_model(pause: float = 0.0) -> Any:
    from langchain_core.language_models import FakeMessagesListChatModel
    from langchain_core.messages import AIMessage

    class Slow(FakeMessagesListChatModel):
        def _generate(self, *args: Any, **kwargs: Any) -> Any:
            time.sleep(pause)
            return super()._generate(*args, **kwargs)

    message = AIMessage(
        "Press F1.",
        usage_metadata={
            "input_tokens": 20,
            "output_tokens": 3,
            "total_tokens": 23,
            "input_token_details": {"cache_read": 4},
            "output_token_details": {"reasoning": 1},
        },
        response_metadata={"model_name": "small-chat-1"},
    )
    return Slow(responses=[message])


def chain(model: Any, retriever: Any) -> Any:
    from langchain_core.output_parsers import StrOutputParser
    from langchain_core.prompts import ChatPromptTemplate
    from langchain_core.runnables import RunnablePassthrough

    prompt = ChatPromptTemplate.from_template("{context} {question}")
    inputs: Any = {"context": retriever, "question": RunnablePassthrough()}
    return inputs | prompt | model | StrOutputParser()


USED = Usage(20, 3, 4, 1)


@pytest.mark.parametrize("way", ["invoke", "ainvoke"])
@BOTH
def test_a_chain_that_gives_a_text_alone(way: str, concurrency: int) -> None:
    whole = chain(counted_model(), pages())
    pipeline = whole.ainvoke if way == "ainvoke" else whole
    run = run_pipeline(pipeline, ASKED, concurrency=concurrency)
    assert run.framework == "langchain"
    assert run.warnings() == []
    assert [ids(sample) for sample in run] == [["doc-keys"], ["doc-refund"], ["doc-keys"]]
    for sample in run:
        assert (sample.answer, sample.usage, sample.model) == ("Press F1.", USED, "small-chat-1")
        assert_timed(sample, "retrieval", "generation")
    first = run.samples[0].contexts
    assert first is not None
    assert (first[0].text, first[0].extra) == ("help keys shortcuts", {"metadata": {"page": 3}})


def test_the_times_of_a_chain_are_those_of_its_steps() -> None:
    run = run_pipeline(chain(counted_model(0.05), pages(0.03)), ASKED)
    for sample in run:
        latency = sample.latency_ms
        assert latency is not None
        assert 30 <= (latency.retrieval or 0) < 50
        assert 50 <= (latency.generation or 0) < 80
        assert (latency.total or 0) >= 80


def test_a_chain_that_takes_an_object_and_gives_its_documents() -> None:
    from langchain_core.prompts import ChatPromptTemplate
    from langchain_core.runnables import RunnablePassthrough

    model, retriever = counted_model(), pages()
    answer = ChatPromptTemplate.from_template("{context} {input}") | model
    whole = RunnablePassthrough.assign(
        context=lambda given: retriever.invoke(given["input"])
    ) | RunnablePassthrough.assign(answer=answer)
    run = run_pipeline(whole, ASKED)
    assert [ids(sample) for sample in run] == [["doc-keys"], ["doc-refund"], ["doc-keys"]]
    assert [sample.answer for sample in run] == ["Press F1."] * 3
    assert [sample.extra for sample in run] == [{}] * 3
    same = requested(whole, "{input: query}")
    assert [sample.contexts for sample in same] == [sample.contexts for sample in run]


def test_a_chain_whose_input_has_several_parts() -> None:
    from langchain_core.prompts import ChatPromptTemplate

    whole = ChatPromptTemplate.from_template("{topic} {text}") | counted_model()
    with pytest.raises(InputError) as caught:
        run_pipeline(whole, ASKED)
    assert str(caught.value) == (
        "the runnable takes an object with text, topic; say with --request how it is made of the "
        "question, as in --request '{text: query}'"
    )
    run = requested(whole, "{text: query, topic: 'keys'}")
    assert run.samples[0].answer == "Press F1."


def test_a_retriever_inside_a_retriever_counts_once() -> None:
    from langchain_core.retrievers import BaseRetriever

    inner = pages()

    class Outer(BaseRetriever):
        def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Any]:
            found: list[Any] = inner.invoke(query, config={"callbacks": run_manager.get_child()})
            return found[:1]

    run = run_pipeline(chain(counted_model(), Outer()), ASKED)
    assert [ids(sample) for sample in run] == [["doc-keys"], ["doc-refund"], ["doc-keys"]]


def test_the_first_token_of_a_model_that_is_streamed() -> None:
    from langchain_core.language_models import FakeListChatModel
    from langchain_core.runnables import RunnableLambda

    model = FakeListChatModel(responses=["Press F1."], sleep=0.01)

    def ask(question: str) -> str:
        return "".join(str(chunk.content) for chunk in model.stream(question))

    run = run_pipeline(RunnableLambda(ask), ASKED)
    for sample in run:
        latency = sample.latency_ms
        assert latency is not None
        assert 10 <= (latency.first_token or 0) < 40
        assert (latency.total or 0) >= 80
        assert sample.usage is None


def test_a_model_that_does_not_say_its_tokens() -> None:
    from langchain_core.language_models import FakeListChatModel

    calls = chain(counted_model(), pages())
    second = FakeListChatModel(responses=["b"])
    run = run_pipeline(calls | second, ASKED)
    assert [sample.usage for sample in run] == [None] * 3  # the sum of both is not known
    assert [sample.answer for sample in run] == ["b"] * 3
    assert run.warnings() == [
        "no sample has usage, so that tokens and cost cannot be measured; return "
        "{'usage': {'input_tokens': ..., 'output_tokens': ...}}"
    ]


def test_an_agents_messages() -> None:
    from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
    from langchain_core.runnables import RunnableLambda

    def graph(state: dict[str, Any]) -> dict[str, Any]:
        last = [AIMessage("", tool_calls=[]), ToolMessage("F1", tool_call_id="1"),
                AIMessage("Press F1.", response_metadata={"model_name": "m"})]  # fmt: skip
        return {"messages": [HumanMessage(state["messages"][0][1]), *last], "steps": 3}

    run = requested(RunnableLambda(graph), "{messages: [['user', query]]}")
    assert [sample.answer for sample in run] == ["Press F1."] * 3
    assert run.samples[0].extra == {"steps": 3}


def test_a_chain_that_fails() -> None:
    from langchain_core.runnables import RunnableLambda

    def ask(question: str) -> str:
        if "refund" in question:
            raise ConnectionError("the model is away")
        return "a"

    with pytest.raises(
        PipelineError, match="query 'q2': the pipeline failed: ConnectionError: the"
    ):
        run_pipeline(RunnableLambda(ask), ASKED)
    run = run_pipeline(RunnableLambda(ask), ASKED, on_error="record", concurrency=3)
    assert [sample.error is None for sample in run] == [True, False, True]


def test_a_retriever_is_no_pipeline() -> None:
    with pytest.raises(InputError, match="a retriever is run by `ragstone run-retriever`"):
        run_pipeline(pages(), ASKED)


# ---- LlamaIndex ---------------------------------------------------------------------------------


def engine(**options: Any) -> Any:
    from llama_index.core import Document, VectorStoreIndex
    from llama_index.core.embeddings import MockEmbedding

    documents = [Document(text=text, doc_id=doc) for doc, text in PAGES.items()]
    index = VectorStoreIndex.from_documents(documents, embed_model=MockEmbedding(embed_dim=8))
    return index.as_query_engine(**options)


def counted_llm() -> Any:
    from llama_index.core.llms import CompletionResponse, MockLLM
    from llama_index.core.llms.callbacks import llm_completion_callback

    class Counted(MockLLM):
        @llm_completion_callback()
        def complete(self, *args: Any, **kwargs: Any) -> CompletionResponse:
            raw = {"model": "small-chat-1", "usage": {"prompt_tokens": 20, "completion_tokens": 3}}
            return CompletionResponse(text="Press F1.", raw=raw)

    return Counted(max_tokens=4)


def mock_llm() -> Any:
    from llama_index.core.llms import MockLLM

    return MockLLM(max_tokens=4)


@pytest.mark.parametrize("way", ["query", "aquery"])
@BOTH
def test_a_query_engine(way: str, concurrency: int) -> None:
    whole = engine(llm=mock_llm())
    run = run_pipeline(whole.aquery if way == "aquery" else whole, ASKED, concurrency=concurrency)
    assert run.framework == "llamaindex"
    for sample in run:
        assert sample.answer == "text text text text"
        assert sorted(filter(None, ids(sample))) == ["doc-keys", "doc-refund"]
        assert all(context.score for context in sample.contexts or ())
        assert_timed(sample, "retrieval", "generation")


def test_a_query_engine_whose_model_says_its_tokens() -> None:
    run = run_pipeline(engine(llm=counted_llm()), ASKED, concurrency=3)
    assert [sample.usage for sample in run] == [Usage(20, 3)] * 3
    assert [sample.model for sample in run] == ["small-chat-1"] * 3
    assert run.warnings() == []


def test_a_query_engine_that_streams() -> None:
    run = run_pipeline(engine(llm=mock_llm(), streaming=True), ASKED)
    for sample in run:
        assert sample.answer == "text text text text"
        assert len(ids(sample)) == 2
        assert_timed(sample, "retrieval", "generation", "first_token")


def test_what_watched_one_call_does_not_see_another() -> None:
    first = engine(llm=mock_llm())
    run = run_pipeline(first, ASKED)
    first.query("asked by somebody else")
    again = run_pipeline(first, ASKED)
    assert [sample.contexts for sample in again] == [sample.contexts for sample in run]


def test_a_chat_engine_and_an_index_are_refused_with_advice() -> None:
    from llama_index.core import SimpleDirectoryReader

    for thing in (engine(llm=mock_llm())._retriever, SimpleDirectoryReader):
        with pytest.raises(InputError, match="cannot be called with a query"):
            run_pipeline(thing, ASKED)


# ---- Haystack -----------------------------------------------------------------------------------


def haystack_pipeline(
    *, answers: bool = False, ranker: bool = False, question: str = "query"
) -> Any:
    from haystack import Document, Pipeline, component
    from haystack.components.builders import AnswerBuilder, ChatPromptBuilder
    from haystack.components.generators.chat.mock import MockChatGenerator
    from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
    from haystack.dataclasses import ChatMessage
    from haystack.document_stores.in_memory import InMemoryDocumentStore

    @component
    class Last:
        """Keeps the last document, as a ranker would."""

        def __init__(self) -> None:
            component.set_input_types(self, documents=list[Document])

        @component.output_types(documents=list[Document])
        def run(self, **given: Any) -> dict[str, Any]:
            return {"documents": given["documents"][-1:]}

    store = InMemoryDocumentStore()
    store.write_documents([Document(id=doc, content=text) for doc, text in PAGES.items()])
    template = [ChatMessage.from_user("{{documents}} {{" + question + "}}")]
    pipeline = Pipeline()
    pipeline.add_component("retriever", InMemoryBM25Retriever(store))
    pipeline.add_component(
        "prompt", ChatPromptBuilder(template, required_variables=["documents", question])
    )
    pipeline.add_component("llm", MockChatGenerator("Press F1."))
    found = "retriever.documents"
    if ranker:
        pipeline.add_component("ranker", Last())
        pipeline.connect(found, "ranker.documents")
        found = "ranker.documents"
    pipeline.connect(found, "prompt.documents")
    pipeline.connect("prompt.prompt", "llm.messages")
    if answers:
        pipeline.add_component("answers", AnswerBuilder())
        pipeline.connect("llm.replies", "answers.replies")
        pipeline.connect(found, "answers.documents")
    return pipeline


@pytest.mark.parametrize("answers", [False, True])
@BOTH
def test_a_haystack_pipeline(answers: bool, concurrency: int) -> None:
    run = run_pipeline(haystack_pipeline(answers=answers), ASKED, concurrency=concurrency)
    assert run.framework == "haystack"
    assert run.warnings() == []
    assert [ids(sample) for sample in run] == [["doc-keys"], ["doc-refund"], ["doc-keys"]]
    for sample in run:
        assert (sample.answer, sample.model) == ("Press F1.", "mock-model")
        assert sample.usage is not None
        assert (sample.usage.output_tokens, sample.extra) == (2, {})
        assert all(context.score for context in sample.contexts or ())
        assert_timed(sample)


def test_the_documents_are_those_that_a_ranker_left() -> None:
    run = run_pipeline(haystack_pipeline(ranker=True), {"q": "help refund"})
    assert len(ids(run.samples[0])) == 1
    both = run_pipeline(haystack_pipeline(), {"q": "help refund"})
    assert len(ids(both.samples[0])) == 2


def test_a_pipeline_with_an_input_that_is_no_question() -> None:
    whole = haystack_pipeline(question="topic")
    with pytest.raises(InputError) as caught:
        run_pipeline(whole, ASKED)
    assert "the pipeline needs prompt.topic; say with --request how its input" in str(caught.value)
    run = requested(whole, "{retriever: {query: query}, prompt: {topic: query}}")
    assert [ids(sample) for sample in run] == [["doc-keys"], ["doc-refund"], ["doc-keys"]]


def test_a_model_alone_in_a_pipeline_gets_messages() -> None:
    from haystack import Pipeline
    from haystack.components.generators.chat.mock import MockChatGenerator

    pipeline = Pipeline()
    pipeline.add_component("llm", MockChatGenerator())
    run = run_pipeline(pipeline, ASKED)
    assert [sample.answer for sample in run] == list(ASKED.values())  # it echoes
    assert [sample.contexts for sample in run] == [None] * 3


def test_a_component_is_no_pipeline() -> None:
    from haystack.components.generators.chat.mock import MockChatGenerator

    with pytest.raises(InputError, match="a single component needs a Pipeline around it"):
        run_pipeline(MockChatGenerator(), ASKED)
