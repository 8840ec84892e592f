"""`ragstone match`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ragstone.cli.encoder_options import OF_ENCODERS, check_model, encoder_from, encoder_options
from ragstone.cli.floors import hold_floors
from ragstone.cli.log import log
from ragstone.cli.match_options import numbers_of_k, thresholds
from ragstone.cli.match_spans import (
    SPANS,
    check_span_options,
    span_matches,
    span_options,
    usual_measures,
)
from ragstone.cli.options import (
    chart_option,
    chart_to_write,
    floor_option,
    format_option,
    global_options,
    out_option,
    printed,
    refuse_given,
    refuse_two_inputs_from_stdin,
    rows_option,
    top_option,
)
from ragstone.cli.output import Inputs, deliver, error_report, print_report, users_code
from ragstone.errors import UsageError

if TYPE_CHECKING:
    from ragstone.matching import Matches, Method, SweepPoint
    from ragstone.measures import Aggregate
    from ragstone.model import Scores
    from ragstone.reports import Report
    from ragstone.reports.renderers.page import Page

EXAMPLES = """\
\b
Examples:
  ragstone match --gold gold.jsonl --retrieved retrieved.jsonl
  ragstone match --texts ragas.jsonl --method rougeL --threshold 0.6 \\
    --k 1,5,10 --out match.json
  ragstone match --gold gold.jsonl --retrieved retrieved.jsonl \\
    --tokenizer kiwi --sweep 0.3:0.9:0.1 --format table
  ragstone match --gold gold.jsonl --retrieved retrieved.jsonl \\
    --method embedding --encoder st:intfloat/multilingual-e5-small \\
    --cache vectors.db --floor R@5=0.8
  ragstone match --gold places.jsonl --retrieved chunks.jsonl \\
    --method spans --corpus documents.jsonl --k 1,5
