"""Options that several commands share, each with one meaning."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from ragstone.cli.log import log
from ragstone.errors import UsageError

F = TypeVar("F", bound=Callable[..., Any])


def global_options(*, hidden: bool = True) -> Callable[[F], F]:
    """Add --verbose, --quiet and --log-format; every command takes them, its help shows none."""

    def set_on_log(ctx: click.Context, param: click.Parameter, value: Any) -> None:  # noqa: ARG001
        if value not in (None, False):
            setattr(log, str(param.name), value)

    def decorate(command: F) -> F:
        for names, options in _GLOBAL:
            shared = dict(options, expose_value=False, callback=set_on_log, hidden=hidden)
            command = click.option(*names, is_eager=True, **shared)(command)
        return command

    return decorate


def heed_global_options(args: Sequence[str]) -> None:
    """Do what the global options say where the parser gave up before it came to them."""
    for word, value in zip(args, [*args[1:], ""], strict=True):
        name, equals, joined = word.partition("=")
        for names, options in _GLOBAL:
            if name not in names:
                continue
            if "type" not in options:
                setattr(log, names[-1], True)
            elif (chosen := joined if equals else value) in options["type"].choices:
                setattr(log, names[-1], chosen)


def stacked(*decorators: Callable[[F], F]) -> Callable[[F], F]:
    """Return one decorator for several, the first of them outermost: options in their order."""

    def decorate(command: F) -> F:
        for each in reversed(decorators):
            command = each(command)
        return command

    return decorate


def not_empty(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Refuse an empty name, which would be silently ignored: a variable that is not set."""
    if value == "":
        raise click.BadParameter("the name is empty; a path was expected", ctx, param)
    return value


