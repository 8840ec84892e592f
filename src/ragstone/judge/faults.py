"""What a failed request means for the item, and for all the others."""

from __future__ import annotations

import json
import re
from typing import Any

from ragstone.errors import EndpointError, shortened
from ragstone.http.inside import error_of
from ragstone.http.retry import AGAIN, QUOTA, is_exhausted
from ragstone.judge.protocol import CallFailedError

STATUSES = (AGAIN - {425}) | frozenset(set(range(500, 600)) - {501, 505})
"""After which the same request is sent again: 408, 409, 429 and 5xx but for what never changes."""

TOO_LONG = re.compile(
    r"context_length_exceeded|maximum context length|context window|available context size"
    r"|prompt is too long|input is too long|too many (?:input )?tokens|max_model_len"
    r"|exceed_context_size",
    re.IGNORECASE,
)
REFUSED = re.compile(r"content_filter|content_policy|content management policy", re.IGNORECASE)
FINAL = {401: "unauthorised", 402: "quota_exhausted", 404: "not_found"}

MOST = 4000
NEVER_COUNTS = frozenset({"context_length", "refusal", "stopped"})


def context_too_long(error: EndpointError) -> bool:
    """Tell that a prompt is longer than what the model takes."""
    return error.status in {400, 413, 422, 500} and bool(TOO_LONG.search(error.body))


def is_refused(error: EndpointError) -> bool:
    """Tell that a filter of contents refused the prompt."""
    return error.status in {400, 403} and bool(REFUSED.search(error.body))


def failed_inside(
    answer: Any, attempts: int, faults: tuple[str, ...], where: str
) -> CallFailedError:
    """Return how a request failed whose answer came with status 200 and is none."""
    error = error_of(answer)
    body = json.dumps(answer, ensure_ascii=False)[:MOST]
    reason, final = "not_an_answer" if error is None else "error_body", False
    if error is not None and QUOTA.search(body):
        reason, final = "quota_exhausted", True
    elif error is not None and TOO_LONG.search(body):
        reason = "context_length"
    what = "an error" if error is not None else "no answer of this API"
    return CallFailedError(
        reason,
        f"{where}: status 200 with {what}: {shortened(body, 200)}; check the address and the api",
        attempts=attempts,
        faults=faults,
        final=final,
        counts=reason not in NEVER_COUNTS,
        raw=body,
    )


def failed(error: EndpointError, attempts: int, faults: tuple[str, ...]) -> CallFailedError:
    """Return how a request failed, from what the client says of it."""
    reason, final = _reason(error)
    return CallFailedError(
        reason,
        str(error),
        attempts=attempts,
        faults=faults,
        final=final,
        counts=reason not in NEVER_COUNTS,
        raw=error.body,
    )


def _reason(error: EndpointError) -> tuple[str, bool]:
    """Return the code of a failure, and whether all other requests would fail too."""
    if error.status is None or error.reason != "status":
        return error.reason, error.reason in {"tls", "unknown_host", "redirect", "request"}
    if is_exhausted(error.status, error.body.encode()):
        return "quota_exhausted", True
    if context_too_long(error):
        return "context_length", False
    if is_refused(error):
        return "refusal", False
    if error.status in FINAL:
        return FINAL[error.status], True
    return ("rate_limited" if error.status == 429 else f"status_{error.status}"), False
