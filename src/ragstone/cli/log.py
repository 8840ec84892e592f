"""What goes to standard error: errors, warnings and notes, as text or as JSON lines."""

from __future__ import annotations

import sys


class Log:
    """Writes messages to standard error.

    quiet: only errors. log_format: text, or json for one object a line with level and message.
    """

    def __init__(self) -> None:
        """Start with all messages, as text."""
        self.quiet = self.verbose = False
        self.log_format = "text"

    def error(self, message: str) -> None:
        """Say why the command ends."""
        self._write("error", message)

    def warning(self, message: str) -> None:
        """Say what its reader should know."""
        if not self.quiet:
            self._write("warning", message)

    def note(self, message: str) -> None:
        """Say what was done."""
        if not self.quiet:
            self._write("note", message)

    def _write(self, level: str, message: str) -> None:
        if self.log_format == "json":
            import json

            line = json.dumps({"level": level, "message": message}, ensure_ascii=False)
        else:
            line = f"{level}: {message}"
        data = (line + "\n").encode("utf-8", "backslashreplace")
        stream = getattr(sys.stderr, "buffer", None)
        if stream is None:
            sys.stderr.write(data.decode())
        else:
            sys.stderr.flush()
            stream.write(data)
            stream.flush()


log = Log()
