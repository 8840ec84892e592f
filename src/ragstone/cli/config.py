"""`--config FILE`: a TOML table with what the flags would say; a flag wins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from ragstone.errors import FormatError, UsageError, did_you_mean, nearest

F = TypeVar("F", bound=Callable[..., Any])


def config_option(table: str, example: str = "concurrency = 4") -> Callable[[F], F]:
    """Add --config, whose [table] has keys that are named as the command's flags."""

    def load(ctx: click.Context, param: click.Parameter, value: str | None) -> None:  # noqa: ARG001
        if value is not None:
            ctx.default_map = defaults(ctx.command, value, table)

    return click.option(
        "--config",
        metavar="FILE",
        is_eager=True,
        expose_value=False,
        callback=load,
        help=f"TOML with a table [{table}] whose keys are these flags, as in {example}; flags win.",
    )


def defaults(command: click.Command, path: str, table: str) -> dict[str, Any]:
    """Read the table as a click default map; raises UsageError for a key that is no flag."""
    flags = {
        name.removeprefix("--"): option
        for option in command.params
        if isinstance(option, click.Option) and option.expose_value
        for name in option.opts
        if name.startswith("--")
    }
    found: dict[str, Any] = {}
    for key, value in _table(path, table).items():
        flag = key.replace("_", "-")
        if flag not in flags:
            hint = did_you_mean(nearest(flag, flags)) or f"known: {', '.join(flags)}"
            raise UsageError(f"{path}: [{table}] has {key!r}, which is no flag; {hint}")
        option = flags[flag]
        found[str(option.name)] = _value(path, table, key, value, option)
    return found


def _table(path: str, table: str) -> dict[str, Any]:
    from ragstone.formats.toml import read_table

    found = read_table(path).get(table)
    if not isinstance(found, dict):
        raise FormatError(f"has no table [{table}]", where=path)
    return found


def _value(path: str, table: str, key: str, value: Any, option: click.Option) -> Any:
    if option.multiple:
        if isinstance(value, dict):
            return [f"{name}={each}" for name, each in value.items()]
        return value if isinstance(value, list) else [value]
    if isinstance(value, dict | list):
        kind = "a table" if isinstance(value, dict) else "a list"
        raise UsageError(f"{path}: [{table}] {key} is {kind}; one value was expected")
    if isinstance(value, bool) is not option.is_flag:
        expected = "true or false" if option.is_flag else "a text or a number"
        raise UsageError(f"{path}: [{table}] {key} is {value!r}; {expected} was expected")
    return value
