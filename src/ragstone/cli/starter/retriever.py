"""The retriever that is measured. Put your own in place of `search`.

`ragstone run-retriever` calls it with the text of a query. It returns (document id, score) pairs,
best first; a list of ids is enough. It may be async, or an object of LangChain, LlamaIndex or
Haystack: see `ragstone run-retriever --help`.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from pathlib import Path

CORPUS = Path(__file__).with_name("corpus.jsonl")
WITH_TITLES = True  # set this to False, run evaluate.sh, and see it fail


def search(query: str) -> list[tuple[str, float]]:
    """Return the documents that share words with the query; a rare word counts for more."""
    texts = {name: Counter(words(text)) for name, text in documents().items()}
    spread = Counter(word for text in texts.values() for word in text)
    scores = {
        name: sum(
            math.log(1 + len(texts) / spread[word]) * text[word] / (text[word] + 1)
            for word in set(words(query)) & text.keys()
        )
        for name, text in texts.items()
    }
    found = [(name, score) for name, score in scores.items() if score > 0]
    return sorted(found, key=lambda pair: -pair[1])


def documents() -> dict[str, str]:
    """Read the corpus: id -> what is searched."""
    with CORPUS.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return {row["_id"]: f"{row['title'] if WITH_TITLES else ''} {row['text']}" for row in rows}


def words(text: str) -> list[str]:
    """Split a text into words."""
    return re.findall(r"\w+", text.lower())
