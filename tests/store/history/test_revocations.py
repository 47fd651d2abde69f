"""What must never come back (ADR restore): which changes are recorded, from when on, and under which name."""

from __future__ import annotations

import json
from typing import Any

import boto3
import pytest

from governance.domain.access.visibility import event_visibility
from governance.ids import BoardId, UserId, new_id
from governance.instants import Instant, from_millis
from governance.models.history.event import Event
from governance.store.attributes import marshal
from governance.store.history import revocations
from governance.store.history.revocations import Revocation, of_change
from governance.store.schema.entities import (
    BOARD_TOKEN,
    CALENDAR_FEED,
    GUEST_LINK,
    INVITE,
    MEMBER,
    PURGE,
    SLOT_COUNT,
    UNREGISTERED_USER,
    USER,
    USER_TOKEN,
)
from governance.store.schema.history import event_key
from governance.store.schema.keys import Item, Key
from tests.harness.engine import clear_caches
from tests.harness.revocation_record import BUCKET, record_bucket
from tests.harness.stream import new_event

BOARD_ID, USER_ID, OTHER = BoardId(new_id()), UserId(new_id()), new_id()
SECOND = 1_900_000_000
END_OF_SECOND = from_millis((SECOND + 1) * 1000)
MADE_AT = Instant("2030-01-02T03:04:05.006Z")
MEMBER_KEY = MEMBER.key_for(boardId=BOARD_ID, userId=USER_ID)
FEED_KEY = CALENDAR_FEED.key_for(userId=USER_ID, feedId=OTHER)
LINK_KEY = GUEST_LINK.key_for(boardId=BOARD_ID, meetingId=OTHER)
PERSON_KEY = UNREGISTERED_USER.key_for(boardId=BOARD_ID, unregisteredUserId=OTHER)
INVITE_KEY = INVITE.key_for(boardId=BOARD_ID, inviteId=OTHER)
TOKEN_KEY = USER_TOKEN.key_for(userId=USER_ID, tokenId=OTHER)
BOARD_TOKEN_KEY = BOARD_TOKEN.key_for(boardId=BOARD_ID, tokenId=OTHER)
USER_KEY, PURGE_KEY = USER.key_for(userId=USER_ID), PURGE.key_for(userId=USER_ID)
COUNT_KEY = SLOT_COUNT.key_for(boardId=BOARD_ID, meetingId=OTHER)


def change(name: str, key: Key, new: Item | None = None) -> dict[str, Any]:
    """Returns a record of the stream, half a second into its second."""
    image = {} if new is None else {"NewImage": marshal({**key.attributes, **new})}
    stream = {"Keys": marshal(key.attributes), "ApproximateCreationDateTime": SECOND + 0.5, **image}
    return {"eventName": name, "dynamodb": stream}


@pytest.mark.parametrize(
    ("name", "key", "new", "kind"),
    [
        ("REMOVE", FEED_KEY, None, "removal"),
        ("INSERT", INVITE_KEY, {"status": "retracted"}, "invite"),
        ("MODIFY", TOKEN_KEY, {"revokedAt": MADE_AT}, "token"),
        ("MODIFY", BOARD_TOKEN_KEY, {"revokedAt": MADE_AT}, "token"),
        ("INSERT", PURGE_KEY, {"userId": USER_ID}, "purge"),
    ],
)
def test_what_ends_is_recorded_by_its_kind_and_key_from_the_end_of_its_second(
    name: str, key: Key, new: Item | None, kind: str
) -> None:
    ended = of_change(change(name, key, new))
    assert ended == Revocation(kind, key.pk, key.sk, END_OF_SECOND)
    assert ended.key == key


@pytest.mark.parametrize("status", ["active", "suspended"])
def test_a_change_of_a_user_is_recorded_with_the_status(status: str) -> None:
    assert of_change(change("MODIFY", USER_KEY, {"status": status, "createdAt": MADE_AT})) == Revocation(
        "status", USER_KEY.pk, USER_KEY.sk, END_OF_SECOND, status
    )


