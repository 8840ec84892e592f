"""A Spark session, classic or Spark Connect, and what its errors say."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from ragstone.errors import InputError, MissingExtraError, UsageError, shortened

Frame: TypeAlias = Any  # a DataFrame of Spark, which has no types of its own here

NOISE = ("An error occurred while calling", "at ", "Traceback")


@contextmanager
def spark_session(master: str | None = None, remote: str | None = None) -> Iterator[Any]:
    """Open a Spark session, and close it in the end unless it was there before.

    master: `local[4]`, `spark://host:7077`, `yarn`, `k8s://...`; remote: `sc://host:15002`, a
    Spark Connect server. Without either: what Spark is set up for (SPARK_REMOTE, spark-submit,
    spark-defaults.conf), else all cores of this machine. Raises InputError where it does not start.
    """
    if master and remote:
        raise UsageError("a Spark master and a Spark Connect server are given; one is enough")
    kind = _pyspark().SparkSession
    before = kind.getActiveSession()
    builder = kind.builder.appName("ragstone")
    if remote:
        builder = builder.remote(remote)
    elif "SPARK_REMOTE" not in os.environ:
        builder = builder.config("spark.ui.showConsoleProgress", "false")
        builder = builder.master(master) if master else builder
        if not master or master.startswith("local"):
            os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
            builder = builder.config("spark.sql.shuffle.partitions", str(2 * (os.cpu_count() or 1)))
    with explained():
        session = builder.getOrCreate()
    try:
        yield session
    finally:
        if before is None:
            session.stop()


@contextmanager
def explained() -> Iterator[None]:
    """Turn an error of Spark into an InputError with its first line and what to do."""
    try:
        yield
    except Exception as error:
        if type(error).__module__.split(".")[0] not in {"pyspark", "py4j", "grpc"}:
            raise
        raise InputError(_said(str(error))) from error


def _said(text: str) -> str:
    if "No module named 'ragstone" in text or "No module named 'numpy" in text:
        return (
            "the Python of Spark's workers has no ragstone; install it there, or send it along: "
            "see docs/scale.md"
        )
    lines = [line.strip(" :") for line in text.splitlines() if line.strip()]
    told = [line for line in lines if not line.startswith(NOISE)] or ["failed without a message"]
    causes = [line for line in lines if line.startswith("Caused by")]
    return shortened(f"Spark: {told[0]}" + (f" ({causes[-1]})" if causes else ""))


def functions() -> Any:
    """Return the functions of Spark SQL."""
    return _pyspark().functions


def _pyspark() -> Any:
    try:
        import pyspark.sql
        import pyspark.sql.functions
    except ImportError:
        raise MissingExtraError("the engine spark", "spark") from None
    return pyspark.sql
