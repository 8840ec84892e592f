"""What a system is given: the question as it is, or in a shape that --request makes."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from ragstone.pipelines.mapping import Expression


class Asking(Struct, frozen=True):
    """How a question becomes the input of a system."""

    request: Expression | None = None

    def of(self, text: str, default: Any) -> Any:
        """Return what --request makes of a question; `default` where there is none."""
        return default if self.request is None else self.request.request(query=text)
