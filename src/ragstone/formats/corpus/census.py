"""What a reading of a corpus counts, and which ids may stand twice."""

from __future__ import annotations

from array import array
from collections.abc import Callable

from ragstone.formats.corpus.batch import Batch


class Census:
    """Counts of documents, and 8 bytes for the id of each; those of parts can be merged.

    portable: whether it may be merged with the census of another process, which takes longer.
    """

    def __init__(self, *, portable: bool = False) -> None:
        """Start at nothing."""
        self.portable = portable
        self.documents = self.empty = self.title_only = 0
        self.truncated = False
        self._digests = array("q")

    def add(self, batch: Batch) -> None:
        """Count the documents of a batch."""
        self.documents += len(batch.ids)
        self.empty += batch.empty
        self.title_only += batch.title_only
        self._digests.extend(map(self.digest, batch.ids))

    def merge(self, other: Census) -> None:
        """Count what another part of the same corpus has."""
        if self.portable != other.portable:
            raise ValueError("a census that is portable cannot be merged with one that is not")
        self.documents += other.documents
        self.empty += other.empty
        self.title_only += other.title_only
        self.truncated = self.truncated or other.truncated
        self._digests.extend(other._digests)

    @property
    def digest(self) -> Callable[[str], int]:
        """What makes 8 bytes of an id: the same in every process only if portable."""
        return _digest if self.portable else hash

    def repeated(self) -> set[int]:
        """Return the digests that two documents share: of equal ids, or very rarely by chance."""
        import numpy as np

        digests = np.frombuffer(self._digests, np.int64)
        digests.sort()  # where they lie: a copy would double the memory
        return set(digests[1:][digests[1:] == digests[:-1]].tolist())

    @property
    def facts(self) -> dict[str, int]:
        """Counts for a report; `truncated` is 1 where more documents follow."""
        return {
            "documents": self.documents,
            "empty_documents": self.empty,
            "title_only_documents": self.title_only,
            "truncated": int(self.truncated),
        }


def _digest(doc: str) -> int:
    from hashlib import blake2b

    return int.from_bytes(blake2b(doc.encode(), digest_size=8).digest(), "little", signed=True)
