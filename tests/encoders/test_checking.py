"""What is in the cache is not asked again, and nothing unchecked gets into it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedding import vector, vectors
from ragstone.encoders import CheckedEncoder, EncoderConfig, open_encoder
from ragstone.encoders.checking import batches
from ragstone.encoders.encoder import Batching
from ragstone.errors import InputError, UsageError
from ragstone.store import Cache

CONFIG = EncoderConfig(revision="1", batch=Batching(texts=3, characters=20))


class Fake:
    """A function that remembers what it was asked."""

    def __init__(self, dimensions: int = 6) -> None:
        self.dimensions = dimensions
        self.asked: list[list[str]] = []

    def __call__(self, texts: list[str]) -> list[list[float]]:
        self.asked.append(texts)
        return [vector(text, self.dimensions) for text in texts]

    @property
    def texts(self) -> list[str]:
        return sorted(text for batch in self.asked for text in batch)


def opened(fake: Any, cache: Any = None, config: EncoderConfig = CONFIG, **more: Any) -> Any:
    return open_encoder(fake, config, cache=cache, name="fake", **more)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "vectors.sqlite"


def same(found: Any, texts: Sequence[str]) -> bool:
    return bool(found.dtype == np.float32 and (found == vectors(texts)).all())


# ---- batches -----------------------------------------------------------------------------------


@given(st.lists(st.text(max_size=30)), st.integers(1, 5), st.integers(1, 40))
def test_batches_have_every_text_once_and_keep_within(
    texts: list[str], most: int, characters: int
) -> None:
    found = list(batches(texts, Batching(most, characters)))
    assert sorted(place for batch in found for place in batch) == list(range(len(texts)))
    for batch in found:
        total = sum(len(texts[place]) for place in batch)
        assert len(batch) <= most
        assert total <= characters or len(batch) == 1


@given(st.lists(st.text("abc ", max_size=8), max_size=12), st.randoms(use_true_random=False))
def test_the_order_of_texts_changes_no_batch(texts: list[str], random: Any) -> None:
    shuffled = list(texts)
    random.shuffle(shuffled)
    one, other = Fake(), Fake()
    rows = opened(one).encode(texts)
    moved = opened(other).encode(shuffled)
    assert one.asked == other.asked
    assert {t: r.tobytes() for t, r in zip(texts, rows, strict=True)} == {
        t: r.tobytes() for t, r in zip(shuffled, moved, strict=True)
    }


def test_each_text_is_asked_once_and_white_space_never() -> None:
    fake = Fake()
    texts = ["b", "a", " \n", "b", "", "한국어", "a"]
    encoder = opened(fake)
    rows = encoder.encode(texts)
    assert fake.texts == ["a", "b", "한국어"]
    assert rows.shape == (7, 6)
    assert not rows[2].any()
    assert not rows[4].any()
    kept = [0, 1, 3, 5, 6]
    assert same(rows[kept], [texts[n] for n in kept])
    assert dict(encoder.counts) == {"texts": 7, "blank": 2, "cached": 0, "encoded": 3}


def test_nothing_to_encode() -> None:
    fake = Fake()
    encoder = opened(fake)
    assert encoder.encode([]).shape == (0, 0)
    assert encoder.encode(["", " "]).shape == (2, 0)
    encoder.encode(["a"])
    assert encoder.encode([" "]).shape == (1, 6)
    assert fake.texts == ["a"]


@pytest.mark.parametrize("text", [None, 7, b"bytes"])
def test_a_text_is_text(text: Any) -> None:
    with pytest.raises(InputError, match="a text was expected to encode, found"):
        opened(Fake()).encode(["a", text])


# ---- the cache ---------------------------------------------------------------------------------


def test_a_second_run_asks_for_nothing(path: Path) -> None:
    texts = [f"text {n}" for n in range(20)]
    with closing(Cache(path)) as cache:
        assert same(opened(Fake(), cache).encode(texts), texts)
    again = Fake()
    with closing(Cache(path)) as cache:
        encoder = opened(again, cache)
        assert same(encoder.encode(texts[::-1]), texts[::-1])
        assert again.asked == []
        assert dict(encoder.counts) == {"texts": 20, "blank": 0, "cached": 20}
        assert same(encoder.encode([*texts, "new"]), [*texts, "new"])
        assert again.asked == [["new"]]


@pytest.mark.parametrize(
    "other",
    [
        EncoderConfig(revision="2"),
        EncoderConfig(revision="1", prompt="query: "),
    ],
)
def test_another_signature_has_its_own_vectors(path: Path, other: EncoderConfig) -> None:
    opened(Fake(), path).encode(["a"])
    fake = Fake()
    opened(fake, path, other).encode(["a"])
    assert fake.asked == [[f"{other.prompt}a"]]


def test_batches_do_not_change_the_key(path: Path) -> None:
    opened(Fake(), path).encode(["a", "b", "c", "d"])
    fake = Fake()
    opened(fake, path, EncoderConfig(revision="1", batch=Batching(1, 1))).encode(["d", "a"])
    assert fake.asked == []


def test_a_function_without_a_revision_is_not_kept(path: Path) -> None:
    with pytest.raises(UsageError, match="only if it has a revision"):
        opened(Fake(), path, EncoderConfig())
    fake = Fake()
    fake.revision = "7"  # type: ignore[attr-defined]
    encoder = opened(fake, path, EncoderConfig())
    assert encoder.signature["encoder_revision"] == "7"


class Failing(Fake):
    """Fails, or gives what cannot be used, at one of its calls."""

    def __init__(self, at: int, how: Any) -> None:
        super().__init__()
        self.at, self.how = at, how

    def __call__(self, texts: list[str]) -> Any:
        found = super().__call__(texts)
        return self.how(found) if len(self.asked) == self.at else found


def raising(_: Any) -> Any:
    raise RuntimeError("out of memory\nat layer 3")


FAULTS = {
    "an error": (raising, r"fake failed: RuntimeError: out of memory at layer 3 \(.*\.py:\d+, in "),
    "fewer": (lambda rows: rows[1:], "fake: 2 vectors came back for 3 texts"),
    "more": (lambda rows: rows * 2, "fake: 6 vectors came back for 3 texts"),
    "shorter": (lambda rows: [r[1:] for r in rows], "a vector of 5 numbers came back where 6"),
    "ragged": (lambda rows: [rows[0][1:], *rows[1:]], "different lengths came back, 5 and 6"),
    "nan": (lambda rows: [[float("nan")] * 6] * 3, "has NaN or infinity in it"),
    "none": (lambda rows: None, "a NoneType came back, and no list"),
    "a generator": (iter, "a list_iterator came back, and no list"),
}


@pytest.mark.parametrize(("how", "message"), FAULTS.values(), ids=FAULTS.keys())
def test_a_bad_batch_is_refused_and_leaves_the_good_ones(
    how: Any, message: str, path: Path
) -> None:
    texts = [f"text {n}" for n in range(8)]  # three batches: 3, 3, 2
    with closing(Cache(path)) as cache, pytest.raises(InputError, match=message):
        opened(Failing(2, how), cache).encode(texts)
    again = Fake()
    with closing(Cache(path)) as cache:
        assert same(opened(again, cache).encode(texts), texts)
    assert again.texts == texts[3:]


def test_a_model_that_changed_behind_its_name(path: Path) -> None:
    opened(Fake(6), path).encode(["a"])
    with pytest.raises(InputError) as caught:
        opened(Fake(4), path).encode(["a", "b"])
    assert str(caught.value) == (
        "fake: a vector of 4 numbers came back where 6 were expected, as in the cache "
        f"{path}; if the model behind this name has changed, give a revision, or name another "
        "cache; it takes a list of texts and returns a vector of finite numbers for each"
    )
    assert same(opened(Fake(6), path).encode(["a"]), ["a"])


def test_a_row_in_the_cache_that_is_no_row(path: Path) -> None:
    with closing(Cache(path)) as cache:
        encoder = opened(Fake(), cache)
        encoder.encode(["a", "b"])
        cache.put(encoder._key("a"), b"\0" * 23)
        with pytest.raises(InputError, match="the cache is damaged; delete it to start anew"):
            opened(Fake(), cache).encode(["a", "b"])
        cache.put(encoder._signed_key, b"no json")
        with pytest.raises(InputError, match="the cache is damaged"):
            opened(Fake(), cache).encode(["b"])


def test_what_may_not_be_written_is_said_before_anything_is_asked(path: Path) -> None:
    with closing(Cache(path)) as cache:
        opened(Fake(), cache).encode(["a"])
    fake = Fake()
    with closing(Cache(path, read_only=True)) as cache:
        assert same(opened(fake, cache).encode(["a"]), ["a"])
        with pytest.raises(InputError) as caught:
            opened(fake, cache).encode(["a", "b", "c"])
    assert fake.asked == []
    assert str(caught.value) == (
        f"fake: 2 of 3 texts are not in the cache {path}, and that cannot be written; copy it to "
        "where it can be"
    )


def test_offline_code_runs_and_keeps_nothing(path: Path) -> None:
    opened(Fake(), path).encode(["a"])
    fake = Fake()
    assert same(opened(fake, path, offline=True).encode(["a", "b"]), ["a", "b"])
    assert fake.asked == [["b"]]
    again = Fake()
    opened(again, path, offline=True).encode(["b"])
    assert again.asked == [["b"]]


# ---- progress, interruption --------------------------------------------------------------------


class Seen:
    """A progress that remembers."""

    def __init__(self) -> None:
        self.said: list[Any] = []

    def start(self, total: int | None) -> None:
        self.said.append(("start", total))

    def advance(self, steps: int = 1) -> None:
        self.said.append(steps)

    def finish(self) -> None:
        self.said.append("finish")


def test_progress_counts_what_is_encoded(path: Path) -> None:
    seen = Seen()
    encoder = opened(Fake(), path, progress=seen)
    encoder.encode(["a", "b", "c", "d"])
    encoder.encode(["a", "b"])
    assert seen.said == [("start", 4), 3, 1, "finish"]
    seen.said.clear()
    with pytest.raises(InputError):
        opened(Failing(2, raising), path, progress=seen).encode(["e", "f", "g", "h"])
    assert seen.said == [("start", 4), 3, "finish"]


def test_an_interruption_keeps_the_batches_that_are_done(path: Path) -> None:
    def interrupt(_: Any) -> Any:
        raise KeyboardInterrupt

    with closing(Cache(path)) as cache, pytest.raises(KeyboardInterrupt):
        opened(Failing(3, interrupt), cache).encode([f"text {n}" for n in range(8)])
    again = Fake()
    opened(again, path).encode([f"text {n}" for n in range(8)])
    assert again.texts == ["text 6", "text 7"]


CHILD = """
import sys
from ragstone.encoders import EncoderConfig, open_encoder
asked = []
def embed(texts):
    asked.extend(texts)
    return [[len(text), ord(text[0])] for text in texts]
