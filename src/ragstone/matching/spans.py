"""Golds that are places in documents: found where the retrieved chunks cover enough of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from ragstone.errors import InputError, UsageError
from ragstone.formats.gold import Passage, Place
from ragstone.matching.cover import span_coverage
from ragstone.matching.matches import Matches
from ragstone.matching.matrix import NEVER, Gold, MatchMatrix, Similarities
from ragstone.matching.rules import Rules
from ragstone.matching.warnings import warnings
from ragstone.measures import Measure, SpanIoU, SpanPrecision, SpanRecall
from ragstone.model import Scalar

if TYPE_CHECKING:
    from ragstone.formats.corpus import Corpus
    from ragstone.matching.locating import Located, Locations, Source
    from ragstone.progress import Progress

Texts = Mapping[str, Sequence[Passage]]
MIN_COVERAGE = 0.5
FACTS = (
    "edited_golds",
    "deleted_golds",
    "moved_golds",
    "unlocated_golds",
    "located_retrieved",
    "unlocated_retrieved",
    "retrieved_of_no_document",
    "retrieved_beyond_their_document",
    "retrieved_with_another_text",
    "queries_without_golds_left",
)


class SpanMethod(NamedTuple):
    """A gold counts as found from the rank on at which chunks cover so much of it."""

    threshold: float | None = MIN_COVERAGE
    signature: Mapping[str, Scalar] = MappingProxyType({"matcher": "spans"})

    def prepare(self, texts: Iterable[str]) -> None:
        """Nothing is to be done."""

    def compare(self, golds: Sequence[Gold], retrieved: Sequence[str]) -> Similarities:  # noqa: ARG002
        """Refuse texts; see match_spans."""
        raise UsageError("spans compares places, not texts")


def span_measures(ks: Sequence[int]) -> list[Measure]:
    """Return the three measures of places at each cutoff.

    >>> span_measures([5])
    [Measure('SpanRecall@5'), Measure('SpanPrecision@5'), Measure('SpanIoU@5')]
    """
    return [measure @ k for k in ks for measure in (SpanRecall, SpanPrecision, SpanIoU)]


def match_spans(
    gold: Texts,
    retrieved: Texts,
    corpus: Corpus | None = None,
    *,
    min_coverage: float = MIN_COVERAGE,
    facts: Mapping[str, int] = MappingProxyType({}),
    progress: Progress | None = None,
) -> Matches:
    """Compare places; those of texts without one are looked up in the corpus.

    A gold is found at the first rank down to which the chunks cover min_coverage of its
    characters; a chunk that completes several golds counts once in rank measures. With a corpus
    each gold's document is checked: a gold whose passage was edited or deleted is left out and
    counted, as no retriever could find it.

    Raises InputError where a text has no place and no corpus is given, and where no gold is left.
    """
    places = _Places.of(gold, retrieved, corpus, progress)
    counted = Counter({**dict.fromkeys(FACTS, 0), **facts})
    golds = {query: list(places.golds(gold[query], counted)) for query in sorted(gold)}
    left = {query: found for query, found in golds.items() if found}
    if not left:
        raise InputError(_nothing_left(counted))
    counted["queries_without_golds_left"] = sum(
        not found for query, found in golds.items() if gold[query]
    )
    chunks = {query: places.chunks(retrieved.get(query, ()), counted) for query in left}
    counted.update(
        queries=len(left),
        unjudged_queries=sum(not texts for texts in gold.values()),
        queries_without_results=sum(not each for each in chunks.values()),
        unscored_run_queries=len(retrieved.keys() - gold.keys()),
    )
    rules = Rules.of(SpanMethod(), min_coverage)
    matrices = {
        query: _matrix(found, chunks[query], rules.threshold) for query, found in left.items()
    }
    return Matches(matrices, rules, dict(counted))


def _matrix(
    golds: Sequence[tuple[Gold, Place]],
    chunks: Sequence[tuple[Passage, Place | None]],
    threshold: float,
) -> MatchMatrix:
    found = span_coverage([place for _, place in golds], [place for _, place in chunks])
    values = [[NEVER if each is None else each for each in row] for row in found.shares]
    return MatchMatrix(
        tuple(each for each, _ in golds),
        tuple(_shown(*each) for each in chunks),
        Similarities(values, [[True] * len(row) for row in values]),
        threshold,
        cover=found.cover,
    )


def _shown(chunk: Passage, place: Place | None) -> Passage:
    """Return a chunk as a report lists it: its text, or else its place."""
    return chunk if chunk.text or place is None else Passage(str(place), chunk.id, place)


class _Places:
    """Where all texts are: as the files say, or as the corpus does."""

    def __init__(self, known: Mapping[str, Located | None], locations: Locations | None) -> None:
        self._known, self._locations = known, locations

    @classmethod
    def of(
        cls, gold: Texts, retrieved: Texts, corpus: Corpus | None, progress: Progress | None
    ) -> _Places:
        """Read the corpus once for everything that is not known."""
        every = [each for texts in (gold, retrieved) for query in texts.values() for each in query]
        if corpus is None:
            _refuse_texts_alone({"gold": gold, "retrieved": retrieved})
            return cls({}, None)
        from ragstone.matching.locating import locate

        sought = list(dict.fromkeys(each.text for each in every if each.text))
        places = {each.place for each in every if each.place}
        found = locate(corpus, sought, places, progress)
        return cls(dict(zip(sought, found.found, strict=True)), found)

    def golds(self, texts: Sequence[Passage], facts: Counter[str]) -> Iterator[tuple[Gold, Place]]:
        """Go through the golds whose place holds, each place once."""
        met: set[str] = set()
        for number, each in enumerate(texts, 1):
            place = self._gold_place(each, facts)
            if place is None:
                continue
            form = f"{place.doc}\t{place.start}\t{place.end}"
            if form not in met:
                met.add(form)
                yield Gold(number, each.id, each.text or str(place), form), place

    def chunks(
        self, texts: Sequence[Passage], facts: Counter[str]
    ) -> list[tuple[Passage, Place | None]]:
        """Return each chunk with its place, which may not be known."""
        found = []
        for each in texts:
            place = each.place or self._located(each)
            if each.place is None:
                facts["unlocated_retrieved" if place is None else "located_retrieved"] += 1
            elif fault := self._fault(each):
                facts[fault] += 1
            found.append((each, place))
        return found

    def _fault(self, chunk: Passage) -> str:
        """Name the fact of what is wrong with the place of a chunk; it counts all the same."""
        from ragstone.matching.locating import place_in

        if self._locations is None or chunk.place is None:
            return ""
        source = self._locations.sources.get(chunk.place.doc)
        if source is None:
            return "retrieved_of_no_document"
        if chunk.place.end > source.length:
            return "retrieved_beyond_their_document"
        excerpt = source.excerpts[chunk.place]
        another = chunk.text and place_in(chunk.place.doc, excerpt, chunk.text) is None
        return "retrieved_with_another_text" if another else ""

    def _gold_place(self, gold: Passage, facts: Counter[str]) -> Place | None:
        if gold.place is None:
            located = self._located(gold)
            facts["unlocated_golds"] += located is None
            return located
        if self._locations is None:
            return gold.place
        source = self._locations.sources.get(gold.place.doc)
        if source is not None and _holds(gold, source):
            return gold.place
        moved = self._located(gold, exactly=True)
        facts["moved_golds" if moved else "edited_golds" if source else "deleted_golds"] += 1
        return moved

    def _located(self, text: Passage, *, exactly: bool = False) -> Place | None:
        found = self._known.get(text.text)
        return None if found is None or (exactly and found.share < 1) else found.place


def _holds(gold: Passage, source: Source) -> bool:
    """Tell whether a gold still stands at its place in the document as it is now."""
    assert gold.place is not None
    if gold.text:
        return source.excerpts[gold.place] == gold.text
    if gold.place.digest:
        return source.digest == gold.place.digest
    return gold.place.end <= source.length


def _refuse_texts_alone(roles: Mapping[str, Texts]) -> None:
    for role, texts in roles.items():
        for query, passages in texts.items():
            for number, each in enumerate(passages, 1):
                if each.place is None:
                    raise InputError(
                        f"query {query!r}: {_name(each)}, {role}[{number}], has no place; give "
                        "'doc', 'start' and 'end', or --corpus to look it up in"
                    )


def _nothing_left(facts: Mapping[str, int]) -> str:
    """Say that no gold is left to be found, and why."""
    why = warnings({name: facts[name] for name in FACTS if name.endswith("_golds")})
    said = f" ({'; '.join(why)})" if why else ""
    return f"no query has a gold whose place is known{said}; is this the corpus of the labels?"


def _name(text: Passage) -> str:
    return repr(text.id) if text.id is not None else f"the text {text.text[:40]!r}"
