"""Methods by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from msgspec import Struct

from ragstone.matching.embedding import Embedding, EmbeddingRouge
from ragstone.matching.lexical import Containment, Contains, Exact, RougeMethod
from ragstone.matching.matrix import Gold, Similarities
from ragstone.model import Scalar
from ragstone.registry import Registry
from ragstone.text.tokenizers import Tokenizer

if TYPE_CHECKING:
    from ragstone.encoders import Encoder

RougeScore: TypeAlias = Literal["f", "precision", "recall"]


class Method(Protocol):
    """Gives each pair of a gold and a retrieved text a similarity.

    threshold: what is used unless told otherwise; None where pairs match or do not.
    """

    @property
    def threshold(self) -> float | None:
        """The usual threshold."""

    @property
    def signature(self) -> Mapping[str, Scalar]:
        """What must be equal for two results to be compared: `matcher`, and what it is set to."""

    def prepare(self, texts: Iterable[str]) -> None:
        """Do once what can be done for all texts of all queries together."""

    def compare(self, golds: Sequence[Gold], retrieved: Sequence[str]) -> Similarities:
        """Compare the texts of one query; none is blank."""


class Options(Struct, frozen=True, kw_only=True):
    """What a method may be told; each uses what it needs.

    tokenizer: for contains, rouge and containment. rouge_score: f, precision or recall. ngram: how
    many tokens containment compares in a row. encoder: for embedding, which has to have one.
    embedding_threshold: the cosine from which embedding+rouge looks at ROUGE.
    """

    tokenizer: str | Tokenizer | Callable[[str], list[str]] = "words"
    rouge_score: RougeScore = "f"
    ngram: int = 5
    encoder: Encoder | None = None
    embedding_threshold: float = 0.7


METHODS: Registry[Callable[[Options], Method]] = Registry("matching method")


def make_method(name: str, options: Options | None = None) -> Method:
    """Return a method by its name.

    Raises UnknownNameError, UsageError for options that cannot be, MissingExtraError.

    >>> sorted(make_method("rouge2").signature.items())
    [('matcher', 'rouge2'), ('rouge_score', 'f'), ('tokenizer', 'words')]
    """
    return METHODS[name](options or Options())


def _exact(_: Options) -> Method:
    return Exact()


def _contains(options: Options) -> Method:
    return Contains(options.tokenizer)


def _containment(options: Options) -> Method:
    return Containment(options.ngram, options.tokenizer)


def _rouge(name: str, options: Options) -> Method:
    return RougeMethod(name, options.rouge_score, options.tokenizer)


def _embedding(options: Options) -> Method:
    return Embedding(options.encoder)


def _embedding_rouge(name: str, options: Options) -> Method:
    rouge = RougeMethod(name, options.rouge_score, options.tokenizer)
    return EmbeddingRouge(options.encoder, rouge, options.embedding_threshold)


METHODS.add("exact", _exact)
METHODS.add("contains", _contains)
METHODS.add("containment", _containment)
for _name in ("rouge1", "rouge2", "rougeL", "rougeLsum"):
    METHODS.add(_name, partial(_rouge, _name))
METHODS.add("embedding", _embedding)
METHODS.add("embedding+rouge", partial(_embedding_rouge, "rouge1"), ["embedding+rouge1"])
for _name in ("rouge2", "rougeL", "rougeLsum"):
    METHODS.add(f"embedding+{_name}", partial(_embedding_rouge, _name))
