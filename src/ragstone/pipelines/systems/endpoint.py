"""A pipeline behind HTTP: a POST for each question, JSON both ways."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ragstone.pipelines.endpoint import Address
from ragstone.pipelines.hits import NotResultsError
from ragstone.pipelines.mapping import Expression, outline
from ragstone.pipelines.search import Search, Timed
from ragstone.pipelines.settings import CallSettings
from ragstone.pipelines.systems.function import itself
from ragstone.pipelines.systems.watch import Observed

TIMEOUT = 120.0  # a model takes longer than a search


class PipelineEndpoint(Address):
    """Where to send questions, and how requests and answers are built.

    url: gets a POST for each question. request: a JMESPath expression that makes the body of
    `query`; by default an object of it. response: one that makes of the answer's JSON what a
    function would return: an object with answer, contexts, usage and so on; by default the JSON as
    it is. headers: as for Endpoint.
    """

    feature = "a pipeline behind HTTP"

    def __init__(
        self,
        url: str,
        *,
        request: str | None = None,
        response: str | None = None,
        headers: Mapping[str, str] | Iterable[str] = (),
    ) -> None:
        """Check all that can be checked before a question is sent."""
        super().__init__(url, request, headers)
        self._response = Expression("--response", response) if response else None

    def bind(self, settings: CallSettings) -> Search:
        """Return what is called for a question; retries and timeouts are the client's."""
        client = self.client(settings, TIMEOUT)

        async def call(text: str) -> Timed:
            body = self.made(text, {"query": text})
            answer = await client.post_json(self.url, body)
            return Timed(Observed(output=self.found(answer.json)), answer.elapsed)

        return Search(call, is_async=True, finish=itself, close=client.aclose, keeps_trying=True)

    def found(self, answer: Any) -> Any:
        """Return what --response makes of an answer; raises NotResultsError for nothing."""
        if self._response is None:
            return answer
        found = self._response.of(answer)
        if isinstance(found, dict):  # JMESPath has null for what is not there
            found = {name: each for name, each in found.items() if each is not None}
        if found in (None, {}):
            raise NotResultsError(
                f"--response {self._response.text!r} finds nothing in the answer, which is "
                f"{outline(answer)}"
            )
        return found
