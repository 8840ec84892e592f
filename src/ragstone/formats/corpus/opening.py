"""What the paths of a corpus stand for: files, folders, patterns; found once, in a fixed order."""

from __future__ import annotations

import glob
import hashlib
import os
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from ragstone.errors import InputError, readable
from ragstone.formats.corpus.lines import JsonLines
from ragstone.formats.corpus.member import Member, Named
from ragstone.formats.corpus.text_files import TextFile, TextFiles, is_spark_part, is_text_file
from ragstone.formats.source import Source
from ragstone.formats.texts import PACKED

BEIR = "corpus.jsonl"
DATA = (*(f".jsonl{suffix}" for suffix in PACKED), ".parquet")


class Opened(NamedTuple):
    """The members of a corpus, and what a report names as its inputs."""

    inputs: list[Named]
    members: list[Member]


class Listed(NamedTuple):
    """A file of a folder or a pattern: its path, and its path below it with `/`."""

    path: str
    below: str


class FileSet:
    """Many files that a report names as one input."""

    def __init__(self, name: str, files: Sequence[Listed]) -> None:
        """Keep the files in their order; name: the folder's or the pattern's, without folders."""
        self.base_name, self.files = name, files

    def digest(self) -> str:
        """Return the sha256 of what `sha256sum` prints for the files, in their order."""
        whole = hashlib.sha256()
        for file in self.files:
            whole.update(f"{Source(file.path).digest()}  {file.below}\n".encode())
        return whole.hexdigest()


def open_paths(paths: Sequence[str]) -> Opened:
    """Open files, folders and patterns; raises InputError for what is not there."""
    if not paths:
        raise InputError("a corpus without a path; a file, a folder or a pattern was expected")
    opened = Opened([], [])
    for path in paths:
        named, members = _open(path)
        opened.inputs.append(named)
        opened.members.extend(members)
    _refuse_twice(opened.members)
    return opened


def digest_of_files(path: str | Path) -> str | None:
    """Return what a report has for a folder or a pattern; None where there is nothing of it."""
    try:
        named, _ = _open(str(path))
    except InputError:
        return None
    return named.digest()


def _open(path: str) -> tuple[Named, list[Member]]:
    if _is_pattern(path):
        files = _matches(path)
        return FileSet(readable(Path(path).name), files), list(_members(path, files))
    if path in {"", "-"} or not Path(path).is_dir():
        source = Source(path)
        if path != "-" and is_text_file(path):
            files = [Listed(path, readable(path))]
            return source, [TextFiles(path, _text_files(files))]
        return source, [_data(source)]
    for suffix in PACKED:
        if (inside := Path(path, f"{BEIR}{suffix}")).is_file():
            source = Source(str(inside))
            return source, [_data(source)]
    files = _inside(path)
    return FileSet(readable(Path(path).resolve().name), files), list(_members(path, files))


def _is_pattern(path: str) -> bool:
    return glob.has_magic(path) and "\0" not in path and not os.path.lexists(path)


def _matches(pattern: str) -> list[Listed]:
    found = [path for path in glob.glob(pattern, recursive=True) if os.path.isfile(path)]  # noqa: PTH207, PTH113
    if not found:
        raise InputError(f"{pattern}: no file matches this pattern")
    fixed = list(_fixed_parts(pattern))
    root = os.path.join(*fixed) if fixed else ""  # noqa: PTH118
    return _sorted(found, root)


def _fixed_parts(pattern: str) -> Iterator[str]:
    """Go through the folders of a pattern before the first that has a wildcard."""
    for part in Path(pattern).parts[:-1]:
        if glob.has_magic(part):
            return
        yield part


def _inside(folder: str) -> list[Listed]:
    """List the data files of a folder, or else its text files; hidden ones are not seen."""
    found = _sorted(list(_walk(folder)), folder)
    data = [file for file in found if file.path.endswith(DATA) or is_spark_part(file.path)]
    texts = [file for file in found if is_text_file(file.path)]
    if data and texts:
        raise InputError(
            f"{folder}: has data files ({data[0].below}) and text files ({texts[0].below}) in it; "
            f"name the ones to read by a pattern, as '{folder}/**/*{Path(data[0].path).suffix}'"
        )
    if not data and not texts:
        raise InputError(
            f"{folder}: has no {BEIR} in it, no other .jsonl or .parquet file, "
            "and no .txt or .md file"
        )
    return data or texts


def _walk(folder: str) -> Iterator[str]:
    def refuse(error: OSError) -> None:
        raise InputError(f"{error.filename}: cannot be read ({error.strerror})") from None

    for inside, folders, files in os.walk(folder, onerror=refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            path = os.path.join(inside, name)  # noqa: PTH118
            if not name.startswith(".") and (os.path.isfile(path) or os.path.islink(path)):  # noqa: PTH113, PTH114
                yield path


def _sorted(paths: Sequence[str], root: str) -> list[Listed]:
    """Sort by code point of the path below the root, whatever the locale reads its bytes as."""
    listed = [Listed(path, readable(os.path.relpath(path, root or "."))) for path in paths]
    return sorted(listed, key=lambda file: (file.below, os.fsencode(file.path)))


def _members(name: str, files: Sequence[Listed]) -> Iterator[Member]:
    for is_text, group in groupby(files, lambda file: is_text_file(file.path)):
        if is_text:
            yield TextFiles(name, _text_files(group))
        else:
            yield from (_data(Source(file.path)) for file in group)


def _text_files(files: Iterator[Listed] | Sequence[Listed]) -> list[TextFile]:
    return [TextFile(file.path, file.below, Source(file.path).size) for file in files]


def _data(source: Source) -> Member:
    if source.first_bytes(4) == b"PAR1":
        from ragstone.formats.corpus.parquet import Parquet

        return Parquet(source)
    return JsonLines(source)


def _refuse_twice(members: Sequence[Member]) -> None:
    seen: dict[str, str] = {}
    for member in members:
        if isinstance(member, TextFiles):
            continue
        path = os.path.realpath(member.source.path)  # type: ignore[attr-defined]
        if path in seen:
            raise InputError(f"{member.name}: is given twice, also as {seen[path]}; give it once")
        seen[path] = member.name