def event(kind: Event) -> dict[str, Any]:
    refs = {"userId": USER_ID, "meetingId": OTHER, "unregisteredUserId": OTHER}
    stored = new_event(BOARD_ID, kind, refs=refs, at=MADE_AT)
    return change("INSERT", event_key(BOARD_ID, event_visibility(stored), MADE_AT, stored.id), stored.item())


@pytest.mark.parametrize(
    ("kind", "key"),
    [
        (Event.MEMBER_REMOVED, MEMBER_KEY),
        (Event.MEMBER_LEFT, MEMBER_KEY),
        (Event.GUEST_LINK_CLOSED, LINK_KEY),
        (Event.UNREGISTERED_USER_SCRUBBED, PERSON_KEY),
    ],
)
def test_who_is_removed_or_scrubbed_and_a_link_that_is_closed_end_at_the_instant_of_the_event(
    kind: Event, key: Key
) -> None:
    assert of_change(event(kind)) == Revocation("removal", key.pk, key.sk, MADE_AT)
    assert of_change({**event(kind), "eventName": "MODIFY"}) is None


def test_other_events_end_nothing() -> None:
    ending = {Event.MEMBER_REMOVED, Event.MEMBER_LEFT, Event.GUEST_LINK_CLOSED, Event.UNREGISTERED_USER_SCRUBBED}
    assert [kind for kind in Event if kind not in ending and of_change(event(kind))] == []


def test_a_replaced_guest_link_ends_when_the_new_one_is_made() -> None:
    replaced = of_change(change("MODIFY", LINK_KEY, {"createdAt": MADE_AT, "status": "x"}))
    assert replaced == Revocation("removal", LINK_KEY.pk, LINK_KEY.sk, MADE_AT)


@pytest.mark.parametrize(
    ("name", "key", "new"),
    [
        ("INSERT", MEMBER_KEY, {"createdAt": MADE_AT}),
        ("MODIFY", MEMBER_KEY, {"createdAt": MADE_AT}),
        ("INSERT", FEED_KEY, {"createdAt": MADE_AT}),
        ("INSERT", LINK_KEY, {"createdAt": MADE_AT}),
        ("REMOVE", MEMBER_KEY, None),
        ("REMOVE", LINK_KEY, None),
        ("REMOVE", COUNT_KEY, None),
        ("MODIFY", COUNT_KEY, {"count": 1}),
        ("INSERT", INVITE_KEY, {"status": "accepted"}),
        ("INSERT", INVITE_KEY, {}),
        ("MODIFY", INVITE_KEY, {"status": "retracted"}),
        ("REMOVE", INVITE_KEY, None),
        ("INSERT", BOARD_TOKEN_KEY, {"status": "retracted"}),
        ("INSERT", TOKEN_KEY, {"revokedAt": None}),
        ("INSERT", TOKEN_KEY, {"revokedAt": MADE_AT}),
        ("MODIFY", TOKEN_KEY, {"revokedAt": None}),
        ("MODIFY", TOKEN_KEY, {}),
        ("REMOVE", TOKEN_KEY, None),
        ("INSERT", USER_KEY, {"status": "active"}),
        ("REMOVE", USER_KEY, None),
        ("MODIFY", PURGE_KEY, {"userId": USER_ID}),
        ("REMOVE", PURGE_KEY, None),
    ],
)
def test_nothing_else_is_recorded(name: str, key: Key, new: Item | None) -> None:
    assert of_change(change(name, key, new)) is None


@pytest.mark.usefixtures("_engine")
def test_the_same_change_is_one_object(bucket: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    ended = Revocation("status", USER_KEY.pk, USER_KEY.sk, MADE_AT, "suspended")
    monkeypatch.setenv("REVOCATIONS_BUCKET", BUCKET)
    clear_caches()
    with record_bucket(bucket):
        for _ in range(2):
            revocations.append(ended, "change")
        objects = boto3.client("s3").list_objects_v2(Bucket=BUCKET)["Contents"]
        assert [entry["Key"] for entry in objects] == [f"revocations/{MADE_AT}-change.json"]
        stored = boto3.client("s3").get_object(Bucket=BUCKET, Key=objects[0]["Key"], ChecksumMode="ENABLED")
        assert Revocation(**json.loads(stored["Body"].read())) == ended
        assert (stored["ContentType"], "ChecksumSHA256" in stored) == ("application/json", True)
