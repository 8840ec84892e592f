"""BEIR qrels: three columns separated by tabs, with or without the header row."""

from __future__ import annotations

from collections import Counter

from ragstone.formats.judgments import Judgments
from ragstone.formats.source import Source
from ragstone.model import Qrels

HEADER = ("query-id", "corpus-id", "score")


def read_qrels(source: Source, facts: Counter[str]) -> Qrels:
    """Read BEIR judgments; the first row is data unless it is the header."""
    judgments = Judgments(source, facts)
    for row, (number, line) in enumerate(source.lines()):
        fields = [field.strip().decode() for field in line.split(b"\t")]
        if row == 0 and is_header(fields):
            continue
        if len(fields) != 3 or not all(fields):
            raise source.error(
                f"{len(fields)} columns ({line.decode()[:80]!r}); "
                f"BEIR qrels have 3, separated by tabs: {' '.join(HEADER)}",
                number,
            )
        judgments.add(number, fields[0], fields[1], fields[2])
    return judgments.qrels()


def is_header(fields: list[str]) -> bool:
    """Tell the header row from a judgment."""
    return fields[0].lower().replace("_", "-") == HEADER[0]
