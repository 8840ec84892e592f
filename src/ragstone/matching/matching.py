"""Texts of one query, or of all of them, to their similarities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from ragstone.errors import InputError, some_ids
from ragstone.formats.gold import Passage
from ragstone.matching.matches import NO_FACTS, Matches
from ragstone.matching.matrix import NEVER, SURE, Gold, MatchMatrix, Similarities
from ragstone.matching.methods import Method, Options, make_method
from ragstone.matching.rules import Rules
from ragstone.matching.texts import is_blank, plain_form

Texts: TypeAlias = Sequence[str | Passage]
Queries: TypeAlias = Mapping[str, Texts] | Sequence[Texts]

FACTS = (
    "queries",
    "unjudged_queries",
    "queries_without_results",
    "unscored_run_queries",
    "blank_golds",
    "repeated_golds",
    "blank_retrieved",
    "repeated_retrieved",
)


def match_query(
    gold: Texts,
    retrieved: Texts,
    method: str | Method = "rouge1",
    options: Options | None = None,
) -> MatchMatrix:
    """Compare a query's gold texts with its retrieved texts, best first; each pair once.

    Blank golds and repeated ones are left out. method: a name or what make_method gave, which
    keeps texts as it has prepared them: give the same one for many queries.

    >>> match_query(["a b c d"], ["a b", "x"], "rouge1").similarities.values
    [[0.6666666666666666, 0.0]]
    """
    chosen = make_method(method, options) if isinstance(method, str) else method
    return _matrix(_golds(gold, Counter()), _passages(retrieved), chosen)


def match_texts(
    gold: Queries,
    retrieved: Queries,
    method: str | Method = "rouge1",
    options: Options | None = None,
    *,
    threshold: float | None = None,
    assignment: str = "greedy",
    gain: str = "binary",
    facts: Mapping[str, int] = NO_FACTS,
) -> Matches:
    """Compare all queries; gold and retrieved are dicts by query id, or parallel lists.

    threshold: the least similarity of a match, by default the method's. assignment: greedy (in the
    order of ranks), optimal (the most matches), or free (every pair counts, as Krag has it). gain:
    binary, or similarity, for nDCG. facts: counters of the files, which the Scores keep.

    Raises InputError where no query has a gold, or none of those has a retrieved text.

    >>> found = match_texts([["the cat sat"]], [["a dog", "the cat sat down"]])
    >>> found.scores(["R@1", "RR"]).to_dict()
    {'id': ['0'], 'relevant': [1], 'judged': [1], 'retrieved': [2], 'hits': [1], 'R@1': [0.0], \
'RR': [0.5]}
    """
    chosen = make_method(method, options) if isinstance(method, str) else method
    rules = Rules.of(chosen, threshold, assignment, gain)
    judged, ranked = _parallel(gold, retrieved)
    counted = Counter({**dict.fromkeys(FACTS, 0), **facts})
    golds = {query: _golds(judged[query], counted) for query in sorted(judged)}
    golds_left = {query: texts for query, texts in golds.items() if texts}
    texts = {query: _passages(ranked.get(query, ())) for query in golds_left}
    _need_both(golds_left, texts, judged, ranked)
    counted.update(
        queries=len(golds_left),
        unjudged_queries=len(golds) - len(golds_left),
        queries_without_results=sum(not each for each in texts.values()),
        unscored_run_queries=len(ranked.keys() - judged.keys()),
        blank_retrieved=sum(is_blank(each.text) for found in texts.values() for each in found),
    )
    chosen.prepare(_all_texts(golds_left, texts))
    matrices = {query: _matrix(each, texts[query], chosen) for query, each in golds_left.items()}
    counted["repeated_retrieved"] = sum(len(matrix.repeats) for matrix in matrices.values())
    return Matches(matrices, rules, dict(counted))


def _matrix(golds: Sequence[Gold], retrieved: Sequence[Passage], method: Method) -> MatchMatrix:
    """Compare what is not blank; blank texts keep their ranks, and match nothing."""
    filled = [place for place, each in enumerate(retrieved) if not is_blank(each.text)]
    found = method.compare(golds, [retrieved[place].text for place in filled])
    if len(filled) < len(retrieved):
        found = _spread(found, filled, len(retrieved))
    threshold = SURE if method.threshold is None else method.threshold
    return MatchMatrix(
        tuple(golds), tuple(retrieved), found, threshold, _repeats(retrieved, filled)
    )


def _repeats(retrieved: Sequence[Passage], filled: Sequence[int]) -> dict[int, int]:
    """Return the rank of each text that is equal to one above, with the rank of the first."""
    first: dict[str, int] = {}
    repeats: dict[int, int] = {}
    for place in filled:
        rank = first.setdefault(plain_form(retrieved[place].text), place + 1)
        if rank <= place:
            repeats[place + 1] = rank
    return repeats


def _spread(found: Similarities, filled: Sequence[int], width: int) -> Similarities:
    values = [[NEVER] * width for _ in found.values]
    held = None if found.held is None else [[False] * width for _ in found.held]
    for gold, row in enumerate(found.values):
        for column, place in enumerate(filled):
            values[gold][place] = row[column]
            if held is not None and found.held is not None:
                held[gold][place] = found.held[gold][column]
    return Similarities(values, held)


def _golds(texts: Texts, facts: Counter[str]) -> list[Gold]:
    """Return the golds that are not blank, each once, in the order of their forms."""
    golds: dict[str, Gold] = {}
    for place, each in enumerate(texts, 1):
        text, identity, _ = _passage(each)
        if is_blank(text):
            facts["blank_golds"] += 1
            continue
        form = plain_form(text)
        facts["repeated_golds"] += form in golds
        golds.setdefault(form, Gold(place, identity, text, form))
    return [golds[form] for form in sorted(golds)]


def _passages(texts: Texts) -> list[Passage]:
    return [_passage(each) for each in texts]


def _passage(given: str | Passage) -> Passage:
    return Passage(given) if isinstance(given, str) else given


def _all_texts(
    golds: Mapping[str, Sequence[Gold]], texts: Mapping[str, Sequence[Passage]]
) -> Iterator[str]:
    for query, found in golds.items():
        yield from (gold.text for gold in found)
        yield from (each.text for each in texts[query] if not is_blank(each.text))


def _parallel(gold: Queries, retrieved: Queries) -> tuple[Mapping[str, Texts], Mapping[str, Texts]]:
    if isinstance(gold, Mapping) and isinstance(retrieved, Mapping):
        return gold, retrieved
    if isinstance(gold, Mapping) or isinstance(retrieved, Mapping):
        raise InputError("gold and retrieved are two dicts by query id, or two lists")
    if len(gold) != len(retrieved):
        raise InputError(
            f"the lists are not parallel: {len(gold)} lists of gold texts, {len(retrieved)} of "
            "retrieved texts"
        )
    return _numbered(gold), _numbered(retrieved)


def _numbered(lists: Sequence[Texts]) -> dict[str, Texts]:
    width = len(str(len(lists) - 1))
    return {f"{place:0{width}}": each for place, each in enumerate(lists)}


def _need_both(
    golds: Mapping[str, object],
    texts: Mapping[str, Sequence[Passage]],
    judged: Mapping[str, Texts],
    ranked: Mapping[str, Texts],
) -> None:
    if not golds:
        listed = f"; queries listed without one: {len(judged)}" if judged else ""
        raise InputError(f"no query has a gold text that is not blank{listed}")
    if any(texts.values()):
        return
    if not any(ranked.values()):
        raise InputError("there is no retrieved text; nothing can be scored")
    raise InputError(
        f"no query with a gold text has a retrieved one: gold texts are of {some_ids(golds)}, "
        f"retrieved ones of {some_ids(ranked)}; the query ids of the two must be the same text"
    )
