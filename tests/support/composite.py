"""Runs the steps of a composite action as GitHub's runner does, as far as ours needs it."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

EXPRESSION = re.compile(r"\$\{\{(.*?)\}\}", re.DOTALL)
BASH = ["bash", "--noprofile", "--norc", "-eo", "pipefail"]


@dataclass
class Action:
    """An action, the working directory of its job, and what its steps said so far.

    given: outputs of steps that are not run here, by their id.
    """

    path: Path
    workspace: Path
    given: Mapping[str, Mapping[str, str]]
    env: Mapping[str, str] = field(default_factory=dict)
    log: str = ""
    code: int = 0
    summary: str = ""

    def __post_init__(self) -> None:
        """Read the action."""
        self.action: dict[str, Any] = yaml.safe_load((self.path / "action.yml").read_text("utf-8"))
        self.steps: dict[str, Mapping[str, str]] = dict(self.given)

    def run(self, **inputs: str) -> dict[str, str]:
        """Run all steps with these inputs (`_` stands for `-`); return the action's outputs."""
        given = {name.replace("_", "-"): value for name, value in inputs.items()}
        declared = self.action["inputs"]
        assert given.keys() <= declared.keys()
        self.inputs = {
            name: given.get(name, str(each.get("default", ""))) for name, each in declared.items()
        }
        for step in self.action["runs"]["steps"]:
            if self.code == 0 and step.get("id") not in self.given:
                self._step(step)
        return {name: self._filled(each["value"]) for name, each in self.action["outputs"].items()}

    def _step(self, step: dict[str, Any]) -> None:
        assert step["shell"] == "bash"
        assert "${{" not in step["run"], "an expression in a script is code"
        folder = self.workspace.parent / f"{self.workspace.name}-runner"
        folder.mkdir(exist_ok=True)
        files = {name: folder / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for path in files.values():
            path.write_bytes(b"")
        script = folder / "script.sh"
        script.write_text(step["run"], "utf-8")
        env = {name: self._filled(value) for name, value in step.get("env", {}).items()}
        done = subprocess.run(
            [*BASH, str(script)],
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=self.workspace,
            env={
                **os.environ,
                "GITHUB_ACTIONS": "true",
                "GITHUB_ACTION_PATH": str(self.path),
                "RUNNER_TEMP": str(folder),
                **{name: str(path) for name, path in files.items()},
                **self.env,
                **env,
            },
        )
        self.log += done.stdout.decode("utf-8", "replace")
        self.code = done.returncode
        self.summary += files["GITHUB_STEP_SUMMARY"].read_text("utf-8")
        self.steps[step.get("id", "")] = outputs(files["GITHUB_OUTPUT"].read_text("utf-8"))

    def _filled(self, text: str) -> str:
        return EXPRESSION.sub(lambda match: self._value(match[1].strip()), text)

    def _value(self, expression: str) -> str:
        for part in map(str.strip, expression.split("||")):
            if value := self._term(part):
                return value
        return ""

    def _term(self, term: str) -> str:
        match term.split("."):
            case ["inputs", name]:
                return self.inputs[name]
            case ["steps", step, "outputs", name]:
                return self.steps.get(step, {}).get(name, "")
            case [literal] if literal.startswith("'"):
                return literal.strip("'")
        raise AssertionError(f"this runner does not know {term!r}")


def outputs(text: str) -> dict[str, str]:
    """Read GITHUB_OUTPUT; every line has to be one `name=value`."""
    lines = text.removesuffix("\n").split("\n") if text else []
    assert all(re.fullmatch(r"[\w-]+=.*", line) for line in lines), text
    pairs = [line.partition("=")[::2] for line in lines]
    assert len({name for name, _ in pairs}) == len(pairs), text
    return dict(pairs)


def obeyed(log: str) -> list[str]:
    """Return the workflow commands in a log that the runner obeys: none while it is stopped.

    Commands stand at the start of a line after blanks, or, in the old form, anywhere.
    """
    found, token = [], ""
    for line in re.split(r"\r\n|\r|\n", log):
        command = line.strip()
        if token:
            token = "" if command == f"::{token}::" else token
        elif command.startswith("::stop-commands::"):
            token = command.removeprefix("::stop-commands::")
        elif command.startswith("::") or "##[" in line:
            found.append(line)
    assert token == "", "commands are still stopped"
    return found
