"""Where the columns of an evaluation come from: each part gives some of an item's cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from ragstone.answers.kernels import Kernel
from ragstone.answers.operations import Operations
from ragstone.answers.retrieval import Retrieval
from ragstone.answers.view import Settings, View
from ragstone.errors import InputError
from ragstone.measures import MEASURES
from ragstone.model import Cell, Scores, ScoresBuilder, Signature
from ragstone.model.samples import Sample
from ragstone.progress import Progress

if TYPE_CHECKING:
    from ragstone.judge import Judged

NORMALISER = 1
"""Raised when the normalisation of texts changes, as a field of the signature."""


class Part(Struct, frozen=True):
    """Some columns: their names, an item's cells by its place and sample, and their signatures."""

    names: tuple[str, ...]
    cells: Callable[[int, Sample], Sequence[Cell]]
    signature: Callable[[str], Signature]
    weighted: frozenset[str] = frozenset()


def of_retrieval(found: Retrieval) -> Part:
    """Return the columns of measures of retrieval."""
    names = tuple(found.scores.columns)
    return Part(
        names,
        lambda _, sample: [found.cell(sample, name) for name in names],
        found.signature,
        frozenset(found.weighted),
    )


def of_answers(kernels: Mapping[str, Kernel], settings: Settings) -> Part:
    """Return the columns of measures that are computed from a sample."""

    def cells(_: int, sample: Sample) -> list[Cell]:
        view = View(sample, settings)
        return [kernel.cell(view) for kernel in kernels.values()]

    def signature(name: str) -> Signature:
        version = MEASURES[name].version
        return Signature.of(kernels[name].fields(settings), measure_version=version)

    return Part(tuple(kernels), cells, signature)


def of_judge(judged: Judged, samples: Sequence[Sample]) -> Part:
    """Return the judged columns; raises InputError where other samples were judged."""
    if list(judged.items) != [each.id for each in samples]:
        raise InputError("the judge saw other samples, or in another order")
    names = tuple(judged.cells)
    return Part(
        names,
        lambda place, _: [judged.cells[name][place] for name in names],
        lambda name: judged.signatures[name],
        judged.weighted,
    )


def of_operations(taken: Operations, names: Sequence[str]) -> Part:
    """Return latency, tokens and cost."""
    return Part(tuple(names), lambda _, sample: taken.cells(sample, names), taken.signature)


def build(samples: Sequence[Sample], parts: Sequence[Part], progress: Progress) -> Scores:
    """Compute every row; raises InputError for two samples with one id."""
    names = [name for part in parts for name in part.names]
    weighted = frozenset[str]().union(*(part.weighted for part in parts))
    builder = ScoresBuilder(names, weighted=weighted)
    progress.start(len(samples))
    try:
        for place, sample in enumerate(samples):
            cells = [cell for part in parts for cell in part.cells(place, sample)]
            builder.add(sample.id, cells)
            progress.advance()
    finally:
        progress.finish()
    signatures = {name: part.signature(name) for part in parts for name in part.names}
    return builder.build(Signature.of(normaliser=NORMALISER), signatures)
