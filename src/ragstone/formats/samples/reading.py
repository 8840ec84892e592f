"""One file of samples on its way in: its objects, and what is counted on the way."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ragstone.errors import FormatError
from ragstone.formats.detection import first_line
from ragstone.formats.jsonl import BadJSONError, decode, objects, shown
from ragstone.formats.source import Source


class Place(NamedTuple):
    """Where an object stands: its line in JSON lines, its path in a JSON document."""

    line: int | None
    path: str = ""

    def __str__(self) -> str:
        """Print as it is said in a message about another place."""
        if self.line is None:
            return self.path or "the start"
        return f"line {self.line}" + (f", {self.path}" if self.path else "")


class Memory:
    """What samples are read from that are in no file. Counts unknown fields."""

    def __init__(self) -> None:
        """Start with nothing counted."""
        self.facts: Counter[str] = Counter()
        self.unknown: Counter[str] = Counter()
        self._claimed: dict[str, Place] = {}

    def __len__(self) -> int:
        """Count the samples."""
        return len(self._claimed)

    def claim(self, item: str, place: Place) -> str:
        """Return an id that no sample had so far; raises FormatError for the second."""
        if item in self._claimed:
            raise self.error(
                f"sample {item!r} is here a second time, the first is at {self._claimed[item]}; "
                "ids are unique in a file",
                place,
            )
        self._claimed[item] = place
        return item

    def position(self) -> str:
        """Return an id for a sample without one: its number in the file, from 1."""
        self.facts["ids_from_position"] += 1
        return str(len(self._claimed) + 1)

    def error(self, problem: str, place: Place) -> FormatError:
        """Build an error about something at a place."""
        return FormatError(f"{place.path}: {problem}" if place.path else problem)


class Reading(Memory):
    """One file of samples, and what all its readers share.

    facts: what was left out or made up, by name. unknown: how often each field was met that
    ragstone has no name for.
    """

    def __init__(self, source: Source, facts: Counter[str], unknown: Counter[str]) -> None:
        """Start with no sample read."""
        super().__init__()
        self.source, self.facts, self.unknown = source, facts, unknown

    def error(self, problem: str, place: Place) -> FormatError:
        """Build an error that names the file and the place."""
        return self.source.error(f"{place.path}: {problem}" if place.path else problem, place.line)

    def objects(self, *containers: Sequence[str]) -> Iterator[tuple[Place, dict[str, Any]]]:
        """Go through the objects of JSON lines, of a JSON array, or of a JSON document.

        containers: paths of names; an object that has a list at one of them stands for what is in
        the list, the first that is not empty.
        """
        for place, value in _outer(self.source):
            yield from self._unfolded(place, value, containers)

    def _unfolded(
        self, place: Place, value: dict[str, Any], containers: Sequence[Sequence[str]]
    ) -> Iterator[tuple[Place, dict[str, Any]]]:
        lists = [
            (each, inside) for each in containers if (inside := _inside(value, each)) is not None
        ]
        if not lists:
            yield place, value
            return
        container, values = next((each for each in lists if each[1]), lists[0])
        path = ".".join(filter(None, [place.path, *container]))
        yield from self._listed(Place(place.line, path), values)

    def _listed(self, place: Place, values: list[Any]) -> Iterator[tuple[Place, dict[str, Any]]]:
        for number, value in enumerate(values):
            inner = Place(place.line, f"{place.path}[{number}]")
            if not isinstance(value, dict):
                raise self.error(f"is {shown(value)}; an object was expected", inner)
            yield inner, value


def _inside(value: Any, container: Sequence[str]) -> list[Any] | None:
    """Return the list at a path of names; None where there is none."""
    for name in container:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, list) else None


def _outer(source: Source) -> Iterator[tuple[Place, dict[str, Any]]]:
    if not _is_document(source):
        for line, value in objects(source):
            yield Place(line), value
        return
    document = _document(source)
    if isinstance(document, dict):
        yield Place(None), document
        return
    for number, value in enumerate(document):
        place = Place(None, f"[{number}]")
        if not isinstance(value, dict):
            raise source.error(f"{place.path}: is {shown(value)}; an object was expected")
        yield place, value


def _is_document(source: Source) -> bool:
    """Tell one JSON value that goes over many lines, or is an array, from JSON lines."""
    _, line = first_line(source)
    if line.startswith(b"["):
        return True
    try:
        decode(line.decode())
    except (BadJSONError, RecursionError):
        return False
    except ValueError as error:
        return line.startswith(b"{") and getattr(error, "pos", 0) >= len(line.decode())
    return False


def _document(source: Source) -> dict[str, Any] | list[Any]:
    text = b"".join(block.data for block in source.blocks()).decode()
    try:
        value = decode(text)
    except BadJSONError as error:
        raise source.error(str(error)) from None
    except RecursionError:
        raise source.error("JSON that is nested too deep to read") from None
    except json.JSONDecodeError as error:
        raise source.error(f"not JSON ({error.msg})", error.lineno) from None
    except ValueError as error:
        raise source.error(f"not JSON ({error})") from None
    if not isinstance(value, dict | list):
        raise source.error(f"JSON {shown(value)}; objects were expected")
    return value
