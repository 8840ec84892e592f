"""BM25 in plain Python: the retriever of the demo and of `examples/bm25.py`."""

from __future__ import annotations

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Iterable

from ragstone.text import words


class BM25:
    """An inverted index over texts that ranks them for a query by BM25.

    A document's score is the sum, over the words of the query (a word said twice counts twice), of

        idf * tf / (tf + k1 * (1 - b + b * length / mean length))
        idf = log(1 + (N - df + 0.5) / (df + 0.5))

    where tf counts the word in the document, df counts the documents that have it, N counts all
    documents and lengths are in words. The formula is Robertson and Zaragoza, "The Probabilistic
    Relevance Framework: BM25 and Beyond" (2009), in the variant of Lucene that Kamphuis, de Vries,
    Boytsov and Lin describe in "Which BM25 Do You Mean?" (2020): the 1 inside the logarithm keeps
    idf positive, and Lucene 8 dropped the constant factor k1 + 1. The defaults of k1 and b are
    those of Anserini.

    Two things are left out to stay small: a stop-word list and stemming.
    """

    def __init__(
        self, documents: Iterable[tuple[str, str]], *, k1: float = 0.9, b: float = 0.4
    ) -> None:
        """Index `(document id, text)` pairs; a repeated id is a ValueError."""
        self._ids: list[str] = []
        self._postings: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        lengths = [self._add(doc_id, text) for doc_id, text in documents]
        if len(set(self._ids)) < len(self._ids):
            twice = Counter(self._ids).most_common(1)[0][0]
            raise ValueError(f"document id {twice!r} occurs more than once")
        mean = sum(lengths) / len(lengths) if any(lengths) else 1.0
        self._norms = [k1 * (1 - b + b * length / mean) for length in lengths]

    def _add(self, doc_id: str, text: str) -> int:
        """Add one document to the index and return its length in words."""
        counts = Counter(words(text))
        for word, count in counts.items():
            self._postings[word].append((len(self._ids), count))
        self._ids.append(doc_id)
        return counts.total()

    def search(self, query: str, k: int) -> list[tuple[str, float]]:
        """Return the best `k` documents that share a word with the query, as `(id, score)`.

        The order is trec_eval's: score descending, then document id descending by code point.
        """
        scores: defaultdict[int, float] = defaultdict(float)
        for word, times in Counter(words(query)).items():
            postings = self._postings.get(word, [])
            weight = times * self._idf(len(postings))
            for document, count in postings:
                scores[document] += weight * count / (count + self._norms[document])
        found = ((score, self._ids[document]) for document, score in scores.items())
        return [(doc_id, score) for score, doc_id in heapq.nlargest(k, found)]

    def _idf(self, df: int) -> float:
        return math.log(1 + (len(self._ids) - df + 0.5) / (df + 0.5))
