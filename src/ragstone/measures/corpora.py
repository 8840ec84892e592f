"""What a corpus holds of eval items. Declarations alone; `corpus` computes the values."""

from __future__ import annotations

from typing import Any

from ragstone.measures.declaration import Area, Direction, Empty
from ragstone.measures.measure import declare

LEAKAGE: dict[str, Any] = {
    "area": Area.CORPORA,
    "direction": Direction.LOWER,
    "empty": Empty.NEVER,
}

containment = declare(
    name="containment",
    quality=False,  # it grows with any corpus; what leaks is gated
    help="highest share of an item's n-grams that one document of the corpus has",
    aliases=["leakage"],
    **LEAKAGE,
)
paraphrase_similarity = declare(
    name="paraphrase_similarity",
    quality=False,  # as containment
    help="highest cosine of one of an item's texts and a passage of the corpus; below 0 it is 0",
    **LEAKAGE,
)
leaked = declare(
    name="leaked",
    help="whether an item's containment, or similarity, reaches the threshold; the mean is the "
    "share that leaks",
    binary=True,
    shown=("sum",),
    **LEAKAGE,
)
