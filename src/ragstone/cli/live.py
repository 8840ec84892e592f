"""What the commands share that run a live system: their options, the journal, the queries."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ragstone.cli.journal import kept, opened
from ragstone.cli.log import log
from ragstone.cli.options import file_to_write, refuse_two_inputs_from_stdin, stacked
from ragstone.cli.output import Inputs
from ragstone.errors import InputError, UsageError, count, some_ids

if TYPE_CHECKING:
    from ragstone.model import Qrels
    from ragstone.pipelines.runner import Runner
    from ragstone.store import Journal

F = TypeVar("F", bound=Callable[..., Any])
FRAMEWORKS = ["auto", "langchain", "llamaindex", "haystack", "callable", "http"]


queries_options = stacked(
    click.option(
        "--queries", required=True, metavar="FILE", help="JSON lines with id and text; BEIR's too."
    ),
    click.option(
        "--query-field",
        metavar="NAME",
        help="Where the text of a query is. By default text, query or question.",
    ),
    click.option("--qrels", metavar="FILE", help="Run only the queries that these judge."),
)
header_option = click.option(
    "--header",
    "headers",
    multiple=True,
    metavar="NAME=ENVVAR",
    help="HTTP: a header whose value stands in an environment variable; words before its name "
    "stay, as in 'Authorization=Bearer SEARCH_KEY'. Repeatable.",
)


def system_option(noun: str) -> Callable[[F], F]:
    """Add --retriever or --pipeline: what is run."""
    return click.option(
        f"--{noun}",
        required=True,
        metavar="WHAT",
        help=f"module:attribute, module:factory() or https://host/{PATHS[noun]}. A module is "
        "imported from the current directory or what is installed: the code that you name is run.",
    )


PATHS = {"retriever": "search", "pipeline": "ask"}


def id_options(of: str, whose: str) -> Callable[[F], F]:
    """Add --id-key and --fold-to-parent.

    of: what has an id. whose: in whose ids documents take the place of chunks.
    """
    return stacked(
        click.option(
            "--id-key",
            metavar="KEY",
            help=f"The metadata key with {of} id, as in doc_id, where the framework's own is not "
            "that of the judgments.",
        ),
        click.option(
            "--fold-to-parent",
            metavar="KEY|REGEX",
            help=f"From chunks to documents{whose}: the metadata key with the document's id, or a "
            "regular expression whose first group finds it in the chunk's, as in '^(.*)#'.",
        ),
    )


def framework_option(noun: str) -> Callable[[F], F]:
    """Add --framework."""
    return click.option(
        "--framework",
        type=click.Choice(FRAMEWORKS),
        default="auto",
        show_default=True,
        help=f"Whose {noun} it is; auto tells it from its class.",
    )


def effort_options(seconds: int, without: str, repeated: str) -> Callable[[F], F]:
    """Add the options for how calls are made.

    seconds: the limit for an endpoint. without: what a query that fails is kept without. repeated:
    what several calls of a query are for.
    """
    return stacked(
        click.option(
            "--concurrency",
            type=click.IntRange(min=1),
            default=1,
            show_default=True,
            metavar="N",
            help="Queries at once; functions that are not async run in threads.",
        ),
        click.option(
            "--timeout",
            type=click.FloatRange(min=0, min_open=True),
            metavar="SECONDS",
            help=f"Give up a call after this.  [default: none; HTTP {seconds}]",
        ),
        click.option(
            "--retries",
            type=click.IntRange(min=0),
            metavar="N",
            help="Try a failed call again this often.  [default: 0; HTTP 3]",
        ),
        click.option(
            "--repeat",
            type=click.IntRange(min=1),
            default=1,
            show_default=True,
            metavar="N",
            help=f"Calls of each query: {repeated}.",
        ),
        click.option(
            "--on-error",
            type=click.Choice(["fail", "record"]),
            default="fail",
            show_default=True,
            help=f"record: keep a query that fails without {without}, and go on.",
        ),
    )


def data_out_option(what: str) -> Callable[[F], F]:
    """Add --out, which has to be given."""
    return click.option(
        "--out",
        required=True,
        metavar="FILE",
        callback=file_to_write,
        help=f"{what}; a name in .gz is packed.",
    )


class LiveCommand:
    """One call of a command that runs a live system.

    noun: the word for the system, which its flag and its table are named by.
    """

    noun: str

    def __init__(self, **options: Any) -> None:
        """Keep the options."""
        self.options = options
        self.out, self.spec = options["out"], options[self.noun]

    @property
    def journal_path(self) -> str:
        """Where finished queries are kept."""
        return f"{self.out}.journal"

    def check_files(self) -> None:
        """Refuse two inputs from one place, and an output that is an input or a folder."""
        queries, judgments = self.options["queries"], self.options["qrels"]
        refuse_two_inputs_from_stdin(queries, judgments or "")
        given = {"queries": queries, "qrels": judgments}
        Inputs(**{role: path for role, path in given.items() if path}).refuse_to_replace(
            out=self.out
        )
        if Path(self.out).is_dir():
            raise UsageError(f"--out {self.out} is a folder; name a file")

    def is_address(self) -> bool:
        """Tell an endpoint from code; mappings are for the first alone."""
        from ragstone.pipelines import is_address

        return is_address(self.spec)

    def refuse_for_code(self, **flags: str) -> None:
        """Raise UsageError for options of an endpoint where code is run: flag -> option."""
        for flag, name in flags.items():
            if self.options[name]:
                raise UsageError(f"--{flag} is for an endpoint; --{self.noun} is {self.spec!r}")

    def shown(self) -> str:
        """Return what is run, without what may be secret in an address."""
        from ragstone.http import shown

        return shown(self.spec) if self.is_address() else str(self.spec)

    def journal(self, header: Mapping[str, Any]) -> Journal:
        """Open the journal; the header says what must be the same for a run to be continued."""
        header = {self.noun: self.shown(), **header}
        return opened(self.journal_path, header, resume=self.options["resume"])

    @contextmanager
    def keeping(self, runner: Runner[Any, Any], header: Mapping[str, Any]) -> Iterator[None]:
        """Keep queries in the journal; take it away when all is written, or say how to go on."""
        journal = self.journal(header)
        runner.keep_in(journal)
        with kept(journal, lambda: _done(runner), "no query was done"):
            yield
            journal.remove()


def _done(runner: Runner[Any, Any]) -> str:
    return f"{len(runner.records):,} of {len(runner.queries):,} queries are"


def digest(texts: Mapping[str, str]) -> str:
    """Return sha256 of the lines query TAB text LF, in hex."""
    sha = hashlib.sha256()
    for query, text in texts.items():
        sha.update(f"{query}\t{text}\n".encode())
    return sha.hexdigest()


Q = TypeVar("Q")


def judged_only(queries: Mapping[str, Q], qrels: Qrels, path: str, judgments: str) -> dict[str, Q]:
    """Return the queries that are judged, in their order; warn of judged ones without a text."""
    if not qrels:
        raise InputError(
            f"{judgments} has no judgments: none of its rows has relevant_ids or relevance"
        )
    judged = {query: each for query, each in queries.items() if query in qrels}
    if not judged:
        raise InputError(
            f"{judgments} judges none of the queries in {path}: the judgments have ids like "
            f"{next(iter(qrels), '')!r}, the queries like {next(iter(queries))!r}"
        )
    missing = [query for query in qrels if query not in queries]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        log.warning(
            f"{count(len(missing), 'judged query')} {verb} not in {path}, so the run will "
            f"have no results there, which scores 0: {some_ids(missing)}"
        )
    return judged
