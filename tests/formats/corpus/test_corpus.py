"""A corpus in every form it may have: its documents, its parts, its counts, its digests."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora import FORMS, WANTED, documents, json_lines
from ragstone.errors import FormatError, InputError
from ragstone.formats.corpus import Census, Corpus, Part

Write = Callable[..., str]

# ---- against a reader of ten lines ---------------------------------------------------------------


def oracle(data: bytes) -> list[tuple[str, str]]:
    found = []
    for line in data.decode().split("\n"):
        if not line.strip() or line.startswith("#"):
            continue
        row = json.loads(line)
        doc = row.get("id") if row.get("id") is not None else row["_id"]
        title, text = row.get("title") or "", row.get("text") or ""
        found.append((str(doc), f"{title}\n{text}" if title else text))
    return found


texts = st.text(st.characters(codec="utf-8"), max_size=12)
values = st.one_of(st.none(), texts)
extras = st.dictionaries(
    st.sampled_from(["metadata", "url", "ids"]),
    st.one_of(st.none(), st.just({"text": "x", "id": 3}), st.just("text"), st.lists(st.integers())),
)


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """Lines of rows with ids that differ, and some that are blank or comments."""
    lines = []
    for number in range(draw(st.integers(1, 12))):
        doc = draw(st.sampled_from([number, f"d{number}", f"한 {number}"]))
        row = {draw(st.sampled_from(["id", "_id"])): doc, **draw(extras)}
        for name in ("title", "text"):
            if draw(st.booleans()):
                row[name] = draw(values)
        keys = draw(st.permutations(list(row)))
        ascii_only = draw(st.booleans())
        lines.append(json.dumps({key: row[key] for key in keys}, ensure_ascii=ascii_only))
        if draw(st.integers(0, 5)) == 0:
            lines.append(draw(st.sampled_from(["", "  ", "# a comment", "\t"])))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    return (end.join(lines) + draw(st.sampled_from(["", end]))).encode()


@given(data=files(), characters=st.integers(1, 400), number=st.integers(1, 6))
def test_json_lines_are_read_as_by_ten_lines(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, characters: int, number: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "drawn.jsonl"
    path.write_bytes(data)
    wanted = oracle(data)
    corpus = Corpus(path)
    census = Census()
    found, places = [], []
    if all(not text.strip() for _, text in wanted):
        return
    for batch in corpus.batches(characters=characters, census=census):
        found += list(zip(batch.ids, batch.texts, strict=True))
        places += [batch.places[index] for index in range(len(batch.ids))]
    assert found == wanted
    assert census.documents == len(wanted)
    blank = [text for _, text in wanted if not text.strip()]
    assert census.empty == len(blank)
    lines = data.split(b"\n")
    for place, (doc, _) in zip(places, wanted, strict=True):
        row = json.loads(lines[int(place.rpartition(":")[2]) - 1])
        assert str(row.get("id", row.get("_id"))) == doc
    parts = corpus.parts(number)
    assert [each for part in parts for each in documents(corpus, part)] == wanted
    assert sum(part.size for part in parts) == corpus.size == len(data)


# ---- every form ----------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("characters", [100, 5000, 1 << 17])
def test_every_form_has_the_same_documents(forms: Path, form: str, characters: int) -> None:
    assert documents(Corpus(f"{forms}/{form}"), characters=characters) == WANTED


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("number", [1, 2, 3, 8, 1000])
def test_parts_one_after_the_other_are_the_corpus(forms: Path, form: str, number: int) -> None:
    corpus = pickle.loads(pickle.dumps(Corpus(f"{forms}/{form}")))  # as another process gets it
    parts = [pickle.loads(pickle.dumps(part)) for part in corpus.parts(number)]
    assert [pair for part in parts for pair in documents(corpus, part)] == WANTED
    assert sum(part.size for part in parts) == corpus.size
    if number == 1:
        assert len(parts) == 1
    elif "packed" not in form:
        assert len(parts) > 1


def test_parts_are_of_like_size(tmp_path: Path) -> None:
    rows = [{"id": number, "text": "x" * 50} for number in range(2000)]
    (tmp_path / "big.jsonl").write_bytes(json_lines(rows[:1900]))
    for number in range(20):
        (tmp_path / f"small{number:02}.jsonl").write_bytes(
            json_lines(rows[1900 + number * 5 : 1905 + number * 5])
        )
    corpus = Corpus(tmp_path)
    sizes = [part.size for part in corpus.parts(4)]
    assert len(sizes) == 4
    assert max(sizes) < 1.2 * corpus.size / 4


def test_several_paths_in_their_order(forms: Path, tmp_path: Path) -> None:
    (tmp_path / "more.jsonl").write_bytes(b'{"id": "z", "text": "last"}\n')
    paths = [tmp_path / "more.jsonl", forms / "plain.jsonl"]
    assert documents(Corpus(paths)) == [("z", "last"), *WANTED]
    assert documents(Corpus(paths[::-1])) == [*WANTED, ("z", "last")]


def test_standard_input(forms: Path) -> None:
    code = (
        "from ragstone.formats.corpus import Corpus\n"
        "corpus = Corpus('-')\n"
        "print(sum(len(batch.ids) for part in corpus.parts(3) for batch in corpus.batches(part)))\n"
        "print(sum(len(batch.ids) for batch in corpus.batches()))\n"
    )
    for form in ("plain.jsonl", "packed.jsonl.zst", "columns.parquet"):
        with (forms / form).open("rb") as file:
            done = subprocess.run(
                [sys.executable, "-c", code], stdin=file, capture_output=True, check=True
            )
        assert done.stdout.split() == [b"100", b"100"]


def test_a_batch_is_of_bounded_size(forms: Path) -> None:
    for form in FORMS:
        batches = list(Corpus(f"{forms}/{form}").batches(characters=2000))
        assert len(batches) > 5
        assert max(len("".join(batch.texts)) for batch in batches) < 4000


# ---- counts --------------------------------------------------------------------------------------


def test_what_is_empty_is_counted(tmp_path: Path) -> None:
    rows = [
        {"id": 1, "text": "a"},
        {"id": 2, "text": " \u3000\n"},
        {"id": 3, "text": None, "title": None},
        {"id": 4, "title": "T"},
        {"id": 5, "title": "T", "text": "  "},
        {"id": 6},
        {"id": 7, "title": " ", "text": ""},
    ]
    (tmp_path / "f.jsonl").write_bytes(json_lines(rows))
    census = Census()
    list(Corpus(tmp_path / "f.jsonl").batches(census=census))
    assert census.facts == {
        "documents": 7,
        "empty_documents": 4,
        "title_only_documents": 2,
        "truncated": 0,
    }


@pytest.mark.parametrize("most", [1, 7, 99, 100, 101, 5000])
@pytest.mark.parametrize("form", ["plain.jsonl", "columns.parquet", "shards"])
def test_a_limit_is_said(forms: Path, form: str, most: int) -> None:
    for characters in (100, 5000, 1 << 17):
        corpus, census = Corpus(forms / form, max_records=most), Census()
        batches = list(corpus.batches(census=census, characters=characters))
        assert [doc for batch in batches for doc in batch.ids] == [d for d, _ in WANTED[:most]]
        assert census.documents == min(most, 100)
        assert census.truncated is (most < 100)
        assert len(corpus.parts(4)) == 1


def test_a_limit_counts_what_is_empty_within_it(tmp_path: Path) -> None:
    (tmp_path / "f.jsonl").write_bytes(
        json_lines([{"id": 1, "text": ""}, {"id": 2, "text": "a"}, {"id": 3, "text": ""}])
    )
    census = Census()
    list(Corpus(tmp_path / "f.jsonl", max_records=2).batches(census=census))
    assert (census.documents, census.empty, census.truncated) == (2, 1, True)


def test_an_odd_limit_is_refused(forms: Path) -> None:
    with pytest.raises(InputError, match="at most 0 documents; 1 or more were expected"):
        Corpus(forms / "plain.jsonl", max_records=0)


class Steps:
    """Keeps what progress is told."""

    def __init__(self) -> None:
        self.said: list[object] = []

    def start(self, total: int | None) -> None:
        self.said.append(total)

    def advance(self, steps: int = 1) -> None:
        self.said.append(steps)

    def finish(self) -> None:
        self.said.append("end")


@pytest.mark.parametrize("form", [*FORMS, "texts"])
def test_progress_is_told_of_every_byte_on_disk(forms: Path, form: str, tmp_path: Path) -> None:
    if form == "texts":
        for number in range(9):
            (tmp_path / f"{number}.txt").write_text("text " * 50 * number)
        forms, form = tmp_path.parent, tmp_path.name
    corpus, steps = Corpus(f"{forms}/{form}"), Steps()
    list(corpus.batches(characters=500, progress=steps))
    total, *advances, end = steps.said
    assert (total, end) == (corpus.size, "end")
    assert sum(map(int, map(str, advances))) == corpus.size
    assert len(advances) > 1


def test_progress_ends_when_the_reader_gives_up(forms: Path) -> None:
    steps = Steps()
    batches = Corpus(forms / "plain.jsonl").batches(characters=500, progress=steps)
    next(batches)
    batches.close()  # type: ignore[attr-defined]
    assert steps.said[-1] == "end"


# ---- ids that stand twice ------------------------------------------------------------------------


def message(paths: object, **options: object) -> str:
    with pytest.raises(InputError) as caught:
        list(Corpus(paths, **options).batches())  # type: ignore[arg-type]
    return str(caught.value)


def test_an_id_twice_names_both_places(write: Write) -> None:
    rows = [{"id": number, "text": "a"} for number in range(50)]
    write(b"# a comment\n" + json_lines([*rows, {"_id": "7", "text": "b"}]), "f.jsonl")
    assert message("f.jsonl") == (
        "f.jsonl:52: document '7' has two rows, the first at f.jsonl:9; a document has one row"
    )


def test_an_id_in_two_files(write: Write) -> None:
    write(json_lines([{"id": "x", "text": "a"}]), "b.jsonl")
    write(json_lines([{"id": "y", "text": "a"}, {"id": "x", "text": "a"}]), "a.jsonl")
    said = "document 'x' has two rows, the first at {}; a document has one row"
    assert message(["b.jsonl", "a.jsonl"]) == "a.jsonl:2: " + said.format("b.jsonl:1")
    assert message("?.jsonl") == "b.jsonl:1: " + said.format("a.jsonl:2")


def test_an_id_twice_behind_the_limit_is_not_read(write: Write) -> None:
    write(json_lines([{"id": doc, "text": "a"} for doc in "abca"]), "f.jsonl")
    assert "document 'a' has two rows" in message("f.jsonl")
    assert len(list(Corpus("f.jsonl", max_records=3).batches())) == 1


def test_digests_that_are_equal_by_chance_are_no_fault(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Census, "digest", lambda self, doc: len(doc))
    write(json_lines([{"id": doc, "text": "a"} for doc in ("a", "b", "cc", "dd")]), "f.jsonl")
    assert documents(Corpus("f.jsonl")) == [("a", "a"), ("b", "a"), ("cc", "a"), ("dd", "a")]
    write(json_lines([{"id": doc, "text": "a"} for doc in ("a", "b", "cc", "cc")]), "f.jsonl")
    assert "f.jsonl:4: document 'cc' has two rows, the first at f.jsonl:3" in message("f.jsonl")


def count(corpus: Corpus, part: Part) -> Census:
    census = Census(portable=True)
    for _ in corpus.batches(part, census=census):
        pass
    return census


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_an_id_twice_in_two_processes(write: Write, method: str) -> None:
    rows = [{"id": f"d{number}", "text": "a" * 50} for number in range(400)]
    write(json_lines([*rows, rows[0]]), "f.jsonl")
    corpus, whole = Corpus("f.jsonl"), Census(portable=True)
    parts = corpus.parts(4)
    assert len(parts) == 4
    with ProcessPoolExecutor(2, mp_context=get_context(method)) as pool:
        for census in pool.map(count, [corpus] * 4, parts):
            assert not census.repeated()
            whole.merge(census)
    assert whole.documents == 401
    with pytest.raises(
        FormatError, match=r"f\.jsonl:401: document 'd0' .* the first at f\.jsonl:1;"
    ):
        corpus.check(whole)


def test_a_census_of_a_part_is_portable(forms: Path) -> None:
    corpus = Corpus(forms / "plain.jsonl")
    with pytest.raises(ValueError, match="portable"):
        next(iter(corpus.batches(corpus.parts(2)[0], census=Census())))
    with pytest.raises(ValueError, match="portable"):
        Census().merge(Census(portable=True))


def test_the_memory_of_a_census_is_nine_bytes_a_document() -> None:
    import tracemalloc

    from ragstone.formats.corpus import Batch

    census, number = Census(), 200_000
    tracemalloc.start()
    for start in range(0, number, 1000):
        census.add(Batch([f"d{start + place}" for place in range(1000)], [], []))
    assert census.repeated() == set()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 11 * number + 200_000


# ---- nothing to check ----------------------------------------------------------------------------


def test_a_text_under_another_name_is_an_error(write: Write) -> None:
    write(json_lines([{"id": 1, "contents": "a"}, {"id": 2, "contents": "b"}]), "f.jsonl")
    assert message("f.jsonl") == (
        "f.jsonl: none of its 2 documents has a text; 'title' and 'text' were expected, "
        "its fields are 'id', 'contents'"
    )
    write(b"", "a.txt")
    assert message("a.txt") == "a.txt: its one document has no text"


@pytest.mark.parametrize("data", [b"", b"\n", b"# nothing\n"])
def test_a_corpus_without_a_document(write: Write, data: bytes) -> None:
    assert message(write(data, "f.jsonl")) == "f.jsonl: has no document in it"


# ---- what is recorded ----------------------------------------------------------------------------


def test_files_are_recorded_by_their_own_digest(forms: Path) -> None:
    for path, name in (("plain.jsonl", "plain.jsonl"), ("beir", "corpus.jsonl")):
        (found,) = Corpus(forms / path).inputs
        assert found.base_name == name
        data = (forms / "plain.jsonl").read_bytes()
        assert found.digest() == hashlib.sha256(data).hexdigest()


def test_a_folder_and_a_pattern_are_recorded_as_sha256sum_lists_them(forms: Path) -> None:
    shell = "sha256sum part-0.jsonl part-1.parquet | sha256sum"
    done = subprocess.run(
        ["bash", "-c", shell], cwd=forms / "shards", check=True, capture_output=True, text=True
    )
    wanted = done.stdout.split()[0]
    for path, name in (("shards", "shards"), ("shards/part*", "part*")):
        (found,) = Corpus(f"{forms}/{path}").inputs
        assert (found.base_name, found.digest()) == (name, wanted)


def test_the_name_of_the_folder_where_one_is(forms: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(forms / "shards")
    assert Corpus(".").inputs[0].base_name == "shards"


# ---- whatever the locale -------------------------------------------------------------------------

KOREAN = """
import sys
from ragstone.formats.corpus import Corpus
for path in sys.argv[1:]:
    for batch in Corpus(path).batches():
        for pair in zip(batch.ids, batch.texts):
            sys.stdout.buffer.write(" ".join(pair).encode() + b"\\n")
