"""The floors of a command, held against what it measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ragstone.gate import FloorResult
    from ragstone.model import Scores


def hold_floors(scores: Scores, floors: Sequence[str], **trust: Any) -> Sequence[FloorResult]:
    """Hold scores against the floors of --floor; raises UsageError for one that cannot be.

    trust: the calibrations and min_kappa of check_floors, where a judge may have measured.
    """
    if not floors:
        return ()
    from ragstone.gate import check_floors  # its import is not for who asks for no floor

    return check_floors(scores, floors, **trust)
