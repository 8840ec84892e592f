"""Runs a pipeline over questions, and makes samples of what it gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ragstone.errors import InputError, PipelineError
from ragstone.measures import quantile
from ragstone.model import Run
from ragstone.model.samples import Sample, run_of
from ragstone.pipelines.mapping import Expression
from ragstone.pipelines.runner import Runner, named
from ragstone.pipelines.sampling import PipelineRecord, Sampler, packed, unpacked
from ragstone.pipelines.schedule import Outcome
from ragstone.pipelines.settings import CallSettings
from ragstone.pipelines.systems import bound_pipeline


class PipelineRun:
    """The samples of a pipeline, in the order of the questions, and what is known beside them.

    framework: how the pipeline was called. counts: what was counted over all questions.
    """

    def __init__(self, records: Sequence[PipelineRecord], framework: str = "") -> None:
        """Keep the records."""
        self.samples = tuple(record.sample for record in records)
        self.framework = framework
        self.counts: Counter[str] = Counter()
        for record in records:
            self.counts.update(record.facts)

    def __len__(self) -> int:
        """Count the samples."""
        return len(self.samples)

    def __iter__(self) -> Iterator[Sample]:
        """Go through the samples."""
        return iter(self.samples)

    @property
    def failed(self) -> list[Sample]:
        """The samples whose pipeline failed, or said that it did."""
        return [sample for sample in self.samples if sample.error is not None]

    def run(self) -> Run:
        """Return the retrieval run in the samples: their contexts that have ids."""
        return run_of(self.samples)

    def latency_ms(self, share: float = 0.5) -> float | None:
        """Return a percentile of the total latencies, without that of a first call."""
        known = [
            sample.latency_ms.total
            for sample in self.samples
            if sample.latency_ms is not None and not sample.is_warm_up
        ]
        times = [total for total in known if total is not None]
        return quantile(times, share) if times else None

    def warnings(self) -> list[str]:
        """Return a line for each thing that a reader of the samples should know."""
        from ragstone.pipelines.warnings import of_samples

        return of_samples(self.samples, self.counts)


class PipelineRunner(Runner[PipelineRecord, PipelineRun]):
    """A pipeline on its way over questions."""

    system, failure, without = "pipeline", PipelineError, "an answer"

    def __init__(
        self,
        pipeline: Any,
        questions: Mapping[str, str | Sample],
        settings: CallSettings,
        *,
        request: Expression | None = None,
        model: str | None = None,
    ) -> None:
        """Find how the pipeline is called.

        request: makes its input of a question; by default that is found out, or is the question.
        model: its name, where the pipeline does not say it.
        """
        known = {item: _question(item, each) for item, each in named("questions", questions)}
        texts = {item: each.query or "" for item, each in known.items()}
        self.framework, search = bound_pipeline(pipeline, request, settings)
        super().__init__(search, texts, settings)
        self._sampler = Sampler(
            known,
            id_key=settings.id_key,
            fold_to_parent=settings.fold_to_parent,
            model=model,
        )

    def record(self, query: str, outcome: Outcome) -> PipelineRecord:
        """Make a sample of what the calls gave."""
        return self._sampler.record(query, outcome.calls, warm_up=self.is_first(outcome))

    def failed(self, query: str, error: str) -> PipelineRecord:
        """Keep a question without an answer."""
        return self._sampler.failed(query, error)

    def packed(self, record: PipelineRecord) -> str:
        """Return a record as one text."""
        return packed(record)

    def unpacked(self, kept: str) -> PipelineRecord:
        """Read a record."""
        return unpacked(kept)

    def whole(self, records: Sequence[PipelineRecord]) -> PipelineRun:
        """Return the run."""
        return PipelineRun(records, self.framework)


def _question(item: str, given: str | Sample) -> Sample:
    if isinstance(given, Sample):
        if given.id != item or not given.query:
            raise InputError(
                f"the question {item!r} is a Sample with another id, or without a query"
            )
        return given
    if not isinstance(given, str):
        raise InputError(f"questions is a dict of ids and texts; found {item!r}: {given!r:.80}")
    return Sample(item, query=given)
