"""Slips of the pen in the names of fields: what is nearly a name that would have been read."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ragstone.errors import count, did_you_mean, nearest

ALIKE = 0.8  # how much of two names is the same


def slips(unknown: Mapping[str, int], known: Collection[str], noun: str) -> list[str]:
    """Return a line for each unknown field that is nearly a known one.

    unknown: how many of what the noun says have it. Names may be paths, as in `usage.input_tokens`;
    the last parts are compared where the others are the same.

    >>> slips({"anwser": 2, "team": 9}, ["answer", "query"], "sample")
    ["2 samples have 'anwser', which ragstone does not know; did you mean answer?"]
    """
    return [
        f"{count(number, noun)} {'has' if number == 1 else 'have'} {name!r}, which ragstone does "
        f"not know; {hint}"
        for name, number in sorted(unknown.items())
        if (hint := did_you_mean(_meant(name, known)))
    ]


def _meant(name: str, known: Collection[str]) -> list[str]:
    from difflib import SequenceMatcher

    if name in known:
        return []
    above, mark, own = name.rpartition(".")
    beside = [each.removeprefix(above + mark) for each in known if _is_in(each, above)]
    close = nearest(own, beside, most=1)
    return [
        f"{above}{mark}{each}"
        for each in close
        if SequenceMatcher(None, own.lower(), each.lower()).ratio() >= ALIKE
    ]


def _is_in(path: str, above: str) -> bool:
    return path.rpartition(".")[0] == above
