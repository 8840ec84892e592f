"""For every test: no network, the same examples each time, and nothing from the caller's shell."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

import network_guard

if TYPE_CHECKING:
    from fakeclock import FakeClock

GUARD = Path(__file__).resolve().parent / "guard"
SHARED = Path(__file__).resolve().parents[1].parent / "shared"

# What a developer's shell may hold and a test must not depend on.
for name in (
    "COLUMNS",
    "FORCE_COLOR",
    "GITHUB_ACTIONS",
    "GITLAB_CI",
    "NO_COLOR",
    "PYTHONHASHSEED",
    "SOURCE_DATE_EPOCH",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
):
    os.environ.pop(name, None)
for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
    del os.environ[name]
# Children start twice as fast from compiled modules.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A job in the background of a shell ignores Ctrl-C, and so would the children that tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(
    "ci",
    deadline=None,
    derandomize=True,
    print_blob=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("dev", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if "CI" in os.environ else "dev"))


class NetworkGuard:
    """Fails the test during which anything tried to leave the machine, whoever swallowed it."""

    def __init__(self) -> None:
        """Name a log of our own, and hand the guard to child processes."""
        handle, path = tempfile.mkstemp(prefix="ragstone-network-", suffix=".log")
        os.close(handle)
        self.log, self.read = Path(path), 0
        os.environ[network_guard.LOG] = path
        paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
        others = [path for path in paths if path not in {"", str(GUARD)}]
        os.environ["PYTHONPATH"] = os.pathsep.join([str(GUARD), *others])

    def refused(self) -> list[str]:
        """Return what was refused since the last call."""
        with self.log.open("rb") as log:
            log.seek(self.read)
            found = log.read()
        self.read += len(found)
        return found.decode("utf-8").splitlines()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self) -> Generator[None]:
        """Fail a set-up that tried."""
        yield from self._watch()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Generator[None]:
        """Fail a test that tried."""
        yield from self._watch()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self) -> Generator[None]:
        """Fail a tear-down that tried, or a child that was late."""
        yield from self._watch()

    def _watch(self) -> Generator[None]:
        try:
            yield
        except BaseException as error:
            for line in self.refused():
                error.add_note(f"network: {line}")
            raise
        if refused := self.refused():
            pytest.fail("tests have no network, refused: " + "; ".join(refused), pytrace=False)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail the session for a child that lived on."""
        if refused := self.refused():
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
            print(*(f"\nnetwork: {line}" for line in refused), file=sys.stderr)

    def pytest_unconfigure(self) -> None:
        """Remove the log."""
        self.log.unlink(missing_ok=True)


def pytest_configure(config: pytest.Config) -> None:
    """Guard every test, those beside this file's folder too."""
    config.pluginmanager.register(NetworkGuard(), "network-guard")


@pytest.fixture
def clock() -> FakeClock:
    """Return a clock that does not wait, for HTTP."""
    from fakeclock import FakeClock

    return FakeClock()


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder with the project's shared data; skip where it is not."""
    if not SHARED.is_dir():
        pytest.skip("../shared is not beside this checkout")
    return SHARED
