"""The evaluators that compare letters and tokens, and what all evaluators compute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragstone.krag.choices import (
    AveragingMethod,
    MatchingCriteria,
    Splitter,
    TokenizerType,
    tokenizer_of,
)
from ragstone.krag.document import DocumentsError, passages
from ragstone.krag.substring import Substring
from ragstone.matching import (
    Assignment,
    Matches,
    Method,
    Options,
    as_aggregates,
    make_method,
    match_query,
    match_texts,
)
from ragstone.measures import Aggregate
from ragstone.model import Scores

if TYPE_CHECKING:
    from ragstone.reports.charts.write import Chart

MEASURES = ("R", "P", "nDCG", "RR", "AP", "Success")
BOTH = AveragingMethod.BOTH.names
METHODS = {"text": "exact"}
"""What Krag calls a method, where that is not its name here."""

Results = dict[str, float]


class OfflineRetrievalEvaluators:
    """Evaluates retrieved documents against gold documents by their texts.

    actual_docs and predicted_docs: a list of documents for each query, the retrieved ones best
    first; a document is of this package, of LangChain, or a text. match_method: `text` is equality
    after normalisation; `substring` is what Krag does under that name; `contains` and the other
    names of `ragstone.matching.METHODS` are taken too. averaging_method: which of micro and macro
    averages precision, recall and F1 have.
    matching_criteria: whether a hit needs all golds or any.

    Beyond Krag: assignment says which pairs count, `greedy` and `optimal` one gold for one text,
    `free` all, as Krag counts. gain: `similarity` makes a match worth its similarity in nDCG.

    Raises ValueError for lists that are empty or not parallel. Queries without a gold text are
    left out of every number; if no query has one, the first number raises InputError.

    >>> evaluator = OfflineRetrievalEvaluators([["a", "b"]], [["x", "b"]])
    >>> evaluator.calculate_mrr(k=2), evaluator.calculate_recall(k=2)
    ({'mrr': 0.5}, {'micro_recall': 0.5, 'macro_recall': 0.5})
    """

    def __init__(
        self,
        actual_docs: Sequence[Sequence[Any]],
        predicted_docs: Sequence[Sequence[Any]],
        match_method: str = "text",
        averaging_method: AveragingMethod = AveragingMethod.BOTH,
        matching_criteria: MatchingCriteria = MatchingCriteria.ALL,
        *,
        assignment: str = "greedy",
        gain: str = "binary",
    ) -> None:
        """Check the documents; they are compared when the first number is asked for."""
        self._gold = passages(actual_docs, "actual_docs")
        self._retrieved = passages(predicted_docs, "predicted_docs")
        if len(self._gold) != len(self._retrieved):
            raise DocumentsError(
                f"actual_docs has {len(self._gold)} queries, predicted_docs "
                f"{len(self._retrieved)}; a list for each query was expected in both"
            )
        self.actual_docs, self.predicted_docs = actual_docs, predicted_docs
        self.match_method = match_method
        self.averaging_method = AveragingMethod(averaging_method)
        self.matching_criteria = MatchingCriteria(matching_criteria)
        self.assignment, self.gain = assignment, gain
        self._scores: dict[int | None, Scores] = {}
        self._method = self._make_method()

    # ---- what subclasses say ---------------------------------------------------------------------

    def _options(self) -> Options:
        return Options()

    def _make_method(self) -> Method:
        if self.match_method == "substring":
            return Substring()
        return make_method(METHODS.get(self.match_method, self.match_method), self._options())

    def _threshold(self) -> float | None:
        return None

    # ---- what is computed once -------------------------------------------------------------------

    @cached_property
    def matches(self) -> Matches:
        """The similarity of every pair of texts, and how they are read."""
        return match_texts(
            self._gold,
            self._retrieved,
            self._method,
            threshold=None if self._method.threshold is None else self._threshold(),
            assignment=self.assignment,
            gain=self.gain,
        )

    @cached_property
    def _assignments(self) -> Mapping[str, Assignment]:
        return self.matches.assignments()

    def scores(self, k: int | None = None) -> Scores:
        """Return every query's values at k, for all else that ragstone does with Scores."""
        if k not in self._scores:
            measures = [each for name in MEASURES for each in self._aggregates(name, k, "both")]
            self._scores[k] = self.matches.scores(measures, assignments=self._assignments)
        return self._scores[k]

    # ---- the measures ----------------------------------------------------------------------------

    def calculate_hit_rate(self, k: int | None = None) -> Results:
        """Return the share of queries of which all golds, or any, are among the first k."""
        return {"hit_rate": self._value("Success", k)}

    def calculate_mrr(self, k: int | None = None) -> Results:
        """Return the mean of one over the rank of the first match."""
        return {"mrr": self._value("RR", k)}

    def calculate_recall(self, k: int | None = None) -> Results:
        """Return the share of the golds that are found among the first k."""
        return self._averaged("recall", {how: self._value("R", k, how) for how in BOTH})

    def calculate_precision(self, k: int | None = None) -> Results:
        """Return the share of the first k that match, over k even where fewer were retrieved.

        With the assignment free over what was retrieved, as Krag has it.
        """
        if self.matches.rules.assignment == "free":
            return self._averaged("precision", self._share_of_retrieved(k))
        return self._averaged("precision", {how: self._value("P", k, how) for how in BOTH})

    def calculate_f1_score(self, k: int | None = None) -> Results:
        """Return the harmonic means of the micro and of the macro averages."""
        precision, recall = self.calculate_precision(k), self.calculate_recall(k)
        return {
            f"{average}_f1": _harmonic(precision[f"{average}_precision"],
                                       recall[f"{average}_recall"])
            for average in self.averaging_method.names
        }  # fmt: skip

    def calculate_map(self, k: int | None = None) -> Results:
        """Return the mean of the average precision."""
        return {"map": self._value("AP", k)}

    def calculate_ndcg(self, k: int | None = None) -> Results:
        """Return the mean of the normalised discounted gain; the ideal is of all golds."""
        return {"ndcg": self._value("nDCG", k)}

    def to_dict(self, k: int | None = None) -> Results:
        """Return all seven measures."""
        measures = (
            self.calculate_hit_rate, self.calculate_mrr, self.calculate_recall,
            self.calculate_precision, self.calculate_f1_score, self.calculate_map,
            self.calculate_ndcg,
        )  # fmt: skip
        return {name: value for measure in measures for name, value in measure(k).items()}

    def visualize_results(self, k: int | None = None, path: str | Path | None = None) -> Chart:
        """Draw the seven measures as bars; return the chart, which a notebook shows.

        path: where it is saved, as .svg, .png or .html. Needs the extra `report`.
        """
        from ragstone.krag.figure import figure
        from ragstone.reports.charts import save

        method = str(self._method.signature["matcher"])
        chart = figure(self.to_dict(k), k, method, len(self.matches.matrices))
        if path is not None:
            save(chart, path)
        return chart

    def text_match(self, actual_text: str, predicted_text: str | Sequence[str]) -> bool:
        """Tell whether a gold text matches a retrieved one, or any of several."""
        texts = [predicted_text] if isinstance(predicted_text, str) else list(predicted_text)
        found = match_query([actual_text], texts, self._method)
        return bool(found.assign(self._threshold()).pairs)

    def _aggregates(self, name: str, k: int | None, average: str) -> list[Aggregate]:
        cut = name if k is None else f"{name}@{k}"
        return as_aggregates([cut], average=average, criteria=self.matching_criteria.value)

    def _value(self, name: str, k: int | None, average: str = "macro") -> float:
        [aggregate] = self._aggregates(name, k, average)
        return aggregate.of(self.scores(k)[str(aggregate.measure)]) or 0.0

    def _averaged(self, name: str, values: Mapping[str, float]) -> Results:
        return {f"{average}_{name}": values[average] for average in self.averaging_method.names}

    def _share_of_retrieved(self, k: int | None) -> dict[str, float]:
        rankings = [each.ranking() for each in self._assignments.values()]
        hits = [ranking.hits(1, k) for ranking in rankings]
        depths = [min(ranking.depth(k), ranking.retrieved) for ranking in rankings]
        shares = [hit / max(depth, 1) for hit, depth in zip(hits, depths, strict=True)]
        return {"micro": sum(hits) / max(sum(depths), 1), "macro": sum(shares) / len(shares)}


