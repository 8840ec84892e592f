"""Tests that must all fail: each tries to leave the machine and hides what comes of it."""

import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

FAR = ("192.0.2.1", 80)
FAR6 = ("2001:db8::1", 80)


def swallow(call: Callable[..., object], *args: Any) -> None:
    with suppress(BaseException):
        call(*args)


def datagram(family: int = socket.AF_INET) -> socket.socket:
    return socket.socket(family, socket.SOCK_DGRAM)


def child(code: str) -> None:
    subprocess.run([sys.executable, "-c", code], check=False, capture_output=True)


def test_connect() -> None:
    with datagram() as connection:
        swallow(connection.connect, FAR)


def test_connect_ex() -> None:
    with datagram() as connection:
        swallow(connection.connect_ex, FAR)


def test_connect_by_ipv6() -> None:
    with datagram(socket.AF_INET6) as connection:
        swallow(connection.connect, FAR6)


def test_connect_by_name() -> None:
    with datagram() as connection:
        swallow(connection.connect, ("example.com", 80))


def test_create_connection() -> None:
    swallow(socket.create_connection, FAR, 0.1)


def test_sendto() -> None:
    with datagram() as connection:
        swallow(connection.sendto, b"x", FAR)


def test_sendmsg() -> None:
    with datagram() as connection:
        swallow(connection.sendmsg, [b"x"], [], 0, FAR)


def test_getaddrinfo() -> None:
    swallow(socket.getaddrinfo, "example.com", 80)


def test_getaddrinfo_of_bytes() -> None:
    swallow(socket.getaddrinfo, b"example.com", 80)


def test_gethostbyname() -> None:
    swallow(socket.gethostbyname, "example.com")


def test_gethostbyname_ex() -> None:
    swallow(socket.gethostbyname_ex, "example.com")


def test_gethostbyaddr() -> None:
    swallow(socket.gethostbyaddr, FAR[0])


def test_getnameinfo() -> None:
    swallow(socket.getnameinfo, FAR, 0)


def test_a_child() -> None:
    child("import socket; socket.getaddrinfo('example.com', 80)")


def test_a_child_of_a_child() -> None:
    code = "import socket; socket.gethostbyname('example.com')"
    child(f'import subprocess, sys; subprocess.run([sys.executable, "-c", "{code}"])')


def test_a_failure_of_its_own() -> None:
    swallow(socket.gethostbyname, "example.com")
    raise AssertionError("for another reason")
