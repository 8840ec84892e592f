"""Packed files: gzip and Zstandard, told by their first bytes and written by their name."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

from ragstone.errors import MissingExtraError
from ragstone.registry import Registry

CHUNK = 32 * 1024


class DamagedError(Exception):
    """Packed data that cannot be unpacked; the message says why, its place is not known here."""


class Packing(NamedTuple):
    """How files are packed: their first bytes, how one is opened, and how chunks become one."""

    name: str
    magic: bytes
    open: Callable[[Path], BinaryIO]
    pack: Callable[[Iterable[bytes]], Iterator[bytes]]


def packed(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Compress as gzip without a name and a time, so that the same input gives the same bytes.

    >>> import gzip
    >>> gzip.decompress(b"".join(packed([b"a", b"b"])))
    b'ab'
    """
    yield from _squeezed(zlib.compressobj(9, wbits=31), chunks)


def packed_as(name: str, chunks: Iterable[bytes]) -> Iterable[bytes]:
    """Compress what a file of this name holds: gzip for `.gz`, Zstandard for `.zst`.

    >>> packed_as("a.jsonl", [b"a"])
    [b'a']
    """
    suffix = Path(name).suffix
    return PACKINGS[suffix].pack(chunks) if suffix in PACKINGS else chunks


def packing_of(first: bytes) -> Packing | None:
    """Tell how a file that starts with these bytes is packed."""
    return next((each for each in PACKINGS.values() if first.startswith(each.magic)), None)


def damages() -> tuple[type[Exception], ...]:
    """Return what is raised while damaged data is read."""
    import gzip

    return EOFError, zlib.error, gzip.BadGzipFile, DamagedError


def place_in_file(file: BinaryIO) -> int:
    """Return how many bytes of the file on disk were taken to read up to here."""
    inner = getattr(file, "fileobj", None) or getattr(getattr(file, "raw", None), "packed", None)
    return int((inner or file).tell())


def _squeezed(squeeze: Any, chunks: Iterable[bytes]) -> Iterator[bytes]:
    for chunk in chunks:
        if data := squeeze.compress(chunk):
            yield data
    yield squeeze.flush()


def _open_gzip(path: Path) -> BinaryIO:
    import gzip

    return cast(BinaryIO, gzip.GzipFile(path))


def _open_zstd(path: Path) -> BinaryIO:
    return io.BufferedReader(_Unpacked(path), CHUNK)


def _pack_zstd(chunks: Iterable[bytes]) -> Iterator[bytes]:
    return _squeezed(_zstandard().ZstdCompressor(level=10).compressobj(), chunks)


class _Unpacked(io.RawIOBase):
    """A Zstandard file, unpacked frame after frame; data that ends within a frame is refused."""

    def __init__(self, path: Path) -> None:
        self._library = _zstandard()
        self.packed = path.open("rb")
        self._frame: Any = None
        self._rest, self._ready = b"", memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            if not (chunk := self._rest or self.packed.read(CHUNK)):
                if self._frame is not None:
                    raise DamagedError("it ends within a frame")
                return 0
            self._ready = memoryview(self._decompressed(chunk))
        size = min(len(buffer), len(self._ready))
        buffer[:size], self._ready = self._ready[:size], self._ready[size:]
        return size

    def _decompressed(self, chunk: bytes) -> bytes:
        self._frame = self._frame or self._library.ZstdDecompressor().decompressobj()
        try:
            data: bytes = self._frame.decompress(chunk)
        except self._library.ZstdError as error:
            raise DamagedError(str(error)) from None
        self._rest = self._frame.unused_data
        if self._frame.eof:
            self._frame = None
        return data

    def seekable(self) -> bool:
        return False

    def close(self) -> None:
        self.packed.close()
        super().close()


def _zstandard() -> Any:
    try:
        import zstandard
    except ImportError:
        raise MissingExtraError("reading and writing Zstandard (.zst)", "zstd") from None
    return zstandard


PACKINGS: Registry[Packing] = Registry("packing")
PACKINGS.add(".gz", Packing("gzip", b"\x1f\x8b", _open_gzip, packed))
PACKINGS.add(".zst", Packing("Zstandard", b"\x28\xb5\x2f\xfd", _open_zstd, _pack_zstd))
