"""How texts are matched: by what, from which similarity, and what a match is worth."""

from __future__ import annotations

from msgspec import Struct

from ragstone.errors import UsageError
from ragstone.matching.assignment import ASSIGNMENTS
from ragstone.matching.matrix import SURE
from ragstone.matching.methods import Method
from ragstone.matching.texts import NORMALISER
from ragstone.measures import Measure
from ragstone.model import Scalar, Signature
from ragstone.registry import Registry

GAINS: Registry[str] = Registry("gain")
GAINS.add("binary", "every match is worth 1")
GAINS.add("similarity", "a match is worth its similarity, in nDCG")


class Rules(Struct, frozen=True, kw_only=True):
    """How texts are matched: by what, from which similarity, and what a match counts."""

    method: Method
    threshold: float
    assignment: str = "greedy"
    gain: str = "binary"

    @classmethod
    def of(
        cls,
        method: Method,
        threshold: float | None,
        assignment: str = "greedy",
        gain: str = "binary",
    ) -> Rules:
        """Check what a caller gives; without a threshold it is the method's."""
        if threshold is None:
            threshold = SURE if method.threshold is None else method.threshold
        elif method.threshold is None:
            name = method.signature["matcher"]
            raise UsageError(f"{name} takes no threshold: two texts match, or they do not")
        if not 0 <= threshold <= 1:
            raise UsageError(f"a threshold is from 0 to 1, got {threshold}")
        return cls(
            method=method,
            threshold=float(threshold),
            assignment=ASSIGNMENTS.resolve(assignment),
            gain=GAINS.resolve(gain),
        )

    def signature(self, judgments: str) -> Signature:
        """Return what all columns share; judgments: the digest of the golds."""
        threshold = {} if self.method.threshold is None else {"threshold": self.threshold}
        return Signature.of(
            self.method.signature, judgments=judgments, normaliser=NORMALISER, **threshold
        )

    def fields(self, measure: Measure) -> dict[str, Scalar]:
        """Return what is a column's own; the gain counts in nDCG alone."""
        gain = {"gain": self.gain} if measure.name == "nDCG" else {}
        return {"assignment": self.assignment, **gain}
