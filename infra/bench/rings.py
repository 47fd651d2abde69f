"""The second part of `make bench`: how long after a commit a client of the live channel is rung, as a distribution.

It starts `make run` with data of its own, joins a board with several clients, changes meetings, and writes the table to
infra/bench/rings.md. The instant of a ring is that of the request's commit; the clock is one machine's.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from infra.local.engine import free_port
from infra.stack.template import ROOT

_CLIENTS, _CHANGES = 5, 100
_PAUSE_SECONDS = 0.1
_LAST_LINE = "Documentation  "
_GOAL_SECONDS = 1.0
FILE = Path(__file__).parent / "rings.md"


def _call(root: str, method: str, path: str, session: str, body: Any = None) -> Any:
    headers = {"Authorization": f"Bearer {session}", "Content-Type": "application/json"}
    content = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(root + path, content, headers, method=method)  # noqa: S310 - our own address
    with urllib.request.urlopen(request, timeout=30) as response:  # noqa: S310 - our own address
        return json.loads(response.read())["data"]


def _listen(connection: ClientConnection, delays: list[float]) -> None:
    """Notes, for each ring, the seconds since its instant; until the connection ends."""
    try:
        while True:
            message = json.loads(connection.recv())
            if message["type"] == "ring" and message["event"] == "meeting.created":
                delays.append(time.time() - datetime.fromisoformat(message["at"]).timestamp())
    except ConnectionClosed:
        return


def measure(root: str, state: Path) -> list[float]:
    """Returns the seconds from each change to each of its rings, against a running service."""
    demo = json.loads((state / "demo.json").read_text(encoding="utf-8"))
    session, delays = demo["users"][0]["session"], list[float]()
    board = _call(root, "GET", "/api/v1/boards", session)[0]["id"]
    with ExitStack() as stack:
        for _ in range(_CLIENTS):
            ticket = _call(root, "POST", "/api/v1/live/tickets", session)
            offered = [Subprotocol("board-governance.v1"), Subprotocol(f"ticket.{ticket['ticket']}")]
            connection = stack.enter_context(connect(ticket["url"], subprotocols=offered))
            connection.send(json.dumps({"action": "join", "room": f"boards/{board}"}))
            connection.recv()
            Thread(target=_listen, args=(connection, delays), daemon=True).start()
        for _ in range(_CHANGES):
            body = {"title": "Live", "status": "scheduled"}
            _call(root, "POST", f"/api/v1/boards/{board}/meetings", session, body)
            time.sleep(_PAUSE_SECONDS)
        time.sleep(5)
    return delays


def table(delays: list[float]) -> str:
    """Returns the distribution as Markdown, with how many of a hundred came within a second."""
    cuts = quantiles(delays, n=100, method="inclusive")
    within = 100 * sum(delay <= _GOAL_SECONDS for delay in delays) / (_CLIENTS * _CHANGES)
    rows = [(f"{name} %", cuts[name - 1]) for name in (50, 75, 90, 95, 99)] + [("slowest", max(delays))]
    lines = [f"| {name} | {seconds * 1000:.0f} |" for name, seconds in rows]
    return "\n".join(
        [
            "# Rings\n",
            (
                f"{_CHANGES} changes of a board, heard by {_CLIENTS} clients of `make run`: {len(delays)} rings, "
                f"{within:.1f} of a hundred within a second of the commit; load {os.getloadavg()[0]:.1f}.\n"
            ),
            "| rings up to | milliseconds |",
            "|---|---|",
            *lines,
            "",
        ]
    )


def main() -> int:
    """Measures, writes the table, and returns 1 if fewer than 95 of a hundred came within a second."""
    port = free_port()
    with TemporaryDirectory() as folder:
        values = {**os.environ, "PORT": str(port), "LOCAL_STATE": folder, "RATE_LIMIT_PRINCIPAL": "100000"}
        words = [sys.executable, "-m", "infra.local.run"]
        with subprocess.Popen(  # noqa: S603 - our own module
            words, cwd=ROOT, env=values, stdout=subprocess.PIPE, text=True
        ) as service:
            try:
                assert service.stdout is not None  # noqa: S101 - a pipe
                next(line for line in service.stdout if _LAST_LINE in line)
                delays = measure(f"http://127.0.0.1:{port}", Path(folder))
            finally:
                service.send_signal(signal.SIGTERM)
    FILE.write_text(table(delays), encoding="utf-8")
    print(FILE.read_text(encoding="utf-8"))
    return 0 if sum(delay <= _GOAL_SECONDS for delay in delays) >= 0.95 * _CLIENTS * _CHANGES else 1


if __name__ == "__main__":
    sys.exit(main())
