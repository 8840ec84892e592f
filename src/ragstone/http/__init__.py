"""The one place that opens a socket: JSON over HTTP, with retries, limits and no secrets in texts.

Layer: statistics | measures | formats | text | http | store. Imports model, registry, progress and
errors. httpx is imported when a Client is made.
"""

from ragstone.http.answer import Response
from ragstone.http.client import Client, Limits
from ragstone.http.headers import header_values
from ragstone.http.mask import check_url, shown
from ragstone.http.pace import Clock
from ragstone.http.retry import Retry

__all__ = ["Client", "Clock", "Limits", "Response", "Retry", "check_url", "header_values", "shown"]