"""


@pytest.mark.parametrize("locale", [{"LC_ALL": "C", "PYTHONUTF8": "0"}, {"PYTHONUTF8": "1"}])
def test_texts_and_names_are_utf8_in_any_locale(tmp_path: Path, locale: dict[str, str]) -> None:
    (tmp_path / "c.jsonl").write_bytes('{"_id":"한","text":"국어"}\n'.encode())
    folder = tmp_path / "문서"
    folder.mkdir()
    for name in ("하.txt", "가.txt", "é.txt", "z.txt", "\U0001f600.txt", "\uff5e.txt"):
        (folder / name).write_bytes("글".encode())
    done = subprocess.run(
        [sys.executable, "-c", KOREAN, str(tmp_path / "c.jsonl"), os.fsencode(folder)],
        env={**os.environ, **locale},
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode().splitlines() == [
        "한 국어",
        "z.txt 글",
        "é.txt 글",
        "가.txt 글",
        "하.txt 글",
        "\uff5e.txt 글",
        "\U0001f600.txt 글",
    ]


def test_a_byte_that_is_not_utf8_is_named_in_any_locale(shared: Path) -> None:
    case = next((shared / "cases").glob("47-*"))
    done = subprocess.run(
        [sys.executable, "-c", KOREAN, str(case / "corpus.jsonl")],
        env={**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0"},
        capture_output=True,
        check=False,
    )
    assert b"corpus.jsonl:2: not UTF-8: byte 0xc7; save the file as UTF-8" in done.stderr
