"""The one place that opens a socket: JSON over HTTP, with retries, limits and no secrets in texts.

Layer: statistics | measures | formats | text | http | store. Imports model, registry, progress and
errors. httpx is imported when a Client is made.
"""

from ragstone.http.address import api_address, check_url
from ragstone.http.answer import Response
from ragstone.http.client import Client, Limits
from ragstone.http.headers import header_values, with_key
from ragstone.http.mask import shown
from ragstone.http.pace import Clock
from ragstone.http.retry import Retry, is_exhausted

__all__ = [
    "Client",
    "Clock",
    "Limits",
    "Response",
    "Retry",
    "api_address",
    "check_url",
    "header_values",
    "is_exhausted",
    "shown",
    "with_key",
]
