"""What goes to standard error: errors, warnings and notes, as text or as JSON lines."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TextIO

from ragstone.errors import one_line, readable


def is_terminal(stream: TextIO | None) -> bool:
    """Tell whether somebody looks at a stream who can be shown colours."""
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"


class Log:
    """Writes messages to standard error, each on one line, and never fails.

    quiet: only errors. verbose: an error with its traceback. log_format: text, or json for one
    object a line with level and message.
    """

    def __init__(self) -> None:
        """Start with all messages, as text."""
        self.reset()

    def reset(self) -> None:
        """Forget what an earlier command was told."""
        self.quiet = self.verbose = False
        self.log_format = "text"

    def error(self, message: str, cause: BaseException | None = None) -> None:
        """Say why the command ends; the cause is shown where --verbose asks for it."""
        if not self.verbose or cause is None:
            self._write("error", message)
            return
        import traceback

        shown = "".join(traceback.format_exception(cause))
        if self.log_format == "json":
            self._write("error", message, traceback=shown)
        else:
            self.plain(shown)
            self._write("error", message)

    def warning(self, message: str) -> None:
        """Say what its reader should know."""
        if not self.quiet:
            self._write("warning", message)

    def note(self, message: str) -> None:
        """Say what was done."""
        if not self.quiet:
            self._write("note", message)

    def plain(self, text: str) -> None:
        """Write text as it is; there is nobody to tell where standard error is closed or gone."""
        data = readable(text).encode()
        stream = sys.stderr
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
            buffer = getattr(stream, "buffer", None)
            if buffer is None:
                stream.write(data.decode())
            else:
                buffer.write(data)
                buffer.flush()

    def _write(self, level: str, message: str, **more: str) -> None:
        if self.log_format == "json":
            import json

            said = {"level": level, "message": message, **more}
            line = json.dumps(
                {key: readable(text) for key, text in said.items()}, ensure_ascii=False
            )
        else:
            line = f"{level}: {one_line(message)}"
        self.plain(f"{line}\n")


log = Log()
