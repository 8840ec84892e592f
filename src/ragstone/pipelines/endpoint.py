"""A search endpoint behind HTTP: a POST for each query, JSON both ways."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from ragstone.pipelines.hits import LIST_NAMES, NotResultsError
from ragstone.pipelines.mapping import Expression, outline
from ragstone.pipelines.search import Search, Timed
from ragstone.pipelines.settings import CallSettings, Settings

if TYPE_CHECKING:
    from ragstone.http import Client

TIMEOUT, RETRIES = 30.0, 3


class Address:
    """Where requests go: what every endpoint has, a retriever's or a pipeline's."""

    feature: ClassVar[str]

    def __init__(
        self,
        url: str,
        request: str | None = None,
        headers: Mapping[str, str] | Iterable[str] = (),
    ) -> None:
        """Check all that can be checked before a request is sent."""
        from ragstone.http import check_url, header_values

        check_url(url)
        self.url = url
        self._request = Expression("--request", request) if request else None
        self._headers = header_values(headers)

    def __repr__(self) -> str:
        """Show the address without what may be secret."""
        from ragstone.http import shown

        return f"{type(self).__name__}({shown(self.url)!r})"

    def client(self, settings: CallSettings, timeout: float) -> Client:
        """Return a client with the limits of the settings; timeout: where they say nothing."""
        from ragstone.http import Client, Limits, Retry

        retries = RETRIES if settings.retries is None else settings.retries
        return Client(
            self._headers,
            limits=Limits(timeout=settings.timeout or timeout, concurrency=settings.concurrency),
            retry=Retry(attempts=retries + 1),
            feature=self.feature,
        )

    def made(self, text: str, default: Any, **more: Any) -> Any:
        """Return what is sent for a query; `default` where no --request makes it."""
        return self._request.request(query=text, **more) if self._request else default


class Endpoint(Address):
    """Where to send queries, and how requests and answers are built.

    url: gets a POST for each query. request: a JMESPath expression that makes the body of `query`
    and `k`; by default an object of both. results: one that finds the results in the answer, a list
    of ids or of objects with id, score and text; by default the answer itself, or what it has as
    results, documents, hits or matches. headers: name -> environment variable with its value, or
    texts such as "Authorization=Bearer SEARCH_KEY", where words before the variable's name stay.
    """

    feature = "a retriever behind HTTP"

    def __init__(
        self,
        url: str,
        *,
        request: str | None = None,
        results: str | None = None,
        headers: Mapping[str, str] | Iterable[str] = (),
    ) -> None:
        """Check all that can be checked before a query is sent."""
        super().__init__(url, request, headers)
        self._results = Expression("--results", results) if results else None

    def search(self, settings: Settings) -> Search:
        """Return what is called for a query; retries and timeouts are the client's."""
        client = self.client(settings, TIMEOUT)

        async def call(text: str) -> Timed:
            body = self.made(text, {"query": text, "k": settings.k}, k=settings.k)
            answer = await client.post_json(self.url, body)
            return Timed(self.found(answer.json), answer.elapsed)

        return Search(call, is_async=True, close=client.aclose, keeps_trying=True)

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
