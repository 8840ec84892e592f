"""SOURCE_DATE_EPOCH, or the clock."""

from __future__ import annotations

import re
import time

import pytest

from ragstone.errors import InputError
from ragstone.reports.clock import created_at


@pytest.mark.parametrize(
    ("epoch", "written"),
    [
        ("0", "1970-01-01T00:00:00Z"),
        ("1750000000", "2025-06-15T15:06:40Z"),
        (" 1750000000\n", "2025-06-15T15:06:40Z"),
        ("253402300799", "9999-12-31T23:59:59Z"),
    ],
)
def test_the_epoch_is_the_time(monkeypatch: pytest.MonkeyPatch, epoch: str, written: str) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    assert created_at() == written


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo"])
def test_the_time_zone_does_not_matter(monkeypatch: pytest.MonkeyPatch, zone: str) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    assert created_at() == "2025-06-15T15:06:40Z"
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    "epoch", ["-1", "1.5", "today", "253402300800", "9" * 400, "0x10", "1_000", "١٢"]
)
def test_another_epoch_is_refused(monkeypatch: pytest.MonkeyPatch, epoch: str) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    with pytest.raises(InputError, match="whole seconds since 1970 were expected") as caught:
        created_at()
    assert str(caught.value).startswith(f"SOURCE_DATE_EPOCH is {epoch!r}; ")


@pytest.mark.parametrize("unset", [True, False])
def test_without_an_epoch_it_is_now(monkeypatch: pytest.MonkeyPatch, unset: bool) -> None:
    if unset:
        monkeypatch.delenv("SOURCE_DATE_EPOCH")
    else:
        monkeypatch.setenv("SOURCE_DATE_EPOCH", "")
    before = time.time()
    written = created_at()
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", written, re.ASCII)
    parsed = time.mktime(time.strptime(written, "%Y-%m-%dT%H:%M:%SZ")) - time.timezone
    assert int(before) <= parsed <= time.time()
