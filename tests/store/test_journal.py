"""Nothing that was appended is lost, nothing is repeated, and nothing foreign is touched."""

from __future__ import annotations

import errno
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.errors import FormatError, InputError
from ragstone.store import Journal, journal
from ragstone.store.lock import open_locked

HEADER = {"k": 10, "queries": "3fa2c1", "form": 1}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.jsonl.journal"


def filled(path: Path, records: dict[str, Any]) -> list[int]:
    """Write a journal; return its length after its header and after each record."""
    with Journal.open(path, HEADER) as kept:
        lengths = [path.stat().st_size]
        for key, record in records.items():
            kept.append(key, record)
            lengths.append(path.stat().st_size)
    return lengths


def held(path: Path) -> dict[str, Any]:
    with Journal.open(path, HEADER, resume=True) as kept:
        return dict(kept.done)


# ---- what it does ------------------------------------------------------------------------------


def test_records_come_back(path: Path) -> None:
    records = {"q1": {"b": [1.0, "é\n"], "a": None}, "": [], "q 3\u2028": "x" * 100_000, "q4": 1e-7}
    filled(path, records)
    found = held(path)
    assert found == records
    assert list(found) == list(records)
    assert list(found["q1"]) == ["b", "a"]  # keys of records keep their order


def test_records_are_there_while_it_is_open(path: Path) -> None:
    with Journal.open(path, HEADER) as kept:
        done = kept.done
        assert (len(done), "q1" in done) == (0, False)
        kept.append("q1", {"n": 1})
        assert (len(done), "q1" in done, done["q1"], list(done)) == (1, True, {"n": 1}, ["q1"])
        with pytest.raises(KeyError):
            done["q2"]


def test_the_last_record_of_a_key_counts(path: Path) -> None:
    with Journal.open(path, HEADER) as kept:
        kept.append("q1", "failed")
        kept.append("q2", "b")
        kept.append("q1", "a")
        assert dict(kept.done) == {"q1": "a", "q2": "b"}
    assert held(path) == {"q1": "a", "q2": "b"}


def test_a_record_is_in_the_file_when_append_returns(path: Path) -> None:
    with Journal.open(path, HEADER) as kept:
        for number in range(3):
            kept.append(f"q{number}", number)
            assert path.read_bytes().endswith(b'{"key":"q%d","record":%d}\n' % (number, number))


def test_folders_are_made_and_resuming_nothing_is_a_start(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "run.journal"
    with Journal.open(path, HEADER, resume=True) as kept:
        assert dict(kept.done) == {}
        kept.append("q1", 1)
    assert held(path) == {"q1": 1}


def test_remove_and_close_can_be_called_in_any_order(path: Path) -> None:
    kept = Journal.open(path, HEADER)
    kept.append("q1", 1)
    kept.close()
    kept.close()
    assert path.exists()
    with pytest.raises(ValueError, match="the journal is closed"):
        kept.append("q2", 2)
    again = Journal.open(path, HEADER, resume=True)
    again.remove()
    again.remove()
    again.close()
    assert not path.exists()


def test_the_disk_is_synced_each_second_and_at_the_end(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, synced = [100.0], list[int]()
    monkeypatch.setattr(os, "fsync", lambda file: synced.append(os.fstat(file).st_size))
    kept = Journal.open(path, HEADER, clock=lambda: now[0])
    sizes = []
    for step in (0.0, 0.5, 0.4, 0.2, 0.9, 0.2):
        now[0] += step
        kept.append(f"q{now[0]}", 1)
        sizes.append(path.stat().st_size)
    assert synced == [sizes[3], sizes[5]]
    kept.close()
    assert synced == [sizes[3], sizes[5], sizes[5]]


# ---- killed ------------------------------------------------------------------------------------

CHILD = """
import os, sys, threading
from ragstone.store import Journal
kept = Journal.open(sys.argv[1], {"k": 10, "queries": "3fa2c1", "form": 1}, resume=True)
done, threads = set(kept.done), int(sys.argv[2])
def work(mine):
    for number in range(mine, 10 ** 6, threads):
        if f"q{number}" not in done:
            kept.append(f"q{number}", {"n": number, "text": "é" * (number * 37 % 2000)})
            os.write(1, b"q%d\\n" % number)
workers = [threading.Thread(target=work, args=(mine,)) for mine in range(threads)]
for worker in workers:
    worker.start()
"""


def killed(path: Path, threads: int, acknowledged: int, more: float) -> list[str]:
    """Run a child, kill it in the middle of its appends, return what it had appended."""
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(path), str(threads)], stdout=subprocess.PIPE
    )
    assert child.stdout is not None
    with child.stdout as out:
        seen = [out.readline() for _ in range(acknowledged)]
        time.sleep(more)
        child.send_signal(signal.SIGKILL)
        seen += out.readlines()
    assert child.wait(20) == -signal.SIGKILL
    return [line.strip().decode() for line in seen if line.endswith(b"\n")]


