"""A search for overlap by Spark: corpora are joined on digests, or on bands of MinHash.

What it finds is what `search.Search` finds. Nothing of a corpus has to fit in one memory but the
documents that have a partner.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ragstone.corpus.overlap.grouping import TextPair
from ragstone.corpus.overlap.jobs import NOTHING, packed, unpacked
from ragstone.corpus.overlap.search import Counts, Outcome
from ragstone.corpus.overlap.shingles import Shingling, digests, jaccard
from ragstone.corpus.overlap.similar import ByBands
from ragstone.corpus.spark.corpus import SparkCorpus
from ragstone.corpus.spark.rows import PAYLOAD, Decode, Payload, Rows, batches, counted, table
from ragstone.corpus.spark.session import Frame, explained, functions
from ragstone.corpus.spark.stream import check, collected
from ragstone.errors import RagstoneError
from ragstone.text.ngrams import Block

if TYPE_CHECKING:
    from ragstone.formats.corpus import Batch

ROWS = f"id string, digest binary, short boolean, bands array<bigint>, {PAYLOAD}"


class SparkSearch(NamedTuple):
    """What is looked for in two corpora, or in one; without bands, identical texts alone."""

    corpora: Sequence[SparkCorpus]
    bands: ByBands | None
    shingling: Shingling
    threshold: float

    def run(self) -> Outcome:
        """Read each corpus once, and a second time for texts that may be similar."""
        with explained():
            rows = [_rows_of(corpus, self.bands) for corpus in self.corpora]
            try:
                return self._outcome(rows)
            finally:
                for frame in rows:
                    frame.unpersist()

    @property
    def _within(self) -> bool:
        return len(self.corpora) == 1

    def _outcome(self, rows: Sequence[Frame]) -> Outcome:
        counts = [
            self._counts(corpus, frame) for corpus, frame in zip(self.corpora, rows, strict=True)
        ]
        documents = [frame.where("digest is not null") for frame in rows]
        pairs = [TextPair(name, name, 1.0) for name in self._identical(documents)]
        compared = 0
        if self.bands:
            similar, compared = self._similar(documents)
            pairs += similar
        return Outcome(pairs, self._ids(documents, pairs), counts, compared)

    def _counts(self, corpus: SparkCorpus, rows: Frame) -> Counts:
        found = collected(rows, _Sums())
        check(corpus, found, rows)
        corpus.content = found.content
        short = rows.where("short").count() if self.bands else 0
        return Counts(found.census(), rows.where("digest is not null").count(), short)

    def _identical(self, documents: Sequence[Frame]) -> list[bytes]:
        """Return the digests of texts that both corpora have, or that one has twice."""
        names = [frame.select("digest") for frame in documents]
        if self._within:
            both = names[0].groupBy("digest").count().where("count > 1").select("digest")
        else:
            both = names[0].distinct().join(names[1].distinct(), "digest", "left_semi")
        return sorted(bytes(row.digest) for row in both.collect())

    def _similar(self, documents: Sequence[Frame]) -> tuple[list[TextPair], int]:
        """Return the pairs of different texts with an equal band that are as similar as asked."""
        candidates = self._candidates(documents).persist()
        try:
            texts = [
                _texts(corpus, candidates.select(side).withColumnRenamed(side, "digest"))
                for corpus, side in zip(self._sides, ("one", "other"), strict=True)
            ]
            both = candidates
            for frame, side in zip(texts, ("one", "other"), strict=True):
                renamed = frame.withColumnRenamed("digest", side)
                both = both.join(renamed.withColumnRenamed("text", f"{side}_text"), side)
            found = both.mapInArrow(
                _verifying(self.shingling, self.threshold),
                "one binary, other binary, jaccard double",
            )
            rows = found.collect()
            pairs = [TextPair(bytes(row.one), bytes(row.other), row.jaccard) for row in rows]
            return sorted(pairs), candidates.count()
        finally:
            candidates.unpersist()

    @property
    def _sides(self) -> tuple[SparkCorpus, SparkCorpus]:
        return self.corpora[0], self.corpora[-1]

    def _candidates(self, documents: Sequence[Frame]) -> Frame:
        """Return the different texts that have an equal band, each pair once."""
        function = functions()
        sides = []
        for frame, side in ((documents[0], "one"), (documents[-1], "other")):
            texts = frame.select("digest", "bands").dropDuplicates(["digest"])
            place = function.posexplode("bands").alias("band", "value")
            sides.append(texts.select(function.col("digest").alias(side), place))
        pairs = sides[0].join(sides[1], ["band", "value"])
        wanted = "one < other" if self._within else "one <> other"
        return pairs.where(wanted).select("one", "other").distinct()

    def _ids(
        self, documents: Sequence[Frame], pairs: Sequence[TextPair]
    ) -> list[dict[bytes, list[str]]]:
        """Return the documents of each corpus that have a text of a pair."""
        one, other = {pair.one for pair in pairs}, {pair.other for pair in pairs}
        wanted = [one | other] if self._within else [one, other]
        found: list[dict[bytes, list[str]]] = []
        for frame, corpus, names in zip(documents, self.corpora, wanted, strict=True):
            rows = frame.select("digest", "id")
            if names:
                few = corpus.session.createDataFrame([(name,) for name in sorted(names)], NAMES)
                rows = rows.join(few, "digest", "left_semi")
            ids: dict[bytes, list[str]] = {}
            for row in rows.collect() if names else []:
                ids.setdefault(bytes(row.digest), []).append(row.id)
            found.append(ids)
        return found


NAMES = "digest binary"


def _rows_of(corpus: SparkCorpus, bands: ByBands | None) -> Frame:
    content = not corpus.is_local
    return corpus.mapped(
        lambda decode: _sketching(bands, decode, with_content=content), ROWS
    ).persist()


def _texts(corpus: SparkCorpus, names: Frame) -> Frame:
    """Read a corpus again for the texts with some digests, packed, each once."""
    texts = corpus.mapped(_packing, "digest binary, text binary")
    return texts.join(names.distinct(), "digest", "left_semi").dropDuplicates(["digest"])


class _Sums:
    """A job that has no state: only the counts of documents are brought together."""

    def start(self) -> None:
        """Return no state."""

    def read(self, state: None, batch: Batch) -> None:
        """Keep nothing."""

    def merge(self, state: None, other: None) -> None:
        """Keep nothing."""


# ---- in Spark's Python workers ------------------------------------------------------------------


def _sketching(bands: ByBands | None, decode: Decode, *, with_content: bool) -> Rows:
    """Return what makes a row of each document, and in the end a payload with the counts."""

    def rows(records: Iterator[Any]) -> Iterator[Any]:
        found = Payload()
        try:
            for batch in batches(records, decode):
                found = counted(found, batch, with_content=with_content)
                yield _sketch(bands, batch)
        except RagstoneError as error:
            found = Payload(fault=error)
        none: list[Any] = [None]
        yield table(id=none, digest=none, short=none, bands=none, payload=[pickle.dumps(found)])

    return rows


def _sketch(bands: ByBands | None, batch: Batch) -> Any:
    block = Block.of(batch.texts)
    names = [name if name != NOTHING else None for name in digests(block).tolist()]
    numbers: list[Any] = [None] * len(names)
    is_short = [False] * len(names)
    if bands:
        (_, values), short = bands.sketch(block)
        numbers = list(values.view("int64"))
        for place in short.tolist():
            is_short[place] = True
    return table(
        id=batch.ids, digest=names, short=is_short, bands=numbers, payload=[None] * len(names)
    )


def _packing(decode: Decode) -> Rows:
    def rows(records: Iterator[Any]) -> Iterator[Any]:
        for batch in batches(records, decode):
            names = digests(Block.of(batch.texts)).tolist()
            yield table(digest=names, text=[packed(text) for text in batch.texts])

    return rows


def _verifying(shingling: Shingling, threshold: float) -> Rows:
    """Return what keeps the pairs whose shingles, and not only their hashes, are so similar."""

    def rows(records: Iterator[Any]) -> Iterator[Any]:
        for each in records:
            columns = [each.column(name).to_pylist() for name in VERIFIED]
            found = []
            for one, other, one_text, other_text in zip(*columns, strict=True):
                alike = jaccard(
                    shingling.set_of(unpacked(one_text)), shingling.set_of(unpacked(other_text))
                )
                if alike >= threshold:
                    found.append((one, other, alike))
            if found:
                ones, others, shares = zip(*found, strict=True)
                yield table(one=ones, other=others, jaccard=shares)

    return rows


VERIFIED = ("one", "other", "one_text", "other_text")
