"""Spark Connect, and a standalone master with two workers, one of which is killed in the middle."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

import slow_job
import sparks
from commands import Done, child, ragstone
from planted import Planted, plant
from ragstone.corpus.leakage.check import leakage

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sparks.has_java, reason="java is not installed"),
]


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Planted:
    """The corpora and items."""
    return plant(tmp_path_factory.mktemp("planted"))


def details(done: Done) -> bytes:
    assert done.code == 0, done.err
    return msgspec.json.encode(json.loads(done.out)["predicate"]["details"])


LEAKAGE = ["leakage", "--corpus", "shards", "--items", "items", "--max-leaks", "100%"]
OVERLAP = ["overlap", "--a", "t.parquet", "--b", "b.jsonl", "--method", "minhash"]


def test_spark_connect(planted: Planted, tmp_path: Path) -> None:
    folder = planted.shards.parent
    with sparks.connect_server(tmp_path) as (remote, environment):
        for command in (LEAKAGE, OVERLAP):
            told = [*command, "--engine", "spark", "--remote", remote]
            assert details(child(*told, cwd=folder, **environment)) == details(
                ragstone(*command, cwd=folder)
            )


def test_a_worker_that_is_killed_in_the_middle(planted: Planted, tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    marks.mkdir()
    small = {"spark.sql.files.maxPartitionBytes": "2000"}
    with sparks.standalone(tmp_path, small) as cluster:
        command = [sys.executable, slow_job.__file__, cluster.master]
        command += [str(planted.table), str(planted.items), str(marks)]
        driver = subprocess.Popen(
            command, env=cluster.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        killed = kill_a_worker_at_work(cluster, marks, driver)
        out, err = driver.communicate(timeout=400)
        assert driver.returncode == 0, err.decode()
    later = {path for path in marks.iterdir() if path not in killed}
    assert later, "nothing was left to do when the worker was killed"
    wanted = leakage(planted.table, planted.items).leaks
    assert out == msgspec.json.encode(wanted, order="sorted")


def kill_a_worker_at_work(
    cluster: sparks.Cluster, marks: Path, driver: subprocess.Popen[bytes]
) -> set[Path]:
    """Wait until a worker has read something, and end it; return the marks up to then."""
    end = time.monotonic() + 300
    while time.monotonic() < end:
        assert driver.poll() is None, driver.communicate()[1].decode()
        for mark in sorted(marks.iterdir()):
            above = sparks.ancestors(int(mark.name.partition("-")[0]))
            for worker in cluster.workers:
                if worker.pid in above:
                    os.killpg(worker.pid, signal.SIGKILL)
                    return set(marks.iterdir())
        time.sleep(0.05)
    raise TimeoutError("no worker began to read")
