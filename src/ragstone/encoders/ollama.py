"""Ollama: its own API, whose models have a digest."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from ragstone.encoders.config import EncoderConfig
from ragstone.encoders.endpoint import EndpointModel, Place
from ragstone.encoders.sending import as_done
from ragstone.errors import StatusError
from ragstone.http import Client, api_address, with_key

HOST, PORT = "OLLAMA_HOST", 11434


class _Answer(Struct):
    embeddings: list[list[float]]


class _Tag(Struct):
    name: str
    digest: str


class _Tags(Struct):
    models: list[_Tag]


class OllamaModel(EndpointModel):
    """An embedding model that Ollama runs.

    Its digest is the revision, so that a model that was pulled anew is another one. A text that is
    too long is an error, unless the parameters have `truncate = true`.
    """

    kind = "ollama"
    timeout = 300.0

    def revision(self, *, offline: bool) -> str | None:
        """Return the digest that Ollama lists; "" where it lists none, as behind a proxy."""
        if self.config.revision:
            return self.config.revision
        if offline:
            return None
        ((_, digest),) = as_done(self._opened, self._digest, [self.model], 1)
        return digest

    async def _digest(self, client: Client, model: str) -> str:
        url = self._place.url.replace("/api/embed", "/api/tags")
        try:
            answer = (await client.request("GET", url)).json
            tags = msgspec.convert(answer, _Tags).models
        except (StatusError, msgspec.ValidationError):
            return ""
        named = {tag.name: tag.digest for tag in tags}
        return named.get(model) or named.get(f"{model}:latest") or ""

    def body(self, texts: Sequence[str]) -> dict[str, Any]:
        """Return what is sent for a batch."""
        body: dict[str, Any] = {"model": self.model, "input": list(texts), "truncate": False}
        if self.config.dimensions is not None:
            body["dimensions"] = self.config.dimensions
        return body

    def explained(self, error: StatusError) -> StatusError:
        """Say what to do where a text is longer than what the model reads."""
        if "context length" not in error.body or "truncate" in self.config.parameters:
            return error
        return StatusError(
            f"{error}; to let it cut long texts, write truncate = true under [parameters] in the "
            "encoder's config",
            reason=error.reason,
            status=error.status,
            attempts=error.attempts,
            body=error.body,
        )

    def rows(self, answer: Any) -> list[list[float]]:
        """Return the vectors, which are in the order of the texts."""
        try:
            return msgspec.convert(answer, _Answer).embeddings
        except msgspec.ValidationError as error:
            raise self.refused(f"the answer is no list of embeddings ({error})", "shape") from None


def ollama_model(model: str, config: EncoderConfig) -> OllamaModel:
    """Return the model at the config's endpoint, at OLLAMA_HOST, or on this machine."""
    endpoint = config.endpoint or _host(os.environ.get(HOST, ""))
    headers = with_key(config.headers, config.key, endpoint, config.key_header)
    return OllamaModel(model, Place(api_address(endpoint, "/api/embed"), headers), config)


def _host(value: str) -> str:
    """Return the address that OLLAMA_HOST means; it may lack scheme and port, and 0.0.0.0 is here.

    >>> _host(""), _host("0.0.0.0"), _host("box:8080"), _host("https://ollama.example")
    ('http://127.0.0.1:11434', 'http://127.0.0.1:11434', 'http://box:8080', 'https://ollama.example')
    """
    if "://" in value:
        return value
    host, colon, port = value.rpartition(":")
    if not colon:
        host, port = value, str(PORT)
    return f"http://{'127.0.0.1' if host in {'', '0.0.0.0'} else host}:{port}"  # noqa: S104
