"""Operations: latency, tokens and cost of each sample."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from ragstone.errors import UsageError
from ragstone.formats.prices import PriceList
from ragstone.formats.samples import SamplesLike, samples_given
from ragstone.measures import MEASURES, PRICE_OF, WARM_UP, Area, Measure, parse_measure
from ragstone.model import FAILED_SAMPLES, Cell, Scores, ScoresBuilder, Signature, Status
from ragstone.model.prices import USAGE_MISSING
from ragstone.model.samples import Latency, Sample, Usage

LATENCY_MISSING: Final = "latency_missing"
"""Why a sample has no latency: none was recorded."""

SYSTEM_FAILED: Final = "system_failed"
"""Why a sample has no value: the system failed before there was one."""

TIMES: Final[Mapping[str, Callable[[Latency], float | None]]] = MappingProxyType(
    {
        "latency_ms": lambda times: times.total,
        "retrieval_ms": lambda times: times.retrieval,
        "first_token_ms": lambda times: times.first_token,
        "generation_ms": lambda times: times.generation,
    }
)
TOKENS: Final[Mapping[str, Callable[[Usage], int | None]]] = MappingProxyType(
    {
        "input_tokens": lambda usage: usage.input_tokens,
        "output_tokens": lambda usage: usage.output_tokens,
        "cached_input_tokens": lambda usage: usage.cached_input_tokens,
        "reasoning_tokens": lambda usage: usage.reasoning_tokens,
    }
)
COST: Final = "cost_usd"
OPERATIONS: Final = tuple(name for name, each in MEASURES.items() if each.area is Area.OPERATIONS)
"""The names of all measures of operations."""


class Operations:
    """Takes the operations of samples, one after the other.

    prices: what models cost, where a sample does not say its cost itself. count_warm_up: whether
    the latency of a first call counts; by default it is left out, since it says nothing of the
    others. prices_used: what each model cost, after the samples were seen.
    """

    def __init__(self, prices: PriceList | None = None, *, count_warm_up: bool = False) -> None:
        """Start without a sample; by default the public list says what models cost."""
        self.prices = PriceList() if prices is None else prices
        self.count_warm_up = count_warm_up
        self.prices_used: dict[str, str] = {}

    def cells(self, sample: Sample, names: Sequence[str] = OPERATIONS) -> list[Cell]:
        """Return a sample's value under each measure."""
        return [self._cell(sample, name) for name in names]

    def signature(self, name: str) -> Signature:
        """Return what makes a measure's column comparable, after all samples were seen.

        Costs depend on the price of each model, so two reports with different prices of the same
        model are not compared; that a model is used on one side alone is the system's doing.
        """
        fields: dict[str, str | int] = {"measure_version": MEASURES[name].version}
        if name in TIMES:
            fields["warm_up"] = "counted" if self.count_warm_up else "left out"
        if name == COST:
            fields |= {f"{PRICE_OF}{model}": price for model, price in self.prices_used.items()}
        return Signature.of(fields)

    def _cell(self, sample: Sample, name: str) -> Cell:
        if name in TIMES:
            cell = self._time(sample, name)
        elif name in TOKENS:
            cell = _value(recorded(sample, name), USAGE_MISSING)
        else:
            cell = self._cost(sample)
        if sample.error is not None and cell.status is Status.NOT_APPLICABLE:
            return cell if cell.reason == WARM_UP else _nothing(SYSTEM_FAILED, Status.FAILED)
        return cell

    def _time(self, sample: Sample, name: str) -> Cell:
        if sample.is_warm_up and not self.count_warm_up:
            return _nothing(WARM_UP)
        return _value(recorded(sample, name), LATENCY_MISSING)

    def _cost(self, sample: Sample) -> Cell:
        if sample.cost_usd is not None:
            return Cell(sample.cost_usd)
        cost = self.prices.cost(sample.model, sample.usage)
        if cost.usd is None:
            return _nothing(cost.reason)
        self.prices_used[sample.model or ""] = cost.price
        return Cell(cost.usd)


def operations(
    samples: SamplesLike,
    measures: str | Iterable[str] | None = None,
    *,
    prices: PriceList | None = None,
    count_warm_up: bool = False,
) -> Scores:
    """Return latency, tokens and cost of samples, an item each.

    samples: as for `evaluate`. measures: which, by their names; by default those that any sample
    says something of. prices and count_warm_up: see Operations. A value that was not recorded is
    not applicable and one of a sample that failed before there was one is failed, each with its
    reason; neither is ever 0.

    Raises UsageError for a measure that is none of operations, InputError for two samples with one
    id and for a number that is negative or not finite.

    >>> fast = Sample("q1", latency_ms=Latency(total=120.0), cost_usd=0.002)
    >>> scores = operations([fast, Sample("q2", latency_ms=Latency(total=300.0))])
    >>> scores.to_dict()
    {'id': ['q1', 'q2'], 'latency_ms': [120.0, 300.0], 'cost_usd': [0.002, None]}
    >>> scores["cost_usd"].reasons
    {1: 'usage_missing'}
    """
    taken = Operations(prices, count_warm_up=count_warm_up)
    kept = samples_given(samples)
    named = [measures] if isinstance(measures, str) else measures
    names = recorded_names(kept) if named is None else _names(named)
    builder = ScoresBuilder(names)
    for sample in kept:
        builder.add(sample.id, taken.cells(sample, names))
    facts = {
        FAILED_SAMPLES: sum(sample.error is not None for sample in kept),
        "warm_up_samples": sum(sample.is_warm_up for sample in kept),
    }
    return builder.build(columns={name: taken.signature(name) for name in names}, facts=facts)


def recorded(sample: Sample, name: str) -> float | None:
    """Return what a sample says of a measure of operations; None where it says nothing.

    Of cost, that is what the sample says itself, without any price.

    >>> recorded(Sample("q", usage=Usage(input_tokens=900)), "input_tokens")
    900
    """
    if name in TIMES:
        return None if sample.latency_ms is None else TIMES[name](sample.latency_ms)
    if name in TOKENS:
        return None if sample.usage is None else TOKENS[name](sample.usage)
    return sample.cost_usd


def recorded_names(samples: Sequence[Sample]) -> list[str]:
    """Return the measures that any sample has; cost too where tokens would need only a price."""
    said = {
        name for name in OPERATIONS if any(recorded(sample, name) is not None for sample in samples)
    }
    if said & {"input_tokens", "output_tokens"}:
        said.add(COST)
    return [name for name in OPERATIONS if name in said]


def _names(measures: Iterable[str]) -> list[str]:
    found: dict[str, None] = {}
    for text in measures:
        measure: Measure = parse_measure(text)
        if measure.declaration.area is not Area.OPERATIONS:
            raise UsageError(f"{text!r} is no measure of operations; there is: {_all()}")
        found[str(measure)] = None
    return list(found)


def _all() -> str:
    return ", ".join(OPERATIONS)


def _value(value: float | None, missing: str) -> Cell:
    return _nothing(missing) if value is None else Cell(float(value))


def _nothing(reason: str, status: Status = Status.NOT_APPLICABLE) -> Cell:
    return Cell(0.0, status, reason=reason)
