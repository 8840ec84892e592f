"""The leakage check: which eval items stand in a corpus, exactly, in one pass over it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ragstone.corpus.job import Reader
from ragstone.corpus.leakage.result import Leakage
from ragstone.corpus.leakage.search import Search
from ragstone.corpus.leakage.settings import CommonLimit, LeakageSettings
from ragstone.corpus.streaming import stream
from ragstone.formats.corpus import Corpus
from ragstone.formats.items import Items, read_items
from ragstone.progress import Progress


def leakage(
    corpus: Corpus | Reader | str | Path | Sequence[str | Path],
    items: Items | str | Path | Iterable[Mapping[str, Any]],
    *,
    fields: Sequence[str] = (),
    threshold: float = 0.6,
    unit: str = "auto",
    shingle: int = 3,
    char_shingle: int = 4,
    documents: int = 3,
    min_words: int = 0,
    ignore_common: str | int | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> Leakage:
    """Find the items whose texts stand in a corpus, and in which documents.

    A text's containment in a document is the share of its different n-grams that the document
    has; from `threshold` on it is a leak. A text shorter than an n-gram is looked for as a phrase.

    corpus: paths as Corpus takes them, or a SparkCorpus. items: a file of JSON lines, or mappings
    with `id`. fields: by default those of query, question, answer, text and reference that there
    are. ignore_common: n-grams in more documents than this, or than this percent as `1%`, do not
    count; the corpus is then read twice. See LeakageSettings for the others. workers: processes
    that read the corpus; the result is the same. progress: is told of bytes.

    Raises InputError for what cannot be read, and where no text could be looked for at all.
    """
    settings = LeakageSettings(
        threshold=threshold,
        unit=unit,
        shingle=shingle,
        char_shingle=char_shingle,
        documents=documents,
        min_words=min_words,
        ignore_common="" if ignore_common is None else str(CommonLimit.of(str(ignore_common))),
    )
    search = Search.of(items if isinstance(items, Items) else read_items(items, fields), settings)
    if isinstance(corpus, str | Path | Sequence):
        corpus = Corpus(corpus)
    if settings.ignore_common:
        counts, census = stream(search.counting(), corpus, workers=workers, progress=progress)
        most = CommonLimit.of(settings.ignore_common).most(census.documents)
        search = search.without_common(counts, most)
    state, census = stream(search.containing(), corpus, workers=workers, progress=progress)
    return search.result(state, census.facts)
