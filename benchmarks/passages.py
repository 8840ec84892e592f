"""Gold and retrieved passages of a given size, the same in every run."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

ENGLISH = 4_000
"""How many words there are; the first ones are the most frequent, as in a language."""
NOUNS = (
    "서울", "부산", "도시", "항구", "시장", "학교", "기차", "회의", "문서", "검색",
    "질문", "대답", "모델", "바다", "나라", "수도", "역사", "음식", "기술", "연구",
)  # fmt: skip
PARTICLES = ("은", "이", "을", "에서", "으로", "와", "도")
VERBS = (
    "만들었다", "찾았다", "보았다", "시작했다", "끝났다", "읽었다", "말했다", "갔다", "왔다",
    "좋아한다",
)  # fmt: skip


def write(
    folder: Path,
    name: str,
    queries: int,
    golds: int,
    retrieved: int,
    *,
    words: int,
    korean: bool = False,
) -> Path:
    """Write JSON lines with `gold` and `retrieved`.

    Every second gold is retrieved, with a fifth of its words changed; the rest is noise.
    """
    rng = random.Random(f"{name} {queries} {golds} {retrieved} {words}")
    draw = korean_text if korean else english_text
    path = folder / f"{name}.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for query in range(queries):
            wanted = [draw(rng, words) for _ in range(golds)]
            found = [changed(rng, text, draw) for text in wanted[::2]]
            found += [draw(rng, words) for _ in range(retrieved - len(found))]
            rng.shuffle(found)
            row = {"id": f"q{query}", "gold": wanted, "retrieved": found}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    return path


def english_text(rng: random.Random, words: int) -> str:
    """Return words of which few are frequent and many are rare."""
    return " ".join(f"word{int(ENGLISH ** rng.random())}" for _ in range(words))


def korean_text(rng: random.Random, words: int) -> str:
    """Return sentences of nouns with particles and a verb."""
    parts: list[str] = []
    while len(parts) < words:
        nouns = rng.sample(NOUNS, 3)
        parts += [noun + rng.choice(PARTICLES) for noun in nouns]
        parts.append(rng.choice(VERBS) + ".")
    return " ".join(parts[:words])


def changed(rng: random.Random, text: str, draw: Callable[[random.Random, int], str]) -> str:
    """Return a text with a fifth of its words taken from another."""
    words = text.split()
    others = draw(rng, len(words)).split()
    return " ".join(
        other if rng.random() < 0.2 else word for word, other in zip(words, others, strict=True)
    )
