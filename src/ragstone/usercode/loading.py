"""From `module:attribute` to the object that the user's code makes."""

from __future__ import annotations

import os
import re
import sys
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, NamedTuple

from ragstone.errors import InputError, MissingExtraError, UsageError, did_you_mean, listed, nearest
from ragstone.usercode.place import place_of, said

EXPECTED = "expected module:attribute or module:factory()"

# Set before the user's code imports a framework, unless the user has set it.
NO_TELEMETRY = {
    "HAYSTACK_TELEMETRY_ENABLED": "False",
    "ANONYMIZED_TELEMETRY": "False",  # Chroma
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
}
EXTRAS = {"langchain_core": "langchain", "llama_index": "llamaindex", "haystack": "haystack"}

_SPEC = re.compile(r"(?P<module>[\w.]+):(?P<path>\w+(\.\w+)*)(?P<call>\(\))?")


class Spec(NamedTuple):
    """What a flag names; it prints as messages call it.

    expected: what is said where it is no code.
    """

    flag: str
    text: str
    expected: str = EXPECTED

    def __str__(self) -> str:
        """Print the flag and what it was given."""
        return f"{self.flag} {self.text!r}"


def load(spec: Spec) -> Any:
    """Import the module and return the attribute, or what the factory returns.

    The current directory comes first on the path of imports. Raises InputError for a module or an
    attribute that is not there, and for an error in the user's code, with its place.
    """
    found = _SPEC.fullmatch(spec.text)
    if not found:
        raise UsageError(f"{spec}: {spec.expected}{_file_hint(spec.text)}")
    switch_telemetry_off()
    value: Any = _module(found["module"], spec)
    for name in found["path"].split("."):
        value = _attribute(value, name, spec)
    return _made(value, spec) if found["call"] else value


def switch_telemetry_off() -> None:
    """Switch off what frameworks tell their makers, unless the user has decided."""
    for name, value in NO_TELEMETRY.items():
        os.environ.setdefault(name, value)


def _file_hint(spec: str) -> str:
    file, colon, rest = spec.partition(":")
    if file.endswith(".py"):
        module = file.removesuffix(".py").strip("./").replace("/", ".")
        return f"; for the file {file} that is {module}:{rest if colon else 'attribute'}"
    return ""


def _module(name: str, spec: Spec) -> ModuleType:
    here = os.getcwd()  # noqa: PTH109 - what stands on sys.path is a text
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name and f"{name}.".startswith(f"{error.name}."):
            raise _no_module(error.name, spec) from None
        raise _broken(error, spec) from error
    except (Exception, SystemExit) as error:
        raise _broken(error, spec) from error


def _no_module(name: str, spec: Spec) -> InputError:
    parent, _, _ = name.rpartition(".")
    owner = sys.modules.get(parent)
    folders = getattr(owner, "__path__", None) if owner else [os.getcwd()]  # noqa: PTH109
    if folders is None:
        return InputError(
            f"{spec}: there is no module {name!r}: {parent!r} is a file, "
            f"and no folder of modules{_file_hint(spec.text)}"
        )
    known = [f"{parent}.{each.name}".strip(".") for each in iter_modules(folders)]
    problem = (
        f"{spec}: there is no module {name!r} in the current directory or among "
        "the installed packages"
    )
    hint = did_you_mean(nearest(name, known))
    return InputError(f"{problem}; {hint}" if hint else problem)


def _broken(error: BaseException, spec: Spec) -> InputError:
    missing = (getattr(error, "name", None) or "").split(".")[0]
    if isinstance(error, ModuleNotFoundError) and missing in EXTRAS:
        return MissingExtraError(
            f"{spec}: {missing}, which {place_of(error)} imports, is not installed; this framework",
            EXTRAS[missing],
        )
    return InputError(f"{spec} cannot be imported: {said(error)}")


def _attribute(owner: Any, name: str, spec: Spec) -> Any:
    try:
        return getattr(owner, name)
    except AttributeError:
        pass
    what = f"module {owner.__name__!r}" if isinstance(owner, ModuleType) else f"{owner!r:.80}"
    known = [each for each in dir(owner) if not each.startswith("_") and _is_own(owner, each)]
    found = f"it has {listed(known, 20)}" if known else "it defines nothing that could be run"
    hint = did_you_mean(nearest(name, known)) or found
    raise InputError(f"{spec}: {what} has no {name!r}; {hint}")


def _is_own(owner: Any, name: str) -> bool:
    """Tell what may be meant: of a module what it defines, but for modules and plain data."""
    if not isinstance(owner, ModuleType) or name in getattr(owner, "__all__", ()):
        return True
    value = getattr(owner, name, None)
    if value is None or isinstance(value, ModuleType | str | int | float | list | tuple | dict):
        return False
    home = getattr(value, "__module__", None) if hasattr(value, "__qualname__") else None
    return home in (None, owner.__name__)


def _made(factory: Any, spec: Spec) -> Any:
    if not callable(factory):
        raise InputError(
            f"{spec}: that is a {type(factory).__name__}, which cannot be called; "
            f"write {spec.text.removesuffix('()')}"
        )
    try:
        return factory()
    except (Exception, SystemExit) as error:
        raise InputError(f"{spec}: the factory failed: {said(error)}") from error
