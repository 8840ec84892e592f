"""Spark on loopback: a master with workers, and a Connect server; each is stopped by its id."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

SECONDS = 120.0  # to start; a machine that is busy takes long
SUPPORT = Path(__file__).resolve().parent

has_java = shutil.which("java") is not None


class Cluster(NamedTuple):
    """The address of a master, its workers, and the variables that a driver needs."""

    master: str
    workers: list[subprocess.Popen[bytes]]
    environment: dict[str, Any]


def variables(folder: Path, settings: dict[str, str] | None = None) -> dict[str, Any]:
    """Return variables for Spark: on loopback, quiet, with settings for sessions."""
    import pyspark

    conf = folder / "conf"
    conf.mkdir(exist_ok=True)
    told = {
        "spark.ui.enabled": "false",
        "spark.driver.memory": "512m",
        "spark.executor.memory": "512m",
        "spark.executorEnv.PYTHONPATH": os.pathsep.join([str(SUPPORT), *_pythonpath()]),
        "spark.sql.shuffle.partitions": "2",
        **(settings or {}),
    }
    lines = "".join(f"{name} {value}\n" for name, value in told.items())
    (conf / "spark-defaults.conf").write_text(lines)
    return {
        **os.environ,
        "SPARK_HOME": str(Path(pyspark.__file__).parent),
        "SPARK_CONF_DIR": str(conf),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_DAEMON_MEMORY": "256m",
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": os.pathsep.join([str(SUPPORT), *_pythonpath()]),
    }


@contextmanager
def standalone(folder: Path, settings: dict[str, str], workers: int = 2) -> Iterator[Cluster]:
    """Run a master and workers with one core each."""
    environment = variables(folder, settings)
    port, page, kind = free_port(), free_port(), "org.apache.spark.deploy"
    master = f"spark://127.0.0.1:{port}"
    started: list[subprocess.Popen[bytes]] = []
    try:
        told = ["--host", "127.0.0.1", "--port", str(port), "--webui-port", str(page)]
        started.append(_start(folder / "master.log", environment, f"{kind}.master.Master", *told))
        wait_for(port, started[0])
        for number in range(workers):
            told = ["--host", "127.0.0.1", "--cores", "1", "--memory", "1g"]
            told += ["--webui-port", str(free_port()), "--work-dir", str(folder / f"w{number}")]
            log = folder / f"worker{number}.log"
            started.append(_start(log, environment, f"{kind}.worker.Worker", *told, master))
        yield Cluster(master, started[1:], environment)
    finally:
        for process in reversed(started):
            stop(process)


@contextmanager
def connect_server(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Run a Connect server; return its address and the variables that a client needs."""
    environment, port = variables(folder), free_port()
    environment["SPARK_DAEMON_MEMORY"] = "700m"  # this daemon is a driver too
    settings = {
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": str(port),
    }
    told = [part for name, value in settings.items() for part in ("--conf", f"{name}={value}")]
    server = _start(
        folder / "server.log",
        environment,
        "org.apache.spark.deploy.SparkSubmit",
        *("--class", "org.apache.spark.sql.connect.service.SparkConnectServer"),
        *("--name", "ragstone", "--master", "local[2]", *told),
    )
    try:
        wait_for(port, server)
        yield f"sc://127.0.0.1:{port}", environment
    finally:
        stop(server)


def _start(
    log: Path, environment: dict[str, str], kind: str, *told: str
) -> subprocess.Popen[bytes]:
    """Start a JVM as the first of a group of processes, with its log in a file."""
    command = [str(Path(environment["SPARK_HOME"]) / "bin" / "spark-class"), kind, *told]
    with log.open("wb") as file:
        return subprocess.Popen(
            command, env=environment, stdout=file, stderr=file, start_new_session=True
        )


def stop(process: subprocess.Popen[bytes]) -> None:
    """End a process that was started here, with the executors it started, and wait for it."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            break
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            continue
    process.wait()


def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    """Wait until a process listens."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        assert process.poll() is None, f"it ended with {process.returncode}"
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    raise TimeoutError(f"nothing listens on port {port}")


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def ancestors(pid: int) -> Sequence[int]:
    """Return the processes that started a process, nearest first."""
    found = []
    while pid > 1:
        status = Path(f"/proc/{pid}/status").read_text()
        pid = int(status.partition("PPid:")[2].split()[0])
        found.append(pid)
    return found


def _pythonpath() -> list[str]:
    return [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
