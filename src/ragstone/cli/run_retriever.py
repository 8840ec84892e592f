"""`ragstone run-retriever`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ragstone.cli.config import config_option
from ragstone.cli.log import log
from ragstone.cli.options import file_to_write, global_options, refuse_two_inputs_from_stdin
from ragstone.cli.output import Inputs, write_data
from ragstone.errors import InputError, RagstoneError, UsageError, shortened

if TYPE_CHECKING:
    from ragstone.model import Qrels
    from ragstone.pipelines import RetrieverRun, Runner, Settings
    from ragstone.store import Journal

EXAMPLES = """\
\b
Examples:
  ragstone run-retriever --retriever search:retriever \\
    --queries queries.jsonl --out run.trec
  ragstone run-retriever --retriever 'examples.bm25:baseline()' \\
    --queries scifact/queries.jsonl --qrels scifact/qrels/test.tsv \\
    --out baseline.trec
  ragstone run-retriever --retriever https://search.example/query \\
    --request '{"query": query, "top_k": k}' \\
    --results 'hits[].{id: id, score: score}' \\
    --header 'Authorization=Bearer SEARCH_KEY' --queries queries.jsonl \\
    --out run.jsonl
"""
TAG = "ragstone"
FRAMEWORKS = ["auto", "langchain", "llamaindex", "haystack", "callable", "http"]


@click.command("run-retriever", epilog=EXAMPLES)
@click.option(
    "--retriever",
    required=True,
    metavar="WHAT",
    help="module:attribute, module:factory() or https://host/search. A module is imported from "
    "the current directory or what is installed: the code that you name is run.",
)
@click.option(
    "--queries", required=True, metavar="FILE", help="JSON lines with id and text; BEIR's too."
)
@click.option(
    "--query-field",
    metavar="NAME",
    help="Where the text of a query is. By default text, query or question.",
)
@click.option("--qrels", metavar="FILE", help="Run only the queries that these judge.")
@click.option(
    "--k",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="How many documents are kept of a query, after folding and removing repeated ones.",
)
@click.option(
    "--id-key",
    metavar="KEY",
    help="The metadata key with a document's id, as in doc_id, where the framework's own is not "
    "that of the judgments.",
)
@click.option(
    "--fold-to-parent",
    metavar="KEY|REGEX",
    help="From chunks to documents: the metadata key with the document's id, or a regular "
    "expression whose first group finds it in the chunk's, as in '^(.*)#'.",
)
@click.option(
    "--framework",
    type=click.Choice(FRAMEWORKS),
    default="auto",
    show_default=True,
    help="Whose retriever it is; auto tells it from its class.",
)
@click.option(
    "--request",
    metavar="JMESPATH",
    help="HTTP: the body, made of query and k.  [default: {query: query, k: k}]",
)
@click.option(
    "--results",
    metavar="JMESPATH",
    help="HTTP: where the results are, as in 'hits[].{id: id, score: score, text: text}'.",
)
@click.option(
    "--header",
    "headers",
    multiple=True,
    metavar="NAME=ENVVAR",
    help="HTTP: a header whose value stands in an environment variable; words before its name "
    "stay, as in 'Authorization=Bearer SEARCH_KEY'. Repeatable.",
)
@config_option("retriever")
@click.option(
    "--concurrency",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Queries at once; functions that are not async run in threads.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="Give up a call after this.  [default: none; HTTP 30]",
)
@click.option(
    "--retries",
    type=click.IntRange(min=0),
    help="Try a failed call again this often.  [default: 0; HTTP 3]",
)
@click.option(
    "--repeat",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Calls of each query: all latencies are kept, and the ids have to be the same.",
)
@click.option(
    "--on-error",
    type=click.Choice(["fail", "record"]),
    default="fail",
    show_default=True,
    help="record: keep a query that fails without results, and go on.",
)
@click.option("--keep-text", is_flag=True, help="Keep the texts too, in a JSONL run.")
@click.option("--resume", is_flag=True, help="Continue a run that was broken off.")
@click.option(
    "--out",
    required=True,
    metavar="FILE",
    callback=file_to_write,
    help="The run; a name in .gz is packed.",
)
@click.option(
    "--to",
    type=click.Choice(["trec", "jsonl"]),
    help="Its format; by default as the name says. jsonl keeps latencies too.",
)
@click.option("--tag", help="The tag of a TREC run.  [default: ragstone]")
@global_options()
def run_retriever(**options: Any) -> int:
    """Ask a live retriever every query and write the run that `ragstone score` reads.

    The code that --retriever names is imported and run. Each query is kept in OUT.journal as it
    is done; after an interruption --resume goes on from there.
    """
    return Command(**options).run()


class Command:
    """One call of the command."""

    def __init__(self, **options: Any) -> None:
        """Check what can be checked before anything runs."""
        from ragstone.pipelines import Settings, output_format
        from ragstone.pipelines.output import check_tag

        self.options = options
        self.out, self.spec = options["out"], options["retriever"]
        self.to = output_format(self.out, options["to"])
        self.tag = TAG if options["tag"] is None else options["tag"]
        check_tag(self.tag)
        if options["tag"] is not None and self.to != "trec":
            raise UsageError("--tag goes with a TREC run; write one with --to trec")
        if options["keep_text"] and self.to == "trec":
            raise UsageError("--keep-text goes with a JSONL run; write one with --to jsonl")
        names = [name for name in Settings.__struct_fields__ if name in options]
        self.settings: Settings = Settings(
            columns=self.to == "trec", **{name: options[name] for name in names}
        )

    def run(self) -> int:
        """Run the retriever, write its run, say what happened."""
        queries, qrels = self._inputs()
        run = self._retrieve(queries)
        judged = {doc for grades in qrels.values() for doc in grades} if qrels else ()
        for line in run.warnings(judged):
            log.warning(line)
        log.note(f"{self.out}: {said(run)}")
        return 0

    def _inputs(self) -> tuple[dict[str, str], Qrels | None]:
        from ragstone.formats import in_folder, read_qrels, read_queries
        from ragstone.formats.writers import has_white_space

        path, judgments = self.options["queries"], self.options["qrels"]
        self._check_files(path, judgments)
        queries = read_queries(in_folder(path, "queries.jsonl"), self.options["query_field"])
        qrels = None if judgments is None else read_qrels(judgments)
        if qrels is not None:
            queries = judged_only(queries, qrels, path, judgments)
        if self.to == "trec" and (odd := [query for query in queries if has_white_space(query)]):
            raise InputError(
                f"{path}: the query id {odd[0]!r} has white space in it, and a TREC run separates "
                "its columns by white space; write JSON lines with --to jsonl"
            )
        return queries, qrels

    def _check_files(self, queries: str, judgments: str | None) -> None:
        refuse_two_inputs_from_stdin(queries, judgments or "")
        given = {"queries": queries, "qrels": judgments}
        Inputs(**{role: path for role, path in given.items() if path}).refuse_to_replace(
            out=self.out
        )
        if Path(self.out).is_dir():
            raise UsageError(f"--out {self.out} is a folder; name a file")

    def _retrieve(self, queries: Mapping[str, str]) -> RetrieverRun:
        from ragstone.cli.progress import progress
        from ragstone.pipelines import OUTPUTS, Runner
        from ragstone.store import Journal

        runner = Runner(self._retriever(), queries, self.settings)
        path = f"{self.out}.journal"
        journal = Journal.open(path, self._header(queries), resume=self.options["resume"])
        with kept(journal, runner, path):
            run = runner.run(progress("queries"))
            write_data(OUTPUTS[self.to](run, self.tag), self.out)
        return run

    def _retriever(self) -> Any:
        from ragstone.pipelines import Endpoint, is_address, load_retriever

        mapping = {name: self.options[name] for name in ("request", "results", "headers")}
        if is_address(self.spec):
            return Endpoint(self.spec, **mapping)
        for flag, name in (("request", "request"), ("results", "results"), ("header", "headers")):
            if mapping[name]:
                raise UsageError(f"--{flag} is for an endpoint; --retriever is {self.spec!r}")
        return load_retriever(self.spec)

    def _shown(self) -> str:
        """Return --retriever without what may be secret in an address."""
        from ragstone.http import shown
        from ragstone.pipelines import is_address

        return shown(self.spec) if is_address(self.spec) else str(self.spec)

    def _header(self, queries: Mapping[str, str]) -> dict[str, Any]:
        """Say what must be the same for a run to be continued."""
        texts = hashlib.sha256()
        for query, text in queries.items():
            texts.update(f"{query}\t{text}\n".encode())
        mapping = {name: self.options[name] for name in ("request", "results")}
        return {
            "retriever": self._shown(),
            "queries": texts.hexdigest(),
            **self.settings.identity(),
            **mapping,
        }


@contextmanager
def kept(journal: Journal, runner: Runner, path: str) -> Iterator[None]:
    """Keep queries in the journal; take it away at the end, or say how to go on with it."""
    runner.keep_in(journal)
    try:
        yield
    except (RagstoneError, KeyboardInterrupt) as error:
        advice = (
            f"{len(runner.records):,} of {len(runner.queries):,} queries are kept in {path}: the "
            "same command with --resume continues"
            if runner.records
            else "no query was done"
        )
        if isinstance(error, KeyboardInterrupt):
            raise RagstoneError(f"interrupted; {advice}") from None
        if runner.records:
            log.note(advice)
        raise
    else:
        journal.remove()
    finally:
        if runner.records:
            journal.close()
        else:
            journal.remove()


def judged_only(
    queries: Mapping[str, str], qrels: Qrels, path: str, judgments: str
) -> dict[str, str]:
    """Return the queries that are judged, in their order; warn of judged ones without a text."""
    judged = {query: text for query, text in queries.items() if query in qrels}
    if not judged:
        raise InputError(
            f"{judgments} judges none of the queries in {path}: the judgments have ids like "
            f"{next(iter(qrels), '')!r}, the queries like {next(iter(queries))!r}"
        )
    missing = [query for query in qrels if query not in queries]
    if missing:
        few = ", ".join(map(repr, missing[:3]))
        log.warning(
            f"{len(missing):,} judged queries are not in {path}, so the run will have no results "
            f"for them, which scores 0: {shortened(few, 120)}"
        )
    return judged


def said(run: RetrieverRun) -> str:
    """Say in a line what a run has."""
    from ragstone.pipelines.running import latency

    results = sum(len(record.docs) for record in run.records)
    half, most = latency(run.records), latency(run.records, 0.95)
    timed = f"; latency p50 {half:,.1f} ms, p95 {most:,.1f} ms" if half and most else ""
    return f"{len(run.records):,} queries, {results:,} results ({run.framework}){timed}"
