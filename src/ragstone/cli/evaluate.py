"""`ragstone evaluate`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from ragstone.cli.calibrations import calibration_options, fitting, read_calibrations
from ragstone.cli.encoder_options import (
    accept_model_option,
    check_model,
    encoder_config_option,
    encoder_from,
    encoder_option,
    offline_option,
)
from ragstone.cli.estimate import print_estimate
from ragstone.cli.evaluate_judge import (
    Asking,
    asking,
    check_judging,
    finished,
    judge,
    judge_options,
)
from ragstone.cli.floors import hold_floors
from ragstone.cli.log import log
from ragstone.cli.options import (
    floor_option,
    format_option,
    global_options,
    max_failed_option,
    max_not_applicable_option,
    not_empty,
    out_option,
    printed,
    qrels_format_option,
    refuse_two_inputs_from_stdin,
    rows_option,
    samples_format_option,
    top_option,
)
from ragstone.cli.output import Inputs, deliver, error_report, print_report, users_code
from ragstone.errors import UsageError

if TYPE_CHECKING:
    from ragstone.answers import Evaluation, NliSupport, Options
    from ragstone.gate import Reason
    from ragstone.model import Qrels
    from ragstone.model.samples import Sample
    from ragstone.reports import Report
    from ragstone.reports.renderers.page import Page

EXAMPLES = """\
\b
Examples:
  ragstone evaluate --samples samples.jsonl --format table
  ragstone evaluate --samples samples.jsonl --out evaluate.json
  ragstone evaluate --samples samples.jsonl --measure token_f1 \\
    --measure support --measure latency_ms:p95 \\
    --floor support=0.6 --floor latency_ms:p95=1200
  ragstone evaluate --samples samples.jsonl --qrels qrels.tsv --k 10 \\
    --prices prices.toml --out evaluate.json
  ragstone evaluate --samples ragas.json --measure answer_similarity \\
    --encoder st:intfloat/multilingual-e5-small --cache vectors.db
  ragstone evaluate --samples samples.jsonl --judge judge.toml --estimate
  ragstone evaluate --samples samples.jsonl --judge judge.toml \\
    --cache judge.db --max-cost 5 --out evaluate.json
  ragstone evaluate --samples samples.jsonl --judge judge.toml \\
    --rubric polite.toml --measure faithfulness --out evaluate.json
  ragstone evaluate --samples samples.jsonl --judge judge.toml \\
    --cache judge.db --offline --out evaluate.json
