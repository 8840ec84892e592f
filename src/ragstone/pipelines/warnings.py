"""What the reader of a run should know before trusting its scores."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence

from ragstone.errors import shortened
from ragstone.pipelines.record import Record

FEW = 5  # queries, of which nothing is said that only many would show

# what was counted: one thing, several things, what is said of them
COUNTED = {
    "duplicates_removed": (
        "result", "results",
        "listed again for the same query, removed (chunks? see --fold-to-parent)",
    ),
    "ids_not_folded": (
        "id", "ids", "did not match --fold-to-parent, kept as they are",
    ),
    "unstable_ids": (
        "result", "results",
        "known by LlamaIndex's node_id alone, a random id that each build makes anew, so that "
        "judgments and other runs will not have it; name a metadata key with --id-key",
    ),
}  # fmt: skip


def warnings(records: Sequence[Record], k: int, judged: Collection[str] = ()) -> list[str]:
    """Return a line for each."""
    lines = [*_failed(records), *_counted(records)]
    lines += [line for check in CHECKS for line in check(records, k)]
    return [*lines, *_unjudged(records, judged)]


def _failed(records: Sequence[Record]) -> Iterator[str]:
    failed = [record for record in records if record.error is not None]
    if failed:
        few = "; ".join(
            f"{each.query!r}: {shortened(each.error or '', 120)}" for each in failed[:3]
        )
        more = f"; and {len(failed) - 3:,} more" if len(failed) > 3 else ""
        yield (
            f"{len(failed):,} of {len(records):,} queries failed and are kept without results, "
            f"which scores 0: {few}{more}"
        )


def _counted(records: Sequence[Record]) -> Iterator[str]:
    total: Counter[str] = Counter()
    for record in records:
        total.update(record.facts)
    for name, (one, many, said) in COUNTED.items():
        if number := total[name]:
            yield f"{number:,} {one if number == 1 else many} {said}"


def _order(records: Sequence[Record], k: int) -> Iterator[str]:  # noqa: ARG001
    unordered = sum(not record.falls for record in records if record.scores is not None)
    if unordered:
        yield (
            f"{unordered:,} of {len(records):,} rankings do not fall by score (distances, or a "
            "reranker?); the order of the retriever was kept, and ranks stand for the scores"
        )


def _depth(records: Sequence[Record], k: int) -> Iterator[str]:
    sizes = {record.facts.get("results", 0) for record in records if record.error is None}
    if sizes == {0}:
        yield "no query has a result"
        return
    size = max(sizes, default=0)
    if len(sizes) == 1 and len(records) >= FEW and size < k:
        yield (
            f"every query has {size:,} {'result' if size == 1 else 'results'} and --k is {k:,}: "
            "was the retriever asked for no more (search_kwargs, similarity_top_k, top_k)?"
        )


def _unjudged(records: Sequence[Record], judged: Collection[str]) -> Iterator[str]:
    docs = dict.fromkeys(doc for record in records for doc in record.docs)
    known = set(judged)
    if not known or not docs or not known.isdisjoint(docs):
        return
    some, one = next(iter(docs)), next(iter(judged))
    yield (
        f"none of the {len(docs):,} retrieved ids is judged: the retriever has ids like {some!r}, "
        f"the judgments like {one!r}{_advice(docs, known)}"
    )


def _advice(docs: Collection[str], judged: set[str]) -> str:
    """Propose how ids such as p1#3 become p1, where that would find judged ones."""
    for mark in "#:_-/|@.":
        pattern = f"^(.*){re.escape(mark) if mark in '|.' else mark}"
        if any(doc.rpartition(mark)[0] in judged for doc in docs):
            return f"; these look like chunks: --fold-to-parent '{pattern}'"
    return "; --id-key takes the id from the metadata, --fold-to-parent makes it one of a document"


CHECKS: tuple[Callable[[Sequence[Record], int], Iterator[str]], ...] = (_order, _depth)
