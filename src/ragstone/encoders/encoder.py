"""What an encoder is, for all that use one, and what a model is, for the encoder that asks it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from ragstone.errors import RagstoneError
from ragstone.model import Signature

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ragstone.model import Scalar


class Encoder(Protocol):
    """Turns texts into vectors."""

    @property
    def name(self) -> str:
        """What a reader calls it: `openai:text-embedding-3-small`."""

    @property
    def signature(self) -> Mapping[str, Scalar]:
        """What must be equal for two similarities to be compared; every name begins with encoder.

        `encoder`: the kind; `encoder_model`, `encoder_revision`, `encoder_dimensions` and
        `encoder_prompt`, where there are such.
        """

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a row for each text, as the model gives it: shape (texts, dimensions).

        Rows are finite, and not of length 1 (`normalized` makes them so). A text that is empty or
        white space has a row of zeros. Raises EndpointError or InputError.
        """


class Batching(Struct, frozen=True, forbid_unknown_fields=True):
    """The most that a model is given at once: texts, and characters unless one text has more."""

    texts: int = 32
    characters: int = 100_000

    def __post_init__(self) -> None:
        """Refuse batches of nothing."""
        if self.texts < 1 or self.characters < 1:
            raise ValueError("batch has texts and characters, each at least 1")


class Model(Protocol):
    """What gives vectors, without cache, checks and progress, which `CheckedEncoder` adds."""

    name: str
    batching: Batching
    asked: Signature
    """What it was asked for by the user; the key under which its revision is remembered."""
    asks_network: bool
    """Whether every batch is sent to an endpoint."""

    def revision(self, *, offline: bool) -> str | None:
        """Return which version it is, "" where it has none, None where only asking would tell."""

    def signed(self, revision: str) -> Signature:
        """Return the signature of this version."""

    def vectors(self, batches: Sequence[Sequence[str]]) -> Iterator[tuple[int, Any]]:
        """Yield the rows of each batch, with its place, in the order in which they are done."""

    def notes(self) -> list[str]:
        """Return a line for each thing that a reader should know of the vectors so far."""

    def refused(self, problem: str, reason: str) -> RagstoneError:
        """Return the error for rows that cannot be used."""
