"""A job that takes its time and leaves a mark where it runs; run as a program, it uses it.

python slow_job.py MASTER CORPUS ITEMS MARKS prints what leaks, checked by Spark.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ragstone.formats.corpus import Batch


class Slow(NamedTuple):
    """Another job, with a pause and a file for each batch."""

    job: Any
    marks: str
    seconds: float

    def start(self) -> Any:
        """Start the other job."""
        return self.job.start()

    def read(self, state: Any, batch: Batch) -> None:
        """Mark the batch by the process that reads it, and read it slowly."""
        path = Path(self.marks, f"{os.getpid()}-{batch.ids[0]}")
        path.touch()
        time.sleep(self.seconds)
        self.job.read(state, batch)

    def merge(self, state: Any, other: Any) -> None:
        """Merge states of the other job."""
        self.job.merge(state, other)


def main(master: str, corpus: str, items: str, marks: str) -> None:
    """Check a corpus slowly."""
    from ragstone.corpus.leakage.search import Search
    from ragstone.corpus.leakage.settings import LeakageSettings
    from ragstone.corpus.spark import SparkCorpus, spark_session
    from ragstone.formats.items import read_items

    settings = LeakageSettings(
        threshold=0.6, unit="auto", shingle=3, char_shingle=5, documents=3, min_words=0
    )
    search = Search.of(read_items(items), settings)
    with spark_session(master) as session:
        job = Slow(search.containing(), marks, 0.25)
        state, census = SparkCorpus(session, corpus).run(job)
    found = search.result(state, census.facts)
    sys.stdout.buffer.write(msgspec.json.encode(found.leaks, order="sorted"))


if __name__ == "__main__":
    main(*sys.argv[1:])
