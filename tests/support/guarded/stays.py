"""Tests that must all pass: none of them leaves the machine."""

import os
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest


def test_a_server_and_its_client() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname()),
    ):
        pass


def test_the_rest_of_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as connection:
        connection.connect(("127.1.2.3", 9))
        connection.sendmsg([b"x"])


def test_ipv6() -> None:
    with suppress(OSError), socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as connection:
        connection.connect(("::1", 9, 0, 0))


def test_names() -> None:
    socket.getaddrinfo("localhost", 80)
    socket.getaddrinfo(None, 80, flags=socket.AI_PASSIVE)


def test_a_unix_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the path of a socket has to be short
    with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX) as client:
        server.bind("socket")
        server.listen()
        client.connect("socket")


def test_a_child() -> None:
    code = "import socket; socket.getaddrinfo('127.0.0.1', 80)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_what_the_caller_exported_is_gone() -> None:
    assert not {"SOURCE_DATE_EPOCH", "PYTHONHASHSEED"} & os.environ.keys()
