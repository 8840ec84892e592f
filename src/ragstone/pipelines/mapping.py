"""JMESPath expressions: what is sent for a query, and where the results stand in the answer."""

from __future__ import annotations

from typing import Any

from ragstone.errors import MissingExtraError, UsageError


class Expression:
    """One expression, with the flag that gave it.

    >>> Expression("--results", "hits[].{id: key, score: s}").of({"hits": [{"key": "a", "s": 2}]})
    [{'id': 'a', 'score': 2}]
    """

    def __init__(self, flag: str, text: str) -> None:
        """Parse; raises UsageError with the place for what is no JMESPath expression."""
        try:
            import jmespath
        except ModuleNotFoundError:
            raise MissingExtraError(f"a JMESPath expression ({flag})", "http") from None
        self.flag, self.text = flag, text
        try:
            self._parsed = jmespath.compile(text)
        except jmespath.exceptions.JMESPathError as error:
            raise UsageError(f"{flag} {text!r}: {_first_line(error)}") from None

    def of(self, value: Any) -> Any:
        """Evaluate; raises UsageError where a function meets what it cannot take."""
        import jmespath

        try:
            return self._parsed.search(value)
        except jmespath.exceptions.JMESPathError as error:
            raise UsageError(f"{self.flag} {self.text!r}: {_first_line(error)}") from None

    def request(self, query: str, **more: Any) -> Any:
        """Return the input to send; raises UsageError where the query is not in it."""
        names = {"query": query, **more}
        body = self.of(names)
        if body is None or not _contains(body, query):
            raise UsageError(
                f"{self.flag} {self.text!r} gives {body!r:.80}, without the query; the names are "
                f'{" and ".join(names)}, as in \'{{"query": query, "top_k": k}}\''
                if more
                else f"{self.flag} {self.text!r} gives {body!r:.80}, without the query, which is "
                "called query, as in '{question: query}'"
            )
        return body


def _contains(body: Any, query: str) -> bool:
    if isinstance(body, dict):
        return any(_contains(value, query) for value in body.values())
    if isinstance(body, list):
        return any(_contains(value, query) for value in body)
    return isinstance(body, str) and query in body


def outline(answer: Any) -> str:
    """Say what an answer looks like, without what it says.

    >>> outline({"hits": [{"id": 1}], "took": 3})
    'an object with hits (a list), took'
    """
    if isinstance(answer, dict):
        keys = [f"{key} (a list)" if isinstance(answer[key], list) else key for key in answer]
        return f"an object with {', '.join(keys[:12])}" if keys else "an empty object"
    if isinstance(answer, list):
        return f"a list of {len(answer)}"
    return f"{answer!r:.80}"


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0].rstrip(":") if str(error).strip() else "not JMESPath"
