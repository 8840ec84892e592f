"""An embedding endpoint on loopback: vectors that depend on the text alone."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from loopback import Connection, Request, Step, answer

DIMENSIONS = 6


def vector(text: str, dimensions: int = DIMENSIONS) -> list[float]:
    """Return numbers, exact in float32, that a text always has."""
    digest = hashlib.sha256(text.encode()).digest()
    return [(byte - 127) / 8 for byte in digest[:dimensions]]


def vectors(texts: Sequence[str], dimensions: int = DIMENSIONS) -> np.ndarray[Any, Any]:
    """Return the rows of texts."""
    return np.array([vector(text, dimensions) for text in texts], dtype=np.float32)


def openai_body(texts: Sequence[str], dimensions: int = DIMENSIONS) -> dict[str, Any]:
    """Return the body of an answer as OpenAI gives it."""
    data = [
        {"object": "embedding", "index": place, "embedding": vector(text, dimensions)}
        for place, text in enumerate(texts)
    ]
    return {"object": "list", "data": data, "model": "m", "usage": {"total_tokens": 5}}


def openai(connection: Connection, request: Request) -> None:
    """Answer as OpenAI does."""
    body = request.json
    found = openai_body(body["input"], body.get("dimensions", DIMENSIONS))
    if body.get("encoding_format") == "base64":
        for item in found["data"]:
            raw = np.array(item["embedding"], dtype="<f4").tobytes()
            item["embedding"] = base64.b64encode(raw).decode()
    answer(json=found)(connection, request)


def ollama(digest: str = "d1") -> Step:
    """Answer as Ollama does."""

    def step(connection: Connection, request: Request) -> None:
        if request.target == "/api/tags":
            found: Any = {"models": [{"name": "bge-m3:latest", "digest": digest, "size": 1}]}
        else:
            found = {"model": "bge-m3", "embeddings": [vector(t) for t in request.json["input"]]}
        answer(json=found)(connection, request)

    return step
