"""Prints the requests per second of 32 clients on persistent connections; runs in a process of its own.

Usage: load.py <port> <seconds> <file of one raw HTTP request>.
"""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

CLIENTS = 32


async def _client(port: int, request: bytes, end: float) -> int:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    answered = 0
    while time.perf_counter() < end:
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(head.decode("latin-1"))
        await reader.readexactly(int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0]))
        answered += 1
    writer.close()
    return answered


async def _main(port: int, seconds: float, request: bytes) -> None:
    end = time.perf_counter() + seconds
    answered = await asyncio.gather(*(_client(port, request, end) for _ in range(CLIENTS)))
    print(sum(answered) / seconds)


if __name__ == "__main__":
    asyncio.run(_main(int(sys.argv[1]), float(sys.argv[2]), Path(sys.argv[3]).read_bytes()))
