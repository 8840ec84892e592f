"""The evaluators that compare vectors, and how Krag and LangChain name an encoder's settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

from msgspec import Struct

from ragstone.encoders import Encoder, EncoderConfig, encoder_config, open_encoder
from ragstone.errors import UsageError
from ragstone.krag.choices import (
    AveragingMethod,
    MatchingCriteria,
    Splitter,
    TokenizerType,
    tokenizer_of,
)
from ragstone.krag.document import DocumentsError
from ragstone.krag.evaluators import OfflineRetrievalEvaluators
from ragstone.matching import Method, Options, make_method
from ragstone.registry import Registry

SECRETS = frozenset({"api_key", "openai_api_key"})

Embedder: TypeAlias = Any
"""A name of EMBEDDINGS, a function from texts to vectors, or an object that embeds."""


class Kind(Struct, frozen=True):
    """A kind of model: what names it here, its usual config, and what its settings are called.

    renamed: a setting, with a dot for one inside another, to its name in EncoderConfig. ignored:
    settings that no similarity depends on.
    """

    prefix: str
    model: str
    renamed: Mapping[str, str]
    ignored: frozenset[str] = frozenset()


EMBEDDINGS: Registry[Kind] = Registry("embedding type")
EMBEDDINGS.add(
    "huggingface",
    Kind(
        "st",
        "jhgan/ko-sroberta-multitask",
        MappingProxyType(
            {
                "model_name": "model",
                "model_kwargs.device": "device",
                "model_kwargs.revision": "revision",
                "model_kwargs.truncate_dim": "dimensions",
                "encode_kwargs.prompt": "prompt",
                "encode_kwargs.batch_size": "batch.texts",
            }
        ),
        # Cosines do not depend on the length of a vector; progress is ragstone's own.
        frozenset({"encode_kwargs.normalize_embeddings", "show_progress", "multi_process",
                   "encode_kwargs.show_progress_bar"}),
    ),
)  # fmt: skip
EMBEDDINGS.add(
    "openai",
    Kind(
        "openai",
        "text-embedding-3-small",
        MappingProxyType(
            {
                "model": "model",
                "dimensions": "dimensions",
                "base_url": "endpoint",
                "openai_api_base": "endpoint",
                "chunk_size": "batch.texts",
                "timeout": "limits.timeout",
                "request_timeout": "limits.timeout",
            }
        ),
    ),
)
EMBEDDINGS.add(
    "ollama",
    Kind("ollama", "bge-m3", MappingProxyType({"model": "model", "base_url": "endpoint"})),
)


class EmbeddingOfflineRetrievalEvaluators(OfflineRetrievalEvaluators):
    """Evaluates by vectors alone: texts match where the cosine is at least similarity_threshold.

    embedding_type: `huggingface`, `openai` or `ollama` with an embedding_config as Krag takes it;
    or a function from a list of texts to their vectors, or an object that embeds texts, such as
    LangChain's. cache: a file in which vectors are kept between runs.
    """

    def __init__(
        self,
        actual_docs: Sequence[Sequence[Any]],
        predicted_docs: Sequence[Sequence[Any]],
        averaging_method: AveragingMethod = AveragingMethod.BOTH,
        matching_criteria: MatchingCriteria = MatchingCriteria.ALL,
        similarity_threshold: float = 0.7,
        embedding_type: Embedder = "huggingface",
        embedding_config: Mapping[str, Any] | None = None,
        *,
        cache: str | Path | None = None,
        assignment: str = "greedy",
        gain: str = "binary",
    ) -> None:
        """Check the documents and the choices; no text is encoded yet."""
        self.similarity_threshold = similarity_threshold
        self.embeddings = encoder_of(embedding_type, embedding_config, cache)
        super().__init__(
            actual_docs,
            predicted_docs,
            "embedding",
            averaging_method,
            matching_criteria,
            assignment=assignment,
            gain=gain,
        )

    def _options(self) -> Options:
        return Options(encoder=self.embeddings)

    def _threshold(self) -> float:
        return self.similarity_threshold


class EmbeddingRougeOfflineRetrievalEvaluators(OfflineRetrievalEvaluators):
    """Evaluates by vectors, then by ROUGE: both have to reach their threshold.

    match_method: rouge1, rouge2, rougeL or rougeLsum. The other arguments are those of the
    evaluators by ROUGE and by vectors.
    """

    def __init__(
        self,
        actual_docs: Sequence[Sequence[Any]],
        predicted_docs: Sequence[Sequence[Any]],
        match_method: str = "rouge1",
        averaging_method: AveragingMethod = AveragingMethod.BOTH,
        matching_criteria: MatchingCriteria = MatchingCriteria.ALL,
        rouge_threshold: float = 0.7,
        similarity_threshold: float = 0.7,
        embedding_type: Embedder = "huggingface",
        embedding_config: Mapping[str, Any] | None = None,
        tokenizer: Splitter = TokenizerType.WORDS,
        *,
        cache: str | Path | None = None,
        assignment: str = "greedy",
        gain: str = "binary",
    ) -> None:
        """Check the documents and the choices; no text is encoded yet."""
        self.rouge_threshold, self.similarity_threshold = rouge_threshold, similarity_threshold
        self.tokenizer = tokenizer_of(tokenizer)
        self.embeddings = encoder_of(embedding_type, embedding_config, cache)
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
        return Options(
            tokenizer=self.tokenizer,
            encoder=self.embeddings,
            embedding_threshold=self.similarity_threshold,
        )

    def _make_method(self) -> Method:
        return make_method(f"embedding+{self.match_method}", self._options())

    def _threshold(self) -> float:
        return self.rouge_threshold


def encoder_of(
    kind: Embedder, settings: Mapping[str, Any] | None = None, cache: str | Path | None = None
) -> Encoder:
    """Return an encoder by Krag's name and settings, or around what embeds texts.

    Raises ValueError for another name, UsageError for settings that are not known.
    """
    if isinstance(kind, str):
        if kind not in EMBEDDINGS:
            known = ", ".join(EMBEDDINGS)
            raise DocumentsError(f"the embedding type {kind!r} is not known; known: {known}")
        chosen = EMBEDDINGS[kind]
        config = config_of(chosen, settings or {})
        return open_encoder(f"{chosen.prefix}:{config.model or chosen.model}", config, cache=cache)
    if hasattr(kind, "encode") and hasattr(kind, "signature"):
        return kind  # type: ignore[no-any-return]
    return open_encoder(kind, encoder_config(settings or {}), cache=cache)


def config_of(kind: Kind, settings: Mapping[str, Any]) -> EncoderConfig:
    """Translate settings; those of EncoderConfig are taken as they are.

    >>> config_of(EMBEDDINGS["openai"], {"model": "m", "chunk_size": 8}).batch.texts
    8
    """
    table: dict[str, Any] = {}
    for name, value in _flat(settings):
        if name in SECRETS:
            raise UsageError(
                f"embedding_config has {name}; a key is taken from the environment: set "
                'OPENAI_API_KEY, or name another variable with {"key": "VARIABLE"}'
            )
        if name in kind.ignored:
            continue
        if name not in kind.renamed and name not in EncoderConfig.__struct_fields__:
            known = ", ".join([*kind.renamed, *EncoderConfig.__struct_fields__[1:]])
            raise UsageError(f"embedding_config has {name}, which is not known; known: {known}")
        *inside, last = kind.renamed.get(name, name).split(".")
        place = table
        for part in inside:
            place = place.setdefault(part, {})
        place[last] = value
    return encoder_config(table)


def _flat(settings: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Return the settings, those inside model_kwargs and encode_kwargs under a name with a dot."""
    flat = []
    for name, value in settings.items():
        if name.endswith("_kwargs") and isinstance(value, Mapping):
            flat += [(f"{name}.{inner}", each) for inner, each in value.items()]
        else:
            flat.append((name, value))
    return flat