@pytest.mark.parametrize("threads", [1, 4])
def test_a_child_killed_again_and_again_loses_and_repeats_nothing(path: Path, threads: int) -> None:
    draw = random.Random(threads)
    appended: list[str] = []
    for _ in range(4):
        appended += killed(path, threads, draw.randrange(1, 60), draw.random() * 0.01)
        with Journal.open(path, HEADER, resume=True) as kept:
            done = dict(kept.done)
        assert len(set(appended)) == len(appended)
        assert set(appended) <= set(done)
        assert len(done) - len(appended) <= 4 * threads  # written, but killed before it said so
        appended = list(done)
        lines = path.read_bytes().split(b"\n")
        assert (len(lines) - 2, lines[-1]) == (len(done), b"")
    for key, record in done.items():
        number = int(key[1:])
        assert record == {"n": number, "text": "é" * (number * 37 % 2000)}


# ---- torn and damaged --------------------------------------------------------------------------

TEXT = st.text(st.characters(codec="utf-8"), max_size=8)
RECORDS = st.dictionaries(
    TEXT, st.lists(TEXT | st.integers() | st.none(), max_size=3), min_size=1, max_size=5
)


@given(RECORDS, st.data())
@settings(max_examples=100)
def test_a_file_cut_anywhere_has_the_whole_records_before(
    records: dict[str, Any], data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal"
        lengths = filled(path, records)
        whole = path.read_bytes()
        cut = data.draw(st.integers(0, len(whole)))
        rest = data.draw(st.binary(max_size=9).map(lambda tail: tail.replace(b"\n", b"")))
        path.write_bytes(whole[:cut] + (rest if cut >= lengths[0] else b""))
        kept = sum(length <= cut for length in lengths[1:])
        expected = dict(list(records.items())[:kept])
        with Journal.open(path, HEADER, resume=True) as again:
            assert dict(again.done) == expected
            again.append("new", "record")
        assert held(path) == {**expected, "new": "record"}


@given(RECORDS, st.data())
@settings(max_examples=100)
def test_a_damaged_byte_is_an_error_or_a_shorter_journal_and_never_a_crash(
    records: dict[str, Any], data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal"
        filled(path, records)
        whole = bytearray(path.read_bytes())
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
        path.write_bytes(whole)
        try:
            assert len(held(path)) <= len(records)
        except InputError:
            assert path.read_bytes() == whole


def test_damage_in_the_middle_is_named_by_its_line(path: Path) -> None:
    lengths = filled(path, {"q1": 1, "q2": 2, "q3": 3})
    whole = bytearray(path.read_bytes())
    whole[lengths[1] + 3] = 0
    path.write_bytes(whole)
    with pytest.raises(FormatError) as caught:
        held(path)
    assert str(caught.value) == (
        f"{path}:3: damaged; delete the file to start over, or the lines from here on to keep "
        "those before"
    )


@pytest.mark.parametrize("tail", [b"\0" * 4096, b'{"key":"q3","re', b'{"key":3,"record":1}\n'])
def test_a_last_line_that_is_not_whole_is_dropped(path: Path, tail: bytes) -> None:
    lengths = filled(path, {"q1": 1, "q2": 2})
    with path.open("ab") as file:
        file.write(tail)
    assert held(path) == {"q1": 1, "q2": 2}
    assert path.stat().st_size == lengths[-1]


def test_an_append_that_fails_leaves_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write

    def full(file: int, data: Any) -> int:
        if len(data) < 50:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(file, data[:40])

    with Journal.open(path, HEADER) as kept:
        kept.append("q1", 1)
        before = path.read_bytes()
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", full)
            with pytest.raises(InputError) as caught:
                kept.append("q2", "x" * 100)
        assert path.read_bytes() == before
        assert "q2" not in kept.done
        kept.append("q3", 3)
    assert str(caught.value) == (
        f"{path}: cannot be written: the disk is full; make room or choose another path"
    )
    assert held(path) == {"q1": 1, "q3": 3}


def test_an_append_that_is_interrupted_leaves_nothing_to_the_next(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write

    def interrupted(file: int, data: Any) -> int:
        write(file, data[:20])
        raise KeyboardInterrupt

    with Journal.open(path, HEADER) as kept:
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", interrupted)
            with pytest.raises(KeyboardInterrupt):
                kept.append("q1", "x" * 100)
        kept.append("q2", 2)
    assert held(path) == {"q2": 2}


def test_what_cannot_be_kept_is_refused_whole(path: Path) -> None:
    with Journal.open(path, HEADER) as kept:
        for record, kind in [(float("nan"), InputError), ({1}, TypeError), ("\ud800", InputError)]:
            with pytest.raises(kind):
                kept.append("q1", record)
        with pytest.raises(InputError):
            kept.append("\ud800", 1)
    assert held(path) == {}


# ---- whose records -----------------------------------------------------------------------------


def test_without_resume_finished_records_are_not_thrown_away(path: Path) -> None:
    filled(path, {"q1": 1, "q2": 2})
    before = path.read_bytes()
    with pytest.raises(InputError) as caught:
        Journal.open(path, HEADER)
    assert str(caught.value) == (
        f"{path}: holds 2 finished records of a run that is not complete; go on with it by "
        "--resume, or delete the file to start over"
    )
    assert path.read_bytes() == before


def test_a_journal_without_records_is_started_over(path: Path) -> None:
    filled(path, {})
    with Journal.open(path, {"k": 20}) as kept:
        kept.append("q1", 1)
    with pytest.raises(InputError, match="k was 20 and is 10"):
        held(path)


def test_other_settings_are_named(path: Path) -> None:
    filled(path, {"q1": 1})
    before = path.read_bytes()
    other = {"k": 10.0, "queries": "x" * 200, "tag": ["a"]}
    with pytest.raises(InputError) as caught:
        Journal.open(path, other, resume=True)
    assert str(caught.value) == (
        f"{path}: its records were made with other settings: form was 1 and is not set; "
        f'k was 10 and is 10.0; queries was "3fa2c1" and is "{"x" * 37} ... {"x" * 36}"; '
        'tag was not set and is ["a"]; run it with the same settings, or delete the file to start '
        "over"
    )
    assert path.read_bytes() == before


def test_long_settings_that_differ_in_the_middle_differ(path: Path) -> None:
    with Journal.open(path, {"a": "x" * 100 + "1" + "x" * 100}) as kept:
        kept.append("q1", 1)
    ends = "x" * 20, "x" * 39
    said = " and is ".join(rf"\.\.\. {ends[0]}{n}{ends[1]} \.\.\." for n in (1, 2))
    with pytest.raises(InputError, match=f"other settings: a was {said};"):
        Journal.open(path, {"a": "x" * 100 + "2" + "x" * 100}, resume=True)


def test_of_a_table_that_differs_what_differs_is_named(path: Path) -> None:
    same = {"judge": "m", "repeat": 1}
    with Journal.open(path, {"measures": {"coherence": same, "toxicity": same}}) as kept:
        kept.append("q1", 1)
    other = {"measures": {"coherence": {**same, "repeat": 3}, "relevance": same}}
    with pytest.raises(InputError) as caught:
        Journal.open(path, other, resume=True)
    assert (
        "other settings: measures.coherence.repeat was 1 and is 3; measures.relevance is new; "
        "measures.toxicity is gone; run it"
    ) in str(caught.value)


def test_of_many_differences_the_first_are_named(path: Path) -> None:
    with Journal.open(path, {f"k{n}": 1 for n in range(9)}) as kept:
        kept.append("q1", 1)
    with pytest.raises(InputError, match=r"k5 was 1 and is 2; and 3 more; run it"):
        Journal.open(path, {f"k{n}": 2 for n in range(9)}, resume=True)


def test_the_order_of_settings_does_not_matter(path: Path) -> None:
    filled(path, {"q1": 1})
    Journal.open(path, dict(reversed(HEADER.items())), resume=True).close()


@pytest.mark.parametrize("content", [b"q1 Q0 d1 1 2.0 x\n", b'{"id": "q1"}\n', b"x", b'{"ragx'])
def test_a_file_that_is_no_journal_is_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    for resume in (False, True):
        with pytest.raises(InputError, match="is not a journal of ragstone; choose another path"):
            Journal.open(path, HEADER, resume=resume)
    assert path.read_bytes() == content


def test_a_journal_of_a_later_version(path: Path) -> None:
    filled(path, {"q1": 1})
    path.write_bytes(path.read_bytes().replace(b'{"ragstone_journal":1', b'{"ragstone_journal":2'))
    with pytest.raises(InputError, match="a journal of form 2, which this version does not read"):
        held(path)


def test_a_header_that_was_changed(path: Path) -> None:
    filled(path, {"q1": 1})
    path.write_bytes(path.read_bytes().replace(b'"k":10', b'"k":11'))
    with pytest.raises(FormatError, match=r"journal:1: damaged"):
        held(path)


# ---- one writer --------------------------------------------------------------------------------

BUSY = "another process is writing it; wait until it has ended, or choose another path"


def test_two_cannot_write(path: Path) -> None:
    with Journal.open(path, HEADER), pytest.raises(InputError, match=BUSY):
        Journal.open(path, HEADER, resume=True)
    Journal.open(path, HEADER).close()


def test_two_processes_cannot_write_and_a_lock_ends_with_its_process(path: Path) -> None:
    code = f"{CHILD.partition('done')[0]}\nkept.append('q1', 1); print(1, flush=True); input()"
    child = subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"1\n"
        with pytest.raises(InputError, match=BUSY):
            Journal.open(path, HEADER, resume=True)
        child.kill()
        child.wait(20)
    assert held(path) == {"q1": 1}


def test_a_file_that_was_removed_before_it_could_be_locked_is_made_anew(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    lock, left = fcntl.flock, [2]

    def late(file: int, how: int) -> None:
        lock(file, how)
        if left[0]:
            left[0] -= 1
            path.unlink()

    monkeypatch.setattr(fcntl, "flock", late)
    with Journal.open(path, HEADER) as kept:
        kept.append("q1", 1)
    assert held(path) == {"q1": 1}
    left[0] = 10**9
    with pytest.raises(InputError, match="is replaced again and again"):
        open_locked(path)


def test_a_file_system_without_locks_is_explained(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    def refuse(file: int, how: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(InputError, match="No locks available; choose another path"):
        Journal.open(path, HEADER)


def test_a_place_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    os.mkfifo(tmp_path / "pipe")
    for path, said in [
        (tmp_path, "it is a folder"),
        (tmp_path / "file" / "x", "one of its folders is a file"),
        (tmp_path / "pipe", "is not a regular file; choose another path"),
    ]:
        with pytest.raises(InputError, match=said):
            Journal.open(path, HEADER)


def open_files() -> int:
    """Count what this process has open, where the system tells."""
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.exists() else 0


def test_no_file_is_left_open(path: Path) -> None:
    before = open_files()
    filled(path, {"q1": 1})
    for _ in range(3):
        held(path)
        with pytest.raises(InputError):
            Journal.open(path, {"k": 1}, resume=True)
    assert open_files() == before


def test_threads_may_append(path: Path) -> None:
    with Journal.open(path, HEADER) as kept:

        def work(name: str) -> None:
            for number in range(200):
                kept.append(f"{name}{number}", name * number)

        threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
        assert len(kept.done) == 800
    assert held(path) == {f"{name}{n}": name * n for name in "abcd" for n in range(200)}


def test_the_digest_in_the_first_line_is_of_the_settings(path: Path) -> None:
    filled(path, {})
    first = path.read_bytes()
    assert first == (
        b'{"ragstone_journal":%d,"digest":"'
        b'5be2f178210d8f523d76ad89bc00dcac4a8cbecd470859c92337df783119b55b","header":'
        b'{"form":1,"k":10,"queries":"3fa2c1"}}\n' % journal.FORM
    )
