"""MinHash: what is found, how surely, and that it never depends on chance."""

from __future__ import annotations

import random

import numpy as np
import pytest

from ragstone.corpus.overlap.banding import SURE, Banding, choose_banding
from ragstone.corpus.overlap.shingles import Shingling
from ragstone.errors import UsageError
from ragstone.text.ngrams import Block


def bands_of(texts: list[str], banding: Banding) -> np.ndarray:
    return banding.of(Shingling(words=1).of(Block.of(texts)), len(texts))


@pytest.mark.parametrize(("threshold", "shared"), [(0.5, 60), (0.8, 80)])
def test_pairs_meet_as_often_as_is_said(threshold: float, shared: int) -> None:
    """Sets of Jaccard s meet in a band of r values with probability s^r (Mmds, section 3.4)."""
    banding = Banding(bands=1, rows=3)
    each = round(shared * (1 / threshold - 1) / 2)
    texts = []
    for pair in range(3000):
        common = [f"c{pair}x{i}" for i in range(shared)]
        texts += [" ".join([*common, *(f"{side}{pair}y{i}" for i in range(each))]) for side in "ab"]
    found = bands_of(texts, banding)
    met = float((found[0::2] == found[1::2]).mean())
    similarity = shared / (shared + 2 * each)
    expected = similarity**3
    assert abs(met - expected) < 4 * (expected * (1 - expected) / 3000) ** 0.5


def test_bands_depend_on_the_set_of_shingles_alone() -> None:
    words = [f"w{i}" for i in range(50)]
    shuffled = random.Random(1).sample(words, 50)
    banding = Banding(8, 2)
    found = bands_of([" ".join(words), " ".join([*shuffled, *words[:9]]), "x"], banding)
    assert (found[0] == found[1]).all()
    assert (found[0] != found[2]).all()
    other = bands_of([" ".join(words)], Banding(8, 2, seed=2))
    assert (found[0] != other[0]).all()


@pytest.mark.parametrize("permutations", [127, 128, 256])
@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.8, 0.95, 1.0])
def test_the_longest_bands_that_are_sure_are_chosen(permutations: int, threshold: float) -> None:
    chosen = choose_banding(threshold, permutations)
    assert chosen.bands * chosen.rows <= permutations
    assert chosen.miss(threshold) <= 1 - SURE
    for rows in range(chosen.rows + 1, permutations + 1):
        assert Banding(permutations // rows, rows).miss(threshold) > 1 - SURE


def test_too_few_permutations_are_refused() -> None:
    with pytest.raises(UsageError, match=r"2 permutations find a pair at the threshold 0\.3 with"):
        choose_banding(0.3, 2)
