"""Each format: a file as its tool writes it, and the samples and counts that are expected of it."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest

from golden_samples import GOLDEN, expected, inputs
from made_traces import FILES, made
from ragstone.formats.samples import SAMPLES_FORMATS, open_samples, read_samples, write_samples


@pytest.mark.parametrize("path", inputs(), ids=lambda path: path.name)
def test_a_file_gives_the_samples_that_are_expected(path: Path) -> None:
    for ending, text in expected(path).items():
        assert path.with_name(f"{path.name}{ending}").read_text("utf-8") == text


def test_every_format_has_such_a_file() -> None:
    counts = (json.loads(path.read_text("utf-8")) for path in GOLDEN.glob("*.counts"))
    assert {each["format"] for each in counts} == set(SAMPLES_FORMATS)


@pytest.mark.parametrize("name", FILES)
def test_the_traces_are_what_opentelemetry_writes(name: str) -> None:
    committed = [json.loads(line) for line in (GOLDEN / name).read_text("utf-8").splitlines()]
    assert committed == [json.loads(line) for line in made(name).splitlines()]


def test_the_runs_are_what_langsmith_reads() -> None:
    # langchain-core brings LangSmith's client along; its own class of a run takes every row.
    os.environ.setdefault("LANGSMITH_TRACING", "false")
    from langsmith.schemas import Run

    lines = (GOLDEN / "langsmith.jsonl").read_text("utf-8").splitlines()
    runs = [Run(**json.loads(line)) for line in lines]
    assert [run.run_type for run in runs].count("llm") == 1


@pytest.mark.parametrize("path", inputs(), ids=lambda path: path.name)
def test_what_was_written_is_read_again(path: Path, tmp_path: Path) -> None:
    samples = read_samples(path)
    again = tmp_path / "again.jsonl.gz"
    again.write_bytes(gzip.compress(b"".join(write_samples(samples))))
    file = open_samples(again)
    assert file.format_name == "jsonl"
    assert list(file) == samples


@pytest.mark.parametrize("path", inputs(), ids=lambda path: path.name)
def test_the_name_of_the_format_may_be_given(path: Path) -> None:
    named = open_samples(path, open_samples(path).format_name)
    assert list(named) == read_samples(path)


def test_a_file_can_be_read_twice() -> None:
    file = open_samples(GOLDEN / "own.jsonl")
    first, counts = list(file), (dict(file.facts), dict(file.unknown))
    assert (list(file), (dict(file.facts), dict(file.unknown))) == (first, counts)


# ---- files of others ----------------------------------------------------------------------------


def test_a_trace_that_deepeval_recorded_of_llamaindex(shared: Path) -> None:
    [sample] = read_samples(shared / "data/traces/deepeval-llamaindex-trace.json")
    assert sample.query == "What is LlamaIndex?"
    assert sample.answer == "LlamaIndex is a data framework for LLM applications."
    assert sample.contexts is not None
    assert [(context.id, context.text) for context in sample.contexts] == [
        ("fixed_simple_node_id", "LlamaIndex is a data framework for LLM applications.")
    ]
    assert sample.latency_ms is not None
    assert (sample.latency_ms.total, sample.latency_ms.generation) == (1387.0, 949.0)
    assert (sample.model, sample.usage) == ("gpt-4o", None)


def test_the_example_of_ragchecker(shared: Path) -> None:
    file = open_samples(shared / "data/ragchecker/checking_inputs.json")
    samples = list(file)
    assert (file.format_name, file.unknown.total()) == ("ragchecker", 0)
    assert [sample.id for sample in samples] == ["0", "1"]
    assert [len(sample.contexts or ()) for sample in samples] == [4, 3]
    assert all(sample.query and sample.answer and sample.references for sample in samples)
