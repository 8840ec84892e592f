"""One query's part of a run: its ranking, its latencies, or how it failed."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from typing import Any

import msgspec
from msgspec import Struct

from ragstone.formats.writers import json_line
from ragstone.model import Results


class Record(Struct, frozen=True, omit_defaults=True):
    """What is kept of a query; also a line of the journal.

    docs: ids, best first. scores: one a document, or none. falls: whether the scores give this
    order. texts: one a document where they were to be kept. latencies_ms: one a call. facts: what
    was counted on the way, where it was not 0.
    """

    query: str
    docs: list[str] = []
    scores: list[float] | None = None
    falls: bool = True
    texts: list[str | None] | None = None
    latencies_ms: list[float] = []
    error: str | None = None
    facts: dict[str, int] = {}

    @property
    def scored(self) -> bool:
        """Whether the ranking is that of the scores."""
        return self.scores is not None and self.falls

    @property
    def latency_ms(self) -> float | None:
        """The median over the query's calls."""
        return median(self.latencies_ms) if self.latencies_ms else None

    def ranking(self) -> dict[str, float]:
        """Return document -> score; ranks alone become the scores n to 1."""
        if self.scores is not None and self.falls:
            return dict(zip(self.docs, self.scores, strict=True))
        return dict(zip(self.docs, map(float, range(len(self.docs), 0, -1)), strict=True))

    def results(self) -> Results:
        """Return what writers of runs take."""
        ranking = self.ranking()
        docs = [doc.encode() for doc in ranking]
        return Results(self.query, docs, list(ranking.values()), self.scored)

    def line(self) -> bytes:
        """Return the query's row of a JSONL run."""
        return json_line(dict(self._fields()))

    def _fields(self) -> Iterator[tuple[str, Any]]:
        yield "id", self.query
        if self.scored:
            pairs = zip(self.docs, self.scores or (), strict=True)
            yield "results", [{"id": doc, "score": score} for doc, score in pairs]
        else:
            yield "retrieved_ids", self.docs
            if self.scores is not None:
                yield "scores", self.scores
        if self.texts is not None:
            texts = zip(self.docs, self.texts, strict=True)
            yield "retrieved", [{"id": doc, "text": text} for doc, text in texts]
        if self.latencies_ms:
            yield "latency_ms", self.latency_ms
        if len(self.latencies_ms) > 1:
            yield "latencies_ms", self.latencies_ms
        if self.error is not None:
            yield "error", self.error


def packed(record: Record) -> str:
    """Return what the journal keeps: one text, since a journal looks into all else it is given."""
    return _encoder.encode(record).decode()


def unpacked(kept: str) -> Record:
    """Read back what the journal kept."""
    return _decoder.decode(kept)


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Record)
