"""A cache keeps bytes by digest, for several processes, and touches no foreign file."""

from __future__ import annotations

import array
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ragstone.errors import InputError
from ragstone.store import Cache, cache, cache_key


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "answers.sqlite"


def test_values_come_back_byte_for_byte(path: Path) -> None:
    vector = array.array("f", [0.1, -1e-40, 3.4e38]).tobytes()
    with closing(Cache(path)) as kept:
        assert kept.get("a") is None
        kept.put("a", b'{"x": 1}')
        kept.put_many({"b": vector, "c": b"", "d": b"\0" * 1_000_000})
        kept.put("a", b"[]")
    with closing(Cache(str(path))) as kept:
        assert kept.get("a") == b"[]"
        assert kept.get_many(["d", "b", "x", "c", "b"]) == {
            "b": vector,
            "c": b"",
            "d": b"\0" * 1_000_000,
        }


def test_more_keys_than_a_statement_takes(path: Path) -> None:
    values = {cache_key(n=n): str(n).encode() for n in range(2 * cache.KEYS_AT_ONCE + 1)}
    with closing(Cache(path)) as kept:
        kept.put_many(values)
        assert kept.get_many(values) == values
        assert kept.get_many([]) == {}


@pytest.mark.parametrize("value", ["text", 1, None, bytearray(b"x"), [1.0]])
def test_a_value_is_bytes_and_a_bad_one_keeps_out_the_others(path: Path, value: Any) -> None:
    with closing(Cache(path)) as kept:
        with pytest.raises(TypeError, match="the value of b is not bytes"):
            kept.put_many({"a": b"1", "b": value})
        assert kept.get("a") is None


def test_of_several_values_all_are_kept_or_none(path: Path) -> None:
    with closing(Cache(path)) as kept:
        with pytest.raises(UnicodeEncodeError):
            kept.put_many({"a": b"1", "\ud800": b"2"})
        assert kept.get("a") is None
        kept.put("a", b"3")
        assert kept.get("a") == b"3"


def test_a_key_is_the_digest_of_what_it_is_made_from() -> None:
    key = cache_key(model="m", messages=[{"role": "user", "content": "é"}], temperature=0.0)
    # sha256sum of {"messages":[{"content":"é","role":"user"}],"model":"m","temperature":0.0}
    assert key == "9d2a53f1b6900d4b8e4e2c565891dc1c8784cb94af1842386088d1edc53f95b3"
    assert cache_key(a=1) != cache_key(a=1.0) != cache_key(a="1")
    assert cache_key(a="b", c="d") != cache_key(a="d", c="b")
    with pytest.raises(InputError, match="finite"):
        cache_key(a=float("nan"))
    with pytest.raises(TypeError):
        cache_key(a=object())


def test_what_a_key_is_made_from_is_not_in_the_file(path: Path) -> None:
    with closing(Cache(path)) as kept:
        kept.put(cache_key(prompt="the-secret-prompt"), b"{}")
        files = list(path.parent.iterdir())
        assert not any(b"the-secret-prompt" in file.read_bytes() for file in files)


# ---- several at once ---------------------------------------------------------------------------

CHILD = """
import sys
import tempfile
from ragstone.store import Cache
path, name, number = sys.argv[1], sys.argv[2], int(sys.argv[3])
sys.stdin.readline()
kept = Cache(path)
for n in range(number):
    kept.put(f"{name}{n}", name.encode() * 500)
    kept.put("shared", name.encode() * 500)
    assert kept.get(f"{name}{n}") == name.encode() * 500
    print(n, flush=True)
"""


