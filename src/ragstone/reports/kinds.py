"""What each kind of report holds, loaded when that kind is read or written."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from msgspec import Struct

from ragstone.registry import Registry


class Kind(Struct, frozen=True):
    """One kind of report.

    `details` is where the type of its details lives, as `module:name`. `subject` has the roles
    of the inputs that the report speaks about; none means every input.
    """

    name: str
    details: str
    subject: tuple[str, ...] = ()

    def details_type(self) -> Any:
        """Import and return the type of the details: a msgspec Struct or a dataclass."""
        module, _, name = self.details.partition(":")
        return getattr(import_module(module), name)


KINDS: Registry[Kind] = Registry("kind of report")
for _kind in (
    Kind("ragstone.score", "ragstone.reports.score:ScoreDetails", ("run",)),
    Kind("ragstone.compare", "ragstone.gate:Comparison", ("candidate",)),
    Kind("ragstone.error", "ragstone.reports.error:ErrorDetails"),
):
    KINDS.add(_kind.name, _kind)
