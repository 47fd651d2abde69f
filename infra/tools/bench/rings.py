"""How long after a commit a client of the live channel is rung, as a distribution.

A board of `make run` is joined by several clients, and its meetings change. The instant of a ring is that of the
request's commit; the clock is one machine's.
"""

from __future__ import annotations

import json
import os
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

from infra.tools.bench import servers
from infra.tools.bench.contestants import HERE

_CLIENTS, _CHANGES = 5, 100
_PAUSE_SECONDS = 0.1
_GOAL_SECONDS, _GOAL_SHARE = 1.0, 0.95


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


def run() -> bool:
    """Measures, writes and prints rings.md, and returns whether 95 of a hundred came within a second."""
    with TemporaryDirectory() as folder, servers.make_run(Path(folder)) as port:
        delays = measure(f"http://127.0.0.1:{port}", Path(folder))
    cuts = quantiles(delays, n=100, method="inclusive")
    within = sum(delay <= _GOAL_SECONDS for delay in delays) / (_CLIENTS * _CHANGES)
    written = (
        f"# Rings\n\n{_CHANGES} changes of a board, heard by {_CLIENTS} clients of `make run`: {len(delays)} rings, "
        f"{100 * within:.1f} of a hundred within a second of the commit; load {os.getloadavg()[0]:.1f}.\n\n"
        "| rings up to | milliseconds |\n|---|---|\n"
    )
    written += "".join(f"| {name} % | {1000 * cuts[name - 1]:.0f} |\n" for name in (50, 75, 90, 95, 99))
    written += f"| slowest | {1000 * max(delays):.0f} |\n"
    (HERE / "rings.md").write_text(written, encoding="utf-8")
    print(written)
    return within >= _GOAL_SHARE
