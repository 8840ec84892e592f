"""`ragstone run-retriever`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from ragstone.cli.config import config_option
from ragstone.cli.live import (
    LiveCommand,
    data_out_option,
    digest,
    effort_options,
    framework_option,
    header_option,
    id_options,
    judged_only,
    queries_options,
    system_option,
)
from ragstone.cli.log import log
from ragstone.cli.options import global_options, resume_option
from ragstone.cli.output import users_code, write_data
from ragstone.errors import InputError, UsageError, count

if TYPE_CHECKING:
    from ragstone.model import Qrels
    from ragstone.pipelines import RetrieverRun, Settings

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


@click.command("run-retriever", epilog=EXAMPLES)
@system_option("retriever")
@queries_options
@click.option(
    "--k",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    metavar="N",
    help="How many documents are kept of a query, after folding and removing repeated ones.",
)
@id_options("a document's", "")
@framework_option("retriever")
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
@header_option
@config_option("retriever", "k = 10")
@effort_options(30, "results", "all latencies are kept, and the ids have to be the same")
@click.option("--keep-text", is_flag=True, help="Keep the texts too, in a JSONL run.")
@resume_option
@data_out_option("The run")
@click.option(
    "--to",
    type=click.Choice(["trec", "jsonl"]),
    help="Its format; by default as the name says. jsonl keeps latencies too.",
)
@click.option("--tag", metavar="NAME", help="The tag of a TREC run.  [default: ragstone]")
@global_options()
def run_retriever(**options: Any) -> int:
    """Ask a live retriever every query and write the run that `ragstone score` reads.

    The code that --retriever names is imported and run. Each query is kept in OUT.journal as it
    is done; after an interruption --resume goes on from there.
    """
    return Command(**options).run()


class Command(LiveCommand):
    """One call of the command."""

    noun = "retriever"

    def __init__(self, **options: Any) -> None:
        """Check what can be checked before anything runs."""
        from ragstone.pipelines import Settings, output_format
        from ragstone.pipelines.output import check_tag

        super().__init__(**options)
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
        self.check_files()
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

    def _retrieve(self, queries: Mapping[str, str]) -> RetrieverRun:
        from ragstone.cli.progress import progress
        from ragstone.pipelines import OUTPUTS, RetrieverRunner

        with users_code():
            runner = RetrieverRunner(self._retriever(), queries, self.settings)
        mapping = {name: self.options[name] for name in ("request", "results")}
        header = {"queries": digest(queries), **self.settings.identity(), **mapping}
        with self.keeping(runner, header):
            with users_code():
                run = runner.run(progress("queries"))
            write_data(OUTPUTS[self.to](run, self.tag), self.out)
        return run

    def _retriever(self) -> Any:
        from ragstone.pipelines import Endpoint, Spec, load

        if not self.is_address():
            self.refuse_for_code(request="request", results="results", header="headers")
            return load(Spec("--retriever", self.spec))
        mapping = {name: self.options[name] for name in ("request", "results", "headers")}
        return Endpoint(self.spec, **mapping)


def said(run: RetrieverRun) -> str:
    """Say in a line what a run has."""
    from ragstone.pipelines.retriever_run import latency

    results = sum(len(record.docs) for record in run.records)
    half, most = latency(run.records), latency(run.records, 0.95)
    timed = f"; latency p50 {half:,.1f} ms, p95 {most:,.1f} ms" if half and most else ""
    asked, found = count(len(run.records), "query"), count(results, "result")
    return f"{asked}, {found} ({run.framework}){timed}"
