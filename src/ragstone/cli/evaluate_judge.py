"""The judge of `ragstone evaluate`: its options, what it will cost, and what it found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ragstone.cli.journal import GO_ON, kept, opened
from ragstone.cli.log import log
from ragstone.cli.options import (
    file_to_write,
    finite,
    flag_of,
    given,
    refuse_given,
    resume_option,
    stacked,
)
from ragstone.errors import EndpointError, UsageError

if TYPE_CHECKING:
    from ragstone.cli.output import Inputs
    from ragstone.judge import Judge, JudgeConfig, Judged, Rubric
    from ragstone.model.samples import Sample
    from ragstone.reports import Report
    from ragstone.store import Cache, Journal


class Asking(NamedTuple):
    """What the files of --judge and --rubric say.

    measures: what is to be computed, rubrics too; nothing where none was named.
    """

    judges: list[JudgeConfig]
    rubrics: list[Rubric]
    measures: list[str]

    def judged(self, samples: Sequence[Sample]) -> list[str | Rubric]:
        """Return what the judges are to compute; raises UsageError where that is nothing."""
        return judged_measures(self.measures, samples, self.rubrics)


NEEDS: Mapping[str, tuple[str, ...]] = {
    "faithfulness": ("answer", "context texts"),
    "answer_relevance": ("query", "answer"),
    "coherence": ("answer",),
    "toxicity": ("answer",),
    "answer_correctness": ("answer", "reference"),
    "claim_precision": ("answer", "reference"),
    "claim_recall": ("answer", "reference"),
    "judged_nugget_recall": ("answer", "nuggets"),
    "context_relevance": ("query", "context texts"),
}
"""The fields that each judged measure takes from a sample."""

JUDGED = "what was judged is"

judge_options = stacked(
    click.option(
        "--judge",
        "judges",
        multiple=True,
        metavar="FILE",
        help="TOML that names a model and its endpoint (docs/judge.md); texts of the samples are "
        "sent there. Computes faithfulness and other judged measures. Repeatable: several judges.",
    ),
    click.option(
        "--rubric",
        "rubrics",
        multiple=True,
        metavar="FILE",
        help="TOML with a question of yours and a scale (docs/judge.md), as in polite.toml; the "
        "judge answers it for each sample, beside what --measure names. Computes rubric.NAME. "
        "Repeatable.",
    ),
    click.option(
        "--repeat",
        type=click.IntRange(min=1),
        default=1,
        show_default=True,
        metavar="N",
        help="How often a judge is asked for each value; shows how far it disagrees with itself.",
    ),
    click.option(
        "--estimate",
        is_flag=True,
        help="Print the calls, tokens and cost that a judge would take, ask nothing, and stop; a "
        "table, or with --format json what a program can read.",
    ),
    click.option(
        "--max-cost",
        type=click.FloatRange(min=0),
        metavar="USD",
        callback=finite,
        help="The most that judging may cost; at it the run stops, exit code 5. 0: nothing may be "
        "spent, and the cache alone answers.",
    ),
    click.option(
        "--cache",
        metavar="FILE",
        callback=file_to_write,
        help="Keep vectors and what judges say in FILE (SQLite), and take from it what it has.",
    ),
    resume_option,
)


def check_judging(options: Mapping[str, Any]) -> None:
    """Refuse options that do nothing without a judge or an encoder, and --offline without --cache.

    Raises UsageError.
    """
    encoder = options["encoder"] or options["encoder_config"]
    if not options["judges"]:
        _need(("rubrics", "repeat", "estimate", "max_cost", "resume"), "--judge FILE")
        if not encoder:
            _need(("cache", "offline"), "--judge FILE or --encoder MODEL")
    elif options["offline"] and options["cache"] is None:
        raise UsageError("--offline takes the judge's answers from a cache; name it with --cache")
    if not encoder:
        _need(("accept_model",), "--encoder MODEL")
    if options["estimate"]:
        refuse_given(("out",), "with --estimate, which writes no report")


def _need(names: Sequence[str], what: str) -> None:
    for name in filter(given, names):
        raise UsageError(f"{flag_of(name)} goes with {what}")


def asking(inputs: Inputs, options: Mapping[str, Any]) -> Asking:
    """Open and read the files of judges and rubrics; raises FormatError, and UsageError."""
    if not options["judges"]:  # and no rubric, which goes with a judge
        return Asking([], [], _with_rubrics(options["measures"], []))
    from ragstone.judge import read_judge, read_rubric

    judges = [read_judge(source) for source in inputs.open_several("judge", options["judges"])]
    rubrics = [read_rubric(source) for source in inputs.open_several("rubric", options["rubrics"])]
    return Asking(judges, rubrics, _with_rubrics(options["measures"], rubrics))


def _with_rubrics(names: Sequence[str], rubrics: Sequence[Rubric]) -> list[str]:
    """Return what was named and the rubrics; nothing where none was named.

    Raises UsageError for the measure of a rubric that there is no file of.
    """
    from ragstone.measures import parse_aggregate
    from ragstone.measures.judged import is_rubric

    asked = {str(parse_aggregate(name).measure) for name in names}
    known = {rubric.measure: None for rubric in rubrics}
    for name in sorted(asked):
        if is_rubric(name) and name not in known:
            given = f"those of --rubric are {', '.join(known)}" if known else "none was given"
            raise UsageError(f"{name} is asked by a rubric, --rubric FILE; {given}")
    return [*names, *(name for name in known if name not in asked)] if names else []


def judged_measures(
    names: Sequence[str], samples: Sequence[Sample], rubrics: Sequence[Rubric] = ()
) -> list[str | Rubric]:
    """Return rubrics, and those of the named measures that a judge computes; or all that fit.

    A measure fits where some sample that did not fail has its fields. Raises UsageError where
    there is none.
    """
    from ragstone.answers.kernels import PRESENT
    from ragstone.measures import parse_aggregate

    if names:
        asked = dict.fromkeys(str(parse_aggregate(name).measure) for name in names)
        found = [name for name in asked if name in NEEDS]
        if not found and not rubrics:
            raise UsageError(
                f"--judge: no measure that was named is judged; {', '.join(NEEDS)} are"
            )
        return [*found, *rubrics]
    working = [each for each in samples if each.error is None]
    found = [
        name
        for name, needs in NEEDS.items()
        if any(all(PRESENT[need](sample) for need in needs) for sample in working)
    ]
    if not found and not rubrics:
        raise UsageError("--judge: no sample has the fields that a judged measure takes")
    return [*found, *rubrics]


def judge(
    samples: Sequence[Sample], asked: Asking, out: str | None, options: Mapping[str, Any]
) -> Judged | None:
    """Have the samples judged; None where no judge is named.

    With --out a journal beside it keeps what is done. Raises EndpointError where the endpoint ended
    the run.
    """
    if not asked.judges:
        return None
    from ragstone.cli.output import users_code
    from ragstone.cli.progress import progress
    from ragstone.judge import Plan, judge_samples, open_judges

    measures = asked.judged(samples)
    with users_code():
        judges = open_judges(asked.judges, unasked=options["offline"])
    plan = Plan.of(samples, measures, repeat=options["repeat"])
    with cache_of(options, read_only=options["offline"]) as cache:
        journal = _journal(plan, judges, out, options)
        with _keeping(journal), users_code():
            judged = judge_samples(
                samples,
                measures,
                judges,
                repeat=options["repeat"],
                cache=cache,
                offline=options["offline"],
                journal=journal,
                max_cost_usd=options["max_cost"],
                redact=options["redact"],
                progress=progress("verdicts"),
                notice=log.note,
            )
    return _ended(judged, journal)


def finished(report: Report, out: str | None, options: Mapping[str, Any]) -> None:
    """Take the journal away, now that the report is in place, unless values are missing.

    They are after a stop, and where items failed for want of an answer; then say how to go on.
    """
    from pathlib import Path

    judging = report.details.judging
    if judging is None or judging.stop is not None or options["offline"]:
        return
    failed = bool(judging.failures) and report.exit_code != 0
    if failed:
        log.note(_again(out, options["cache"]))
    if out is not None and (options["cache"] or not failed):
        Path(f"{out}.journal").unlink(missing_ok=True)


def _again(out: str | None, cache: str | None) -> str:
    """Say how to ask for what failed, and for nothing else."""
    if cache is not None:
        return f"{cache} has what was judged: the same command asks for what failed only"
    if out is None:
        return "nothing of this is kept: with --cache FILE a second run asks for what failed only"
    return (
        f"what was judged is kept in {out}.journal: the same command with --resume asks for what "
        "failed only"
    )


@contextmanager
def cache_of(options: Mapping[str, Any], *, read_only: bool) -> Iterator[Cache | None]:
    """Open the file of --cache; None where none is named, or an estimate would have to make it."""
    from pathlib import Path

    from ragstone.store import Cache

    path = options["cache"]
    if path is None or (options["estimate"] and not Path(path).exists()):
        yield None
        return
    with Cache(path, read_only=read_only) as cache:
        yield cache


def _journal(
    plan: Any, judges: Sequence[Judge], out: str | None, options: Mapping[str, Any]
) -> Journal | None:
    if out in (None, "-"):
        if options["resume"]:
            raise UsageError("--resume goes with --out FILE; the journal is FILE.journal")
        return None
    if options["offline"]:
        return None
    header = {**plan.identity(judges), "redact": options["redact"]}
    return opened(f"{out}.journal", header, resume=options["resume"])


def _keeping(journal: Journal | None) -> AbstractContextManager[None]:
    return nullcontext() if journal is None else kept(journal, lambda: JUDGED, "nothing was judged")


def _ended(judged: Judged, journal: Journal | None) -> Judged:
    """Return it unless the endpoint ended the run; say, even to who wants errors only, of a cap."""
    stop = judged.stop
    if stop is None:
        return judged
    if journal is not None and journal.done:
        log.note(f"{JUDGED} kept in {journal.path}: {GO_ON}")
    if stop.exit_code == 2:
        raise EndpointError(f"{stop.judge}: {stop.message}", reason=stop.reason)
    log.error(f"judging stopped: {stop.message}")
    return judged
