"""Nothing leaves this machine while tests run: importing this module sees to it.

An audit hook refuses every socket operation and every lookup of a name beyond loopback, and writes
it into the file that RAGSTONE_NETWORK_LOG names, so that a test fails even where the code under
test swallows the refusal. conftest.py reads that file; sitecustomize.py, beside this one, loads the
guard into the Python processes that tests start.

Not seen: a child that runs Python with -I, -E or -S or another PYTHONPATH, or that is not Python.
"""

from __future__ import annotations

import os
import sys

# Every child pays for what is imported here, so the rest is imported where it is used.
TYPE_CHECKING = False
if TYPE_CHECKING:
    import socket
    from collections.abc import Callable
    from typing import Any

LOG = "RAGSTONE_NETWORK_LOG"
"""The environment variable that names the file refusals are written to."""


class NetworkRefusedError(RuntimeError):
    """Not an OSError: code that tries again after a network error should not do it here."""


def is_local(host: object) -> bool:
    """Tell whether a host is loopback: by number, by the one name it has, or left out."""
    import ipaddress

    if isinstance(host, bytes | bytearray):
        host = host.decode("ascii", "replace")
    if host is None or host in {"", "localhost"}:
        return True
    try:
        return ipaddress.ip_address(str(host).partition("%")[0]).is_loopback
    except ValueError:
        return False


def reaches_local(connection: socket.socket, address: Any) -> bool:
    """Tell whether a socket that is given this address stays on the machine."""
    import socket

    if connection.family == socket.AF_UNIX or address is None:  # None: connected before
        return True
    if connection.family in {socket.AF_INET, socket.AF_INET6}:
        return is_local(address[0])
    return False


CHECKS: dict[str, Callable[..., bool]] = {
    "socket.connect": reaches_local,
    "socket.sendto": reaches_local,
    "socket.sendmsg": reaches_local,
    "socket.getaddrinfo": lambda host, *_: is_local(host),
    "socket.gethostbyname": is_local,
    "socket.gethostbyaddr": is_local,
    "socket.getnameinfo": lambda address: is_local(address[0]),
}


def hook(event: str, arguments: tuple[Any, ...]) -> None:
    """Refuse and record what leaves the machine; see `sys.addaudithook`."""
    if event == "socket.__new__":
        check_names_first()
    check = CHECKS.get(event)
    if check is None or check(*arguments):
        return
    target = arguments[-1] if check is reaches_local else arguments[0]
    what = f"{event} {target!r}"
    record(f"{what} {came_from()}")
    raise NetworkRefusedError(f"{what} is beyond loopback; tests have no network")


def check_names_first() -> None:
    """Make sockets ask before they look a name up, which they do before they raise the event."""
    import socket

    for name in ("connect", "connect_ex", "sendto"):
        if name not in vars(socket.socket):
            setattr(socket.socket, name, asking(getattr(socket.socket, name)))


def asking(method: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a method of a socket whose last argument is an address."""

    def ask(connection: socket.socket, *arguments: Any) -> Any:
        hook("socket.connect", (connection, arguments[-1]))
        return method(connection, *arguments)

    return ask


def came_from() -> str:
    """Name the process and the lines that led here, nearest first."""
    import traceback

    frames = reversed(traceback.extract_stack()[:-2])
    lines = [f"{os.path.basename(frame.filename)}:{frame.lineno}" for frame in frames]  # noqa: PTH119
    return f"at {' < '.join(lines[:4])} in {' '.join(sys.orig_argv)[:80]!r}"


def record(line: str) -> None:
    """Append a line to the log in one write, so that processes do not mix theirs."""
    path = os.environ.get(LOG)
    if path is None:
        return
    log = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(log, f"{line}\n".encode("utf-8", "replace"))
    finally:
        os.close(log)


sys.addaudithook(hook)
