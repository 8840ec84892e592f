"""From a name to an encoder."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from ragstone.encoders.checking import CheckedEncoder
from ragstone.encoders.config import EncoderConfig
from ragstone.encoders.encoder import Model
from ragstone.encoders.function import FunctionModel
from ragstone.encoders.local import LocalModel
from ragstone.errors import UsageError
from ragstone.progress import Progress
from ragstone.registry import Registry
from ragstone.store import Cache

EXPECTED = (
    "st:NAME or st:FOLDER (sentence-transformers), openai:MODEL, ollama:MODEL, or module:attribute "
    "of Python code was expected"
)
LOCAL = {"revision", "dimensions", "prompt", "device", "batch"}
REMOTE = {
    *("revision", "dimensions", "prompt", "batch"),
    *("endpoint", "key", "key_header", "headers", "parameters", "limits"),
}
FUNCTION = {"revision", "prompt", "batch"}


class Kind(NamedTuple):
    """How a model of one kind is made, and what a config may say of it."""

    make: Callable[[str, EncoderConfig], Model]
    takes: set[str]


def _openai(model: str, config: EncoderConfig) -> Model:
    from ragstone.encoders.openai import openai_model

    return openai_model(model, config)


def _ollama(model: str, config: EncoderConfig) -> Model:
    from ragstone.encoders.ollama import ollama_model

    return ollama_model(model, config)


KINDS = Registry[Kind]("kind of encoder")
KINDS.add("st", Kind(LocalModel, LOCAL), aliases=["sentence-transformers", "huggingface"])
KINDS.add("openai", Kind(_openai, REMOTE))
KINDS.add("ollama", Kind(_ollama, REMOTE))

_CODE = re.compile(r"[\w.]+:\w+(\.\w+)*(\(\))?")


def is_code(name: str) -> bool:
    """Tell `module:attribute` from the name of a model.

    >>> is_code("mine:embed"), is_code("openai:text-embedding-3-small"), is_code("python:st:f")
    (True, False, True)
    """
    kind, _, rest = name.partition(":")
    return kind == "python" or (kind not in KINDS and bool(_CODE.fullmatch(name)) and bool(rest))


def open_encoder(
    encoder: Any,
    config: EncoderConfig | None = None,
    *,
    cache: Cache | str | Path | None = None,
    offline: bool = False,
    progress: Progress | None = None,
    name: str = "",
) -> CheckedEncoder:
    """Return an encoder by its name, with what a config says more, or around a function.

    encoder: `st:NAME[@REVISION]`, `st:FOLDER`, `openai:MODEL`, `ollama:MODEL`; a config that has
    the name; or a function or an object that embeds texts (`FunctionModel`), with a `name`. cache:
    a file in which vectors are kept. offline: send nothing.

    Raises UsageError for what cannot be; a model is loaded and an endpoint asked when it is needed.

    >>> encoder = open_encoder(lambda texts: [[len(text), 1] for text in texts], name="length")
    >>> encoder.encode(["a", "bcd", "a"]).tolist()
    [[1.0, 1.0], [3.0, 1.0], [1.0, 1.0]]
    """
    if isinstance(encoder, EncoderConfig):
        encoder, config = encoder.model, encoder
    config = config or EncoderConfig()
    if isinstance(encoder, str):
        model = model_of(encoder, config)
        if model.asks_network and not offline:
            _check_key(model)
    else:
        _check(name or "a function", config, FUNCTION)
        model = FunctionModel(encoder, name, config)
        if cache is not None and not model.revision(offline=True):
            raise UsageError(
                f"{model.name}: vectors of a function are kept only if it has a revision, since "
                "nobody else knows when they change; set `revision` in the encoder's config, or as "
                "an attribute of the function"
            )
    if cache is not None and not isinstance(cache, Cache):
        cache = Cache(cache, read_only=offline)
    return CheckedEncoder(model, cache=cache, offline=offline, progress=progress)


def _check_key(model: Model) -> None:
    """Say now that a key is not there; offline none is needed."""
    from ragstone.encoders.endpoint import EndpointModel

    if isinstance(model, EndpointModel):
        _ = model.headers


def model_of(name: str, config: EncoderConfig) -> Model:
    """Return the model of a name; raises UsageError."""
    kind, colon, rest = name.partition(":")
    if not colon or not rest or kind not in KINDS:
        raise UsageError(f"encoder {name!r}: {_hint(name)}{EXPECTED}")
    made = KINDS[kind]
    _check(name, config, made.takes)
    if KINDS.resolve(kind) == "st":
        rest, config = _with_revision(rest, config)
    return made.make(rest, config)


def _hint(name: str) -> str:
    return "code is loaded by the command line; give the function itself; " if is_code(name) else ""


def _check(name: str, config: EncoderConfig, takes: set[str]) -> None:
    if odd := [each for each in config.given() if each not in takes]:
        raise UsageError(
            f"encoder {name}: the config has {', '.join(odd)}, which this kind does not take; it "
            f"takes {', '.join(sorted(takes))}"
        )


def _with_revision(model: str, config: EncoderConfig) -> tuple[str, EncoderConfig]:
    """Take the revision off `NAME@REVISION`, unless that is the name of a folder."""
    base, at, revision = model.rpartition("@")
    if not (at and base and revision) or Path(model).expanduser().exists():
        return model, config
    if config.revision and config.revision != revision:
        raise UsageError(f"encoder st:{model}: the config has another revision, {config.revision}")
    from msgspec.structs import replace

    return base, replace(config, revision=revision)
