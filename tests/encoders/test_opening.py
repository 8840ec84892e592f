"""From what a user writes to an encoder, and from a file to a config."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from embedding import vector, vectors
from ragstone.encoders import EncoderConfig, encoder_config, open_encoder, read_encoder_config
from ragstone.encoders.function import FunctionModel
from ragstone.encoders.local import LocalModel
from ragstone.encoders.opening import is_code
from ragstone.errors import FormatError, InputError, UsageError


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("mine:embed", True),
        ("my.package.module:make()", True),
        ("mine:Encoder.encode", True),
        ("python:openai:embed", True),
        ("openai:text-embedding-3-small", False),
        ("ollama:bge-m3:latest", False),
        ("st:intfloat/multilingual-e5-small", False),
        ("huggingface:a/b", False),
        ("all-MiniLM-L6-v2", False),
        ("mine:", False),
    ],
)
def test_code_is_told_from_models(name: str, *, expected: bool) -> None:
    assert is_code(name) is expected


@pytest.mark.parametrize(
    "name", ["", "all-MiniLM-L6-v2", "openai:", "word2vec:x/y", ":x", "mine:embed"]
)
def test_a_name_that_names_nothing(name: str) -> None:
    with pytest.raises(UsageError) as caught:
        open_encoder(name)
    assert str(caught.value).startswith(f"encoder {name!r}: ")
    assert "st:NAME or st:FOLDER (sentence-transformers), openai:MODEL" in str(caught.value)


@pytest.mark.parametrize(
    ("name", "table", "problem"),
    [
        ("openai:m", {"endpoint": "x.example/v1"}, "as http://localhost:8000/v1"),
        ("st:a/b", {"endpoint": "http://x.example"}, "the config has endpoint, which this kind"),
        ("openai:m", {"device": "cuda"}, "the config has device, which this kind does not take"),
        ("st:a/b@main", {"revision": "v2"}, "the config has another revision, v2"),
        ("st:/no/such/folder", {}, "st:/no/such/folder: there is no such folder, and it is no"),
        ("st:a/b/c", {}, "there is no such folder"),
    ],
)
def test_a_name_and_a_config_that_do_not_go_together(
    name: str, table: dict[str, Any], problem: str
) -> None:
    with pytest.raises(UsageError, match=problem):
        open_encoder(name, encoder_config(table))


def test_the_keys_of_an_inner_table_are_named() -> None:
    with pytest.raises(UsageError, match="`timout` at `limits`; known: requests_per_minute, conc"):
        encoder_config({"model": "openai:m", "limits": {"timout": 3}})


def test_the_revision_of_a_model_on_the_hub(tmp_path: Path, monkeypatch: Any) -> None:
    def revision(name: str, **more: Any) -> str:
        model = open_encoder(name, EncoderConfig(**more)).model
        assert isinstance(model, LocalModel)
        return f"{model.hub or model.folder}@{model.config.revision}"

    assert revision("st:a/b@v1.5") == "a/b@v1.5"
    assert revision("st:a/b", revision="v1.5") == "a/b@v1.5"
    assert revision("st:MiniLM") == "sentence-transformers/MiniLM@"
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model@home").mkdir()
    assert revision("st:model@home") == "model@home@"
    with pytest.raises(UsageError, match="a folder has no revision to choose"):
        revision("st:model@home", revision="1")


# ---- files -------------------------------------------------------------------------------------

FILE = """
model = "openai:text-embedding-3-small"
dimensions = 256
endpoint = "http://localhost:8000/v1"
key = "VLLM_KEY"
headers = { x-team = "TEAM" }

[batch]
texts = 100

[limits]
timeout = 5
requests_per_minute = 300

[parameters]
encoding_format = "base64"
"""


def test_a_file_with_everything(tmp_path: Path, monkeypatch: Any) -> None:
    path = tmp_path / "encoder.toml"
    path.write_text(FILE)
    monkeypatch.setenv("VLLM_KEY", "12345678")
    monkeypatch.setenv("TEAM", "search")
    config = read_encoder_config(path)
    model: Any = open_encoder(config).model
    assert model.name == "openai:text-embedding-3-small"
    assert (model.batching.texts, model.batching.characters) == (100, 100_000)
    client = model._opened()
    assert (client.limits.timeout, client.limits.per_minute) == (5, 300)
    assert "12345678" not in repr(client) + repr(config)
    named = open_encoder("openai:other", config)
    assert named.name == "openai:other"  # what is named by hand wins


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("modle = 'x'", "unknown field `modle`; known: model, revision"),
        ("dimensions = 0", "dimensions is 0; at least 1 was expected"),
        ("dimensions = '5'", "Expected `int | null`, got `str` at `dimensions`"),
        ("[limits]\ntimeout = -1", "timeout is -1; a number above 0 was expected at `limits`"),
        ("[batch]\ntexts = 0", "batch has texts and characters, each at least 1"),
        ("[limits]\nretries = 1", "unknown field `retries`"),
        ("model = ", "not TOML: "),
    ],
)
def test_a_file_that_cannot_be(text: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "e.toml"
    path.write_text(text)
    with pytest.raises(FormatError) as caught:
        read_encoder_config(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert problem in str(caught.value)


# ---- functions ---------------------------------------------------------------------------------


class LangChain:
    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [vector(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        raise AssertionError


class LlamaIndex:
    def get_text_embedding_batch(self, texts: list[str]) -> list[list[float]]:
        return [vector(text) for text in texts]


class Torch:
    """As sentence-transformers: it can be called, and means something else by it."""

    def __call__(self, features: Any) -> Any:
        raise AssertionError

    def encode(self, sentences: Sequence[str]) -> Any:
        return vectors(sentences)


@pytest.mark.parametrize("target", [LangChain(), LlamaIndex(), Torch(), vectors], ids=range(4))
def test_what_embeds(target: Any) -> None:
    encoder = open_encoder(target)
    assert (encoder.encode(["a", "b"]) == vectors(["a", "b"])).all()
    assert encoder.signature["encoder"] == "callable"


def test_an_object_of_langchain_itself() -> None:
    embeddings = pytest.importorskip("langchain_core.embeddings")
    fake = embeddings.DeterministicFakeEmbedding(size=5)
    found = open_encoder(fake, EncoderConfig(prompt="q: ")).encode(["a"])
    assert found.tolist() == [pytest.approx(fake.embed_query("q: a"), rel=1e-6)]


def test_names_of_functions() -> None:
    assert FunctionModel(vectors).name == "vectors"
    assert FunctionModel(LangChain()).name == "LangChain"
    assert FunctionModel(vectors, "mine:vectors").asked["encoder_model"] == "mine:vectors"


@pytest.mark.parametrize("target", [7, object(), {"a": 1}])
def test_what_does_not_embed(target: Any) -> None:
    with pytest.raises(InputError, match="a function was expected, or an object with embed_doc"):
        open_encoder(target)


def test_a_function_has_no_dimensions_to_choose() -> None:
    with pytest.raises(UsageError, match="the config has dimensions, which this kind does not"):
        open_encoder(vectors, EncoderConfig(dimensions=3))


def test_code_that_wants_to_exit() -> None:
    def leave(texts: list[str]) -> Any:
        raise SystemExit(3)

    expected = r"leave failed: SystemExit: 3 \(.*test_opening.py:\d+, in leave\)"
    with pytest.raises(InputError, match=expected):
        open_encoder(leave, name="leave").encode(["a"])
