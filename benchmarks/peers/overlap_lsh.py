"""Similar documents as users of MinHash libraries find them: sign, ask, check each candidate.

Usage: overlap_lsh.py rensa|datasketch A B THRESHOLD. The smaller corpus, B, is indexed.
"""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from collections.abc import Callable, Iterator
from typing import Any

WORD = re.compile(r"[^\W_]+")
SHINGLE, PERMUTATIONS, BANDS = 5, 128, 16


def shingles(text: str) -> set[str]:
    words = WORD.findall(unicodedata.normalize("NFKC", text).lower())
    return {" ".join(words[i : i + SHINGLE]) for i in range(len(words) - SHINGLE + 1)}


def read(path: str) -> Iterator[tuple[str, set[str]]]:
    with open(path, encoding="utf-8") as file:  # noqa: PTH123
        for line in file:
            row = json.loads(line)
            yield row["_id"], shingles(row["text"])


def rensa(threshold: float) -> tuple[Callable[[set[str]], Any], Any]:
    from rensa import RMinHash, RMinHashLSH  # noqa: PLC0415

    def sign(found: set[str]) -> Any:
        signature = RMinHash(num_perm=PERMUTATIONS, seed=1)
        signature.update(list(found))
        return signature

    return sign, RMinHashLSH(threshold=threshold, num_perm=PERMUTATIONS, num_bands=BANDS)


def datasketch(threshold: float) -> tuple[Callable[[set[str]], Any], Any]:
    from datasketch import MinHash, MinHashLSH  # noqa: PLC0415

    def sign(found: set[str]) -> Any:
        signature = MinHash(num_perm=PERMUTATIONS, seed=1)
        signature.update_batch([shingle.encode() for shingle in found])
        return signature

    return sign, MinHashLSH(threshold=threshold, num_perm=PERMUTATIONS)


def main(library: str, a: str, b: str, threshold: float) -> None:
    sign, index = {"rensa": rensa, "datasketch": datasketch}[library](threshold)
    indexed = list(read(b))
    for number, (_, found) in enumerate(indexed):
        index.insert(number, sign(found))
    for name, found in read(a):
        for number in index.query(sign(found)):
            other, others = indexed[number]
            shared = len(found & others)
            if shared and shared / (len(found) + len(others) - shared) >= threshold:
                print(name, other)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4]))