"""
OF_SOME_METHODS = {
    "tokenizer": "tokenizer",
    "rouge_score": "rouge_score",
    "ngram": "ngram",
    "embedding_threshold": "embedding_threshold",
    **dict.fromkeys(OF_ENCODERS, "encoder"),
}
"""Options that not every method has, and the field of its signature that says that it does."""


class Done(NamedTuple):
    """What a matching gave, for all that is written and drawn of it."""

    matches: Matches
    report: Report
    scores: Scores
    aggregates: list[Aggregate]


@click.command(epilog=EXAMPLES)
@click.option(
    "--gold",
    metavar="FILE",
    help='Gold texts, JSON lines: {"id": "q1", "gold": ["a text", {"id": "g2", "text": "..."}]}. '
    "Names of ragas and Krag are understood. `-` is standard input.",
)
@click.option(
    "--retrieved",
    metavar="FILE",
    help='Retrieved texts, best first: {"id": "q1", "retrieved": ["...", ...]}, as '
    "run-retriever --keep-text writes them.",
)
@click.option("--texts", metavar="FILE", help="One file whose rows have both.")
@click.option(
    "--method",
    default="rouge1",
    show_default=True,
    metavar="NAME",
    help="What makes two texts similar: exact, contains, containment, rouge1, rouge2, rougeL, "
    "rougeLsum, embedding, embedding+rouge (or embedding+rougeL, ...); or spans: gold texts are "
    "places in documents, and found by what the retrieved chunks cover of them.",
)
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1),
    metavar="T",
    help="The least similarity of a match.  [default: 0.5 of rouge, 0.7 of embedding, 0.8 of "
    "containment; exact and contains have none]",
)
@click.option(
    "--sweep",
    callback=thresholds,
    metavar="FROM:TO:STEP",
    help="Print every measure over thresholds too, as in 0.5:0.95:0.05; texts are compared once.",
)
@click.option(
    "--tokenizer",
    default="words",
    show_default=True,
    metavar="NAME",
    help="What rouge, contains and containment count: words (Unicode), whitespace, chars, chars:3, "
    "kiwi (Korean morphemes), nltk, porter (English stems).",
)
@click.option(
    "--rouge-score",
    type=click.Choice(["f", "precision", "recall"]),
    default="f",
    show_default=True,
    help="Which number of ROUGE is the similarity; recall is the share of the gold text.",
)
@click.option(
    "--ngram",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    metavar="N",
    help="Tokens in a row that containment compares.",
)
@click.option(
    "--embedding-threshold",
    type=click.FloatRange(0, 1),
    default=0.7,
    show_default=True,
    metavar="T",
    help="The cosine from which embedding+rouge looks at ROUGE.",
)
@span_options
@encoder_options
@click.option(
    "--assignment",
    type=click.Choice(["greedy", "optimal", "free"]),
    default="greedy",
    show_default=True,
    help="Which pairs count: each text once, in the order of ranks (greedy) or so that the most "
    "match (optimal); or all, as Krag counts (free), where values can exceed 1.",
)
@click.option(
    "--gain",
    type=click.Choice(["binary", "similarity"]),
    default="binary",
    show_default=True,
    help="What a match is worth in nDCG.",
)
@click.option(
    "--k",
    "ks",
    default="5",
    show_default=True,
    callback=numbers_of_k,
    metavar="N[,N...]",
    help="Cutoffs of the seven measures: recall, precision, F1, nDCG, RR, AP and success.",
)
@click.option(
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="A measure to compute instead of the seven, as in nDCG@10, AP, R@5:micro. Repeatable.",
)
@click.option(
    "--average",
    type=click.Choice(["macro", "micro", "both"]),
    default="macro",
    show_default=True,
    help="Recall, precision and F1 as the mean over queries, over all texts together, or both.",
)
@click.option(
    "--criteria",
    type=click.Choice(["partial", "all"]),
    default="partial",
    show_default=True,
    help="What success (hit rate) asks for: any gold text of a query, or all of them.",
)
@floor_option
@out_option
@rows_option
@chart_option
@click.option(
    "--histogram",
    metavar="FILE",
    callback=chart_to_write,
    help="Draw how similar the pairs are, those that match and the others, to FILE, a .svg, .png "
    "or .html. Needs the extra `report`.",
)
@format_option("table", "json", "markdown")
@click.option("--per-query", is_flag=True, help="Print each query too, with table or markdown.")
@top_option("How many gold texts that were not found are listed.")
@global_options()
def match(
    *,
    gold: str | None,
    retrieved: str | None,
    texts: str | None,
    out: str | None,
    chart: str | None,
    histogram: str | None,
    format_: str | None,
    per_query: bool,
    top: int,
    **options: Any,
) -> int:
    """Score retrieval without ids: decide which retrieved text is which gold text.

    Each retrieved text counts for one gold text at most, and each gold text once; only in contains
    and containment can a text hold several. Then everything is as in `score`: the measures, the
    floors, and the report that `ragstone compare` reads. The report lists each pair with its
    similarity, the gold texts not found, and the retrieved texts that matched nothing.
    """
    paths = _paths(gold, retrieved, texts)
    refuse_two_inputs_from_stdin(*paths.values(), *options["corpus"])
    corpus = {"corpus": options["corpus"]} if options["corpus"] else {}
    shown, inputs = printed(format_, out), Inputs(**paths, **corpus)
    inputs.refuse_to_replace(out=out, chart=chart, histogram=histogram)
    with error_report("match", out, inputs):
        if per_query and shown == "json":
            raise UsageError("--per-query goes with --format table or markdown")
        check_span_options(options)
        with users_code():
            done = _match(inputs, paths, options)
        deliver(done.report, out)
    _draw(done, chart, histogram)
    print_report(done.report, shown, lambda: _page(done, per_query, top))
    return done.report.exit_code


def _paths(gold: str | None, retrieved: str | None, texts: str | None) -> dict[str, str]:
    """Return the path of each role; a lone --gold has both."""
    if texts is not None:
        if gold is not None or retrieved is not None:
            raise UsageError("--texts has both; give it alone, or --gold and --retrieved")
        return {"texts": texts}
    if gold is None:
        raise UsageError(
            "--gold FILE and --retrieved FILE are needed, or --texts FILE with both; "
            "see ragstone match --help"
        )
    return {"texts": gold} if retrieved in {None, gold} else {"gold": gold, "retrieved": retrieved}


def _match(inputs: Inputs, paths: Mapping[str, str], options: Mapping[str, Any]) -> Done:
    from ragstone.matching import as_aggregates, warnings
    from ragstone.reports.match import build_match

    aggregates = as_aggregates(
        options["measures"] or usual_measures(options),
        options["ks"],
        average=options["average"],
        criteria=options["criteria"],
    )
    matches, said = _matches(inputs, paths, options)
    assignments = matches.assignments()
    scores = matches.scores(aggregates, assignments=assignments)
    found = [*said, *warnings(scores.facts)]
    for line in found[len(said) :]:
        log.warning(line)
    report = build_match(
        matches,
        scores,
        inputs.described(),
        assignments=assignments,
        aggregates=aggregates,
        warnings=found,
        floors=hold_floors(scores, options["floors"]),
        rows=options["rows"],
        sweep=_swept(matches, options["sweep"], aggregates),
    )
    return Done(matches, report, scores, aggregates)


def _matches(
    inputs: Inputs, paths: Mapping[str, str], options: Mapping[str, Any]
) -> tuple[Matches, list[str]]:
    """Compare the texts; return what is to be said of the encoder, too."""
    from ragstone.formats.gold import read_texts
    from ragstone.matching import match_texts
    from ragstone.matching.spans import SpanMethod

    sources = {role: inputs.open(role, path) for role, path in paths.items()}
    gold = read_texts(sources.get("gold") or sources["texts"], "gold")
    retrieved = read_texts(sources.get("retrieved") or sources["texts"], "retrieved")
    if options["method"] == SPANS:
        _refuse_options_of_others(SpanMethod(), SPANS)
        return span_matches(inputs, gold, retrieved, options), []
    method, said = _method(options, [gold.passages, retrieved.passages])
    matches = match_texts(
        gold.passages,
        retrieved.passages,
        method,
        threshold=options["threshold"],
        assignment=options["assignment"],
        gain=options["gain"],
        facts={**gold.facts, **retrieved.facts},
    )
    return matches, said


def _method(
    options: Mapping[str, Any], texts: Sequence[Mapping[str, Any]]
) -> tuple[Method, list[str]]:
    """Make the method, its encoder tried with the languages of the texts."""
    from ragstone.matching import Options, make_method

    named = options["encoder"] or options["encoder_config"]
    encoder = encoder_from(options) if named else None
    method = make_method(
        options["method"],
        Options(
            tokenizer=options["tokenizer"],
            rouge_score=options["rouge_score"],
            ngram=options["ngram"],
            encoder=encoder,
            embedding_threshold=options["embedding_threshold"],
        ),
    )
    _refuse_options_of_others(method, options["method"])
    if encoder is None:
        return method, []
    every = [each.text for role in texts for query in role.values() for each in query]
    return method, check_model(encoder, every, options).notes()


def _refuse_options_of_others(method: Method, name: str) -> None:
    others = [each for each, field in OF_SOME_METHODS.items() if field not in method.signature]
    refuse_given(others, f"with --method {name}")


def _swept(
    matches: Matches, points: Sequence[float], aggregates: Sequence[Aggregate]
) -> list[SweepPoint]:
    return matches.sweep(points, aggregates) if points else []


def _page(done: Done, per_query: bool, top: int) -> Page:
    from ragstone.reports.renderers.match import page

    return page(done.report, done.scores, done.aggregates, per_query, top)


def _draw(done: Done, chart: str | None, histogram: str | None) -> None:
    if not (chart or histogram):
        return
    from ragstone.reports import match_chart
    from ragstone.reports.charts import save

    if chart:
        save(match_chart.chart_of_match(done.report, done.scores, done.aggregates), chart)
    if histogram:
        save(match_chart.histogram_of_match(done.report, done.scores, done.matches), histogram)
