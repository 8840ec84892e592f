"""A job over a corpus that Spark reads; the result is that of `streaming.stream`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeVar

from ragstone.corpus.job import Job
from ragstone.corpus.spark.rows import PAYLOAD, Payload, merged, merging, reading
from ragstone.corpus.spark.session import Frame, explained, functions
from ragstone.errors import FormatError

if TYPE_CHECKING:
    from ragstone.corpus.spark.corpus import SparkCorpus

S = TypeVar("S")


def stream_spark(job: Job[S], corpus: SparkCorpus) -> Payload:
    """Run a job over all documents of a corpus; return its state and what was counted.

    The job travels in the closure, so that Spark Connect, which has no broadcast, does as well.
    Raises FormatError as `stream` does, and InputError where Spark fails.
    """
    with explained():
        rows = corpus.mapped(
            lambda decode: reading(job, decode, with_content=not corpus.is_local),
            f"id string, {PAYLOAD}",
        ).persist()
        try:
            found = collected(rows, job)
            check(corpus, found, rows)
            corpus.content = found.content
        finally:
            rows.unpersist()
    return found


def collected(rows: Frame, job: Job[Any]) -> Payload:
    """Bring the payloads of all partitions together, by way of some workers if there are many."""
    payloads = rows.where("payload is not null").select("payload")
    partitions = _partitions(payloads)
    if partitions > 16:
        few = payloads.repartition(math.isqrt(partitions))
        payloads = few.mapInArrow(merging(job), PAYLOAD)
    found = [bytes(row.payload) for row in payloads.collect()]
    return merged(found, job) if found else Payload(state=job.start())


def check(corpus: SparkCorpus, found: Payload, rows: Frame) -> None:
    """Raise FormatError for a fault, for an id that stands twice, and where there is no text."""
    if found.fault is not None:
        raise FormatError(str(found.fault), where=corpus.name)
    if not found.documents:
        raise FormatError("has no document in it", where=corpus.name)
    if found.empty == found.documents:
        raise FormatError(
            f"none of its {found.documents:,} documents has a text; "
            "'title' and 'text' were expected",
            where=corpus.name,
        )
    col = functions().col
    ids = rows.where("id is not null").groupBy("id").count()
    for row in ids.where(col("count") > 1).orderBy("id").limit(1).collect():
        corpus.refuse_repeated(row.id)


def _partitions(frame: Frame) -> int:
    """Count partitions, which Spark Connect does not tell without looking."""
    number = functions().spark_partition_id().alias("number")
    return int(frame.select(number).distinct().count())
