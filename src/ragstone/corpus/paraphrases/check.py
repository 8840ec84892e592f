"""The check for paraphrases: which eval items stand in a corpus in other words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ragstone.corpus.paraphrases.result import Paraphrases
from ragstone.corpus.paraphrases.search import ParaphraseSearch
from ragstone.corpus.paraphrases.settings import ParaphraseSettings
from ragstone.encoders import Encoder
from ragstone.formats.corpus import Corpus
from ragstone.formats.items import Items, read_items
from ragstone.progress import Progress

THRESHOLD, WINDOW = 0.8, 400


def paraphrases(
    corpus: Corpus | str | Path | Sequence[str | Path],
    items: Items | str | Path | Iterable[Mapping[str, Any]],
    encoder: Encoder,
    *,
    fields: Sequence[str] = (),
    threshold: float = THRESHOLD,
    window: int = WINDOW,
    documents: int = 3,
    min_words: int = 0,
    progress: Progress | None = None,
) -> Paraphrases:
    """Find the items that stand in a corpus in other words, and in which documents.

    Each text of an item is compared with every passage of the corpus (see `windows`); from a cosine
    of `threshold` on it leaks. What counts as near depends on the model: look at pairs that are
    known before trusting a threshold.

    corpus, items, fields: as `leakage` takes them. window: characters of a passage. progress: is
    told of bytes. Raises InputError for what cannot be read, and where no text could be looked for
    at all, and what the encoder raises.
    """
    settings = ParaphraseSettings(
        threshold=threshold, window=window, documents=documents, min_words=min_words
    )
    read = items if isinstance(items, Items) else read_items(items, fields)
    search = ParaphraseSearch.of(read, settings, encoder)
    return search.over(corpus if isinstance(corpus, Corpus) else Corpus(corpus), progress)
