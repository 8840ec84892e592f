"""The encoder around every model: batches, checks, the cache, progress."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from ragstone.encoders.encoder import Batching, Model
from ragstone.encoders.vectors import BadVectorsError, checked, packed, unpacked
from ragstone.errors import InputError
from ragstone.model import Signature
from ragstone.progress import Progress, Silent
from ragstone.store import Cache, cache_key

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class _Known(Struct, forbid_unknown_fields=True):
    """What a cache remembers of a model beside its vectors."""

    revision: str | None = None
    dimensions: int | None = None


class CheckedEncoder:
    """Asks a model for what is not in the cache, in batches, and believes nothing unchecked.

    cache: where vectors are looked up and kept, each as soon as its batch is there. offline: send
    nothing; what the cache does not have is an error. progress: is told of each text encoded.
    counts: how many texts were asked for, were `blank`, were found in the cache (`cached`), and
    `encoded`; equal texts of one call count once.
    """

    def __init__(
        self,
        model: Model,
        *,
        cache: Cache | None = None,
        offline: bool = False,
        progress: Progress | None = None,
    ) -> None:
        """Ask nothing yet."""
        self.model, self.offline = model, offline
        self.counts: Counter[str] = Counter()
        self._cache, self.progress = cache, progress or Silent()
        self._signature: Signature | None = None
        asked = model.asked.get("encoder_dimensions")
        self._dimensions = asked if isinstance(asked, int) else None
        self._remembered = False

    def __repr__(self) -> str:
        """Show the name."""
        return f"<CheckedEncoder {self.name}>"

    @property
    def name(self) -> str:
        """What a reader calls it."""
        return self.model.name

    @property
    def signature(self) -> Signature:
        """What makes its vectors comparable; the first time this may ask the model its version."""
        if self._signature is None:
            self._signature = self.model.signed(self._revision())
        return self._signature

    def notes(self) -> list[str]:
        """Return a line for each thing that a reader should know of the vectors so far."""
        return self.model.notes()

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a row for each text; see `Encoder`."""
        import numpy as np

        places: dict[str, int] = {}
        rows = [_place(text, places) for text in texts]
        self.counts.update(texts=len(rows), blank=rows.count(-1))
        unique = self._rows(list(places)) if places else self._none()
        blank = np.zeros((1, unique.shape[1]), dtype=np.float32)
        found: NDArray[np.float32] = np.concatenate([unique, blank])[rows]
        return found

    def _none(self) -> NDArray[np.float32]:
        import numpy as np

        return np.zeros((0, self._dimensions or 0), dtype=np.float32)

    def _rows(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        keys = [self._key(text) for text in texts]
        found = self._looked_up(keys)
        missing = [place for place, key in enumerate(keys) if key not in found]
        self.counts.update(cached=len(texts) - len(missing))
        self._refuse(len(missing), len(texts))
        parts = list(self._encoded([texts[n] for n in missing], [keys[n] for n in missing]))
        dimensions = self._dimensions or 0
        rows = np.empty((len(texts), dimensions), dtype=np.float32)
        for places, block in parts:
            rows[[missing[place] for place in places]] = block
        kept = [place for place, key in enumerate(keys) if key in found]
        rows[kept] = self._unpacked([found[keys[place]] for place in kept], dimensions)
        return rows

    def _encoded(
        self, texts: Sequence[str], keys: Sequence[str]
    ) -> Iterator[tuple[Sequence[int], NDArray[np.float32]]]:
        if not texts:
            return
        groups = list(batches(texts, self.model.batching))
        self.progress.start(len(texts))
        try:
            for number, found in self.model.vectors([[texts[n] for n in g] for g in groups]):
                group = groups[number]
                block = self._checked(found, len(group))
                self._keep([keys[place] for place in group], block)
                self.counts.update(encoded=len(group))
                self.progress.advance(len(group))
                yield group, block
        finally:
            self.progress.finish()

    def _checked(self, found: Any, texts: int) -> NDArray[np.float32]:
        try:
            block = checked(found, texts, self._dimensions)
        except BadVectorsError as error:
            problem = str(error)
            if error.reason == "dimension" and self._remembered and self._cache is not None:
                problem += (
                    f", as in the cache {self._cache.path}; if the model behind this name has "
                    "changed, give a revision, or name another cache"
                )
            raise self.model.refused(problem, error.reason) from None
        self._dimensions = int(block.shape[1])
        return block

    def _refuse(self, missing: int, texts: int) -> None:
        """Stop before anything is asked in vain."""
        if not missing:
            return
        few = f"{missing:,} of {texts:,} texts are not in"
        cache = self._cache
        if self.offline and self.model.asks_network:
            where = f"the cache {cache.path}" if cache else "a cache, since there is none"
            raise InputError(
                f"{self.name}: {few} {where}, and offline nothing is sent; run it once without "
                "--offline and with --cache"
            )
        if cache is not None and cache.read_only and not self.offline:
            raise InputError(
                f"{self.name}: {few} the cache {cache.path}, and that cannot be written; copy it "
                "to where it can be"
            )

    # ---- the cache -----------------------------------------------------------------------------

    def _revision(self) -> str:
        revision = self.model.revision(offline=self.offline)
        if revision is None and self._cache is not None:
            revision = self._recall(self._asked_key).revision
        if revision is None:
            raise InputError(
                f"{self.name}: offline nobody can tell which revision this is, and "
                f"{'the cache does not know it' if self._cache else 'there is no cache'}; give the "
                "revision, or run it once without --offline and with --cache"
            )
        return revision

    @property
    def _asked_key(self) -> str:
        return cache_key(kind="encoder-asked", encoder=dict(self.model.asked))

    @property
    def _signed_key(self) -> str:
        return cache_key(kind="encoder", encoder=dict(self.signature))

    def _key(self, text: str) -> str:
        return cache_key(kind="vector", encoder=dict(self.signature), text=text)

    def _recall(self, key: str) -> _Known:
        value = self._cache.get(key) if self._cache is not None else None
        try:
            return _Known() if value is None else msgspec.json.decode(value, type=_Known)
        except msgspec.DecodeError:
            raise self._damaged() from None

    def _looked_up(self, keys: Sequence[str]) -> dict[str, bytes]:
        if self._cache is None:
            return {}
        if not self._remembered and (known := self._recall(self._signed_key).dimensions):
            self._dimensions, self._remembered = self._dimensions or known, True
        return self._cache.get_many(keys)

    def _keep(self, keys: Sequence[str], block: NDArray[np.float32]) -> None:
        if self._cache is None or self._cache.read_only:
            return
        values = {key: packed(row) for key, row in zip(keys, block, strict=True)}
        if not self._remembered:
            encode = msgspec.json.encode
            revision = str(self.signature.get("encoder_revision", ""))
            values[self._asked_key] = encode(_Known(revision=revision))
            values[self._signed_key] = encode(_Known(dimensions=self._dimensions))
            self._remembered = True
        self._cache.put_many(values)

    def _unpacked(self, rows: Sequence[bytes], dimensions: int) -> NDArray[np.float32]:
        try:
            return unpacked(rows, dimensions)
        except ValueError:
            raise self._damaged() from None

    def _damaged(self) -> InputError:
        path = self._cache.path if self._cache is not None else ""
        return InputError(f"{path}: the cache is damaged; delete it to start anew")


def _place(text: str, places: dict[str, int]) -> int:
    """Return the row of a text among those that differ; -1 for one of white space."""
    if not isinstance(text, str):
        raise InputError(f"a text was expected to encode, found {text!r:.80}")
    return places.setdefault(text, len(places)) if text.strip() else -1


def batches(texts: Sequence[str], most: Batching) -> Iterator[list[int]]:
    """Yield the places of texts in batches: shorter texts first, so that those of one are alike.

    >>> list(batches(["ccc", "a", "bb", "d"], Batching(texts=2, characters=4)))
    [[1, 3], [2], [0]]
    """
    batch: list[int] = []
    characters = 0
    for place in sorted(range(len(texts)), key=lambda n: (len(texts[n]), texts[n])):
        size = len(texts[place])
        if batch and (len(batch) == most.texts or characters + size > most.characters):
            yield batch
            batch, characters = [], 0
        batch.append(place)
        characters += size
    if batch:
        yield batch