class RougeOfflineRetrievalEvaluators(OfflineRetrievalEvaluators):
    """Evaluates by ROUGE: texts match where the F of match_method is at least the threshold.

    match_method: rouge1, rouge2, rougeL or rougeLsum. tokenizer: a TokenizerType, by default
    Unicode words, a TokenizerConfig, or what `parse_tokenizer` takes, such as `chars:3` or
    `porter`, English words by their stems.

    >>> evaluator = RougeOfflineRetrievalEvaluators([["a b c d"]], [["a b c x"]], threshold=0.7)
    >>> evaluator.calculate_hit_rate()
    {'hit_rate': 1.0}
    """

    def __init__(
        self,
        actual_docs: Sequence[Sequence[Any]],
        predicted_docs: Sequence[Sequence[Any]],
        match_method: str = "rouge1",
        averaging_method: AveragingMethod = AveragingMethod.BOTH,
        matching_criteria: MatchingCriteria = MatchingCriteria.ALL,
        threshold: float = 0.5,
        tokenizer: Splitter = TokenizerType.WORDS,
        *,
        assignment: str = "greedy",
        gain: str = "binary",
    ) -> None:
        """Check the documents and the choices."""
        self.threshold, self.tokenizer = threshold, tokenizer_of(tokenizer)
        super().__init__(
            actual_docs,
            predicted_docs,
            match_method,
            averaging_method,
            matching_criteria,
            assignment=assignment,
            gain=gain,
        )

    def _options(self) -> Options:
        return Options(tokenizer=self.tokenizer)

    def _threshold(self) -> float:
        return self.threshold


def _harmonic(precision: float, recall: float) -> float:
    total = precision + recall
    return 2 * precision * recall / total if total else 0.0