encoder = open_encoder(embed, EncoderConfig(revision="1"), cache=sys.argv[1], name="f")
sys.stdin.readline()
texts = [f"{n} of all" for n in range(200)]
assert encoder.encode(texts)[:, 1].tolist() == [float(ord(text[0])) for text in texts]
print(len(asked))
"""


def test_processes_share_a_cache(path: Path) -> None:
    children = [
        subprocess.Popen(
            [sys.executable, "-c", CHILD, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for each in children:
        assert each.stdin is not None
        each.stdin.write("\n")
        each.stdin.flush()
    assert {each.wait(60) for each in children} == {0}
    for each in children:
        assert each.stdout is not None
        assert each.stdin is not None
        each.stdout.close()
        each.stdin.close()
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(path)],
        check=True,
        input="\n",
        capture_output=True,
        text=True,
    )
    assert done.stdout == "0\n"


# ---- a model whose revision only asking tells ----------------------------------------------------


class Versioned:
    """A model behind an imagined network."""

    name, batching, asks_network = "far:m", Batching(), True

    def __init__(self, revision: str) -> None:
        from ragstone.model import Signature

        self.asked = Signature.of(encoder="far", encoder_model="m")
        self._revision = revision

    def revision(self, *, offline: bool) -> str | None:
        return None if offline else self._revision

    def signed(self, revision: str) -> Any:
        from ragstone.model import Signature

        return Signature.of(self.asked, encoder_revision=revision)

    def vectors(self, batches: Sequence[Sequence[str]]) -> Iterator[tuple[int, Any]]:
        for place, batch in reversed(list(enumerate(batches))):  # not in their order
            yield place, vectors(batch)

    def notes(self) -> list[str]:
        return ["a note"]

    def refused(self, problem: str, reason: str) -> InputError:
        return InputError(f"{reason}: {problem}")


def test_offline_the_cache_knows_the_revision(path: Path) -> None:
    with closing(Cache(path)) as cache:
        CheckedEncoder(Versioned("v1"), cache=cache).encode(["old"])
        CheckedEncoder(Versioned("v2"), cache=cache).encode(["a", "b"])
    with closing(Cache(path, read_only=True)) as cache:
        encoder = CheckedEncoder(Versioned("unknown"), cache=cache, offline=True)
        assert encoder.signature["encoder_revision"] == "v2"
        assert same(encoder.encode(["b", "a"]), ["b", "a"])
        with pytest.raises(InputError) as caught:
            encoder.encode(["old", "a"])
    assert str(caught.value) == (
        f"far:m: 1 of 2 texts are not in the cache {path}, and offline nothing is sent; run it "
        "once without --offline and with --cache"
    )


def test_offline_without_a_cache_that_knows(path: Path) -> None:
    for cache, why in ((None, "there is no cache"), (Cache(path), "the cache does not know it")):
        with pytest.raises(InputError, match=f"offline nobody can tell .*, and {why}; give the"):
            CheckedEncoder(Versioned("v1"), cache=cache, offline=True).encode(["a"])
    encoder = CheckedEncoder(Versioned("v1"))
    assert same(encoder.encode([str(n) for n in range(100)]), [str(n) for n in range(100)])
    assert encoder.notes() == ["a note"]
