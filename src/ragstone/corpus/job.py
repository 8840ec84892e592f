"""What is done with a corpus, apart from who reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from ragstone.formats.corpus import Batch, Census

S = TypeVar("S")


class Job(Protocol[S]):
    """What is done with a corpus. The job and its state go from process to process: they pickle.

    The state in the end must not depend on the order of the documents, nor on how they are put
    into batches.
    """

    def start(self) -> S:
        """Return the state before the first document."""

    def read(self, state: S, batch: Batch) -> None:
        """Take in a batch of documents."""

    def merge(self, state: S, other: S) -> None:
        """Take in what another process made of other documents."""


class Reader(Protocol):
    """A corpus that is not read by this process, as that of a Spark session."""

    def run(self, job: Job[S]) -> tuple[S, Census]:
        """Run a job over all documents; return its state and what was counted."""
