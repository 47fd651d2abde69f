"""The AsyncAPI document and the live channel agree, in both directions."""

from __future__ import annotations

import json
from typing import Any

import jsonschema_rs
import pytest

from governance.domain.live import messages
from governance.errors import ApiError, Code, not_found
from governance.ids import BoardId
from governance.models.live.frames import RECEIVED, SENT
from governance.models.live.live import Ring
from infra.local.event import HttpRequest, HttpResponse
from infra.local.service import published, service
from infra.openapi import asyncapi
from infra.openapi.site import installation_files

DOCUMENT: dict[str, Any] = asyncapi.document("https://board.example")
MESSAGES: dict[str, Any] = DOCUMENT["components"]["messages"]
_BOARD = BoardId("b" * 24)
_RING = Ring(room="me", event="notification.created", ids={"notificationId": "1" * 24}, at="2098-01-01T00:00:00.000Z")
_TOLD = {
    "Joined": [messages.joined(_BOARD)],
    "Left": [messages.left(_BOARD), messages.left(_BOARD, "suspended")],
    "Pong": [messages.pong()],
    "Error": [messages.failure(not_found(), None), messages.failure(messages.invalid_message(), "boards/x")],
    "Ring": [_RING.model_dump(mode="json")],
}
"""What the channel sends, of each kind."""


def _accepts(name: str, payload: Any) -> bool:
    schema = {**MESSAGES[name]["payload"], "components": DOCUMENT["components"]}
    return jsonschema_rs.Draft202012Validator(schema, validate_formats=True).is_valid(payload)


def test_every_frame_is_a_message_of_the_channel_in_its_direction_and_nothing_else_is() -> None:
    names = {frame.__name__.removesuffix("Frame") for frame in (*RECEIVED, *SENT)}
    operations = {f"receive{name}" for name in ("Join", "Leave", "Ping")} | {f"send{name}" for name in _TOLD}
    assert MESSAGES.keys() == DOCUMENT["channels"]["live"]["messages"].keys() == names
    assert DOCUMENT["operations"].keys() == operations


@pytest.mark.parametrize("name", _TOLD)
def test_what_the_channel_sends_is_as_its_message_says_and_spoiled_it_is_not(name: str) -> None:
    for told in _TOLD[name]:
        assert _accepts(name, told), told
        assert not _accepts(name, {**told, "title": "Budget"})
        assert not _accepts(name, {**told, "type": "other"})
        assert [other for other in _TOLD if other != name and _accepts(other, told)] == []
        for member in told.keys() - {"reason"}:
            assert not _accepts(name, {key: value for key, value in told.items() if key != member}), member


@pytest.mark.parametrize("frame", RECEIVED)
def test_what_a_client_may_send_is_what_the_channel_takes(frame: Any) -> None:
    name = frame.__name__.removesuffix("Frame")
    (example,) = MESSAGES[name]["examples"]
    assert messages.wish_of(example["payload"]).action == name.lower()
    for spoiled in ({**example["payload"], "more": 1}, {**example["payload"], "action": "other"}):
        assert not _accepts(name, spoiled)
        with pytest.raises(ApiError) as refused:
            messages.wish_of(spoiled)
        assert refused.value.code is Code.INVALID_REQUEST_BODY


@pytest.mark.parametrize("name", MESSAGES)
def test_each_example_is_as_its_message_says(name: str) -> None:
    (example,) = MESSAGES[name]["examples"]
    assert _accepts(name, example["payload"])


@pytest.mark.parametrize(
    ("root_url", "host", "protocol"),
    [("https://board.example", "board.example", "wss"), ("http://127.0.0.1:8080", "127.0.0.1:8080", "ws")],
)
def test_the_server_is_the_one_that_tickets_lead_to(root_url: str, host: str, protocol: str) -> None:
    document = asyncapi.document(root_url)
    (server,) = document["servers"].values()
    assert (server["host"], server["protocol"], "variables" in server) == (host, protocol, False)
    address = document["channels"]["live"]["address"]
    assert f"{protocol}://{host}{address}" == messages.channel_url(root_url)


def test_the_document_is_served_at_the_root() -> None:
    serve = service(lambda _: HttpResponse(404, []), published(installation_files("https://board.example")))
    assert json.loads(serve(HttpRequest("GET", "/asyncapi.json", [])).body) == DOCUMENT
