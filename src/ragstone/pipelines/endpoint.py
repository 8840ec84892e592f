"""A search endpoint behind HTTP: a POST for each query, JSON both ways."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ragstone.errors import UsageError
from ragstone.pipelines.hits import LIST_NAMES, NotResultsError
from ragstone.pipelines.mapping import Expression, outline
from ragstone.pipelines.search import Search, Timed
from ragstone.pipelines.settings import Settings

TIMEOUT, RETRIES = 30.0, 3


class Endpoint:
    """Where to send queries, and how requests and answers are built.

    url: gets a POST for each query. request: a JMESPath expression that makes the body of `query`
    and `k`; by default an object of both. results: one that finds the results in the answer, a list
    of ids or of objects with id, score and text; by default the answer itself, or what it has as
    results, documents, hits or matches. headers: name -> environment variable with its value, or
    texts such as "Authorization=Bearer SEARCH_KEY", where words before the variable's name stay.
    """

    def __init__(
        self,
        url: str,
        *,
        request: str | None = None,
        results: str | None = None,
        headers: Mapping[str, str] | Iterable[str] = (),
    ) -> None:
        """Check all that can be checked before a query is sent."""
        from ragstone.http import check_url

        check_url(url)
        self.url = url
        self._request = Expression("--request", request) if request else None
        self._results = Expression("--results", results) if results else None
        self._headers = header_values(headers)

    def __repr__(self) -> str:
        """Show the address without what may be secret."""
        from ragstone.http import shown

        return f"Endpoint({shown(self.url)!r})"

    def search(self, settings: Settings) -> Search:
        """Return what is called for a query; retries and timeouts are the client's."""
        from ragstone.http import Client, Limits, Retry

        retries = RETRIES if settings.retries is None else settings.retries
        client = Client(
            self._headers,
            limits=Limits(timeout=settings.timeout or TIMEOUT, concurrency=settings.concurrency),
            retry=Retry(attempts=retries + 1),
            feature="a retriever behind HTTP",
        )

        async def call(text: str) -> Timed:
            answer = await client.post_json(self.url, self.body(text, settings.k))
            return Timed(self.found(answer.json), answer.elapsed)

        return Search(call, is_async=True, close=client.aclose, keeps_trying=True)

    def body(self, text: str, k: int) -> Any:
        """Return what is sent for a query."""
        return self._request.request(text, k) if self._request else {"query": text, "k": k}

    def found(self, answer: Any) -> Sequence[Any]:
        """Return the list of results in an answer; raises NotResultsError where there is none."""
        results = self._results.of(answer) if self._results else _usual(answer)
        if isinstance(results, list):
            return results
        if self._results is None:
            raise NotResultsError(
                f"the answer is {outline(answer)}; name the place of the results in it with "
                "--results, as in --results 'hits[].{id: id, score: score}'"
            )
        raise NotResultsError(
            f"--results {self._results.text!r} finds {outline(results)} and no list in the "
            f"answer, which is {outline(answer)}"
        )


def _usual(answer: Any) -> Any:
    if isinstance(answer, dict):
        return next((answer[name] for name in LIST_NAMES if name in answer), None)
    return answer


def header_values(headers: Mapping[str, str] | Iterable[str]) -> dict[str, str]:
    """Return headers with their values from the environment; no message shows a value."""
    pairs = headers.items() if isinstance(headers, Mapping) else map(_pair, headers)
    return {name.strip(): _value(name.strip(), source.strip()) for name, source in pairs}


def _pair(header: str) -> tuple[str, str]:
    name, equals, source = header.partition("=")
    if not (equals and name.strip() and source.strip()):
        raise UsageError(
            f"--header {name!r}: NAME=ENVVAR was expected, as in Authorization=SEARCH_KEY; the "
            "value itself stands in the environment variable"
        )
    return name, source


def _value(name: str, source: str) -> str:
    before, _, variable = source.rpartition(" ")
    value = os.environ.get(variable)
    if not value:
        known = variable if variable.isidentifier() else "that is named there"
        raise UsageError(
            f"--header {name}: there is no environment variable {known}; set it to the header's "
            "value, which is never given on the command line"
        )
    return f"{before} {value}".strip()
