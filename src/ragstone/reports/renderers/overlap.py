"""What a person sees of the overlap of corpora."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import UNSET

from ragstone.errors import count, listed
from ragstone.reports import numbers
from ragstone.reports.overlap import OverlapDetails, SideCounts
from ragstone.reports.renderers.page import Page, Table, Text, Tone, shorten, verdict_line
from ragstone.reports.report import Report

FEW = 3  # ids of a cluster that are shown


def page(report: Report, top: int = 10) -> Page:
    """Draw counts of each corpus, the largest clusters and the pairs that are least alike."""
    details: OverlapDetails = report.details
    blocks: list[Text | Table] = [_counts(report, details)]
    if details.clusters:
        blocks.append(_clusters(details, top))
    if near := [pair for pair in details.pairs if pair.jaccard < 1]:
        near.sort(key=lambda pair: (-pair.jaccard, pair.a_id, pair.b_id))
        rows = [(each.a_id, each.b_id, f"{each.jaccard:.4f}") for each in near[:top]]
        table = [(shorten(a), shorten(b), like) for a, b, like in rows]
        title = f"Similar, not identical: {_of(len(rows), len(near))}"
        blocks.append(Table.of(("a", "b", "jaccard"), table, title, left=["b"]))
    blocks += _remarks(report, details)
    return Page(_headline(report, details), tuple(blocks))


def _headline(report: Report, details: OverlapDetails) -> Text:
    last = details.a if details.b is UNSET else details.b
    share = f"{details.redundant / last.documents:.2%}"
    whole = count(last.documents, "document")
    if details.b is UNSET:
        repeats = "repeats" if details.redundant == 1 else "repeat"
        said = f"{details.redundant:,} of {whole} ({share}) {repeats} another"
    else:
        stands = "stands" if details.redundant == 1 else "stand"
        said = f"{details.redundant:,} of {whole} of b ({share}) {stands} in a"
    if report.verdict is None:
        return Text(said)
    limit = "more than" if report.verdict == "fail" else "within"
    return verdict_line(report, f"{said}, {limit} the {details.max_overlap} allowed")


def _counts(report: Report, details: OverlapDetails) -> Table:
    sides = [("a", details.a)] if details.b is UNSET else [("a", details.a), ("b", details.b)]
    names = {name: _names(report, name) for name, _ in sides}
    rows = [(name, names[name], *_numbers(side)) for name, side in sides]
    heads = ("corpus", "files", "documents", "overlapping", "rate", "empty", "short")
    return Table.of(heads, rows, left=["files"])


def _numbers(side: SideCounts) -> Sequence[str]:
    short = numbers.NOTHING if side.short is UNSET else f"{side.short:,}"
    rate = f"{side.rate:.2%}"
    return f"{side.documents:,}", f"{side.overlapping:,}", rate, f"{side.empty:,}", short


def _names(report: Report, role: str) -> str:
    names = [each.name for each in report.inputs if each.role == role]
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return shorten(names[0] if names else "") + more


def _clusters(details: OverlapDetails, top: int) -> Table:
    largest = sorted(
        details.clusters, key=lambda each: (-len(each.a_ids) - len(each.b_ids), each.cluster)
    )[:top]
    within = details.b is UNSET
    rows = []
    for each in largest:
        row = [str(each.cluster), f"{len(each.a_ids):,}", _few(each.a_ids)]
        rows.append(row if within else [*row, f"{len(each.b_ids):,}", _few(each.b_ids)])
    heads = ("cluster", "documents", "ids") if within else ("cluster", "in a", "a", "in b", "b")
    title = f"Largest clusters: {_of(len(rows), len(details.clusters))}"
    return Table.of(heads, rows, title, left=["ids", "a", "b"])


def _few(ids: Sequence[str]) -> str:
    return listed([shorten(doc, 24) for doc in ids], FEW)


def _of(few: int, many: int) -> str:
    return f"{few:,} of {many:,}" if few < many else f"{many:,}"


def _remarks(report: Report, details: OverlapDetails) -> Iterator[Text]:
    signature = report.statement.predicate.signature
    if signature["method"] == "exact":
        yield Text("documents with the same words in the same order", Tone.QUIET)
    else:
        letters = f"{signature['char_shingle']} letters where a script has no spaces"
        said = f"{signature['shingle']} words in a row ({letters})"
        yield Text(f"Jaccard of at least {signature['threshold']} of {said}", Tone.QUIET)
    if details.miss_probability is not UNSET:
        said = (
            f"MinHash, {details.bands} bands of {details.rows}: a pair at the threshold is missed "
            f"with probability {details.miss_probability:.2g}"
        )
        yield Text(said, Tone.QUIET)
    for name, side in (("a", details.a), ("b", details.b)):
        if side is UNSET:
            continue
        if side.empty:
            empty = count(side.empty, "document")
            yield Text(f"{name}: {empty} without a word, compared with nothing", Tone.WARNING)
        if side.truncated:
            yield Text(
                f"{name}: only its first {side.documents:,} documents were read", Tone.WARNING
            )
