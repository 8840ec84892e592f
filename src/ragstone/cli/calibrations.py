"""The calibrations of a command that gates judged measures: its options, and what they name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import click

from ragstone.cli.log import log
from ragstone.cli.options import finite, stacked

if TYPE_CHECKING:
    from ragstone.cli.output import Inputs
    from ragstone.gate import Calibration
    from ragstone.model import Scores

calibration_options = stacked(
    click.option(
        "--calibration",
        "calibrations",
        multiple=True,
        metavar="FILE",
        help="A report of `ragstone calibrate`: how far a judge agrees with people. Repeatable; "
        "without one, what a judge measured is shown and cannot fail.",
    ),
    click.option(
        "--min-kappa",
        type=click.FloatRange(-1, 1),
        callback=finite,
        default=0.6,
        show_default=True,
        metavar="KAPPA",
        help="The kappa that a judge needs so that what it measured can fail.",
    ),
)


def read_calibrations(inputs: Inputs, paths: Sequence[str]) -> dict[str, list[Calibration]]:
    """Read what `ragstone calibrate` wrote, by file, and say what is of no use in it."""
    if not paths:
        return {}
    from ragstone.reports.calibrate import calibrations_of

    found: dict[str, list[Calibration]] = {}
    for path in paths:
        found[path], notes = calibrations_of(inputs.report("calibration", path))
        for note in notes:
            log.warning(note)
    return found


def fitting(found: Mapping[str, list[Calibration]], *scores: Scores) -> list[Calibration]:
    """Return what was read, and say of a file that is about no measure of the scores that it is."""
    if not found:
        return []
    from ragstone.gate import misfit

    for path, calibrations in found.items():
        if about := misfit(calibrations, *scores):
            log.warning(f"--calibration {path} is not used: it is {about}")
    return list(chain.from_iterable(found.values()))
