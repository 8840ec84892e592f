"""`ragstone match --method spans`: golds that are places in documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from ragstone.cli.options import refuse_given, stacked

if TYPE_CHECKING:
    from ragstone.cli.output import Inputs
    from ragstone.formats.gold import Texts
    from ragstone.matching import Matches
    from ragstone.measures import Measure

SPANS = "spans"


span_options = stacked(
    click.option(
        "--corpus",
        multiple=True,
        metavar="FILE",
        help="With --method spans: the source documents, in which texts without a place are looked "
        "up, and golds are checked. JSON lines, Parquet, folders and patterns. Repeatable.",
    ),
    click.option(
        "--min-coverage",
        type=click.FloatRange(0, 1, min_open=True),
        metavar="SHARE",
        help="With --method spans: a gold is found where the first chunks cover so much of it."
        "  [default: 0.5]",
    ),
)
"""--corpus and --min-coverage, which are for --method spans."""


def check_span_options(options: Mapping[str, Any]) -> None:
    """Raise UsageError for an option of places without them, and for one that has no meaning."""
    if options["method"] != SPANS:
        refuse_given(("corpus", "min_coverage"), f"with --method {options['method']}")
        return
    refuse_given(("assignment", "gain"), "with --method spans")
    refuse_given(("threshold",), "with --method spans, where --min-coverage says what is found")


def usual_measures(options: Mapping[str, Any]) -> list[Measure] | None:
    """Return the measures where none is named: of places, those of places before the seven."""
    if options["method"] != SPANS:
        return None
    from ragstone.matching import default_measures, span_measures

    return [*span_measures(options["ks"]), *default_measures(options["ks"])]


def span_matches(
    inputs: Inputs, gold: Texts, retrieved: Texts, options: Mapping[str, Any]
) -> Matches:
    """Compare places; look up in the corpus what has none."""
    from ragstone.cli.progress import byte_progress
    from ragstone.matching import match_spans
    from ragstone.matching.spans import MIN_COVERAGE

    paths = options["corpus"]
    return match_spans(
        gold.passages,
        retrieved.passages,
        inputs.open_corpus("corpus", paths) if paths else None,
        min_coverage=options["min_coverage"] or MIN_COVERAGE,
        facts={**gold.facts, **retrieved.facts},
        progress=byte_progress("corpus"),
    )
