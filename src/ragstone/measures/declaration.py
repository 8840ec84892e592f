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


class Area(Enum):
    """What a measure is about, and so which command computes it."""

    RETRIEVAL = "retrieval"  # from a ranking, by `score`
    SPANS = "places in documents"  # from a ranking and what it covers, by `match --method spans`
    ANSWERS = "answers"  # from a sample, by `evaluate`
    OPERATIONS = "operations"  # from what a sample says of time, tokens and cost, by `evaluate`
    CORPORA = "corpora"  # from items and the documents of a corpus, by `leakage`

    @property
    def command(self) -> str:
        """What computes its measures."""
        return {
            Area.RETRIEVAL: "ragstone score --qrels --run",
            Area.SPANS: "ragstone match --method spans",
            Area.CORPORA: "ragstone leakage --corpus --items",
        }.get(self, "ragstone evaluate --samples")


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
    None. Both take the item and, by keyword, `k` and the parameters. A measure that is not about
    retrieval has no kernel here: the package that computes it has its own table of functions.
    `trec_name` is what trec_eval calls the measure without and with a cutoff, where it has it.
    `version` is raised when values change. A measure that is not `quality` is gated only by a
    budget that names it. `shown` are the aggregates that a summary has beside the usual one.

    `complete` says that every item has a value in principle, so that one without was not measured:
    a gate then counts it as such, unless the item's reason is one of `excused`.
    """

    name: str
    kernel: Callable[..., float] | None = None
    help: str = ""
    denominator: Callable[..., float] | None = None
    cutoff: Cutoff = Cutoff.NONE
    parameters: tuple[tuple[str, Parameter], ...] = ()
    empty: Empty = Empty.NO_RESULTS_OR_RELEVANT
    direction: Direction = Direction.HIGHER
    unit: str = ""
    range: tuple[float, float] = (0.0, 1.0)
    aggregate: str = "mean"
    shown: tuple[str, ...] = ()
    binary: bool = False
    quality: bool = True
    versioned: bool = False
    trec_name: str = ""
    trec_cut_name: str = ""
    version: int = 1
    area: Area = Area.RETRIEVAL
    complete: bool = False
    excused: tuple[str, ...] = ()

    def parameter(self, name: str) -> Parameter | None:
        """Return a parameter by its name."""
        return dict(self.parameters).get(name)
