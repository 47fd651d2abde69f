"""The live channel in tests: a gateway in this process that holds connections to the platform's limits (ADR live).

It knows what an emulator does not enforce: a connection that is being opened takes no posts, a frame has 32 KB at most,
a connection ends after two hours or ten silent minutes, and its end may go unsaid.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import unquote, urlsplit

import jsonschema_rs
import pytest
from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders

from governance import aws
from governance.domain.live.messages import PROTOCOL
from governance.models.live.frames import SENT
from governance.settings import settings
from infra.local.stream import matches
from infra.openapi import asyncapi
from infra.stack.template import Template
from tests.harness.client import FUNCTIONS, Client, load
from tests.harness.privileges import acting_as
from tests.harness.stream import record, send_to_queue
from tests.harness.table_snapshot import Items, TableSnapshot

ENVIRONMENT = {
    "RINGER_FUNCTION": "ringer:live",
    "LIVE_ENDPOINT": "https://live.execute-api.eu-west-1.amazonaws.com/live",
}
FRAME_BYTES = 32 * 1024
LIFETIME_SECONDS, IDLE_SECONDS = 7200, 600
_TICKETS = "/api/v1/live/tickets"
Message = dict[str, Any]


@cache
def _frames() -> jsonschema_rs.Draft202012Validator:
    """Returns the validator of what the AsyncAPI document lets the channel send."""
    document = asyncapi.document("https://board.example")
    sent = [{"$ref": f"#/components/schemas/{frame.__name__}"} for frame in SENT]
    return jsonschema_rs.Draft202012Validator({"oneOf": sent, "components": document["components"]})


def _as_documented(frame: Message) -> Message:
    """Returns a frame that was sent; fails for one that the document does not have."""
    assert _frames().is_valid(frame), frame
    return frame


@dataclass
class Tab:
    """A client's connection: what it was told, and the status of its handshake."""

    id: str
    channel: Channel
    status: int = 0
    is_open: bool = False
    is_closed: bool = False
    told: list[Message] = field(default_factory=list)
    opened_at: float = 0.0
    heard_at: float = 0.0

    def say(self, message: Any) -> list[Message]:
        """Sends a message, a text or bytes as they are, and returns what the client is told then."""
        before = len(self.told)
        self.channel.receive(self, message)
        return self.told[before:]

    def join(self, board_id: str) -> list[Message]:
        """Joins the room of a board."""
        return self.say({"action": "join", "room": f"boards/{board_id}"})

    def leave(self, board_id: str) -> list[Message]:
        """Leaves the room of a board."""
        return self.say({"action": "leave", "room": f"boards/{board_id}"})

    def rings(self) -> list[tuple[str, str]]:
        """Returns the room and the event of each ring so far."""
        return [(message["room"], message["event"]) for message in self.told if message["type"] == "ring"]

    def forget(self) -> None:
        """Forgets what was told so far."""
        self.told.clear()


