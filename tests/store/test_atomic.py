"""A file is whole or not there."""

from __future__ import annotations

import errno
import io
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO, cast

import pytest

from ragstone.errors import InputError
from ragstone.store import atomic, write_atomic, write_stream


def everything(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def broken(error: BaseException) -> Iterator[bytes]:
    yield b"half"
    raise error


def test_bytes_and_chunks_are_written(tmp_path: Path) -> None:
    write_atomic(tmp_path / "a", b"one")
    write_atomic(str(tmp_path / "b"), (chunk for chunk in (b"on", b"e")))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes() == b"one"


def test_folders_are_made_and_dots_allowed(tmp_path: Path) -> None:
    write_atomic(tmp_path / "x" / "y" / ".." / "z" / "report.json", b"one")
    assert (tmp_path / "x" / "z" / "report.json").read_bytes() == b"one"


def test_a_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    write_atomic("../report.json", b"one")
    assert everything(tmp_path) == ["here", "report.json"]


def test_an_old_file_is_replaced_and_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_bytes(b"much longer than the new one")
    path.chmod(0o640)
    write_atomic(path, b"one")
    assert path.read_bytes() == b"one"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_a_new_file_has_what_the_umask_leaves(tmp_path: Path, mask: int, mode: int) -> None:
    before = os.umask(mask)
    try:
        write_atomic(tmp_path / "report.json", b"one")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "report.json").stat().st_mode) == mode


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "there" / "report.json")
    write_atomic(tmp_path / "link", b"one")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "there" / "report.json").read_bytes() == b"one"


@pytest.mark.parametrize("error", [ValueError("no"), KeyboardInterrupt(), SystemExit(3)])
def test_nothing_is_left_of_a_file_that_was_not_finished(
    tmp_path: Path, error: BaseException
) -> None:
    with pytest.raises(type(error)):
        write_atomic(tmp_path / "new" / "folder" / "report.json", broken(error))
    assert everything(tmp_path) == []


def test_an_old_file_stays_when_the_new_one_is_not_finished(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt):
        write_atomic(path, broken(KeyboardInterrupt()))
    assert everything(tmp_path) == ["report.json"]
    assert path.read_bytes() == b"old"


def test_a_folder_that_was_there_stays(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    with pytest.raises(KeyboardInterrupt):
        write_atomic(tmp_path / "old" / "new" / "report.json", broken(KeyboardInterrupt()))
    assert everything(tmp_path) == ["old"]


def test_the_bytes_are_on_the_disk_before_the_name_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    sync, replace = os.fsync, Path.replace
    path = tmp_path / "report.json"

    def noted_sync(descriptor: int) -> None:
        steps.append(f"sync {os.fstat(descriptor).st_size}")
        sync(descriptor)

    def noted_replace(self: Path, target: Path) -> Path:
        steps.append(f"replace {target.name}")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", noted_sync)
    monkeypatch.setattr(Path, "replace", noted_replace)
    write_atomic(path, [b"one", b"two"])
    assert steps == ["sync 6", "replace report.json"]


@pytest.mark.parametrize(
    ("code", "advice"),
    [
        (errno.ENOSPC, "the disk is full; make room or choose another path"),
        (errno.EDQUOT, "the disk is full; make room or choose another path"),
        (errno.EACCES, "permission denied; choose another path or change its permissions"),
        (errno.EROFS, "Read-only file system; choose another path"),
    ],
)
def test_what_the_system_refuses_is_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, advice: str
) -> None:
    def refuse(_: int) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", refuse)
    path = tmp_path / "new" / "report.json"
    with pytest.raises(InputError) as caught:
        write_atomic(path, b"one")
    assert str(caught.value) == f"{path}: cannot be written: {advice}"
    assert everything(tmp_path) == []


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot be written: it is a folder; name a file$"):
        write_atomic(tmp_path, b"one")
    assert everything(tmp_path) == []


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="one of its folders is a file; choose another path"):
        write_atomic(tmp_path / "file" / "report.json", b"one")


