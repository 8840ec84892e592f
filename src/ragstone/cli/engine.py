"""Who reads a corpus: this machine, or Spark."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import click

from ragstone.cli.options import stacked
from ragstone.errors import UsageError

if TYPE_CHECKING:
    from ragstone.cli.output import Inputs
    from ragstone.corpus.spark import SparkCorpus
    from ragstone.formats.corpus import Corpus


class Engine(NamedTuple):
    """What the options say of it."""

    name: str
    master: str | None = None
    remote: str | None = None

    def check(self, max_records: int | None, workers: int) -> None:
        """Raise UsageError for options that do not go together."""
        if self.name == "local":
            for flag, value in (("--master", self.master), ("--remote", self.remote)):
                if value is not None:
                    raise UsageError(f"{flag} {value} goes with --engine spark")
            return
        if max_records is not None:
            raise UsageError(
                "--max-records goes with --engine local: in Spark documents have no order"
            )
        if workers != 1:
            raise UsageError("--workers goes with --engine local; Spark is told by --master")
        if self.master and self.remote:
            raise UsageError("--master and --remote are two ways to the same; give one of them")


engine_options = stacked(
    click.option(
        "--engine",
        type=click.Choice(["local", "spark"]),
        default="local",
        show_default=True,
        help="Who reads the corpus. spark: JSON lines and Parquet wherever Spark can (s3a, "
        "hdfs); the result is the same (extra spark, see docs/scale.md).",
    ),
    click.option(
        "--master",
        metavar="URL",
        help="A Spark master, as in spark://host:7077, yarn or local[4]; with --engine spark. "
        "By default what Spark is set up for, else all cores of this machine.",
    ),
    click.option(
        "--remote",
        metavar="URL",
        help="A Spark Connect server, as in sc://host:15002; with --engine spark.",
    ),
)
"""--engine, --master and --remote, which a command gets one by one."""


@contextmanager
def opened(
    inputs: Inputs,
    paths: Mapping[str, Sequence[str]],
    engine: Engine,
    *,
    max_records: int | None,
    workers: int,
) -> Iterator[list[Corpus] | list[SparkCorpus]]:
    """Open the corpus of each role, for as long as it is read."""
    engine.check(max_records, workers)
    if engine.name == "local":
        yield [inputs.open_corpus(role, each, max_records) for role, each in paths.items()]
        return
    from ragstone.corpus.spark import SparkCorpus, spark_session

    with spark_session(engine.master, engine.remote) as session:
        corpora = [SparkCorpus(session, each) for each in paths.values()]
        for role, corpus in zip(paths, corpora, strict=True):
            inputs.add(role, corpus.inputs)
        yield corpora
