"""A judge behind HTTP: OpenAI-compatible or Anthropic."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ragstone.errors import EndpointError
from ragstone.http import Client, Clock, Limits, Response, Retry, api_address, is_exhausted, shown
from ragstone.http.inside import hidden_status
from ragstone.http.room import Room
from ragstone.judge import faults, tokens
from ragstone.judge.config import JudgeConfig
from ragstone.judge.dialects import DIALECTS, NoAnswerError
from ragstone.judge.ladder import Ladder
from ragstone.judge.protocol import Reply, Request
from ragstone.model.prices import Rates

TIMEOUTS = frozenset({"timeout", "connect_timeout"})


class EndpointJudge:
    """Asks an endpoint; made from a config, to be used in one event loop and closed.

    Neither a key nor httpx is needed before it is opened, so that answers can be replayed without
    both.
    """

    def __init__(self, config: JudgeConfig, *, clock: Clock | None = None) -> None:
        """Open nothing yet."""
        self.config, self._clock = config, clock
        self._dialect = DIALECTS[config.dialect]
        self.url = api_address(config.endpoint, self._dialect.path)
        self._given = {n: v for n, v in config.parameters.items() if v is not False}
        ours = self._dialect.defaults()
        if "max_completion_tokens" in self._given:
            ours.pop("max_tokens")
        left = {name: value for name, value in ours.items() if name not in config.parameters}
        self.ladder = Ladder(self._dialect.rungs, left)
        self._parameters = {**left, **self._given}
        self._prices: Rates | None = config.known_prices
        self._first = Room(1)
        self.on_retry: Callable[[str, str, int, int], None] | None = None
        self._client: Client | None = None

    def open(self) -> Client:
        """Return what requests go through; the first one connects.

        Raises UsageError for a key that is not there, and MissingExtraError without httpx.
        """
        if self._client is None:
            self._client = self._opened()
        return self._client

    def _opened(self) -> Client:
        limits = self.config.limits
        return Client(
            {**self._dialect.headers, **self.config.secret_headers(self._dialect.header)},
            limits=Limits(
                timeout=limits.timeout,
                connect_timeout=min(10.0, limits.timeout),
                concurrency=limits.concurrency,
                per_minute=limits.requests_per_minute,
                tokens_per_minute=limits.tokens_per_minute,
                adaptive=True,
            ),
            retry=Retry(
                attempts=limits.attempts,
                statuses=faults.STATUSES,
                exhausted=is_exhausted,
                hidden=hidden_status,
            ),
            clock=self._clock,
            on_retry=self._retried,
            feature="a judge",
            extra="judge",
        )

    def __repr__(self) -> str:
        """Show what is asked, and where, without what may be secret."""
        return f"<EndpointJudge {self.model} at {shown(self.url)}>"

    @property
    def name(self) -> str:
        """How reports call it."""
        return self.config.name or self.config.model

    @property
    def provider(self) -> str:
        """Which API answers; the user's own word where there is one."""
        return self.config.provider or self.config.dialect

    @property
    def model(self) -> str:
        """The model, as the endpoint calls it."""
        return self.config.model

    @property
    def parameters(self) -> Mapping[str, Any]:
        """What is sent beside the prompt."""
        return self._parameters

    @property
    def prices(self) -> Rates | None:
        """What tokens cost; None where nobody knows."""
        return self._prices

    @property
    def max_tokens(self) -> int | None:
        """The most that the model writes; None without a limit."""
        found = self._parameters.get("max_tokens", self._parameters.get("max_completion_tokens"))
        return found if type(found) is int else None

    @property
    def concurrency(self) -> int:
        """How many requests are sent at once, at most."""
        return self.config.limits.concurrency

    @property
    def stop_after(self) -> int:
        """How many may fail one after the other."""
        return self.config.limits.stop_after

    def stop(self) -> None:
        """Send nothing more."""
        if self._client is not None:
            self._client.stop()

    async def aclose(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def complete(self, request: Request) -> Reply:
        """Send a request; the first ones alone, until it is known how to ask for JSON.

        After one that was not answered in time they are no longer sent alone: whether there is
        anybody is then the question, and each would have to wait for all attempts of the last.
        """
        if self.ladder.held:
            return await self._complete(request)
        await self._first.enter()
        try:
            return await self._complete(request)
        finally:
            self._first.leave()

    def _retried(self, code: str, problem: str, attempt: int) -> None:
        if code in TIMEOUTS:
            self._first.widen(self.concurrency)
        if self.on_retry is not None:
            self.on_retry(code, problem, attempt + 1, self.config.limits.attempts)

    async def _complete(self, request: Request) -> Reply:
        attempts, seen = 0, tuple[str, ...]()
        while True:
            state = self.ladder.state
            try:
                response = await self._sent(request, state)
            except EndpointError as error:
                attempts, seen = attempts + error.attempts, (*seen, *error.faults)
                if not self.ladder.step_down(error, state):
                    raise faults.failed(error, attempts, seen) from None
                continue
            attempts, seen = attempts + response.attempts, (*seen, *response.faults)
            return self._read(response, state["rung"], attempts, seen)

    async def _sent(self, request: Request, state: Mapping[str, Any]) -> Response:
        parameters = {**state["defaults"], **self._given}
        if type(parameters.get("seed")) is int:
            parameters["seed"] += request.repeat
        if request.max_tokens is not None:
            named = [name for name in parameters if name in {"max_tokens", "max_completion_tokens"}]
            parameters.update(dict.fromkeys(named, request.max_tokens))
        body = self._dialect.body(request, self.model, parameters, state["rung"])
        if self.config.limits.tokens_per_minute is None:
            return await self.open().post_json(self.url, body)
        return await self._paced(request, body)

    async def _paced(self, request: Request, body: Mapping[str, Any]) -> Response:
        """Send it when its tokens fit, and correct them by what the endpoint says they were."""
        planned = tokens.prompt(each.content for each in request.messages)
        client = self.open()
        response = await client.post_json(self.url, body, tokens=planned)
        try:
            usage = self._dialect.read(response.json).usage
        except NoAnswerError:
            usage = None
        if usage is not None and usage.total_tokens is not None:
            client.spent(usage.total_tokens - planned)
        return response

    def _read(self, response: Response, rung: str, attempts: int, seen: tuple[str, ...]) -> Reply:
        try:
            said = self._dialect.read(response.json)
        except NoAnswerError:
            where = f"POST {shown(self.url)}"
            raise faults.failed_inside(response.json, attempts, seen, where) from None
        self.ladder.held = True
        self._first.widen(self.concurrency)
        return Reply(said.text, said.finish, said.usage, said.model, attempts, seen, rung)
