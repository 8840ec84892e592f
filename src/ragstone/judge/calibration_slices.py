"""Whether a measure leans: by the length of answers, by the model that wrote them, by language."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ragstone.judge.calibration_result import LengthEffect, SliceBias
from ragstone.judge.calibration_rows import Rated, Row, codes_of, item_means
from ragstone.model import Scores
from ragstone.model.samples import Sample
from ragstone.statistics import mean_interval, pearson
from ragstone.text.normal import words

LENGTH, FAMILY, LANGUAGE = "answer length", "model family", "language"
_COLUMN = "answer_length"
_WORD, _LETTERS = re.compile(r"[^\W_]+"), re.compile(r"[^\W\d_]{3,}")
_MOST = 12
_LEAST = 5  # items; the interval of fewer is wider than the scale


class Traits(NamedTuple):
    """What is known of the answers by which a measure may lean.

    lengths: item -> length of its answer, in words or in the tokens of answer_length. groups: what
    to slice by -> item -> name of the slice.
    """

    lengths: Mapping[str, float]
    groups: Mapping[str, Mapping[str, str]]
    unit: str = "words"


NO_TRAITS = Traits({}, {})


def traits_of(samples: Iterable[Sample]) -> Traits:
    """Return the lengths, model families and languages of answers.

    >>> traits_of([Sample("q1", answer="So it is.", model="openai/gpt-4o-mini")]).groups
    {'model family': {'q1': 'gpt'}, 'language': {}}
    """
    known = list(samples)
    return Traits(
        {each.id: float(len(words(each.answer))) for each in known if each.answer is not None},
        {
            FAMILY: {each.id: family(each.model) for each in known if each.model},
            LANGUAGE: {each.id: each.lang for each in known if each.lang},
        },
    )


def traits_of_scores(scores: Scores) -> Traits:
    """Return the lengths that a report has as a measure of its own, answer_length."""
    if _COLUMN not in scores.columns:
        return NO_TRAITS
    column = scores[_COLUMN]
    lengths = {
        item: value
        for place, item in enumerate(scores.items)
        if (value := column.value(place)) is not None
    }
    return Traits(lengths, {}, "tokens")


def family(model: str) -> str:
    """Return the family of a model: the letters that its name begins with, without an owner.

    With fewer than three letters digits belong to them.

    >>> family("openai/gpt-4o-mini"), family("Llama-3.1-8B"), family("o3-mini")
    ('gpt', 'llama', 'o3')
    """
    name = model.rpartition("/")[2].lower()
    found = _LETTERS.match(name) or _WORD.search(name)
    return found[0] if found else name


def families_of_judge(judge: str) -> set[str]:
    """Return the families in the `judge` of a signature, `provider:model`, several with ` + `.

    >>> families_of_judge("openai:gpt-4o + anthropic:claude-sonnet-4")  == {"gpt", "claude"}
    True
    """
    return {family(each.partition(":")[2] or each) for each in judge.split(" + ")}


def length_of(row: Row, traits: Traits) -> float | None:
    """Return the length of an answer; of a preference how much longer the second is."""
    one = traits.lengths.get(row.item)
    if not row.second or one is None:
        return one
    other = traits.lengths.get(row.second)
    return None if other is None else other - one


def length_effect(rows: Sequence[Row], traits: Traits) -> LengthEffect | None:
    """Return how values and labels go with length; None where no length is known."""
    known = [(row, length) for row in rows if (length := length_of(row, traits)) is not None]
    if not known:
        return None
    lengths = [length for _, length in known]
    return LengthEffect(
        items=len({row.what for row, _ in known}),
        measure=pearson(lengths, [row.value for row, _ in known]),
        people=pearson(lengths, [row.number for row, _ in known]),
    )


def slices(rated: Rated, traits: Traits, own: set[str]) -> list[SliceBias]:
    """Return the slices by length, then by each group, those with most items first.

    own: the model families of the judge.
    """
    found = []
    for by, group in _groups(rated.rows, traits).items():
        families = own if by == FAMILY else set()
        named = [_slice(rated, by, name, part, families) for name, part in group.items()]
        if by != LENGTH:
            named.sort(key=lambda each: (-each.items, each.name))
        found += named[:_MOST] if len(named) > 1 else []
    return found


def _groups(rows: Sequence[Row], traits: Traits) -> dict[str, dict[str, list[Row]]]:
    groups = {LENGTH: _by_length(rows, traits)}
    for by, names in traits.groups.items():
        parts = defaultdict[str, list[Row]](list)
        for row in rows:
            ends = [names.get(item) for item in (row.item, row.second) if item]
            known = [name for name in ends if name is not None]
            if len(known) == len(ends):
                parts[" / ".join(known)].append(row)
        groups[by] = dict(parts)
    return groups


def _by_length(rows: Sequence[Row], traits: Traits) -> dict[str, list[Row]]:
    """Cut into thirds of the items; preferences by which answer is longer."""
    known = [(length, row) for row in rows if (length := length_of(row, traits)) is not None]
    if any(row.second for _, row in known):
        names = {-1: "second shorter", 0: "as long", 1: "second longer"}
        parts: dict[str, list[Row]] = {name: [] for name in names.values()}
        for length, row in known:
            parts[names[(length > 0) - (length < 0)]].append(row)
        return {name: part for name, part in parts.items() if part}
    lengths = sorted({(row.item, length) for length, row in known}, key=lambda each: each[1])
    if not lengths:
        return {}
    cuts = [lengths[len(lengths) * third // 3][1] for third in (1, 2)]
    parts = defaultdict(list)
    low, high = cuts
    unit = traits.unit
    for length, row in sorted(known, key=lambda each: (each[0], each[1].item)):
        name = f"{low:g} to {high:g} {unit}" if high > low else f"{low:g} {unit}"
        if length < low:
            name = f"below {low:g} {unit}"
        elif length > high:
            name = f"above {high:g} {unit}"
        parts[name].append(row)
    return dict(parts)


def _slice(rated: Rated, by: str, name: str, rows: Sequence[Row], own: set[str]) -> SliceBias:
    people, measure = item_means(rows)
    bias = [after - before for before, after in zip(people, measure, strict=True)]
    same, enough = rated.comparable, len(bias) >= _LEAST
    interval = mean_interval(bias, rated.draws.confidence) if same and enough else None
    return SliceBias(
        by=by,
        name=name,
        items=len(people),
        labels=len(rows),
        people=sum(people) / len(people),
        measure=sum(measure) / len(measure),
        bias=sum(bias) / len(bias) if same else None,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        kappa=rated.kappa(codes_of(rows)),
        pearson=pearson([row.number for row in rows], [row.value for row in rows]),
        own=bool(own & set(name.split(" / "))),
    )
