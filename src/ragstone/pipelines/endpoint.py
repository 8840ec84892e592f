"""A search endpoint behind HTTP: a POST for each query, JSON both ways."""

from __future__ import annotations

from ragstone.pipelines.search import Search
from ragstone.pipelines.settings import Settings


class Endpoint:
    """Where to send queries, and how requests and answers are built."""

    def __init__(self, url: str) -> None:
        """Keep the address."""
        self.url = url

    def search(self, settings: Settings) -> Search:
        """Return what is called for a query."""
        raise NotImplementedError