def child(path: Path, name: str, number: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", CHILD, str(path), name, str(number)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_processes_that_write_at_once_lose_nothing(path: Path) -> None:
    path.parent.mkdir()
    children = {name: child(path, name, 100) for name in "abc"}
    for each in children.values():  # all of them begin at the same moment, with no file yet
        assert each.stdin is not None
        each.stdin.write(b"\n")
        each.stdin.flush()
    for each in children.values():
        _, said = each.communicate(timeout=60)
        assert (each.returncode, said) == (0, b"")
    with closing(Cache(path)) as kept:
        for name in children:
            value = name.encode() * 500
            assert kept.get_many(f"{name}{n}" for n in range(100)) == {
                f"{name}{n}": value for n in range(100)
            }
        assert kept.get("shared") in {name.encode() * 500 for name in children}


def test_a_process_that_is_killed_loses_nothing_that_it_had_put(path: Path) -> None:
    with child(path, "a", 1_000_000) as writer:
        assert writer.stdin is not None
        assert writer.stdout is not None
        writer.stdin.write(b"\n")
        writer.stdin.flush()
        seen = [writer.stdout.readline() for _ in range(50)]
        writer.send_signal(signal.SIGKILL)
        seen += [line for line in writer.stdout if line.endswith(b"\n")]
    with closing(Cache(path)) as kept:
        assert len(kept.get_many(f"a{n}" for n in range(len(seen)))) == len(seen)


def test_threads_share_a_cache(path: Path) -> None:
    with closing(Cache(path)) as kept:

        def work(name: str) -> None:
            for n in range(50):
                kept.put_many({f"{name}{n}": b"1", f"{name}-{n}": b"2"})
                assert kept.get(f"{name}{n}") == b"1"

        threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert len(kept.get_many(f"{name}-{n}" for name in "abcd" for n in range(50))) == 200


def test_a_cache_that_stays_busy(path: Path) -> None:
    with closing(Cache(path, busy_seconds=0.05)) as kept, closing(sqlite3.connect(path)) as other:
        kept.put("a", b"1")
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(InputError) as caught:
            kept.put("b", b"2")
        assert kept.get("a") == b"1"  # readers go on
        other.rollback()
        kept.put("b", b"3")
    assert str(caught.value) == (
        f"{path}: the cache cannot be used: database is locked; try again later"
    )


# ---- files that are no cache -------------------------------------------------------------------


def refused(path: Path) -> str:
    before = path.read_bytes()
    with pytest.raises(InputError) as caught:
        Cache(path)
    assert path.read_bytes() == before
    assert str(caught.value).startswith(f"{path}: the cache cannot be used: ")
    return str(caught.value)


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "run.trec"
    path.write_bytes(b"q1 Q0 d1 1 2.0 x\n" * 100)
    assert refused(path).endswith(f"file is not a database; {cache.ANEW}")


def test_a_database_of_another_program(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE entries (key TEXT PRIMARY KEY, value BLOB)")
    assert refused(path).endswith("it is a database of another program; choose another path")


def test_a_cache_of_another_form(path: Path) -> None:
    Cache(path).close()
    with closing(sqlite3.connect(path)) as base:
        base.execute("PRAGMA user_version = 7")
        base.execute("PRAGMA journal_mode = DELETE")
    assert refused(path).endswith(f"it has form 7, this version reads 1; {cache.ANEW}")


def test_a_damaged_cache(path: Path) -> None:
    with closing(Cache(path)) as kept:
        kept.put_many({f"k{n}": b"v" * 100 for n in range(500)})
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    with closing(Cache(path)) as kept, pytest.raises(InputError) as caught:
        kept.get("k7")
    assert str(caught.value) == (
        f"{path}: the cache cannot be used: database disk image is malformed; {cache.ANEW}"
    )


def test_a_cut_cache(path: Path) -> None:
    with closing(Cache(path)) as kept:
        kept.put_many({f"k{n}": b"v" * 100 for n in range(500)})
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(InputError, match="the cache cannot be used"):
        Cache(path).get("k7")


def test_a_place_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="one of its folders is a file"):
        Cache(tmp_path / "file" / "cache.sqlite")
    with pytest.raises(InputError, match="unable to open database file"):
        Cache(tmp_path)


def test_an_error_closes_the_file(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"no database at all" * 100)
    for _ in range(3):
        refused(path)
    assert [each.name for each in tmp_path.iterdir()] == ["x"]


def test_sqlite_is_imported_when_a_cache_is_opened() -> None:
    code = "import sys, ragstone.store; print('sqlite3' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "False\n"


# ---- for reading only --------------------------------------------------------------------------

READER = """
import os, sqlite3, sys  # all of it before another user may not read it
from pathlib import Path
from ragstone.errors import InputError
from ragstone.store import Cache

path, number = sys.argv[1], int(sys.argv[2])
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
kept = Cache(path)
assert kept.read_only
found = kept.get_many(f"k{n}" for n in range(number))
assert found == {f"k{n}": str(n).encode() for n in range(number)}, len(found)
try:
    kept.put("new", b"1")
except InputError as error:
    print(error)
kept.close()
print(*sorted(os.listdir(Path(path).parent)))
"""


@pytest.fixture
def open_path() -> Iterator[Path]:
    """A path that another user may read: the folders of tmp_path are closed to others."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "kept").mkdir()
        yield folder / "kept" / "c ? # %41.sqlite"
        (folder / "kept").chmod(0o755)


def filled(path: Path, number: int) -> None:
    with closing(Cache(path)) as kept:
        kept.put_many({f"k{n}": str(n).encode() for n in range(number)})


@pytest.mark.parametrize(
    ("folder", "file"), [(0o555, 0o444), (0o555, 0o666), (0o755, 0o444)], ids=oct
)
def test_a_cache_where_nothing_can_be_written(folder: int, file: int, open_path: Path) -> None:
    filled(open_path, 700)
    before = open_path.read_bytes()
    open_path.chmod(file)
    open_path.parent.chmod(folder)
    done = subprocess.run(
        [sys.executable, "-c", READER, str(open_path), "700"],
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout.splitlines() == [
        f"{open_path}: the cache cannot be used: it is open for reading only; copy it to where it "
        "can be written",
        open_path.name,
    ]
    assert open_path.read_bytes() == before


def test_reading_only_leaves_the_file_and_its_folder_as_they_are(path: Path) -> None:
    filled(path, 50)
    before = path.read_bytes()
    with closing(Cache(path, read_only=True)) as kept:
        assert kept.get("k7") == b"7"
        with pytest.raises(InputError, match="open for reading only"):
            kept.put("k7", b"8")
        assert kept.get("k7") == b"7"
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_reading_only_sees_what_another_process_is_writing(path: Path) -> None:
    filled(path, 1)
    with closing(Cache(path, read_only=True)) as reader, closing(Cache(path)) as writer:
        writer.put("late", b"1")
        assert not writer.read_only
        assert reader.get("late") == b"1"


def test_reading_only_makes_nothing(path: Path) -> None:
    with pytest.raises(InputError) as caught:
        Cache(path, read_only=True)
    assert str(caught.value) == (
        f"{path}: the cache cannot be used: there is no such file; name one that an earlier run "
        "has filled"
    )
    assert not path.parent.exists()
    path.parent.mkdir()
    path.touch()
    with pytest.raises(InputError, match="it is empty; name one"):
        Cache(path, read_only=True)
    assert path.read_bytes() == b""
    path.write_bytes(b"no database" * 500)
    with pytest.raises(InputError, match="file is not a database"):
        Cache(path, read_only=True)
