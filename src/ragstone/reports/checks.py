"""What every report must hold beyond its types, whatever its kind."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Iterator
from pathlib import Path

from msgspec import UNSET

from ragstone.errors import InputError
from ragstone.reports.kinds import KINDS
from ragstone.reports.problem import Problem, shown
from ragstone.reports.report import TOOL, subject_of
from ragstone.reports.statement import Input, Predicate, Statement

TOLERANCE = 1e-9
EXIT_CODES: dict[str | None, tuple[int, ...]] = {
    "pass": (0,),
    "fail": (4,),
    "inconclusive": (0, 5),
    "error": (2, 3),
    None: (0, 5),
}


def same(found: float | None, wanted: float | None) -> bool:
    """Tell whether two numbers agree to a billionth, or are both absent.

    >>> same(0.3, 0.1 + 0.2), same(0.0, None)
    (True, False)
    """
    if found is None or wanted is None:
        return found is wanted
    return math.isclose(found, wanted, rel_tol=TOLERANCE, abs_tol=TOLERANCE * 1e-3)


def differs(path: str, found: object, wanted: object, because: str) -> Problem:
    """Say that a value is not what follows from others."""
    return Problem(path, f"is {shown(found)}; {shown(wanted)} was expected: {because}")


def common_faults(statement: Statement) -> Iterator[Problem]:
    """Check the tool, the time, the verdict, the subject and the names of the inputs."""
    predicate = statement.predicate
    if predicate.tool.name != TOOL:
        yield differs("$.predicate.tool.name", predicate.tool.name, TOOL, "it is a ragstone report")
    yield from _time(predicate.created_at)
    yield from _verdict(predicate)
    for place, file in enumerate(predicate.inputs):
        if _folder(file.name):
            path = f"$.predicate.inputs[{place}].name"
            yield Problem(path, f"is {shown(file.name)}; a name without folders was expected")
    kind = KINDS[predicate.kind]
    if kind.judged and predicate.verdict is UNSET:
        yield Problem("$.predicate", f"has no field 'verdict', which a {kind.name} has")
    if kind.scores == (predicate.scores is UNSET):
        state = "has no" if kind.scores else "has a"
        yield Problem("$.predicate", f"{state} field 'scores', unlike every {kind.name}")
    if statement.subject != subject_of(kind, predicate.inputs):
        roles = " or ".join(kind.subject)
        wanted = f"the inputs with role {roles}" if roles else "all inputs"
        yield Problem("$.subject", f"is not what a {kind.name} speaks about: {wanted}")
    for name in kind.signature:
        if name not in predicate.signature:
            yield Problem("$.predicate.signature", f"has no field {name!r}")


def digest_faults(inputs: list[Input], folder: str | Path) -> Iterator[Problem]:
    """Recompute the digests of the inputs from DIR/ROLE/NAME or else DIR/NAME."""
    root = Path(folder)
    if not root.is_dir():
        raise InputError(f"{folder}: is not a folder; the folder of the inputs was expected")
    for place, file in enumerate(inputs):
        path = f"$.predicate.inputs[{place}]"
        if _folder(file.name) or _folder(file.role):
            continue
        if file.name == "-":
            yield Problem(path, "was standard input; there is no file to check it against")
            continue
        for found in (root / file.role / file.name, root / file.name):
            if digest := _digest(found):
                break
        else:
            yield Problem(path, f"{file.name} is not in {folder}; its bytes cannot be checked")
            continue
        if digest != file.sha256:
            kind = "file" if found.is_file() else "corpus"
            yield Problem(f"{path}.sha256", f"is {file.sha256}; the {kind} {found} has {digest}")


def _folder(name: str) -> bool:
    return "/" in name or "\0" in name or name in {".", ".."}


def _digest(path: Path) -> str | None:
    """Return the digest of a file, or of a corpus in a folder or of a pattern; None for nothing."""
    if not path.is_file():
        from ragstone.formats.corpus import digest_of_files

        return digest_of_files(path)
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


def _time(text: str) -> Iterator[Problem]:
    try:
        time.strptime(text, "%Y-%m-%dT%H:%M:%SZ")
    except ValueError:
        yield Problem("$.predicate.created_at", f"is {shown(text)}, which is no day or no time")


def _verdict(predicate: Predicate) -> Iterator[Problem]:
    verdict = predicate.finding
    codes = EXIT_CODES[verdict]
    if predicate.exit_code not in codes:
        judged = f"with verdict {verdict}" if verdict else "without a verdict"
        wanted = " or ".join(map(str, codes))
        yield Problem(
            "$.predicate.exit_code",
            f"is {predicate.exit_code} {judged}; {wanted} was expected",
        )
