"""What may be said of an encoder: a name, or a TOML file with more."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from ragstone.encoders.encoder import Batching
from ragstone.formats.toml import as_struct, check_above_zero, read_as


class EncoderLimits(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What requests to an endpoint keep within.

    timeout: seconds for one attempt; by default 60, for Ollama, which may have to load the model,
    300. attempts: the most for one request.
    """

    requests_per_minute: float | None = None
    concurrency: int = 4
    timeout: float | None = None
    attempts: int = 4

    def __post_init__(self) -> None:
        """Refuse limits within which nothing can be asked."""
        check_above_zero(self)


class EncoderConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One encoder, as a TOML file says it.

    model: as `--encoder` names it, `openai:text-embedding-3-small`. revision: of a model on the
    Hugging Face Hub its commit, branch or tag; elsewhere a word of the user's for what is behind
    the name, which goes into signature and cache. dimensions: as many of the first numbers of each
    vector, for models that allow it. prompt: stands before each text. device: `cpu` or what PyTorch
    calls another. batch: the most that is given at once. endpoint: the address of an API, such as
    http://localhost:8000/v1. key: the environment variable with the key; key_header: the header
    that it goes into. headers: name -> environment variable with its value. parameters: sent as
    they are. limits: of requests.
    """

    model: str = ""
    revision: str = ""
    dimensions: int | None = None
    prompt: str = ""
    device: str = ""
    batch: Batching | None = None
    endpoint: str = ""
    key: str = ""
    key_header: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    parameters: dict[str, Any] = field(default_factory=dict)
    limits: EncoderLimits | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        if self.dimensions is not None and self.dimensions < 1:
            raise ValueError(f"dimensions is {self.dimensions}; at least 1 was expected")
        if self.endpoint:
            from ragstone.http.address import check_url

            check_url(self.endpoint, "http://localhost:8000/v1")

    def given(self) -> list[str]:
        """Return the names of what is said beside the model."""
        plain = EncoderConfig()
        names = (name for name in self.__struct_fields__ if name != "model")
        return [name for name in names if getattr(self, name) != getattr(plain, name)]


def read_encoder_config(path: str | Path) -> EncoderConfig:
    """Read an encoder from a TOML file; raises FormatError with what was expected."""
    return read_as(path, encoder_config)


def encoder_config(table: Mapping[str, Any]) -> EncoderConfig:
    """Read an encoder from a table; raises UsageError.

    >>> encoder_config({"model": "ollama:bge-m3", "prompt": "query: "}).given()
    ['prompt']
    >>> encoder_config({"modle": "ollama:bge-m3"})
    Traceback (most recent call last):
    ragstone.errors.UsageError: Object contains unknown field `modle`; known: model, revision, ...
    """
    return as_struct(table, EncoderConfig)
