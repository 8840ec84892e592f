"""A search for overlap on one machine: one corpus is indexed, the other is asked for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ragstone.corpus.job import Job
from ragstone.corpus.overlap.distinct import Distinct
from ragstone.corpus.overlap.grouping import TextPair
from ragstone.corpus.overlap.jobs import (
    Fetched,
    FetchJob,
    Matches,
    MatchJob,
    Sketches,
    SketchJob,
    numbered,
    unpacked,
)
from ragstone.corpus.overlap.shingles import DIGEST, Shingling, jaccard
from ragstone.corpus.overlap.similar import Method
from ragstone.corpus.streaming import stream
from ragstone.progress import Progress
from ragstone.text.ngrams import Gram

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ragstone.formats.corpus import Census, Corpus

S = TypeVar("S")
SETS = 4096  # sets of shingles that are in memory at a time


class Counts(NamedTuple):
    """Documents of a corpus: what was read, those with a word, and those of one shingle."""

    census: Census
    with_words: int
    short: int


class Outcome(NamedTuple):
    """What a search has found.

    pairs: of texts, the first of corpus a. ids: for each corpus, the documents that have a text
    of a pair. counts: of each corpus. compared: how many pairs of different texts were.
    """

    pairs: list[TextPair]
    ids: list[dict[bytes, list[str]]]
    counts: list[Counts]
    compared: int


class Search(NamedTuple):
    """What is looked for in two corpora, or in one; the method is None for identical texts."""

    corpora: Sequence[Corpus]
    method: Method | None
    shingling: Shingling
    threshold: float
    workers: int
    progress: Progress | None

    def run(self) -> Outcome:
        """Read the smaller corpus, the larger one, and the smaller one again for what matters."""
        indexed = min(range(len(self.corpora)), key=lambda place: self.corpora[place].size)
        asked = len(self.corpora) - 1 - indexed
        sketches, first = self._read(SketchJob(self.method), indexed)
        distinct = Distinct(sketches.digests)
        matches, second = self._read(self._match_job(sketches, distinct), asked)
        counts = [
            Counts(second, matches.with_words, matches.short),
            Counts(first, int(distinct.counts.sum()), distinct.documents(_array(sketches.short))),
        ]
        ids = [{name: match.ids for name, match in matches.texts.items()}]
        texts = {name: match.text for name, match in matches.texts.items()}
        candidates = list(self._candidates(matches, distinct))
        if not self._within:
            documents = self._fetch(candidates, distinct, indexed)
            names = distinct.digests.tolist()
            ids.append({names[number]: found for number, found in documents.ids.items()})
            texts |= {names[number]: text for number, text in documents.texts.items()}
        different = [pair for pair in candidates if pair[0] != pair[1]]
        pairs = [TextPair(one, one, 1.0) for one, other in candidates if one == other]
        pairs += self._verified(different, texts)
        if asked == 0:
            return Outcome(pairs, ids, counts[: len(ids)], len(different))
        turned = [TextPair(other, one, alike) for one, other, alike in pairs]
        return Outcome(turned, ids[::-1], counts[::-1], len(different))

    @property
    def _within(self) -> bool:
        return len(self.corpora) == 1

    def _match_job(self, sketches: Sketches, distinct: Distinct) -> MatchJob:
        least = 2 if self._within else 1
        if self.method is None:
            return MatchJob(distinct, None, least)
        index = self.method.index(numbered(sketches, distinct), len(distinct))
        return MatchJob(distinct, index, least)

    def _candidates(self, matches: Matches, distinct: Distinct) -> Iterator[tuple[bytes, bytes]]:
        """Yield pairs (asked, indexed) of texts: a text with itself where it is identical.

        Within one corpus a pair that can be similar is found from both sides, and taken once.
        """
        least = 2 if self._within else 1
        names = distinct.digests.tolist()
        for name, match in sorted(matches.texts.items()):
            if distinct.documents(_array([name])) >= least:
                yield name, name
            for other in sorted(names[owner] for owner in match.owners):
                if not self._within or (name < other and _has_text(matches, other)):
                    yield name, other

    def _fetch(
        self, candidates: Sequence[tuple[bytes, bytes]], distinct: Distinct, place: int
    ) -> Fetched:
        """Read the ids of the indexed texts in pairs, and the texts that are compared."""
        import numpy as np

        with_ids = np.zeros(len(distinct), dtype=np.bool_)
        with_text = np.zeros(len(distinct), dtype=np.bool_)
        numbers = distinct.numbers_of(_array([indexed for _, indexed in candidates]))
        with_ids[numbers] = True
        with_text[numbers[[one != other for one, other in candidates]]] = True
        return self._read(FetchJob(distinct, with_ids, with_text), place)[0]

    def _verified(
        self, pairs: Sequence[tuple[bytes, bytes]], texts: dict[bytes, bytes]
    ) -> Iterator[TextPair]:
        """Yield the pairs whose Jaccard similarity reaches the threshold.

        It is computed from the shingles themselves, so that a hash that two of them share by
        chance makes no pair.
        """

        @lru_cache(SETS)
        def shingles(name: bytes) -> frozenset[Gram]:
            return self.shingling.set_of(unpacked(texts[name]))

        for one, other in pairs:
            alike = jaccard(shingles(one), shingles(other))
            if alike >= self.threshold:
                yield TextPair(one, other, alike)

    def _read(self, job: Job[S], place: int) -> tuple[S, Census]:
        return stream(job, self.corpora[place], workers=self.workers, progress=self.progress)


def _has_text(matches: Matches, name: bytes) -> bool:
    """Tell whether a text was found to have partners too; without, none can be similar enough."""
    return name in matches.texts and bool(matches.texts[name].text)


def _array(names: Iterable[bytes]) -> NDArray[np.bytes_]:
    import numpy as np

    return np.array(list(names), dtype=DIGEST)
