"""The live channel of the rehearsed stack: somebody is rung through the emulator's WebSocket API."""

from __future__ import annotations

import json
from typing import Any

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from governance.domain.live.messages import PROTOCOL, TICKET_PREFIX
from infra.verify.site import Site

_SECONDS = 60


def verified_channel(address: str, origin_secret: str, site: Site) -> int:
    """Joins the room of a new board as the site's user and changes the board; returns 1 if nothing rings, else 0."""
    board = str(_created(site, "/api/v1/boards", {"name": "Live"})["id"])
    ticket = str(_created(site, "/api/v1/live/tickets")["ticket"])
    headers = {"x-origin-secret": origin_secret, "x-viewer-address": "203.0.113.7"}
    offered = [Subprotocol(PROTOCOL), Subprotocol(TICKET_PREFIX + ticket)]
    told: list[Any] = []
    try:
        with connect(
            address, subprotocols=offered, additional_headers=headers, open_timeout=_SECONDS
        ) as connection:  # the emulated functions start cold
            connection.send(json.dumps({"action": "join", "room": f"boards/{board}"}))
            told.append(json.loads(connection.recv(timeout=_SECONDS)))
            meeting = _created(site, f"/api/v1/boards/{board}/meetings", {"title": "Live", "status": "scheduled"})["id"]
            told.append(json.loads(connection.recv(timeout=_SECONDS)))
    except (OSError, WebSocketException) as error:
        print(f"FAILED: the channel sent {told}, then: {error!r}")
        return 1
    if (told[-1].get("event"), told[-1].get("ids", {}).get("meetingId")) != ("meeting.created", meeting):
        print(f"FAILED: the channel sent {told}")
        return 1
    print("The channel rings.", flush=True)
    return 0


def _created(site: Site, path: str, body: Any = None) -> dict[str, Any]:
    created: dict[str, Any] = site.as_user(path, "POST", body).json()["data"]
    return created
