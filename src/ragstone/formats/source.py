"""Bytes of an input, whatever it is: a file, packed or not, standard input or a pipe."""

from __future__ import annotations

import codecs
import hashlib
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, BinaryIO, NamedTuple

from ragstone.errors import FormatError, InputError, readable
from ragstone.formats.packing import damages, packing_of, place_in_file

BLOCK = 32 * 1024  # what its tokens take fits the second cache; larger blocks cost twice the time
BOM = b"\xef\xbb\xbf"


class Block(NamedTuple):
    """Whole lines of an input, each ended by LF, and the place of the first byte.

    The place counts in the unpacked input; `taken` is how many bytes of the file itself were read
    up to the end.
    """

    offset: int
    data: bytes
    taken: int = 0


class Source:
    """One input file that can be read again and again, from the start or from a line.

    Standard input (`-`) and pipes are copied to a temporary file first.
    """

    def __init__(self, path: str | Path) -> None:
        """Open what can be opened; raises InputError for what is not there or not readable."""
        self.name = str(path)
        self._spool: IO[bytes] | None = None
        self.path = Path(path)
        if not self.name:  # a variable that is not set; Path would make the current folder of it
            raise InputError("the name of an input file is empty; a path was expected")
        if self.name == "-":
            if sys.stdin is None:
                raise InputError("-: standard input is closed; a file was expected")
            self._copy(sys.stdin.buffer)
        elif not stat.S_ISREG(self._mode()):
            with self._raw() as pipe:
                self._copy(pipe)
        self.packing = packing_of(self.first_bytes(4))

    def __getstate__(self) -> dict[str, object]:
        """Leave the temporary file to the process that made it; others read it by its path."""
        return {**self.__dict__, "_spool": None}

    def _mode(self) -> int:
        try:
            mode = self.path.stat().st_mode
        except (FileNotFoundError, NotADirectoryError, ValueError):  # ValueError: a NUL in the name
            raise InputError(f"{self.name}: no such file") from None
        except OSError as error:
            raise self._unreadable(error) from None
        if stat.S_ISDIR(mode):
            raise InputError(f"{self.name}: is a folder; a file was expected")
        return mode

    def _copy(self, stream: BinaryIO) -> None:
        import shutil
        import tempfile

        self._spool = tempfile.NamedTemporaryFile(prefix="ragstone-")  # noqa: SIM115
        shutil.copyfileobj(stream, self._spool, BLOCK)
        self._spool.flush()
        self.path = Path(self._spool.name)

    @property
    def base_name(self) -> str:
        """The name a report gives this input: without folders, as text in any locale."""
        return readable(Path(self.name).name)

    @property
    def packed(self) -> bool:
        """Whether the file is packed: it can only be read from its start."""
        return self.packing is not None

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return self.path.stat().st_size

    def digest(self) -> str:
        """Return sha256 of the bytes as they lie there, in hex."""
        sha = hashlib.sha256()
        with self._raw() as file:
            while chunk := file.read(BLOCK):
                sha.update(chunk)
        return sha.hexdigest()

    def blocks(self, start: int = 0, end: int | None = None) -> Iterator[Block]:
        """Read whole lines, about 32 KiB at a time, CR LF as LF; both ends must be starts of lines.

        Raises FormatError for bytes that are not UTF-8 and for a damaged packed file.
        """
        for block in self.raw_blocks(start, end):
            data = block.data
            yield block._replace(data=data.replace(b"\r\n", b"\n")) if b"\r" in data else block

    def raw_blocks(
        self, start: int = 0, end: int | None = None, size: int | None = None
    ) -> Iterator[Block]:
        """Read whole lines, about `size` bytes at a time, as they lie there; raises as `blocks`."""
        with self._unpacked(start) as file:
            for offset, data in _whole_lines(self._chunks(file, start, end, size or BLOCK), start):
                text = data if data.isascii() else self._checked_utf8(offset, data)
                yield Block(offset, text, place_in_file(file))

    def whole(self) -> bytes:
        """Read everything, without a byte-order mark, CR LF as LF; raises as `blocks` does."""
        with self._unpacked(0) as file:
            data = b"".join(self._chunks(file, 0, None, BLOCK))
        return self._checked_utf8(0, data).replace(b"\r\n", b"\n")

    def lines(self, start: int = 0, end: int | None = None) -> Iterator[tuple[int, bytes]]:
        """Read lines that are neither blank nor comments, stripped, with their number from 1."""
        number = self.line_number(start) - 1
        for block in self.blocks(start, end):
            for line in block.data.split(b"\n")[:-1]:
                number += 1
                stripped = line.strip()
                if stripped and not stripped.startswith(b"#"):
                    yield number, stripped

    def raw_lines(self, start: int = 0) -> Iterator[tuple[int, bytes]]:
        """Read every line as it lies there, with the place of its first byte."""
        with self._unpacked(start) as file:
            for line in file:
                yield start, line
                start += len(line)

    def line_number(self, offset: int) -> int:
        """Return the number, from 1, of the line that holds the byte at an offset."""
        line, left = 1, offset
        with self._unpacked(0) as file:
            for chunk in self._chunks(file, 0, offset, BLOCK):
                line += chunk.count(b"\n", 0, left)
                left -= len(chunk)
        return line

    def line_start(self, offset: int) -> int:
        """Return the start of the first line that begins at or behind an offset."""
        if offset <= 0:
            return 0
        with self._unpacked(offset - 1) as file:
            return offset - 1 + len(file.readline())

    def error(self, problem: str, line: int | None = None) -> FormatError:
        """Build an error that names this input, and a line where one is known."""
        return FormatError(problem, where=self.name, line=line)

    def _chunks(self, file: BinaryIO, start: int, end: int | None, size: int) -> Iterator[bytes]:
        left = sys.maxsize if end is None else end - start
        try:
            while left > 0 and (chunk := file.read(min(size, left))):
                left -= len(chunk)
                yield chunk
        except damages() as error:
            name = self.packing.name if self.packing else "packed"
            raise self.error(
                f"the {name} data is damaged or cut off ({error}); make the file again"
            ) from None
        except OSError as error:
            raise self._unreadable(error) from None

    def _checked_utf8(self, offset: int, data: bytes) -> bytes:
        """Refuse what is not UTF-8; drop the byte-order mark of the first block."""
        try:
            data.decode()
        except UnicodeDecodeError as error:
            line = self.line_number(offset + error.start)
            wide = not offset and data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
            hint = "this looks like UTF-16; save it as UTF-8" if wide else "save the file as UTF-8"
            raise self.error(f"not UTF-8: byte {data[error.start]:#04x}; {hint}", line) from None
        return data if offset else data.removeprefix(BOM)

    def _raw(self) -> BinaryIO:
        try:
            return self.path.open("rb")
        except OSError as error:
            raise self._unreadable(error) from None

    def _unreadable(self, error: OSError) -> InputError:
        return InputError(f"{self.name}: cannot be read ({error.strerror})")

    def _unpacked(self, start: int) -> BinaryIO:
        file = self.packing.open(self.path) if self.packing else self._raw()
        if file.seekable():
            file.seek(start)
        else:
            for _ in self._chunks(file, 0, start, BLOCK):
                pass
        return file

    def first_bytes(self, number: int) -> bytes:
        """Return the first bytes of the file as they lie there."""
        with self._raw() as file:
            return file.read(number)


def _whole_lines(chunks: Iterator[bytes], offset: int) -> Iterator[tuple[int, bytes]]:
    rest: list[bytes] = []
    for chunk in chunks:
        cut = chunk.rfind(b"\n") + 1
        if not cut:
            rest.append(chunk)
            continue
        data = b"".join((*rest, memoryview(chunk)[:cut]))
        rest = [chunk[cut:]]
        yield offset, data
        offset += len(data)
    if last := b"".join(rest):
        yield offset, last + b"\n"
