"""What a person sees of a comparison: the verdict first, then why, then the evidence."""

from __future__ import annotations

from ragstone.gate import Comparison, Evidence, MeasureComparison
from ragstone.reports import numbers
from ragstone.reports.renderers.page import Page, Table, Text, Tone, shorten

TONES = {
    "pass": Tone.GOOD,
    "fail": Tone.BAD,
    "inconclusive": Tone.WARNING,
    "not_comparable": Tone.BAD,
    "not_significant": Tone.WARNING,
    "not_gated": Tone.QUIET,
}
RESULTS = {
    "fail": "FAIL",
    "not_significant": "pass (not significant)",
    "not_gated": "not gated",
    "not_comparable": "not comparable",
}
EFFECT_TONES = {"fail": Tone.BAD, "inconclusive": Tone.WARNING, "note": Tone.QUIET}


def page(comparison: Comparison) -> Page:
    """Draw the verdict, the measures, the reasons, the evidence and the regressed queries."""
    blocks: list[Text | Table] = []
    if comparison.measures:
        blocks.append(_measures(comparison))
    blocks += [
        Text(f"{reason.code}: {reason.message}", EFFECT_TONES[reason.effect])
        for reason in comparison.reasons
    ]
    blocks += [Text(note, Tone.WARNING) for note in _notes(comparison)]
    if any(each.evidence for each in comparison.measures):
        blocks.append(_evidence(comparison))
    if comparison.most_regressed:
        blocks.append(_regressed(comparison))
    if more := _more(comparison):
        blocks.append(Text(more, Tone.QUIET))
    return Page(headline(comparison), tuple(blocks))


def headline(comparison: Comparison) -> Text:
    """Say the verdict and what it rests on in one line."""
    verdict = comparison.verdict
    pairs = numbers.count(comparison.counts.pairs, "query", "queries")
    return Text(f"{verdict.upper()}: {_found(comparison)} ({pairs} compared)", TONES[verdict])


def _found(comparison: Comparison) -> str:
    if comparison.failed:
        return f"{', '.join(comparison.failed)} got worse beyond what is allowed"
    demanding = [reason for reason in comparison.reasons if reason.effect != "note"]
    if demanding:
        return demanding[0].code
    gated = sum(each.gated for each in comparison.measures)
    return f"{numbers.count(gated, 'gated measure')} within budget"


def _measures(comparison: Comparison) -> Table:
    heads = ("measure", "baseline", "candidate", "change", "budget", "p", "worse/better", "result")
    return Table.of(heads, [_row(each) for each in comparison.measures], left=["result"])


def _row(each: MeasureComparison) -> list[Text | str]:
    evidence = each.evidence
    return [
        each.name,
        numbers.value(each.baseline, each.unit),
        numbers.value(each.candidate, each.unit),
        numbers.percent(each.change_pct) if each.comparable else "-",
        each.budget or "-",
        numbers.p_value(evidence.p_value) if evidence else "-",
        f"{evidence.worse}/{evidence.better}" if evidence else "-",
        Text(RESULTS.get(each.result, each.result), TONES[each.result]),
    ]


def _evidence(comparison: Comparison) -> Table:
    heads = ("measure", "change", "95% interval", "effect size", "detectable", "test")
    rows = [_evidence_row(each, each.evidence) for each in comparison.measures if each.evidence]
    title = "Evidence (change and detectable drop in units of the measure; 80% power)"
    return Table.of(heads, rows, title, left=["test"])


def _evidence_row(each: MeasureComparison, evidence: Evidence) -> list[Text | str]:
    size = evidence.effect_size
    return [
        each.name,
        numbers.change(each.change, each.unit),
        numbers.interval(*(evidence.interval or (None, None))),
        numbers.NOTHING if size is None else f"{size:+.2f}",
        numbers.value(evidence.detectable, each.unit),
        f"{evidence.test}, exact" if evidence.exact else evidence.test,
    ]


def _notes(comparison: Comparison) -> list[str]:
    said = " ".join(reason.message for reason in comparison.reasons)
    notes = [(each.name, note) for each in comparison.measures for note in each.notes]
    gated = [] if comparison.gated else ["no measure is gated: this comparison cannot fail"]
    return gated + [f"{name}: {note}" for name, note in notes if note not in said]


def _regressed(comparison: Comparison) -> Table:
    rows = [
        (
            shorten(query.id),
            numbers.value(query.baseline),
            numbers.value(query.candidate),
            numbers.change(query.delta),
        )
        for query in comparison.most_regressed
    ]
    title = f"Most regressed queries ({comparison.primary})"
    return Table.of(("query", "baseline", "candidate", "change"), rows, title)


def _more(comparison: Comparison) -> str:
    """Say how many queries got worse beyond those that are listed."""
    shown = len(comparison.most_regressed)
    more = comparison.counts.worse - shown
    return f"and {more:,} more" if shown and more > 0 else ""
