"""OpenAI, and all that speak like it: Azure, vLLM, Text Embeddings Inference, LM Studio."""

from __future__ import annotations

import base64
import binascii
import os
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from ragstone.encoders.config import EncoderConfig
from ragstone.encoders.endpoint import EndpointModel, Place
from ragstone.encoders.vectors import NUMBER
from ragstone.errors import UsageError
from ragstone.http import api_address, with_key

HOST = "api.openai.com"
KEY, ENDPOINT = "OPENAI_API_KEY", "OPENAI_BASE_URL"


class _Item(Struct):
    embedding: list[float] | str
    index: int | None = None


class _Answer(Struct):
    data: list[_Item]


class OpenAIModel(EndpointModel):
    """An embedding model behind `/v1/embeddings`."""

    kind = "openai"

    def body(self, texts: Sequence[str]) -> dict[str, Any]:
        """Return what is sent for a batch."""
        body: dict[str, Any] = {"model": self.model, "input": list(texts)}
        if self.config.dimensions is not None:
            body["dimensions"] = self.config.dimensions
        return body

    def rows(self, answer: Any) -> list[Any]:
        """Return the vectors in the order of their index; numbers, or base64 of float32."""
        try:
            items = msgspec.convert(answer, _Answer).data
        except msgspec.ValidationError as error:
            raise self.refused(f"the answer is no list of embeddings ({error})", "shape") from None
        return [self._numbers(item.embedding) for item in self._sorted(items)]

    def _sorted(self, items: list[_Item]) -> list[_Item]:
        found = [item.index for item in items]
        if found == list(range(len(items))) or set(found) == {None}:
            return items
        by_index = {item.index: item for item in items}
        if by_index.keys() != set(range(len(items))):
            raise self.refused(
                f"the indexes of {len(items):,} embeddings are not 0 to {len(items) - 1:,}", "index"
            )
        return [by_index[place] for place in range(len(items))]

    def _numbers(self, embedding: list[float] | str) -> Any:
        if isinstance(embedding, list):
            return embedding
        import numpy as np

        try:
            data = base64.b64decode(embedding, validate=True)
        except (binascii.Error, ValueError):
            data = b"?"
        if not data or len(data) % NUMBER:
            raise self.refused("an embedding is no base64 of float32 numbers", "base64")
        return np.frombuffer(data, dtype="<f4")


def openai_model(model: str, config: EncoderConfig) -> OpenAIModel:
    """Return the model at the config's endpoint, at OPENAI_BASE_URL, or at OpenAI.

    OPENAI_API_KEY is sent to OpenAI and to OPENAI_BASE_URL; to an endpoint of the config only where
    the config names it.
    """
    ours = os.environ.get(ENDPOINT, "")
    endpoint = config.endpoint or ours or f"https://{HOST}/v1"
    url = api_address(endpoint, "/embeddings")
    host = urlsplit(url).hostname or ""
    variable = config.key
    if not variable and (host == HOST or (not config.endpoint and os.environ.get(KEY))):
        variable = KEY
    if config.key_header and not variable:
        raise UsageError(f"encoder openai:{model}: key_header goes with key")
    headers = with_key(config.headers, variable, url, config.key_header)
    return OpenAIModel(model, Place(url, headers), config)
