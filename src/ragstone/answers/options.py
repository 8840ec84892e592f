"""What an evaluation may be told, and the kernels that follow from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from reprlib import repr as brief
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ragstone.answers.abstaining import Abstentions
from ragstone.answers.contexts import ContextMatch
from ragstone.answers.entailment import NliSupport
from ragstone.answers.form import Profanity, WordList
from ragstone.answers.kernels import ANSWER, CONTEXTS, KERNELS, REFERENCE, Kernel, context_kernels
from ragstone.answers.similarity import Similarity
from ragstone.answers.view import Settings
from ragstone.answers.words import AUTO, PAIRS, Splitter
from ragstone.errors import UsageError
from ragstone.formats.prices import PriceList
from ragstone.matching import Options as MatchOptions
from ragstone.matching import make_method
from ragstone.text.tokenizers import Tokenizer

if TYPE_CHECKING:
    from ragstone.encoders import Encoder
    from ragstone.model import Scalar


class Options(Struct, frozen=True, kw_only=True):
    """What an evaluation may be told.

    tokenizer: `auto`, by language, or a name of parse_tokenizer for all texts. korean: what `auto`
    splits Korean by: `pairs` of syllables, or `kiwi`. abstentions: patterns of answers that say
    that there is none. profanity: words that no answer should have. encoder: for
    answer_similarity and query_similarity. support: a function for nli_support. context_method
    and context_threshold: how contexts match reference contexts, by default rouge1 at 0.5. k,
    relevance_level and trec_eval: of retrieval. prices and count_warm_up: of operations. quotes:
    whether notes may quote the samples.
    """

    tokenizer: str | Tokenizer = AUTO
    korean: str = PAIRS
    abstentions: Abstentions | None = None
    profanity: WordList | None = None
    encoder: Encoder | None = None
    support: NliSupport | None = None
    context_method: str = "rouge1"
    context_threshold: float | None = None
    k: int = 5
    relevance_level: int = 1
    trec_eval: int = 10
    prices: PriceList | None = None
    count_warm_up: bool = False
    quotes: bool = True

    @classmethod
    def of(cls, given: Options | None) -> Options:
        """Return options, by default the usual ones; raises UsageError for what are none."""
        if given is None or isinstance(given, cls):
            return given or cls()
        raise UsageError(f"options is {brief(given)}; ragstone.answers.Options(...) was expected")

    def settings(self) -> Settings:
        """Return what measures share; raises UnknownNameError or MissingExtraError."""
        return Settings(
            Splitter(self.tokenizer, self.korean),
            self.abstentions or Abstentions(),
            self.quotes,
        )

    def kernels(self, similarity: Similarity | None) -> dict[str, Kernel]:
        """Return all that can be computed; chrF and BLEU only where they are asked for."""
        matching = MatchOptions(encoder=self.encoder)
        method = partial(make_method, self.context_method, matching)
        contexts = ContextMatch(method, self.context_threshold)
        found = {**KERNELS, **context_kernels(contexts)}
        if self.profanity is not None:
            listed = Profanity(self.profanity)
            found["profanity"] = Kernel(listed, ANSWER, "none", fields=_fields(listed))
        if similarity is not None:
            of = _fields(similarity)
            found["answer_similarity"] = Kernel(
                similarity.to_reference, REFERENCE, "none", fields=of
            )
            found["query_similarity"] = Kernel(
                similarity.to_query, ("query", "answer"), "none", fields=of
            )
        if self.support is not None:
            found["nli_support"] = Kernel(
                self.support,
                CONTEXTS,
                "none",
                abstained="none",
                unretrieved="none",
                fields=_fields(self.support),
            )
        return found


def translation_kernel(name: str) -> Kernel:
    """Return chrF or BLEU; raises MissingExtraError where sacrebleu is not installed."""
    from ragstone.answers.translation import Bleu, ChrF

    made: dict[str, Callable[[], Any]] = {"chrF": ChrF, "BLEU": Bleu}
    metric = made[name]()
    return Kernel(metric, REFERENCE, fields=_fields(metric))


def _fields(signed: Any) -> Callable[[Settings], Mapping[str, Scalar]]:
    return lambda _: signed.signature