"""
FILES = ("qrels", "prices", "abstention_patterns", "profanity", "encoder_config")
LISTS = {"judge": "judges", "rubric": "rubrics", "calibration": "calibrations"}
"""Roles of which there may be several files, and the options that name them."""


@click.command(epilog=EXAMPLES)
@click.option(
    "--samples",
    metavar="FILE",
    callback=not_empty,
    help="Questions with contexts, answers, references and operations data, JSON lines as "
    "run-pipeline writes them, or a file of another tool; `-` is standard input.",
)
@samples_format_option
@click.option(
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="A measure to compute instead of all that the samples have the fields for, as in "
    "token_f1, nDCG@10, latency_ms:p95. chrF and BLEU are computed only so. Repeatable.",
)
@click.option(
    "--qrels",
    metavar="FILE",
    callback=not_empty,
    help="Relevance judgments of the contexts' ids; by default the samples' reference_contexts "
    "that have ids.",
)
@qrels_format_option
@click.option(
    "--k",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    metavar="N",
    help="Cutoff of the six measures of retrieval.",
)
@click.option(
    "--tokenizer",
    default="auto",
    show_default=True,
    metavar="NAME",
    help="What token measures and ROUGE count. auto follows the language: words as SQuAD has "
    "them, pairs of syllables in Korean, letters in Chinese and Japanese. Or one for all texts: "
    "words, whitespace, chars, chars:3, kiwi, nltk, porter.",
)
@click.option(
    "--korean",
    type=click.Choice(["pairs", "kiwi"]),
    default="pairs",
    show_default=True,
    help="What auto splits Korean by: pairs of syllables, or morphemes (extra `korean`).",
)
@click.option(
    "--context-method",
    default="rouge1",
    show_default=True,
    metavar="NAME",
    help="How context_precision and context_recall match texts; a method of `ragstone match`.",
)
@click.option(
    "--context-threshold",
    type=click.FloatRange(0, 1),
    metavar="T",
    help="The least similarity of such a match.  [default: the method's, 0.5 of rouge]",
)
@click.option(
    "--abstention-patterns",
    metavar="FILE",
    callback=not_empty,
    help="More patterns of answers that say that there is none: a regular expression a line.",
)
@click.option(
    "--profanity",
    metavar="FILE",
    callback=not_empty,
    help="Words or phrases that no answer should have, one a line; computes `profanity`.",
)
@click.option(
    "--nli",
    metavar="module:attribute",
    callback=not_empty,
    help="A function from pairs (premise, hypothesis) to numbers from 0 to 1; computes "
    "`nli_support`. The code is imported and run.",
)
@encoder_option
@encoder_config_option
@judge_options
@offline_option
@accept_model_option
@click.option(
    "--prices",
    metavar="FILE",
    callback=not_empty,
    help="US dollars for a million tokens of each model, TOML or JSON; wins over the public list.",
)
@click.option("--count-warm-up", is_flag=True, help="Count the latency of the first call too.")
@floor_option
@calibration_options
@max_failed_option(
    "How many samples may have failed, or failed to be measured; beyond, exit code 5."
)
@max_not_applicable_option(
    "How many items may be without latency, tokens or cost; beyond, exit code 5.", "100%"
)
@out_option
@rows_option
@format_option("table", "json", "markdown")
@click.option("--per-item", is_flag=True, help="Print each item too, with table or markdown.")
@top_option("How many of the least supported and the least faithful answers are listed.", 5)
@click.option(
    "--redact",
    is_flag=True,
    help="Keep texts of the samples out of the report; ids, values and spans stay.",
)
@global_options()
def evaluate(
    *,
    samples: str | None,
    out: str | None,
    format_: str | None,
    per_item: bool,
    top: int,
    **options: Any,
) -> int:
    """Measure answers, and the retrieval and operations of the same samples, in one report.

    Without --measure, all is computed that the samples have the fields for, without any model; the
    report says what was left out and why. Every value is scored, not applicable or failed, with a
    reason, and means are over the scored. An item whose system failed has no value, and exit code 5
    says so unless --max-failed allows it. `ragstone compare` reads the report.
    """
    if samples is None:
        raise UsageError("--samples FILE is missing; see ragstone evaluate --help")
    paths = {"samples": samples, **{name: options[name] for name in FILES if options[name]}}
    several = {role: options[name] for role, name in LISTS.items() if options[name]}
    refuse_two_inputs_from_stdin(*paths.values(), *(each for x in several.values() for each in x))
    check_judging(options)
    shown, inputs = printed(format_, out), Inputs(**paths, **several)
    inputs.refuse_to_replace(out=out, cache=options["cache"])
    with error_report("evaluate", out, inputs):
        if per_item and shown == "json":
            raise UsageError("--per-item goes with --format table or markdown")
        if options["estimate"]:
            read, _ = _samples(inputs, samples, options["samples_format"])
            print_estimate(read, asking(inputs, options), format_, options)
            return 0
        with users_code():
            report, found = _evaluate(inputs, paths, out, options)
        deliver(report, out)
        finished(report, out, options)
    print_report(report, shown, lambda: _page(report, found, per_item, top))
    return report.exit_code


def _page(report: Report, found: Evaluation, per_item: bool, top: int) -> Page:
    from ragstone.reports.renderers.evaluate import page

    return page(report, found.scores, found.aggregates, per_item, top)


def _evaluate(
    inputs: Inputs, paths: Mapping[str, str], out: str | None, options: Mapping[str, Any]
) -> tuple[Report, Evaluation]:
    from ragstone.answers import evaluate as evaluate_samples
    from ragstone.answers.lacking import check_any_value
    from ragstone.answers.warnings import warnings
    from ragstone.cli.progress import progress
    from ragstone.reports.evaluate import build_evaluate

    samples, said = _samples(inputs, paths["samples"], options["samples_format"])
    asked = asking(inputs, options)
    qrels = _qrels(inputs, paths, options)
    told, of_encoder = _options(inputs, paths, options, samples)
    if asked.judges:
        _check(samples, asked, qrels, told, options)
    calibrations = read_calibrations(inputs, options["calibrations"])
    judged = judge(samples, asked, out, options)
    found = evaluate_samples(
        samples,
        asked.measures or None,
        qrels=qrels,
        judged=judged,
        options=told,
        progress=progress("samples"),
    )
    check_any_value(samples, found.scores, paths["samples"])
    named = {str(each.measure): None for each in found.aggregates if asked.measures}
    noticed = [*said, *warnings(found.scores.facts)]
    for line in noticed:
        log.warning(line)
    limits: tuple[str, str] = options["max_failed"], options["max_not_applicable"]
    report = build_evaluate(
        found,
        inputs.described(),
        warnings=[*noticed, *of_encoder],
        floors=hold_floors(
            found.scores,
            options["floors"],
            calibrations=fitting(calibrations, found.scores),
            min_kappa=options["min_kappa"],
        ),
        not_measured=_not_measured(found, limits, named),
        measures=named,
        rows=options["rows"],
        max_failed=limits[0],
        max_not_applicable=limits[1],
        redacted=options["redact"],
        judged=judged,
    )
    return report, found


def _check(
    samples: Sequence[Sample],
    asked: Asking,
    qrels: Qrels | None,
    told: Options,
    options: Mapping[str, Any],
) -> None:
    """Refuse what would be refused in the end, before a judge is paid for nothing."""
    from ragstone.answers import check_measures
    from ragstone.gate.options import read_floors
    from ragstone.gate.target import require
    from ragstone.measures import parse_aggregate
    from ragstone.reports.rows import parse_rows

    parse_rows(options["rows"], len(samples))
    floors = read_floors(options["floors"])
    if not asked.measures:
        return
    names = [each if isinstance(each, str) else each.measure for each in asked.judged(samples)]
    check_measures(samples, asked.measures, judged=names, qrels=qrels, options=told)
    measures = [parse_aggregate(name).measure for name in asked.measures]
    for target in floors:
        require("floor", target, measures, "the report")


def _samples(inputs: Inputs, path: str, format_: str) -> tuple[list[Sample], list[str]]:
    """Read the samples; return what is to be said of them, too."""
    from ragstone.formats.samples import open_samples

    opened = open_samples(inputs.open("samples", path), format_)
    samples = list(opened)
    return samples, opened.notes()


def _qrels(inputs: Inputs, paths: Mapping[str, str], options: Mapping[str, Any]) -> Qrels | None:
    from ragstone.formats import read_qrels

    if "qrels" not in paths:
        return None
    return read_qrels(inputs.open("qrels", paths["qrels"]), options["qrels_format"])


def _options(
    inputs: Inputs,
    paths: Mapping[str, str],
    options: Mapping[str, Any],
    samples: Sequence[Sample],
) -> tuple[Options, list[str]]:
    """Read the lists, the prices and the encoder; return what is to be said of the encoder, too."""
    from ragstone.answers import Options, read_abstentions, read_word_list
    from ragstone.formats.prices import read_prices

    opened = {name: inputs.open(name, paths[name]) for name in FILES[1:] if name in paths}
    config = opened.get("encoder_config")
    encoder = encoder_from({**options, "encoder_config": config and config.path})
    said = [] if encoder is None else check_model(encoder, _texts(samples), options).notes()
    patterns, listed = opened.get("abstention_patterns"), opened.get("profanity")
    return Options(
        tokenizer=options["tokenizer"],
        korean=options["korean"],
        abstentions=None if patterns is None else read_abstentions(patterns),
        profanity=None if listed is None else read_word_list(listed),
        encoder=encoder,
        support=_support(options["nli"]),
        context_method=options["context_method"],
        context_threshold=options["context_threshold"],
        k=options["k"],
        prices=read_prices(opened["prices"]) if "prices" in opened else None,
        count_warm_up=options["count_warm_up"],
        quotes=not options["redact"],
    ), said


def _texts(samples: Sequence[Sample]) -> list[str]:
    return [text for each in samples for text in (each.answer, each.query) if text]


def _support(name: str | None) -> NliSupport | None:
    if name is None:
        return None
    from ragstone.answers import NliSupport
    from ragstone.usercode import Spec, load

    return NliSupport(load(Spec("--nli", name)), name)


def _not_measured(
    found: Evaluation, limits: tuple[str, str], named: Collection[str]
) -> Sequence[Reason]:
    from ragstone.gate import check_measured
    from ragstone.measures import parse_measure

    asked = map(parse_measure, named)
    max_failed, max_not_applicable = limits
    return check_measured(
        found.scores, max_failed=max_failed, max_not_applicable=max_not_applicable, asked=asked
    )