@dataclass
class Channel:
    """The gateway: its connections by id, its clock in seconds, and the invocations of the ringer that wait."""

    tabs: dict[str, Tab] = field(default_factory=dict)
    now: float = 0.0
    waiting: list[dict[str, Any]] = field(default_factory=list)
    says_ends: bool = True
    invoked: int = 0

    def ticket(self, client: Client) -> str:
        """Returns a ticket of a caller."""
        return str(client.post(_TICKETS).data["ticket"])

    def open(self, client: Client) -> Tab:
        """Opens a connection with a ticket of a caller."""
        tab = self.handshake(PROTOCOL, f"ticket.{self.ticket(client)}")
        assert tab.status == 200, tab.status
        return tab

    def handshake(self, *offered: str, address: str = "203.0.113.7", **headers: str) -> Tab:
        """Opens a connection that offers these subprotocols."""
        tab = Tab(f"tab-{len(self.tabs)}=", self, opened_at=self.now, heard_at=self.now)
        self.tabs[tab.id] = tab
        given = {"sec-websocket-protocol": ", ".join(offered), "x-viewer-address": address, **headers}
        answer = self._invoke(tab, "$connect", headers=given)
        tab.status = answer["statusCode"]
        tab.is_open = tab.status == 200
        if tab.is_open:
            assert answer["headers"] == {"Sec-WebSocket-Protocol": PROTOCOL}
        return tab

    def receive(self, tab: Tab, message: Any) -> None:
        """Passes on a message of a client."""
        assert tab.is_open
        tab.heard_at = self.now
        is_binary = isinstance(message, bytes)
        text = message if isinstance(message, str) else "" if is_binary else json.dumps(message)
        if len(message if is_binary else text.encode()) > FRAME_BYTES:
            self.end(tab)
            return
        body = {"body": "AAAA", "isBase64Encoded": True} if is_binary else {"body": text, "isBase64Encoded": False}
        assert self._invoke(tab, "$default", **body) == {"statusCode": 200}

    def end(self, tab: Tab) -> None:
        """Ends a connection, which its function may not hear of."""
        tab.is_open, tab.is_closed = False, True
        if self.says_ends:
            self._invoke(tab, "$disconnect")

    def wait(self, seconds: float) -> None:
        """Lets time pass for the gateway, which ends connections that are too old or too silent."""
        self.now += seconds
        for tab in list(self.tabs.values()):
            if tab.is_open and (
                self.now - tab.opened_at >= LIFETIME_SECONDS or self.now - tab.heard_at >= IDLE_SECONDS
            ):
                self.end(tab)

    def _invoke(self, tab: Tab, route: str, **event: Any) -> dict[str, Any]:
        context = {
            "routeKey": route,
            "connectionId": tab.id,
            "requestId": "r",
            "identity": {"sourceIp": "198.51.100.1"},
        }
        handler = load(FUNCTIONS / "live" / "handler.py").lambda_handler
        with acting_as("live"):
            answer: dict[str, Any] = handler({"requestContext": context, **event}, None)
        return answer

    def answer(self, params: Mapping[str, Any], **_: Any) -> Any:
        """Replaces a call to the gateway, or to the ringer."""
        path, body = urlsplit(params["url"]).path, params["body"] or b""
        if path.endswith("/invocations"):
            self.waiting.append(json.loads(body))
            return AWSResponse("", 202, HTTPHeaders(), None), {"StatusCode": 202}
        tab = self.tabs.get(unquote(path.rpartition("/")[2]))
        if tab is None or not tab.is_open:
            return AWSResponse("", 410, HTTPHeaders(), None), {"Error": {"Code": "GoneException", "Message": ""}}
        if params["method"] == "DELETE":
            self.end(tab)
        else:
            tab.told.append(_as_documented(json.loads(body)))
            tab.heard_at = self.now
        return AWSResponse("", 200, HTTPHeaders(), None), {}

    def ring(self, context: Any = None) -> None:
        """Invokes the ringer with what waits, and with what follows from that."""
        handler = load(FUNCTIONS / "ringer" / "handler.py").lambda_handler
        while self.waiting:
            message = self.waiting.pop(0)
            self.invoked += 1
            with acting_as("ringer"):
                handler(message, context)

    def follow(self, before: Items) -> None:
        """Rings for everything that has changed in the table since, as the stream tells it."""
        if records := changes_since(before):
            send_to_queue(records)
        self.ring()

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Rings for everything that changes in the block."""
        before = TableSnapshot().items
        yield
        self.follow(before)


def changes_since(before: Items) -> list[dict[str, Any]]:
    """Returns the records of the stream since a snapshot, those that the template lets through."""
    after = TableSnapshot().items
    changed = [
        record(item, "MODIFY" if key in before else "INSERT") for key, item in after.items() if before.get(key) != item
    ]
    (mapping,) = Template().stream_mappings()
    return [change for change in changed if any(matches(rule, change) for rule in mapping.patterns)]


@contextmanager
def running() -> Iterator[Channel]:
    """Runs a channel on the table of the test."""
    channel = Channel()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in ENVIRONMENT.items():
            patch.setitem(os.environ, name, value)
        settings.cache_clear()
        clients = (aws.apigatewaymanagementapi(settings().live_endpoint), aws.lambda_())
        for client in clients:
            client.meta.events.register("before-call.*.*", channel.answer, unique_id="channel-in-tests")
        yield channel
        for client in clients:
            client.meta.events.unregister("before-call.*.*", channel.answer, unique_id="channel-in-tests")
    settings.cache_clear()
