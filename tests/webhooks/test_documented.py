"""The `webhooks` of the API reference and what is delivered agree, in both directions."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from governance.domain.webhooks import webhook as webhook_rules
from governance.domain.webhooks import webhook_delivery
from governance.ids import BoardId
from governance.models.history.event import Event
from infra.openapi.document import FILE
from tests.domain.samples import NOW, webhook
from tests.harness import stream

DOCUMENT = json.loads(FILE.read_text(encoding="utf-8"))
ENTRIES: Mapping[str, Any] = {type_: item["post"] for type_, item in DOCUMENT["webhooks"].items()}
_BOARD = BoardId("b" * 24)
_TESTS = Path(__file__).parents[1]
_NEVER = {
    *("board.deleted", "board.example_created", "board.example_filled", "user.purged"),
    *("resolution.created", "resolution.updated", "resolution.deleted"),
}
_WRITTEN = re.compile(r"  Put EVENTS#<id>#<month> BOARD#.*\n.*refs=(\{.*?\});.*type=([a-z_.]+)")


def _written() -> list[tuple[str, dict[str, str]]]:
    """Returns type and ids of each event for the whole board that a route writes, and that the last release stored."""
    text = (_TESTS / "contract/writes.txt").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in (_TESTS / "releases/recorded_events.jsonl").read_text().splitlines()]
    stored = [row["event"] for row in rows if row["where"] == "stored"]
    return [
        *((type_, json.loads(refs.replace("<id>", "0" * 24))) for refs, type_ in _WRITTEN.findall(text)),
        *((event["type"], event["refs"]) for event in stored if not event["draftOf"]),
    ]


def _body(type_: str, refs: Mapping[str, str]) -> Any:
    event = stream.new_event(_BOARD, Event(type_), at=NOW, refs=dict(refs))
    return json.loads(webhook_delivery.body(webhook_rules.new_delivery(event, webhook(), NOW)))


def _accepts(type_: str, body: Any) -> bool:
    schema = ENTRIES[type_]["requestBody"]["content"]["application/json"]["schema"]
    return jsonschema_rs.Draft202012Validator(schema, validate_formats=True).is_valid(body)


@pytest.mark.parametrize("event_type", Event)
def test_what_a_webhook_is_sent_has_an_entry_and_what_is_never_sent_has_none(event_type: Event) -> None:
    event = stream.new_event(_BOARD, event_type, at=NOW)
    assert webhook_rules.receives(webhook(), event) is (event_type in ENTRIES) is (event_type not in _NEVER)
    assert ENTRIES.keys() <= set(Event)


@pytest.mark.parametrize("type_", ENTRIES)
def test_every_body_that_is_delivered_is_as_its_entry_says(type_: str) -> None:
    delivered = [refs for written, refs in _written() if written == type_] or [{}]
    assert [refs for refs in delivered if not _accepts(type_, _body(type_, refs))] == []


def test_most_bodies_are_those_of_routes() -> None:
    assert len({type_ for type_, _ in _written()} & ENTRIES.keys()) >= 80


@pytest.mark.parametrize("type_", ENTRIES)
def test_a_spoiled_body_is_not_as_its_entry_says(type_: str) -> None:
    body = _body(type_, {})
    assert _accepts(type_, body)
    for spoiled in (
        {**body, "type": "other.type"},
        {**body, "timestamp": "yesterday"},
        {**body, "data": {**body["data"], "title": "Budget"}},
        {**body, "data": {name: value for name, value in body["data"].items() if name != "boardId"}},
        {name: value for name, value in body.items() if name != "data"},
    ):
        assert not _accepts(type_, spoiled), spoiled


@pytest.mark.parametrize("type_", ENTRIES)
def test_an_entry_is_named_after_its_type_and_has_one_example(type_: str) -> None:
    words = re.split(r"[._]", type_)
    entry = ENTRIES[type_]
    content = entry["requestBody"]["content"]["application/json"]
    assert entry["operationId"] == "on" + "".join(word.capitalize() for word in words)
    assert _accepts(type_, content["example"])
    assert entry["responses"].keys() == {"2XX", "410"}


def test_the_headers_are_those_that_are_sent() -> None:
    event = stream.new_event(_BOARD, Event.MEETING_CREATED, at=NOW, refs={"meetingId": "1" * 24})
    delivery = webhook_rules.new_delivery(event, webhook(), NOW)
    sent = webhook_delivery.headers(delivery, webhook_delivery.body(delivery), [b"a", b"b"], NOW)
    headers = [
        DOCUMENT["components"]["parameters"][name] for name in ("WebhookId", "WebhookTimestamp", "WebhookSignature")
    ]
    assert {header["name"] for header in headers} == sent.keys() - {"content-type", "user-agent"}
    for header in headers:
        assert jsonschema_rs.Draft202012Validator(header["schema"]).is_valid(sent[header["name"]])
        assert not jsonschema_rs.Draft202012Validator(header["schema"]).is_valid("?")
