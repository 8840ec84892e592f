"""The journal of a command: opened for --resume, closed with advice where the run is broken off."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragstone.cli.log import log
from ragstone.errors import RagstoneError

if TYPE_CHECKING:
    from ragstone.store import Journal

GO_ON = "the same command with --resume continues"


def opened(path: str, header: Mapping[str, Any], *, resume: bool) -> Journal:
    """Open a journal; warn where there is nothing to resume, since all is done and paid anew."""
    from ragstone.store import Journal

    there = Path(path).exists()
    journal = Journal.open(path, header, resume=resume)
    if resume and not journal.done:
        found = f"{path} has no finished records" if there else f"there is no {path}"
        log.warning(f"nothing to resume: {found}; starting anew")
    return journal


@contextmanager
def kept(journal: Journal, done: Callable[[], str], nothing: str) -> Iterator[None]:
    """Close a journal, or take it away where it holds nothing; say how to go on after an error.

    done, nothing: what is said is kept, and what where there is nothing.
    """
    try:
        yield
    except (RagstoneError, KeyboardInterrupt) as error:
        said = f"{done()} kept in {journal.path}: {GO_ON}" if journal.done else nothing
        if isinstance(error, KeyboardInterrupt):
            raise RagstoneError(f"interrupted; {said}") from None
        if journal.done:
            log.note(said)
        raise
    finally:
        if journal.done:
            journal.close()
        else:
            journal.remove()
