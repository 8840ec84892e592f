"""`--judge FILE`: a TOML table that says what to ask, how, within what limits, at what price."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from msgspec import Struct, field

from ragstone.formats.toml import as_struct, check_above_zero, read_as
from ragstone.http import check_url, header_values, with_key
from ragstone.model.prices import Rates

if TYPE_CHECKING:
    from ragstone.formats import Source

OPENAI, ANTHROPIC = "openai", "anthropic"
EXAMPLE = "https://api.openai.com/v1"
KEYS = {"api.openai.com": "OPENAI_API_KEY", "api.anthropic.com": "ANTHROPIC_API_KEY"}
"""The variables with the keys of hosts that a config need not name them for."""


class JudgeLimits(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is kept within.

    timeout: seconds for one attempt. attempts: the most for one request. stop_after: requests that
    may fail one after the other before the endpoint is given up.
    """

    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    concurrency: int = 16
    timeout: float = 120.0
    attempts: int = 4
    stop_after: int = 5

    def __post_init__(self) -> None:
        """Refuse limits within which nothing can be asked."""
        check_above_zero(self)


class JudgePrices(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """US dollars for a million tokens."""

    input: float
    output: float
    cached_input: float | None = None

    def __post_init__(self) -> None:
        """Refuse prices below nothing."""
        for name in self.__struct_fields__:
            if not 0 <= (getattr(self, name) or 0) < float("inf"):
                raise ValueError(f"{name} is {getattr(self, name):g}; a price was expected")


class JudgeConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One judge, as a TOML file says it.

    model: as the endpoint calls it. endpoint: the address of an API, such as
    http://localhost:11434/v1, or of its chat completions or messages. api: openai (and what
    speaks like it) or anthropic; told from the address where it is left out. callable: in place of
    an endpoint, `module:attribute` or `module:factory()` of Python code. name: how reports call it.
    provider: where the same model name means another model elsewhere. key: the environment variable
    with the key; key_header: the header that it goes into. headers: name -> environment variable
    with its value. parameters: sent as they are; `false` leaves out one of ours.
    """

    model: str
    endpoint: str = ""
    callable: str = ""
    api: str = ""
    name: str = ""
    provider: str = ""
    key: str = ""
    key_header: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    parameters: dict[str, Any] = field(default_factory=dict)
    limits: JudgeLimits = field(default_factory=JudgeLimits)
    prices: JudgePrices | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be asked."""
        if not self.model.strip():
            raise ValueError("model is empty")
        if bool(self.endpoint) is bool(self.callable):
            raise ValueError("one of endpoint and callable was expected")
        if self.endpoint:
            check_url(self.endpoint, EXAMPLE)
        if self.api not in {"", OPENAI, ANTHROPIC}:
            raise ValueError(f"api is {self.api!r}; {OPENAI} or {ANTHROPIC} was expected")

    @property
    def dialect(self) -> str:
        """The API that the endpoint speaks."""
        parts = urlsplit(self.endpoint)
        theirs = (parts.hostname or "").endswith("anthropic.com")
        return self.api or (ANTHROPIC if theirs or parts.path.endswith("/messages") else OPENAI)

    @property
    def known_prices(self) -> Rates | None:
        """The prices of the file, else those that genai-prices knows; None where neither does."""
        if self.prices is not None:
            return Rates(self.prices.input, self.prices.output, self.prices.cached_input)
        from ragstone.judge.prices import list_price

        return list_price(self.model, self.endpoint)

    def secret_headers(self, header: str) -> dict[str, str]:
        """Return the headers with their values from the environment; no message shows a value.

        header: which one takes the key in this API.
        """
        variable = self.key or KEYS.get(urlsplit(self.endpoint).hostname or "", "")
        sent = with_key(self.headers, variable, self.endpoint, self.key_header, header)
        return header_values(sent, f"judge {self.name or self.model}: the header")


def read_judge(path: str | Path | Source) -> JudgeConfig:
    """Read a judge from a TOML file; raises FormatError with what was expected."""
    return read_as(path, judge_config)


def judge_config(table: Mapping[str, Any]) -> JudgeConfig:
    """Read a judge from a table; raises UsageError.

    >>> judge_config({"model": "qwen3", "endpoint": "http://localhost:11434/v1"}).dialect
    'openai'
    """
    return as_struct(table, JudgeConfig)
