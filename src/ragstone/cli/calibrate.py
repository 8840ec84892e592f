"""`ragstone calibrate`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ragstone.cli.log import log
from ragstone.cli.options import (
    finite,
    format_option,
    global_options,
    out_option,
    printed,
    refuse_given,
    refuse_two_inputs_from_stdin,
    resamples_option,
    samples_format_option,
    seed_option,
    top_option,
)
from ragstone.cli.output import Inputs, deliver, error_report, print_report
from ragstone.errors import UsageError

if TYPE_CHECKING:
    from ragstone.judge.calibration_slices import Traits
    from ragstone.reports import Report
    from ragstone.reports.renderers.page import Page

T = TypeVar("T")

EXAMPLES = """\
\b
Examples:
  ragstone calibrate --labels human.jsonl --report main.json \\
    --threshold faithfulness=0.8 --format table
  ragstone calibrate --labels human.jsonl --report main.json \\
    --samples samples.jsonl --threshold 0.5 --min-kappa 0.6 \\
    --out calibration.json
  ragstone calibrate --labels preferred.jsonl --report main.json \\
    --second branch.json --measure token_f1 --tie 0.02 --format table
  ragstone compare --baseline main.json --candidate branch.json \\
    --calibration calibration.json
"""


@click.command(epilog=EXAMPLES)
@click.option(
    "--labels",
    required=True,
    metavar="FILE",
    help="What people said, JSON lines: id, measure, label (a number, true or false, or a word), "
    "and annotator where there are several. A preference has first and second in place of id.",
)
@click.option(
    "--report",
    "report_path",
    required=True,
    metavar="FILE",
    help="The report with the values, as `evaluate`, `score` or `match` write it.",
)
@click.option(
    "--second",
    metavar="FILE",
    help="The report of a second system, where labels say which of two answers people prefer. An "
    "id then stands for both answers. By default both are in --report.",
)
@click.option(
    "--samples",
    metavar="FILE",
    help="The answers, to look for bias by length, model family and language. By default by "
    "length alone, where the report has answer_length.",
)
@samples_format_option
@click.option(
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="The measure to look at. Repeatable; by default all that have labels.",
)
@click.option(
    "--threshold",
    "thresholds",
    multiple=True,
    metavar="[MEASURE=]VALUE",
    help="From which value on the measure says yes, as in faithfulness=0.8. Repeatable; by "
    "default values are taken as they are.",
)
@click.option(
    "--label-threshold",
    "label_thresholds",
    multiple=True,
    metavar="[MEASURE=]VALUE",
    help="From which label on people say yes, where labels are numbers, as in 4. Repeatable; by "
    "default true and 1 are yes.",
)
@click.option(
    "--scale",
    "scales",
    multiple=True,
    metavar="[MEASURE=]WORDS",
    help="What the words of labels stand for, as in coherence=bad:0,fair:1/2,good:1. Repeatable; "
    "by default the words that judged measures have.",
)
@click.option(
    "--tie",
    type=click.FloatRange(min=0),
    callback=finite,
    metavar="AMOUNT",
    default=1e-9,
    show_default="only equal values",
    help="How little two values may differ to be a tie, where labels are preferences.",
)
@click.option(
    "--weights",
    type=click.Choice(["none", "linear", "quadratic"]),
    default="none",
    show_default=True,
    help="Weights of the kappa that counts, for categories in order: a near miss is then less of "
    "a miss.",
)
@click.option(
    "--min-kappa",
    type=click.FloatRange(-1, 1),
    callback=finite,
    metavar="KAPPA",
    help="Fail below this kappa, as in 0.6. By default nothing is judged.",
)
@click.option(
    "--confidence",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    callback=finite,
    default=0.95,
    show_default=True,
    metavar="LEVEL",
    help="Confidence of the intervals.",
)
@resamples_option("Resamples of the bootstrap.")
@seed_option("Seed of the bootstrap.")
@top_option("How many disagreements are listed.")
@out_option
@format_option("table", "json", "markdown")
@global_options()
def calibrate(
    *,
    labels: str,
    report_path: str,
    second: str | None,
    samples: str | None,
    out: str | None,
    format_: str | None,
    **options: Any,
) -> int:
    """Compare a measure's values with labels of people.

    Says how far the two agree (kappa, AC1, balanced accuracy, correlation), how far people agree
    with each other, whether the measure leans, and what the mean would be if people had labelled
    everything. `compare --calibration` lets a judged measure fail a build once its kappa is high
    enough. Exit code 0: done; 4: below --min-kappa; 5: --min-kappa, but there is no kappa, or
    fewer than 10 items have a label.
    """
    given = {"labels": labels, "report": report_path, "second": second, "samples": samples}
    paths = {role: path for role, path in given.items() if path is not None}
    if second is not None:
        refuse_given(("thresholds", "label_thresholds", "scales"), "with --second, preferences")
    refuse_two_inputs_from_stdin(*paths.values())
    inputs = Inputs(**paths)
    inputs.refuse_to_replace(out=out)
    with error_report("calibrate", out, inputs):
        report = _calibrate(inputs, paths, **options)
        deliver(report, out)
    print_report(report, printed(format_, out), lambda: _page(report))
    return report.exit_code


def _calibrate(
    inputs: Inputs,
    paths: dict[str, str],
    *,
    thresholds: Sequence[str],
    label_thresholds: Sequence[str],
    scales: Sequence[str],
    samples_format: str,
    **options: Any,
) -> Report:
    from ragstone.formats.labels import read_labels
    from ragstone.judge.calibration import calibrate as compare_with_people
    from ragstone.judge.calibration_scale import parse_scale
    from ragstone.reports.calibrate import build_calibrate

    settings: dict[str, Any] = {
        "thresholds": by_measure("--threshold", thresholds, _number),
        "label_thresholds": by_measure("--label-threshold", label_thresholds, _number),
        "scales": by_measure("--scale", scales, parse_scale),
    }
    read = read_labels(inputs.open("labels", paths["labels"]))
    for line in read.notes():
        log.warning(line)
    scores = inputs.report("report", paths["report"]).scores
    other = inputs.report("second", paths["second"]).scores if "second" in paths else None
    traits = _traits(inputs, paths["samples"], samples_format) if "samples" in paths else None
    result = compare_with_people(scores, read, second=other, traits=traits, **settings, **options)
    return build_calibrate(result, inputs.described())


def _traits(inputs: Inputs, path: str, format_: str) -> Traits:
    from ragstone.formats.samples import read_samples
    from ragstone.judge.calibration_slices import traits_of

    return traits_of(read_samples(inputs.open("samples", path), format=format_))


def by_measure(flag: str, texts: Sequence[str], read: Callable[[str], T]) -> dict[str, T]:
    """Read `MEASURE=VALUE` or `VALUE`, which is for all measures and has the name ""."""
    found: dict[str, T] = {}
    for text in texts:
        name, _, value = text.rpartition("=")
        if name in found:
            raise UsageError(f"{flag} {text}: is given twice for {name or 'all measures'}")
        try:
            found[name] = read(value)
        except UsageError as error:
            raise UsageError(f"{flag} {text}: {error}") from None
    return found


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not abs(number) < 1e15:
        raise UsageError(f"{text!r} is not a number, as in 0.5")
    return number


def _page(report: Report) -> Page:
    from ragstone.reports.renderers.calibrate import page

    return page(report)
