"""This release reads the events that the release before it stored, and those in the queue's messages.

The recording has one of each kind and variant: `stored` in the table, `batch` in a message about its recipients.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from governance.domain.events.registry import KINDS
from governance.domain.notifications.addressee import of_user
from governance.domain.notifications.wording import notification_message
from governance.models.history.event import StoredEvent
from tests.domain.samples import user

RECORDED = Path(__file__).with_name("recorded_events.jsonl")
EVERY = [json.loads(line) for line in RECORDED.read_text().splitlines()]
NO_LONGER_READ = {
    "title": "what the details name, and texts for a release that is gone",
    "id": "what the details name",
    "votes": "the meeting says which are discarded",
    "creatorId": "who owns a dashboard is read at delivery",
    "seatedUserIds": "a committee that is created or deleted notifies nobody",
    "userIds": "the message has its recipients",
    "ownerUserId": "the message has its recipients",
    "told": "of an event that another one led to",
}


def _name(row: dict[str, Any]) -> str:
    details = row["event"]["details"]
    return f"{row['where']} {row['event']['type']} {details.get('to') or details.get('about') or ''}".strip()


@pytest.mark.parametrize("row", EVERY, ids=_name)
def test_the_payload_of_an_earlier_event_says_what_the_event_says(row: dict[str, Any]) -> None:
    event = StoredEvent.model_validate(row["event"])
    parts = json.loads(json.dumps(KINDS[event.type].payload.of(event).parts()._asdict()))
    if row["where"] == "stored" or event.details:
        assert parts["details"] == event.details
    assert parts["refs"] == event.refs
    kept, held = parts["delivery_data"], event.delivery_data
    assert {key: held.get(key) for key in kept} == kept
    assert {key for key, value in held.items() if value is not None} - kept.keys() <= NO_LONGER_READ.keys()


@pytest.mark.parametrize("row", [row for row in EVERY if row["where"] == "batch"], ids=_name)
def test_what_an_earlier_release_was_about_to_notify_of_is_notified_in_words(row: dict[str, Any]) -> None:
    event = StoredEvent.model_validate(row["event"])
    kind = KINDS[event.type]
    payload = kind.payload.of(event)
    notification = kind.notification_of(event, payload)
    assert notification is not None
    assert "None" not in notification_message(notification, payload, "B", of_user(user()))