def test_a_path_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="File name too long; choose another path"):
        write_atomic(tmp_path / ("x" * 300), b"one")
    with pytest.raises(InputError, match="a path has no NUL in it"):
        write_atomic(f"{tmp_path}/a\0b", b"one")


def test_a_long_name_that_can_be(tmp_path: Path) -> None:
    write_atomic(tmp_path / ("x" * 255), b"one")
    assert everything(tmp_path) == ["x" * 255]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(InputError, match="permission denied"):
        write_atomic(tmp_path / "report.json", b"one")


def test_a_pipe_is_written_to_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    found: list[bytes] = []
    reader = threading.Thread(target=lambda: found.append(path.read_bytes()))
    reader.start()
    write_atomic(path, [b"one", b"two"])
    reader.join(10)
    assert found == [b"onetwo"]
    assert stat.S_ISFIFO(path.stat().st_mode)


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1"])
@pytest.mark.parametrize("into", ["pipe", "file"])
def test_standard_output_is_written_to_as_it_is(tmp_path: Path, name: str, into: str) -> None:
    code = (
        "import sys; from ragstone.store import write_atomic\n"
        f"print('before', flush=True); write_atomic({name!r}, b'report\\n')"
    )
    out = tmp_path / "out"
    with out.open("wb") as file:
        done = subprocess.run(
            [sys.executable, "-c", code],
            check=True,
            stdout=file if into == "file" else subprocess.PIPE,
        )
    written = out.read_bytes() if into == "file" else done.stdout
    assert written == b"before\nreport\n"
    assert everything(tmp_path) == ["out"]


def test_a_full_device_is_explained() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    with pytest.raises(InputError, match="the disk is full"):
        write_atomic("/dev/full", b"one")


class Trickle(io.RawIOBase):
    """Takes three bytes at a time, as a pipe or a disk may."""

    def __init__(self) -> None:
        self.taken = b""

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        part = bytes(data)[:3]
        self.taken += part
        return len(part)


class Unbuffered:
    """Standard output under PYTHONUNBUFFERED: what lies below the text is the bare file."""

    def __init__(self) -> None:
        self.buffer = Trickle()

    def flush(self) -> None:
        """Nothing waits here."""


def test_a_stream_that_takes_a_part_gets_the_rest() -> None:
    stream = Unbuffered()
    write_stream(cast("TextIO", stream), [b"0123456789", b"", b"abcd"], "the output")
    assert stream.buffer.taken == b"0123456789abcd"


def test_text_goes_out_before_the_bytes() -> None:
    below = io.BytesIO()
    stream = io.TextIOWrapper(below, "utf-8")
    stream.write("before ")
    write_stream(stream, "문서".encode(), "the output")
    assert below.getvalue() == "before 문서".encode()


def test_a_stream_gets_nothing_before_everything_is_there() -> None:
    stream = io.StringIO()
    with pytest.raises(ValueError, match="half"):
        write_stream(stream, broken(ValueError("half")), "the output")
    assert stream.getvalue() == ""


class Failing(io.StringIO):
    """Fails as a disk or a pipe does."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.error = OSError(number, os.strerror(number))

    def write(self, _: str, /) -> int:
        raise self.error


def test_a_stream_that_cannot_be_written() -> None:
    with pytest.raises(InputError) as caught:
        write_stream(None, b"x", "the output")
    assert str(caught.value) == "the output is closed; nothing could be printed"
    with pytest.raises(InputError) as caught:
        write_stream(Failing(errno.ENOSPC), b"x", "the output")
    assert str(caught.value).startswith("the output cannot be written: the disk is full; make room")
    with pytest.raises(BrokenPipeError):  # that nobody reads is no error of the input
        write_stream(Failing(errno.EPIPE), b"x", "the output")


def test_every_advice_names_an_error_of_python() -> None:
    import builtins

    assert all(issubclass(getattr(builtins, name), OSError) for name in atomic.ADVICE)
