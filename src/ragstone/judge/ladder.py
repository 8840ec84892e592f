"""How an endpoint is asked for JSON, and which parameters it takes: found out once, kept."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ragstone.errors import EndpointError
from ragstone.judge.faults import context_too_long, is_refused

FORMAT = re.compile(
    r"response_format|json_schema|json_object|output_config|output_format|structured|schema"
    r"|grammar|guided|tool",
    re.IGNORECASE,
)
RENAMED = {"max_tokens": "max_completion_tokens"}
NOT_UNDERSTOOD = frozenset({400, 404, 415, 422, 500, 501})
UNSPECIFIC = frozenset({400, 422, 501})


class Ladder:
    """From JSON schema down to plain text, a rung for each refusal; the rung that held is kept.

    Parameters of ours that an endpoint refuses are left out, or sent under the name that it wants;
    those that the user set are sent whatever it says.
    """

    def __init__(self, rungs: Sequence[str], defaults: Mapping[str, Any]) -> None:
        """Start at the top, with all parameters."""
        self.rungs, self._defaults = tuple(rungs), dict(defaults)
        self._place = 0
        self.held = False

    @property
    def rung(self) -> str:
        """How JSON is asked for now."""
        return self.rungs[self._place]

    @property
    def defaults(self) -> dict[str, Any]:
        """Our parameters that are sent now."""
        return dict(self._defaults)

    @property
    def state(self) -> dict[str, Any]:
        """What was found out, as plain JSON."""
        return {"rung": self.rung, "defaults": self.defaults}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on with what an earlier run has found out."""
        if state.get("rung") in self.rungs and isinstance(state.get("defaults"), dict):
            self._place = self.rungs.index(state["rung"])
            self._defaults = dict(state["defaults"])
            self.held = True

    def step_down(self, error: EndpointError, sent: Mapping[str, Any]) -> bool:
        """Take a refusal; return whether another request may do better.

        sent: `state` as it was when the request was built.
        """
        if error.status not in NOT_UNDERSTOOD or context_too_long(error) or is_refused(error):
            return False
        if sent != self.state:  # another request has found something out meanwhile
            return True
        return self._without_a_parameter(error.body) or self._lower(error)

    def _without_a_parameter(self, body: str) -> bool:
        for name in self._defaults:
            if re.search(rf"\b{name}\b", body):
                value = self._defaults.pop(name)
                if RENAMED.get(name, name) in body and name in RENAMED:
                    self._defaults[RENAMED[name]] = value
                return True
        return False

    def _lower(self, error: EndpointError) -> bool:
        about_format = FORMAT.search(error.body) is not None
        unspecific = error.status in UNSPECIFIC and not self.held
        if self._place + 1 < len(self.rungs) and (about_format or unspecific):
            self._place += 1
            return True
        if not self.held:  # nothing was learned: the request itself is wrong
            self._place = 0
        return False
