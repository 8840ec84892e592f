"""Errors and exit codes.

    RagstoneError                 3  something in ragstone itself went wrong
    ├── InputError                2  the user's input, flags or files
    │   ├── UsageError            2  a flag or argument that cannot be
    │   ├── FormatError           2  a line of a file that cannot be read
    │   ├── UnknownNameError      2  a name that no registry has
    │   ├── MissingExtraError     2  an optional library that is not installed
    │   ├── PipelineError         2  a call of the user's pipeline that failed
    │   └── RetrieverError        2  a call of the user's retriever that failed
    ├── EndpointError             2  an HTTP endpoint that the user named failed
    │   ├── NoResponseError       2  there is no answer, or only a part of one
    │   ├── StatusError           2  the answer's status says that it failed
    │   └── BadResponseError      2  an answer that cannot be read
    ├── NotComparableError        4  two reports that may not be compared
    └── InvalidReportError        4  a report that does not hold what it says

Lowest layer: imports nothing of ragstone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import Any, ClassVar


class ExitCode(IntEnum):
    """What the process tells the shell. The one table of codes."""

    OK = 0
    INPUT = 2
    INTERNAL = 3
    FAILED = 4
    UNDECIDED = 5


class RagstoneError(Exception):
    """Anything ragstone raises on purpose."""

    exit_code: ClassVar[ExitCode] = ExitCode.INTERNAL

    def __reduce__(self) -> tuple[Any, ...]:
        """Let a worker process hand an error on, whatever its constructor takes."""
        return _restored, (type(self), self.args, self.__dict__)


def _restored(
    kind: type[RagstoneError], args: tuple[Any, ...], fields: dict[str, Any]
) -> RagstoneError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(fields)
    return error


class InputError(RagstoneError):
    """The input cannot be used; the message says what to change."""

    exit_code = ExitCode.INPUT


class UsageError(InputError):
    """A flag or an argument has a value that cannot be."""


class FormatError(InputError):
    """A file, or one line of it, cannot be read.

    `where` is the file's name, or `-` for standard input; `line` counts from 1.
    """

    def __init__(self, problem: str, *, where: str = "", line: int | None = None) -> None:
        """Join place and problem to `file:line: problem`."""
        place = f"{where}:{line}" if line is not None else where
        problem = shortened(problem)
        super().__init__(f"{place}: {problem}" if place else problem)
        self.problem, self.where, self.line = problem, where, line


class UnknownNameError(InputError, KeyError):
    """A name that a registry does not have, answered with the nearest ones.

    A KeyError too, as of any mapping, so that `registry.get(name)` works.
    """

    def __init__(self, noun: str, name: str, known: Iterable[str]) -> None:
        """Name what was asked for and the nearest of what there is."""
        names = list(known)
        close = nearest(name, names)
        hint = did_you_mean(close) or f"known: {', '.join(names)}"
        super().__init__(f"unknown {noun} {name!r}; {hint}")
        self.name, self.nearest = name, close

    def __str__(self) -> str:
        """Print the message; a KeyError would print its repr."""
        return str(self.args[0])


class MissingExtraError(InputError):
    """An optional library is not installed; the message has the install line."""

    def __init__(self, feature: str, extra: str) -> None:
        """Say which feature needs which extra."""
        super().__init__(f'{feature} needs an extra: pip install "ragstone[{extra}]"')
        self.extra = extra


class PipelineError(InputError):
    """A call of the user's pipeline failed; the message names the question and the place."""


class RetrieverError(InputError):
    """A call of the user's retriever failed; the message names the query and the place."""


class EndpointError(RagstoneError):
    """An endpoint of the user failed; the message names it, what it did and what to do.

    reason: a code such as `timeout`, `refused`, `status`, `not_json`. status: of the answer, where
    there is one. attempts: how often it was called. body: the answer's text. faults: codes of the
    attempts, the last one's at the end. No text in here holds a header's value or a key.
    """

    exit_code = ExitCode.INPUT

    def __init__(
        self,
        message: str,
        *,
        reason: str = "",
        status: int | None = None,
        attempts: int = 1,
        body: str = "",
        faults: tuple[str, ...] = (),
    ) -> None:
        """Keep what a caller may decide by."""
        super().__init__(message)
        self.reason, self.status, self.attempts, self.body = reason, status, attempts, body
        self.faults = faults


