"""Rows are checked before anybody believes them, and come back from bytes as they were."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ragstone.encoders import normalized
from ragstone.encoders.vectors import BadVectorsError, checked, packed, unpacked

FINITE = st.floats(width=32, allow_nan=False, allow_infinity=False)
ROWS = arrays(np.float32, st.tuples(st.integers(1, 5), st.integers(1, 6)), elements=FINITE)


@given(ROWS)
def test_rows_come_back_from_bytes(rows: Any) -> None:
    kept = [packed(row) for row in rows]
    assert all(len(row) == 4 * rows.shape[1] for row in kept)
    assert unpacked(kept, rows.shape[1]).tobytes() == rows.astype("<f4").tobytes()


def test_bytes_are_little_endian_on_every_machine() -> None:
    assert packed(np.array([1.0, -2.0], dtype=">f4")) == b"\0\0\x80\x3f\0\0\0\xc0"
    with pytest.raises(ValueError, match="another length"):
        unpacked([b"\0" * 8, b"\0" * 4], 2)


@given(ROWS)
def test_rows_have_length_one_and_their_direction(rows: Any) -> None:
    unit = normalized(rows)
    for row, found in zip(rows.astype(np.float64), unit.astype(np.float64), strict=True):
        length = float(np.hypot.reduce(row))
        if length == 0:
            assert not found.any()
        else:
            assert abs(float(np.hypot.reduce(found)) - 1) < 1e-6
            assert np.allclose(found, row / np.float64(length), atol=1e-6)


def test_numbers_of_any_kind_are_rows() -> None:
    for found in ([[1, 2]], [[1.0, 2.0]], np.array([[1, 2]], dtype=np.int8), np.array([[1.0, 2]])):
        rows = checked(found, 1, 2)
        assert (str(rows.dtype), rows.tolist()) == ("float32", [[1.0, 2.0]])


@pytest.mark.parametrize(
    ("found", "reason", "problem"),
    [
        ([], "count", "0 vectors came back for 2 texts"),
        ([[1.0]], "count", "1 vectors came back for 2 texts"),
        ([[1.0]] * 3, "count", "3 vectors came back for 2 texts"),
        ([[1.0, 2.0], [1.0]], "dimension", "vectors of different lengths came back, 1 and 2"),
        ([[1.0], [1.0]], "dimension", "a vector of 1 numbers came back where 2 were expected"),
        ([[], []], "dimension", "not a list of numbers for each text"),
        ([1.0, 2.0], "dimension", "not a list of numbers for each text"),
        ([["1", "2"], ["1", "2"]], "dimension", "not a list of numbers for each text"),
        ([[None, 1.0], [1.0, 1.0]], "dimension", "not a list of numbers for each text"),
        ([[True, False]] * 2, "dimension", "not a list of numbers for each text"),
        ([[[1.0]], [[1.0]]], "dimension", "not a list of numbers for each text"),
        (["ab", "cd"], "dimension", "not a list of numbers for each text"),
        ([[float("nan"), 1.0]] * 2, "not_finite", "NaN or infinity"),
        ([[float("inf"), 1.0]] * 2, "not_finite", "NaN or infinity"),
        ([[1e39, 1.0]] * 2, "not_finite", "NaN or infinity"),  # beyond float32
    ],
)
def test_rows_that_cannot_be_used(found: Any, reason: str, problem: str) -> None:
    with pytest.raises(BadVectorsError, match=problem) as caught:
        checked(found, 2, 2)
    assert caught.value.reason == reason
