"""Errors that came with status 200, as gateways send them."""

from __future__ import annotations

from typing import Any

KINDS = {"overloaded_error": 529, "rate_limit_error": 429, "api_error": 500}
"""The statuses of errors that have a type alone."""


def hidden_status(answer: Any) -> int | None:
    """Return the status of an error that came with status 200, as gateways send it.

    >>> hidden_status({"error": {"code": 503, "message": "no upstream"}})
    503
    """
    error = error_of(answer)
    if not isinstance(error, dict):
        return None
    for code in map(str, (error.get("code"), error.get("status"))):
        if code.isdecimal() and 400 <= int(code[:4]) < 600:
            return int(code)
    return KINDS.get(str(error.get("type")))


def error_of(answer: Any) -> Any:
    """Return the error in a body that has no answer; None where there is none."""
    if not isinstance(answer, dict) or "choices" in answer or "content" in answer:
        return None
    return answer.get("error") or None