class NoResponseError(EndpointError):
    """No answer, or a part of one: refused, reset, too slow, cut off."""


class StatusError(EndpointError):
    """An answer whose status is not a success; `status` and `body` have it."""


class BadResponseError(EndpointError):
    """An answer that cannot be read: not JSON, not UTF-8, too large."""


class NotComparableError(RagstoneError):
    """Two results may not be compared; the message names the field."""

    exit_code = ExitCode.FAILED


class InvalidReportError(RagstoneError):
    """A report that can be read but does not hold what it says."""

    exit_code = ExitCode.FAILED


def first_of(error: BaseException) -> BaseException:
    """Return the first error of a group, as tasks that end together raise it; else the error.

    >>> first_of(ExceptionGroup("several", [KeyError("a"), KeyError("b")]))
    KeyError('a')
    """
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def shortened(text: str, most: int = 400) -> str:
    """Return a text, or the two ends of a long one: what was found, and what to do.

    >>> shortened("id " + "9" * 99 + " is no id", 20)
    'id 99999 ... s no id'
    """
    kept = (most - 5) // 2
    return text if len(text) <= most else f"{text[: most - 5 - kept]} ... {text[-kept:]}"


def listed(names: Sequence[str], most: int = 10) -> str:
    """List names, long ones cut short, and say how many more there are.

    >>> listed(["q1", "q2", "q3"], most=2)
    'q1, q2 and 1 more'
    """
    few = ", ".join(shortened(name, 80) for name in names[:most])
    return few if len(names) <= most else f"{few} and {len(names) - most:,} more"


def some_ids(ids: Iterable[str]) -> str:
    """List the first of some ids in quotes, each once, and say how many more there are.

    >>> some_ids(["q4", "q2", "q2", "q1", "q3"])
    "'q1', 'q2', 'q3' and 1 more"
    """
    return listed([repr(shortened(each, 60)) for each in sorted(set(ids))], 3)


def count(number: int, noun: str) -> str:
    """Say how many of something there are.

    >>> count(1, "item"), count(12_000, "item"), count(0, "query"), count(2, "day")
    ('1 item', '12,000 items', '0 queries', '2 days')
    """
    ies = noun.endswith("y") and noun[-2:-1] not in "aeiou"
    plural = f"{noun[:-1]}ies" if ies else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def readable(text: str) -> str:
    r"""Return a text that UTF-8 can hold, whatever locale the names of files in it came through.

    Python keeps a byte that the locale cannot read as half of a surrogate pair. Where these bytes
    are UTF-8 they are read as it, else they become escapes.

    >>> readable("\udced\udc8f\udcb4.run"), readable("\udcff.run")
    ('폴.run', '\\xff.run')
    """
    try:
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode()


def one_line(text: str) -> str:
    r"""Return a text on one line, with escapes for what a terminal would obey or nobody would see.

    >>> one_line("q1\n\x1b[31m 문서")
    'q1\\n\\x1b[31m 문서'
    """
    if text.isprintable():
        return text
    import unicodedata

    return "".join(
        char
        if char.isprintable() or unicodedata.category(char) == "Zs"
        else char.encode("unicode_escape").decode()
        for char in readable(text)
    )


def nearest(name: str, known: Iterable[str], most: int = 3) -> list[str]:
    """Return the known names most like `name`, best first, without regard to case.

    >>> nearest("ndgc", ["nDCG", "AP"])
    ['nDCG']
    """
    import difflib  # costs more than the rest of this module

    folded: dict[str, str] = {}
    for candidate in known:
        folded.setdefault(candidate.lower(), candidate)
    close = difflib.get_close_matches(name.lower(), folded, n=most, cutoff=0.5)
    return [folded[match] for match in close]


def did_you_mean(close: Sequence[str]) -> str:
    """Return the question that proposes the nearest names; nothing where none is near.

    >>> did_you_mean(["nDCG", "AP"]), did_you_mean([])
    ('did you mean nDCG or AP?', '')
    """
    return f"did you mean {' or '.join(close)}?" if close else ""
