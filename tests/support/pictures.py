"""Pictures as tests look at them: the pixels of a PNG, and what is in an SVG."""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from dataclasses import dataclass
from xml.etree import ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"
PNG = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True, slots=True)
class Picture:
    """Pixels, row by row, as colours such as #ffffff."""

    width: int
    height: int
    rows: list[list[str]]

    def at(self, x: int, y: int) -> str:
        """Return the colour of one pixel."""
        return self.rows[y][x]

    def colours(self) -> Counter[str]:
        """Count the pixels of each colour."""
        return Counter(pixel for row in self.rows for pixel in row)


def read_png(data: bytes) -> Picture:
    """Read a PNG of eight bits a channel, with or without transparency."""
    assert data.startswith(PNG)
    chunks: dict[bytes, bytes] = {}
    place = len(PNG)
    while place < len(data):
        size, kind = struct.unpack_from(">I4s", data, place)
        chunks[kind] = chunks.get(kind, b"") + data[place + 8 : place + 8 + size]
        place += size + 12
    width, height, depth, colour, *_, interlaced = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    channels = {2: 3, 6: 4}[colour]
    assert (depth, interlaced) == (8, 0)
    raw, length = zlib.decompress(chunks[b"IDAT"]), width * channels
    rows, above = [], bytearray(length)
    for start in range(0, len(raw), length + 1):
        line = bytearray(raw[start + 1 : start + 1 + length])
        _unfilter(raw[start], line, above, channels)
        rows.append(["#" + line[i : i + 3].hex() for i in range(0, length, channels)])
        above = line
    return Picture(width, height, rows)


def _unfilter(kind: int, line: bytearray, above: bytearray, step: int) -> None:
    """Undo the filter of a row in place (PNG specification, section 9)."""
    for i in range(len(line)):
        left = line[i - step] if i >= step else 0
        up, corner = above[i], above[i - step] if i >= step else 0
        guess = (0, left, up, (left + up) // 2, _paeth(left, up, corner))[kind]
        line[i] = (line[i] + guess) & 0xFF


def _paeth(left: int, up: int, corner: int) -> int:
    near = left + up - corner
    return min((left, up, corner), key=lambda value: abs(near - value))


@dataclass(frozen=True, slots=True)
class Drawing:
    """An SVG, taken apart."""

    root: ET.Element

    @classmethod
    def of(cls, text: str) -> Drawing:
        """Parse it; what is not well-formed is an error."""
        return cls(ET.fromstring(text))

    def texts(self) -> list[str]:
        """Return all texts that are drawn, in their order."""
        return ["".join(each.itertext()) for each in self.root.iter(f"{SVG}text")]

    def marks(self, kind: str) -> list[ET.Element]:
        """Return the marks that say what they are: bars, points."""
        said = (each for each in self.root.iter() if each.get("aria-label"))
        return [each for each in said if each.get("aria-roledescription") == kind]

    def labels(self, kind: str) -> list[str]:
        """Return what the marks of a kind say to those who do not see them."""
        return [str(each.get("aria-label")) for each in self.marks(kind)]

    def named(self, tag: str) -> str:
        """Return the text of the first element of a name."""
        found = self.root.find(f"{SVG}{tag}")
        assert found is not None
        return found.text or ""

    def colours(self) -> set[str]:
        """Return all colours that are drawn with."""
        values = {each.get(what) for each in self.root.iter() for what in ("fill", "stroke")}
        return {value for value in values if value} - {"none", "transparent"}
