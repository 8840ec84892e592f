"""What OpenAI-compatible endpoints and Ollama have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct

from ragstone.encoders.config import EncoderConfig, EncoderLimits
from ragstone.encoders.encoder import Batching
from ragstone.encoders.sending import as_done
from ragstone.errors import BadResponseError, StatusError
from ragstone.http import Client, Limits, Retry, header_values, is_exhausted, shown
from ragstone.http.inside import hidden_status
from ragstone.http.mask import Mask
from ragstone.model import Scalar, Signature
from ragstone.store.plain import canonical

ADVICE = "look at the endpoint, or take another model"


class Place(Struct, frozen=True):
    """Where batches go, and what goes with each request: name -> environment variable."""

    url: str
    headers: Mapping[str, str]


class EndpointModel(ABC):
    """A model behind an address; what is sent and how it is read is for the subclasses."""

    kind = ""
    timeout = 60.0
    asks_network = True

    def __init__(self, model: str, place: Place, config: EncoderConfig) -> None:
        """Send nothing yet."""
        self.model, self.config = model, config
        self.name = f"{self.kind}:{model}"
        self.batching = config.batch or Batching()
        self._place, self._limits = place, config.limits or EncoderLimits()
        fields: dict[str, Scalar] = {"encoder": self.kind, "encoder_model": model}
        if config.dimensions is not None:
            fields["encoder_dimensions"] = config.dimensions
        if config.prompt:
            fields["encoder_prompt"] = config.prompt
        if config.parameters:
            fields["encoder_parameters"] = canonical(config.parameters).decode()
        self.asked = Signature.of(fields)

    def __repr__(self) -> str:
        """Show what is asked, and where, without what may be secret."""
        return f"<{type(self).__name__} {self.model} at {shown(self._place.url)}>"

    @cached_property
    def headers(self) -> dict[str, str]:
        """The headers with their values; raises UsageError where a variable is not set."""
        return header_values(self._place.headers, f"encoder {self.name}: the header")

    def revision(self, *, offline: bool) -> str | None:  # noqa: ARG002 - others may ask
        """Return what the user calls it; an API does not say."""
        return self.config.revision

    def signed(self, revision: str) -> Signature:
        """Return the signature of this version."""
        return Signature.of(self.asked, **({"encoder_revision": revision} if revision else {}))

    def vectors(self, batches: Sequence[Sequence[str]]) -> Iterator[tuple[int, Any]]:
        """Yield the rows of each batch as its answer comes."""
        return as_done(self._opened, self._asked, batches, self._limits.concurrency)

    def notes(self) -> list[str]:
        """Return nothing: what it does with a text is not known here."""
        return []

    def refused(self, problem: str, reason: str) -> BadResponseError:
        """Return the error for an answer that cannot be used."""
        return BadResponseError(
            f"POST {shown(self._place.url)}: {problem}; {ADVICE}", reason=reason
        )

    async def _asked(self, client: Client, batch: Sequence[str]) -> Any:
        texts = [f"{self.config.prompt}{text}" for text in batch]
        body = {**self.body(texts), **self.config.parameters}
        try:
            answer = (await client.post_json(self._place.url, body)).json
        except StatusError as error:
            raise self.explained(error) from None
        if isinstance(answer, dict) and (inside := answer.get("error")):
            said = Mask(self.headers)(" ".join(str(inside).split()))[:300]
            raise self.refused(f"an error came back with status 200: {said!r}", "error_body")
        return self.rows(answer)

    def _opened(self) -> Client:
        limits = self._limits
        timeout = limits.timeout or self.timeout
        return Client(
            self.headers,
            limits=Limits(
                timeout=timeout,
                connect_timeout=min(10.0, timeout),
                concurrency=limits.concurrency,
                per_minute=limits.requests_per_minute,
                adaptive=True,
            ),
            retry=Retry(attempts=limits.attempts, exhausted=is_exhausted, hidden=hidden_status),
            feature=f"the encoder {self.name}",
        )

    def explained(self, error: StatusError) -> StatusError:
        """Return the error for a status, with advice where this API needs some."""
        return error

    @abstractmethod
    def body(self, texts: Sequence[str]) -> dict[str, Any]:
        """Return what is sent for a batch."""

    @abstractmethod
    def rows(self, answer: Any) -> Any:
        """Return the vectors in an answer, in the order of the texts; raises BadResponseError."""
