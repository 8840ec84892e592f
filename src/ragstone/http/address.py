"""Addresses of endpoints: what one is, and where the requests of an API go."""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit, urlunsplit

from ragstone.errors import UsageError

EXAMPLE = "https://host.example/search"


def check_url(url: str, example: str = EXAMPLE) -> None:
    """Refuse what is no address of an endpoint; raises UsageError.

    example: one that would do, for the message.

    >>> check_url("api.example/search")
    Traceback (most recent call last):
    ragstone.errors.UsageError: an address of an endpoint starts with http:// or https:// and ...
    """
    split_url(url, example)


def split_url(url: str, example: str = EXAMPLE) -> SplitResult:
    """Return the parts of an address; raises UsageError that does not repeat it."""
    try:
        parts = urlsplit(url)
        good = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good or not url.isprintable() or " " in url:
        raise UsageError(
            "an address of an endpoint starts with http:// or https:// and has a host, as "
            f"{example}; it has no blanks"
        )
    return parts


def api_address(endpoint: str, path: str) -> str:
    """Return where requests go: the address itself, or the path of the API behind it.

    >>> api_address("http://localhost:11434/v1/", "/chat/completions")
    'http://localhost:11434/v1/chat/completions'
    >>> api_address("https://x.example/openai/deployments/e?api-version=1", "/embeddings")
    'https://x.example/openai/deployments/e/embeddings?api-version=1'
    """
    parts = split_url(endpoint, "https://host.example/v1")
    if parts.path.rstrip("/").endswith(path):
        return endpoint
    return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}{path}"))
