"""From what --retriever or --pipeline names to a live system: code, or an endpoint."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ragstone import usercode
from ragstone.usercode import Spec

EXPECTED = "expected module:attribute, module:factory() or the https:// address of an endpoint"


def is_address(spec: str) -> bool:
    """Tell the address of an endpoint from code."""
    return spec.startswith(("http://", "https://"))


def named(text: str, flag: str, endpoint: Callable[[str], Any]) -> Any:
    """Return what a flag names: an endpoint where that is an address, else what code makes."""
    return endpoint(text) if is_address(text) else load(Spec(flag, text))


def load(spec: Spec) -> Any:
    """Return what code makes; see `usercode.load`."""
    return usercode.load(spec._replace(expected=EXPECTED))
