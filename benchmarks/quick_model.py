"""A model behind HTTP in a process of its own: the same answer to everything, after a while.

    with quick_model(0.05, completion) as url: ...

Run as a program it prints its port and serves until its standard input is closed.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any


@contextmanager
def quick_model(seconds: float, body: Any) -> Iterator[str]:
    """Start one; return the address of its API."""
    arguments = [sys.executable, __file__, str(seconds), json.dumps(body)]
    with subprocess.Popen(
        arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
        finally:
            process.kill()


async def serve(seconds: float, body: str) -> None:
    data = body.encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(data)}"
    answer = f"{head}\r\n\r\n".encode() + data

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                lines = (await reader.readuntil(b"\r\n\r\n")).lower().split(b"\r\n")
                [length] = [line[15:] for line in lines if line.startswith(b"content-length:")]
                await reader.readexactly(int(length))
                await asyncio.sleep(seconds)
                writer.write(answer)
        writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0, backlog=256)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1]), sys.argv[2]))
