"""A measure as a value: it parses from its canonical name, prints as it, and hashes by it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from ragstone.errors import UnknownNameError, UsageError
from ragstone.measures.declaration import Area, Cutoff, Declaration
from ragstone.model import Scalar
from ragstone.registry import Registry

MEASURES: Registry[Declaration] = Registry("measure", fold=str.lower)
LIMIT = 10**9

_CANONICAL = r"([^(@]+)(?:\(([^()]*)\))?(?:@(.+))?"
_TREC = r"(.+?)(?:_cut|_at)?[_.](\d+(?:\.\d+)?|k)"


class Measure(Struct, frozen=True):
    """A measure with its parameters and its cutoff.

    >>> from ragstone.measures import P, nDCG
    >>> nDCG @ 10
    Measure('nDCG@10')
    >>> str(P(rel=2) @ 5)
    'P(rel=2)@5'
    """

    name: str
    cutoff: int | float | None = None
    parameters: tuple[tuple[str, Scalar], ...] = ()

    @property
    def declaration(self) -> Declaration:
        """What the registry says of this measure."""
        return MEASURES[self.name]

    def __str__(self) -> str:
        """Print the canonical name."""
        inside = ", ".join(f"{name}={value}" for name, value in self.parameters)
        cutoff = "" if self.cutoff is None else f"@{self.cutoff}"
        return f"{self.name}({inside}){cutoff}" if inside else f"{self.name}{cutoff}"

    def __repr__(self) -> str:
        """Print as the name in a Measure."""
        return f"Measure({str(self)!r})"

    def __matmul__(self, cutoff: float) -> Measure:
        """Return the measure at a cutoff: `nDCG @ 10`."""
        return replace(self, cutoff=_cutoff(self.declaration, cutoff))

    def __call__(self, **parameters: Scalar) -> Measure:
        """Return the measure with parameters: `P(rel=2)`."""
        checked = {n: _parameter(self.declaration, n, v) for n, v in parameters.items()}
        merged = {**dict(self.parameters), **checked}
        return replace(self, parameters=tuple(sorted(merged.items())))

    @property
    def trec_name(self) -> str:
        """What trec_eval calls this measure, or the canonical name where it has none."""
        declared = self.declaration
        if self.parameters:
            return str(self)
        if self.cutoff is None:
            return declared.trec_name or str(self)
        return declared.trec_cut_name.format(k=self.cutoff) or str(self)

    def bound(self, rules: Mapping[str, Scalar]) -> Callable[[Any], float]:
        """Return the kernel as a function of the item alone; `rules` fill what is not given.

        Raises UsageError for a measure that is not computed from a ranking.
        """
        if self.declaration.kernel is None:
            raise UsageError(
                f"{self.name} is about {self.declaration.area.value}, not about retrieval; "
                f"`{self.declaration.area.command}` computes it"
            )
        return partial(self.declaration.kernel, **self._arguments(rules))

    def bound_denominator(self, rules: Mapping[str, Scalar]) -> Callable[[Any], float] | None:
        """Return the denominator as a function of the item alone, or None."""
        function = self.declaration.denominator
        return function and partial(function, **self._arguments(rules))

    def _arguments(self, rules: Mapping[str, Scalar]) -> dict[str, Any]:
        declared, given = self.declaration, dict(self.parameters)
        arguments: dict[str, Any] = {}
        for name, parameter in declared.parameters:
            default = rules[name] if parameter.default is None else parameter.default
            arguments[name] = given.get(name, default)
        if declared.cutoff is not Cutoff.NONE:
            arguments["k"] = self.cutoff
        if declared.versioned:
            arguments["trec_eval"] = rules["trec_eval"]
        return arguments


class ParsedName(NamedTuple):
    """A name taken apart: the canonical name, its parameters and cutoff as they were written."""

    name: str
    parameters: str
    cutoff: str | None


def declare(aliases: Iterable[str] = (), **fields: Any) -> Measure:
    """Put a measure into the registry and return it without parameters and cutoff."""
    declaration = Declaration(**fields)
    MEASURES.add(declaration.name, declaration, aliases)
    return Measure(declaration.name)


def split_name(text: str) -> ParsedName:
    """Take a canonical name or an alias apart; raises UnknownNameError with the nearest names."""
    match = re.fullmatch(_CANONICAL, text.strip())
    if not match:
        raise UsageError(f"{text!r} is not a measure; write one like nDCG@10 or P(rel=2)@5")
    name, parameters, cutoff = match[1].strip(), match[2] or "", match[3]
    if name not in MEASURES and cutoff is None and (trec := re.fullmatch(_TREC, name)):
        if trec[1] not in MEASURES:
            raise UnknownNameError(MEASURES.noun, trec[1], _known_names())
        return ParsedName(MEASURES.resolve(trec[1]), parameters, trec[2])
    if name not in MEASURES:
        raise UnknownNameError(MEASURES.noun, name, _known_names())
    return ParsedName(MEASURES.resolve(name), parameters, cutoff)


def parse_measure(text: str, *, k: int | None = None) -> Measure:
    """Read a measure from its canonical name or from a name of another tool.

    A name without a cutoff is the full depth. `k` is the cutoff of a name that ends in `_at_k`.
    Raises UnknownNameError, or UsageError for a cutoff or parameter that cannot be.

    >>> parse_measure("ndcg_cut_10"), parse_measure("mrr"), parse_measure("recall_at_k", k=5)
    (Measure('nDCG@10'), Measure('RR'), Measure('R@5'))
    """
    parsed = split_name(text)
    measure = Measure(parsed.name)(**_parameters(text, parsed.parameters))
    if parsed.cutoff is None:
        if measure.declaration.cutoff is Cutoff.RECALL:
            raise UsageError(f"{measure.name} needs a recall level, as in {measure.name}@0.1")
        return measure
    cutoff: object = k if parsed.cutoff == "k" else parsed.cutoff
    if cutoff is None:
        raise UsageError(f"{text!r}: say which k, as in {measure.name}@10")
    return measure @ _number(text, cutoff)


def _known_names() -> list[str]:
    aliases = ["map", "mrr", "recip_rank", "hit_rate", "precision", "recall", "ndcg"]
    by_area = sorted(MEASURES, key=lambda name: MEASURES[name].area is not Area.RETRIEVAL)
    return [*by_area, *aliases]


def _parameters(text: str, inside: str) -> dict[str, Scalar]:
    parameters: dict[str, Scalar] = {}
    for part in filter(None, (part.strip() for part in inside.split(","))):
        name, equals, value = part.partition("=")
        if not equals or name.strip() in parameters:
            raise UsageError(f"{text!r}: {part!r} is not a parameter; write it as rel=2, once")
        parameters[name.strip()] = _number(text, value.strip())
    return parameters


def _number(text: str, value: object) -> int | float:
    digits = str(value)
    if len(digits) > 40 or not re.fullmatch(r"[+-]?\d+(\.\d+)?(e[+-]?\d+)?", digits, re.ASCII):
        raise UsageError(f"{text!r}: {digits[:40]!r} is not a number")
    return int(digits) if digits.lstrip("+-").isdecimal() else float(digits)


def _cutoff(declared: Declaration, value: float) -> int | float:
    if declared.cutoff is Cutoff.NONE:
        raise UsageError(f"{declared.name} takes no cutoff, got @{value}")
    if declared.cutoff is Cutoff.RECALL:
        if isinstance(value, bool) or not 0 <= value <= 1:
            raise UsageError(f"{declared.name}@{value}: a recall level is from 0 to 1")
        return abs(float(value))  # -0.0 is 0.0
    if isinstance(value, bool) or not 1 <= value < LIMIT or not float(value).is_integer():
        raise UsageError(
            f"{declared.name}@{value}: a cutoff is a whole number of at least 1, below 10**9"
        )
    return int(value)


def _parameter(declared: Declaration, name: str, value: Scalar) -> Scalar:
    parameter = declared.parameter(name)
    if parameter is None:
        known = ", ".join(name for name, _ in declared.parameters) or "none"
        raise UsageError(f"{declared.name} has no parameter {name!r}; it has: {known}")
    if isinstance(value, str | bool) or not parameter.low <= value <= parameter.high:
        raise UsageError(
            f"{declared.name}: {name} is from {parameter.low:g} to {parameter.high:g}, got {value}"
        )
    if parameter.kind is int and not float(value).is_integer():
        raise UsageError(f"{declared.name}: {name} is a whole number, got {value}")
    return abs(parameter.kind(value)) if value == 0 else parameter.kind(value)  # -0.0 is 0.0
