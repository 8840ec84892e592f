"""What a measure is: its name, parameters, direction, range, and what an empty case means."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from msgspec import Struct

from ragstone.model import Scalar


class Direction(Enum):
    """Which way is better."""

    HIGHER = "higher"
    LOWER = "lower"


class Cutoff(Enum):
    """What may stand behind the `@` of a measure."""

    NONE = "none"
    RANK = "rank"  # a whole number of ranks, or nothing for the full depth
    RECALL = "recall"  # a share from 0 to 1, required


class Empty(Enum):
    """When a value of a measure is a default and not a measurement."""

    NEVER = "never"
    NO_RESULTS = "nothing was retrieved"
    NO_RESULTS_OR_RELEVANT = "nothing was retrieved, or nothing is relevant"


class Parameter(Struct, frozen=True):
    """One `name=value` of a measure. A default of None is taken from the scoring rules."""

    kind: type[int] | type[float]
    low: float
    high: float
    default: Scalar | None = None


class Declaration(Struct, frozen=True):
    """One measure of the registry.

    `kernel` computes an item's value; `denominator` what it was divided by, for :micro, or is
    None. Both take the item and, by keyword, `k` and the parameters. `trec_name` is what
    trec_eval calls the measure without and with a cutoff, where it has it. `version` is raised
    when values change. A measure that is not `quality` is gated only by a budget that names it.
    """

    name: str
    kernel: Callable[..., float]
    help: str
    denominator: Callable[..., float] | None = None
    cutoff: Cutoff = Cutoff.NONE
    parameters: tuple[tuple[str, Parameter], ...] = ()
    empty: Empty = Empty.NO_RESULTS_OR_RELEVANT
    direction: Direction = Direction.HIGHER
    unit: str = ""
    range: tuple[float, float] = (0.0, 1.0)
    aggregate: str = "mean"
    binary: bool = False
    quality: bool = True
    versioned: bool = False
    trec_name: str = ""
    trec_cut_name: str = ""
    version: int = 1

    def parameter(self, name: str) -> Parameter | None:
        """Return a parameter by its name."""
        return dict(self.parameters).get(name)
