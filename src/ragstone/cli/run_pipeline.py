"""`ragstone run-pipeline`."""

from __future__ import annotations

from collections import Counter
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
from ragstone.errors import count

if TYPE_CHECKING:
    from ragstone.model.samples import Sample
    from ragstone.pipelines import CallSettings, PipelineRun
    from ragstone.pipelines.mapping import Expression

EXAMPLES = """\
\b
Examples:
  ragstone run-pipeline --pipeline rag:ask --queries questions.jsonl \\
    --out samples.jsonl
  ragstone run-pipeline --pipeline 'rag:chain()' --queries questions.jsonl \\
    --concurrency 8 --timeout 60 --on-error record --out samples.jsonl
  ragstone run-pipeline --pipeline https://rag.example/ask \\
    --request '{question: query}' \\
    --response '{answer: text, contexts: sources[].{id: id, text: body},
                 usage: usage}' \\
    --header 'Authorization=Bearer RAG_KEY' --queries questions.jsonl \\
    --out samples.jsonl
"""


@click.command("run-pipeline", epilog=EXAMPLES)
@system_option("pipeline")
@queries_options
@id_options("a context's", " in the ids of contexts")
@click.option(
    "--model", metavar="NAME", help="The model's name, where the pipeline does not say it."
)
@framework_option("pipeline")
@click.option(
    "--request",
    metavar="JMESPATH",
    help="What an endpoint, a LangChain runnable or a Haystack pipeline is given, made of query, "
    "as in '{question: query}'.",
)
@click.option(
    "--response",
    metavar="JMESPATH",
    help="HTTP: where the answer is, as in '{answer: text, contexts: docs[].{id: id, text: body}, "
    "usage: usage}'.",
)
@header_option
@config_option("pipeline")
@effort_options(120, "an answer", "the first answer is kept, and the median of their latencies")
@resume_option
@data_out_option("The samples, as JSON lines")
@global_options()
def run_pipeline(**options: Any) -> int:
    """Ask a live pipeline every question and write samples: answer, contexts, tokens, latency.

    The code that --pipeline names is imported and run: a LangChain runnable, a LlamaIndex query
    engine, a Haystack pipeline, or a function of the question that returns {answer, contexts,
    usage} or a Sample. What the questions file has as reference, reference_contexts, nuggets,
    answerable, lang and tags goes into the samples. The latency of the first call is tagged
    warm-up. Each question is kept in OUT.journal as it is done; after an interruption --resume goes
    on from there.
    """
    return Command(**options).run()


class Command(LiveCommand):
    """One call of the command."""

    noun = "pipeline"

    def __init__(self, **options: Any) -> None:
        """Check what can be checked before anything runs."""
        from ragstone.pipelines import CallSettings

        super().__init__(**options)
        names = [name for name in CallSettings.__struct_fields__ if name in options]
        self.settings: CallSettings = CallSettings(**{name: options[name] for name in names})

    def run(self) -> int:
        """Run the pipeline, write its samples, say what happened."""
        run = self._ask(self._questions())
        for line in run.warnings():
            log.warning(line)
        log.note(f"{self.out}: {said(run)}")
        return 0

    def _questions(self) -> dict[str, Sample]:
        from ragstone.formats import in_folder, read_qrels
        from ragstone.formats.samples import question_slips, read_questions

        path, judgments = self.options["queries"], self.options["qrels"]
        self.check_files()
        file, unknown = in_folder(path, "queries.jsonl"), Counter[str]()
        questions = read_questions(file, self.options["query_field"], unknown)
        for line in question_slips(unknown):
            log.warning(f"{file}: {line}")
        if judgments is None:
            return questions
        return judged_only(questions, read_qrels(judgments), path, judgments)

    def _ask(self, questions: Mapping[str, Sample]) -> PipelineRun:
        from ragstone.cli.progress import progress
        from ragstone.formats.samples import write_samples
        from ragstone.pipelines import PipelineRunner

        with users_code():
            pipeline, request = self._pipeline()
            more = {"request": request, "model": self.options["model"]}
            runner = PipelineRunner(pipeline, questions, self.settings, **more)
        with self.keeping(runner, self._header(questions)):
            with users_code():
                run = runner.run(progress("questions"))
            write_data(write_samples(run), self.out)
        return run

    def _pipeline(self) -> tuple[Any, Expression | None]:
        from ragstone.pipelines import PipelineEndpoint, Spec, load
        from ragstone.pipelines.mapping import Expression

        request = self.options["request"]
        if self.is_address():
            mapping = {name: self.options[name] for name in ("request", "response", "headers")}
            return PipelineEndpoint(self.spec, **mapping), None
        self.refuse_for_code(response="response", header="headers")
        expression = Expression("--request", request) if request else None
        return load(Spec("--pipeline", self.spec)), expression

    def _header(self, questions: Mapping[str, Sample]) -> dict[str, Any]:
        """Say what must be the same for a run to be continued."""
        from ragstone.formats.samples import write_samples

        whole = {item: line.decode() for item, line in zip(
            questions, write_samples(questions.values()), strict=True)}  # fmt: skip
        mapping = {name: self.options[name] for name in ("request", "response", "model")}
        return {"queries": digest(whole), **self.settings.identity(), **mapping}


def said(run: PipelineRun) -> str:
    """Say in a line what the samples have."""
    failed = f", {len(run.failed):,} failed" if run.failed else ""
    half, most = run.latency_ms(), run.latency_ms(0.95)
    timed = f"; latency p50 {half:,.1f} ms, p95 {most:,.1f} ms" if half and most else ""
    return f"{count(len(run), 'sample')}{failed} ({run.framework}){timed}"
