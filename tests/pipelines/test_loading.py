"""What --retriever and --pipeline name: code or an endpoint."""

from __future__ import annotations

import pytest

from ragstone.errors import UsageError
from ragstone.pipelines import Spec, is_address, load


def test_addresses() -> None:
    assert is_address("https://host/search")
    assert is_address("http://127.0.0.1:9/x")
    assert not is_address("https:search")


def test_what_is_neither_could_have_been_both() -> None:
    expected = r"--retriever 'ftp://x/y': expected module:attribute, .* or the https:// address of"
    with pytest.raises(UsageError, match=expected):
        load(Spec("--retriever", "ftp://x/y"))
