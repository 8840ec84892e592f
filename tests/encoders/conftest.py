"""For tests of encoders: nothing of the developer's shell, and a clock that does not wait."""

from __future__ import annotations

import pytest

from fakeclock import FakeClock

NAMES = {
    *("OPENAI_API_KEY", "OPENAI_BASE_URL", "OLLAMA_HOST"),
    *("HF_HOME", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_HUB_OFFLINE"),
    *("TRANSFORMERS_OFFLINE", "XDG_CACHE_HOME"),
}


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for nothing between attempts."""
    monkeypatch.setattr("ragstone.http.client.Clock", FakeClock)