def file_to_write(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Refuse also what would be taken for standard output."""
    if value == "-":
        raise click.BadParameter(
            "- is standard output, which has other uses here; name a file", ctx, param
        )
    return not_empty(ctx, param, value)


def chart_to_write(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Refuse a name whose suffix is no picture, and a missing library, before any work."""
    value = file_to_write(ctx, param, value)
    if value is not None:
        from ragstone.reports.charts import require

        require(value)
    return value


def corpus_to_write(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Refuse a name of a format that a corpus is not written in, before any work."""
    value = file_to_write(ctx, param, value)
    if value is not None:
        from ragstone.formats.corpus import check_name

        check_name(value)
    return value


def format_option(*choices: str) -> Callable[[F], F]:
    """Add --format: what is printed."""
    return click.option(
        "--format",
        "format_",
        type=click.Choice(choices),
        help="What is printed. By default json, and a table where --out is given.",
    )


out_option = click.option(
    "--out",
    metavar="FILE",
    callback=file_to_write,
    help="Write the report (JSON) to FILE, whole or not at all.",
)
chart_option = click.option(
    "--chart",
    metavar="FILE",
    callback=chart_to_write,
    help="Draw the measures to FILE, a .svg, .png or .html; by default no chart is drawn. Needs "
    "the extra `report`.",
)
floor_option = click.option(
    "--floor",
    "floors",
    multiple=True,
    metavar="MEASURE=LEVEL",
    help="Fail below this level, as in nDCG@10=0.6, or above it where lower is better, as in "
    "latency_ms:p95=1200. Repeatable.",
)
qrels_format_option = click.option(
    "--qrels-format",
    type=click.Choice(["auto", "trec", "beir", "jsonl"]),
    default="auto",
    show_default=True,
    help="Format of the judgments; auto tells it from the first line.",
)
run_format_option = click.option(
    "--run-format",
    type=click.Choice(["auto", "trec", "jsonl"]),
    default="auto",
    show_default=True,
    help="Format of the run; auto tells it from the first line.",
)
SAMPLES_FORMATS = ["otlp", "langsmith", "promptfoo", "ragchecker", "deepeval", "ragas", "jsonl"]
samples_format_option = click.option(
    "--samples-format",
    type=click.Choice(["auto", *SAMPLES_FORMATS]),
    default="auto",
    show_default=True,
    metavar="FORMAT",
    help=f"Format of the samples; auto tells it from the first rows. {', '.join(SAMPLES_FORMATS)}.",
)
rows_option = click.option(
    "--rows",
    metavar="all|none|failed|worst:N",
    help="Which items the report keeps. Asked for above 200,000 items; by default all.",
)
resume_option = click.option("--resume", is_flag=True, help="Continue a run that was broken off.")


def _number(
    flag: str, least: int, most: int | None, default: int | None, said: str
) -> Callable[[F], F]:
    return click.option(
        flag,
        type=click.IntRange(least, most),
        default=default,
        show_default=default is not None,
        metavar="N",
        help=said,
    )


def top_option(said: str, default: int = 10) -> Callable[[F], F]:
    """Add --top: how many of something a page lists."""
    return _number("--top", 0, None, default, said)


def seed_option(said: str, default: int = 0) -> Callable[[F], F]:
    """Add --seed, of whatever is random."""
    return _number("--seed", 0, None, default, said)


def resamples_option(said: str) -> Callable[[F], F]:
    """Add --resamples, of the bootstrap."""
    return _number("--resamples", 1, 1_000_000, 2_000, said)


def max_records_option(said: str) -> Callable[[F], F]:
    """Add --max-records: how much of a corpus is read."""
    return _number("--max-records", 1, None, None, said)


def workers_option(said: str) -> Callable[[F], F]:
    """Add --workers: the processes that read."""
    return _number("--workers", 1, 256, 1, said)


def max_failed_option(said: str) -> Callable[[F], F]:
    """Add --max-failed: how much may be without a value by a failure."""
    return _share("--max-failed", "0", said)


def max_not_applicable_option(said: str, default: str = "0") -> Callable[[F], F]:
    """Add --max-not-applicable: how much may be without a value that there cannot be."""
    return _share("--max-not-applicable", default, said)


def _share(flag: str, default: str, said: str) -> Callable[[F], F]:
    return click.option(
        flag,
        default=default,
        show_default=True,
        metavar="N|N%",
        callback=count_or_share,
        help=said,
    )


def count_or_share(ctx: click.Context, param: click.Parameter, value: str) -> str:  # noqa: ARG001
    """Refuse what is neither a count nor a share, by the name of the flag."""
    if value != param.default:
        from ragstone.gate import Allowance

        Allowance.of(value, param.opts[0])
    return value


def finite(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:
    """Refuse the infinities and what is no number, which a range lets through."""
    if value is not None and not math.isfinite(value):
        raise click.BadParameter(f"{value} is not a finite number", ctx, param)
    return value


def printed(format_: str | None, out: str | None) -> str:
    """Return the format to print: as told, else json, or a table beside a file."""
    return format_ or ("table" if out else "json")


def given(name: str) -> bool:
    """Tell whether a parameter of the command that runs stands on its command line."""
    source = click.get_current_context().get_parameter_source(name)
    return source is ParameterSource.COMMANDLINE


def flag_of(name: str) -> str:
    """Return the flag of a parameter of the command that runs, as a user writes it."""
    command = click.get_current_context().command
    flags = next(each.opts for each in command.params if each.name == name)
    return max(flags, key=len)


def refuse_given(names: Iterable[str], why: str) -> None:
    """Raise UsageError for a parameter that does nothing here: its user believes that it counts.

    why: what it does nothing with, as in "with --method exact".
    """
    for name in names:
        if given(name):
            raise UsageError(f"{flag_of(name)} does nothing {why}; leave one of them out")


def refuse_two_inputs_from_stdin(*paths: str) -> None:
    """Raise UsageError where standard input is named more than once."""
    if sum(path == "-" for path in paths) > 1:
        raise UsageError("standard input (-) can be one input only")


_GLOBAL: list[tuple[tuple[str, ...], dict[str, Any]]] = [
    (
        ("--log-format", "log_format"),
        {"type": click.Choice(["text", "json"]), "help": "How messages are written to stderr."},
    ),
    (("-q", "--quiet", "quiet"), {"is_flag": True, "help": "Print errors only to stderr."}),
    (("-v", "--verbose", "verbose"), {"is_flag": True, "help": "Show the traceback of an error."}),
]
