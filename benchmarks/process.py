"""Run commands as whole processes and compare what the system says they cost."""

from __future__ import annotations

import statistics
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Cost:
    """What one process cost: CPU (user and system) and wall in seconds, peak memory in MiB."""

    cpu: float
    wall: float
    peak: float


LAUNCH = """
import os, sys, time
silent = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
start = time.perf_counter()
pid = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=silent)
_, status, usage = os.wait4(pid, 0)
wall = time.perf_counter() - start
cpu = usage.ru_utime + usage.ru_stime
print(os.waitstatus_to_exitcode(status), cpu, wall, usage.ru_maxrss / 1024)
"""
"""A process counts the memory of the one that started it as its own peak: this one is small."""


def run(command: Sequence[str]) -> Cost:
    """Run a command to its end, its children included; an exit code above 4 is an error."""
    launch = [sys.executable, "-I", "-S", "-c", LAUNCH, *command]
    done = subprocess.run(launch, check=False, capture_output=True, text=True)
    code, *figures = done.stdout.split() or [str(done.returncode)]
    if code not in {"0", "4"} or not figures:
        raise SystemExit(f"{' '.join(command)} ended with {code}: {done.stderr}")
    return Cost(*map(float, figures))


@dataclass(frozen=True)
class Comparison:
    """Two commands run in turn, pair by pair, after a warm-up of each."""

    ours: list[Cost]
    theirs: list[Cost]

    @classmethod
    def of(cls, ours: Sequence[str], theirs: Sequence[str], pairs: int) -> Comparison:
        """Run the pairs."""
        run(ours)
        run(theirs)
        costs = [(run(ours), run(theirs)) for _ in range(pairs)]
        return cls([first for first, _ in costs], [second for _, second in costs])

    def ratio(self, field: str) -> float:
        """Return the median over the pairs of ours divided by theirs."""
        pairs = zip(self.ours, self.theirs, strict=True)
        return float(statistics.median(getattr(a, field) / getattr(b, field) for a, b in pairs))

    def medians(self, field: str) -> tuple[float, float]:
        """Return the median of each side."""
        sides = (self.ours, self.theirs)
        first, second = (statistics.median(getattr(c, field) for c in side) for side in sides)
        return first, second
