"""Requests per second: 32 clients on persistent connections, in a process of their own.

Usage: load.py <port> <seconds> <file of one raw HTTP request>.
Prints requests per second, and the median and p99 in milliseconds.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path
from statistics import median, quantiles

CLIENTS = 32


async def _client(port: int, request: bytes, end: float, times: list[float]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while (started := time.perf_counter()) < end:
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(head.decode("latin-1"))
        await reader.readexactly(int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0]))
        times.append((time.perf_counter() - started) * 1000)
    writer.close()


async def _main(port: int, seconds: float, request: bytes) -> None:
    times: list[float] = []
    end = time.perf_counter() + seconds
    await asyncio.gather(*(_client(port, request, end, times) for _ in range(CLIENTS)))
    found = {"rate": len(times) / seconds, "median": median(times), "p99": quantiles(times, n=100)[98]}
    print(json.dumps(found))


if __name__ == "__main__":
    asyncio.run(_main(int(sys.argv[1]), float(sys.argv[2]), Path(sys.argv[3]).read_bytes()))
