"""For tests of judges: no proxies of the developer's, and a clock that does not wait."""

from __future__ import annotations

import os

import pytest

from fakeclock import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    """A clock that does not wait."""
    return FakeClock()


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.lower().endswith("_proxy") or name in {"SSL_CERT_FILE", "SSL_CERT_DIR"}:
            monkeypatch.delenv(name)
