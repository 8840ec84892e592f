"""The group of commands: what there is, without importing it."""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

import click

from ragstone.errors import did_you_mean, nearest


class Entry(NamedTuple):
    """A command's module in this package, and its line in `ragstone --help`."""

    module: str
    help: str


COMMANDS: dict[str, dict[str, Entry]] = {
    "Measure": {
        "score": Entry("score", "Score a retrieval run against relevance judgments."),
        "match": Entry("match", "Score retrieval without ids, by matching texts."),
        "evaluate": Entry("evaluate", "Measure answers, retrieval and operations of samples."),
        "calibrate": Entry("calibrate", "Compare a measure's values with labels of people."),
    },
    "Decide": {
        "compare": Entry("compare", "Compare two reports; fail when a measure got worse."),
    },
    "Produce": {
        "run-retriever": Entry("run_retriever", "Ask a live retriever every query; write its run."),
        "run-pipeline": Entry(
            "run_pipeline", "Ask a live pipeline every question; write its samples."
        ),
        "init": Entry("init", "Write a starter: retriever, judged queries, script, workflow."),
        "demo": Entry("demo", "Score and compare two retrievers on a built-in collection."),
    },
    "Files": {
        "leakage": Entry("leakage", "Find eval items whose texts stand in a corpus."),
        "overlap": Entry("overlap", "Find documents that stand in two corpora, or twice in one."),
        "anchor": Entry("anchor", "Make places of labels, which hold for every chunking."),
        "lint": Entry("lint", "Check queries, judgments and documents before they are used."),
        "convert": Entry("convert", "Convert qrels and runs between formats."),
        "validate-report": Entry("validate", "Check that a report holds what it says."),
    },
}
ENTRIES = {name: entry for group in COMMANDS.values() for name, entry in group.items()}


class Commands(click.Group):
    """A group that imports a command when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names in the order of the help."""
        return list(ENTRIES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import one command; its object has the name of its module."""
        entry = ENTRIES.get(cmd_name)
        if entry is None:
            return None
        command: click.Command = getattr(
            import_module(f"ragstone.cli.{entry.module}"), entry.module
        )
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Answer an unknown command with the nearest ones."""
        name = args[0]
        if name not in ENTRIES and not name.startswith("-"):
            problem = f"no such command {name!r}"
            hint = did_you_mean(nearest(name, ENTRIES))
            raise click.UsageError(f"{problem}; {hint}" if hint else problem, ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands by what they are for."""
        width = max(map(len, ENTRIES))
        for title, entries in COMMANDS.items():
            with formatter.section(title):
                formatter.write_dl(
                    [(name.ljust(width), entry.help) for name, entry in entries.items()]
                )

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run without click's own exits; `ragstone.cli.main` turns errors into codes."""
        kwargs["standalone_mode"] = False
        return super().main(*args, **kwargs)
