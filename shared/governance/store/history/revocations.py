"""Revocations: an append-only record, outside the table, of rights that ended and must not return (ADR restore).

A table that is restored to a point in time contains again what was revoked, removed or purged since. The stream
contains each such change, also those of operators; the record keeps ids and instants only. `boardctl
replay-revocations` applies it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from governance import aws
from governance.instants import Instant, from_millis
from governance.models.history.event import Event
from governance.settings import settings
from governance.store.attributes import unmarshal
from governance.store.schema.entities import CALENDAR_FEED, GUEST_LINK, INVITE, MEMBER, PURGE, UNREGISTERED_USER, USER
from governance.store.schema.history import EVENTS_PREFIX
from governance.store.schema.keys import PK, SK, Entity, Key

PREFIX = "revocations/"
_GUEST_LINK = GUEST_LINK.sk.rpartition("}")[2]
_ENDING: Mapping[str, tuple[Entity, str]] = {
    Event.MEMBER_REMOVED: (MEMBER, "userId"),
    Event.MEMBER_LEFT: (MEMBER, "userId"),
    Event.GUEST_LINK_CLOSED: (GUEST_LINK, "meetingId"),
    Event.UNREGISTERED_USER_SCRUBBED: (UNREGISTERED_USER, "unregisteredUserId"),
}
"""For each event that ends a right, or a person's data: the row of it, and the id in its key besides the board's."""


@dataclass(frozen=True)
class Revocation:
    """A revoked row, or a user's changed status: versions of this key up to this instant are no longer valid."""

    kind: str
    pk: str
    sk: str
    at: Instant
    status: str | None = None

    @property
    def key(self) -> Key:
        """The key of the row."""
        return Key(self.pk, self.sk)


def of_change(record: Mapping[str, Any]) -> Revocation | None:
    """Returns the revocation in a record of the stream; None for any other change.

    The removal of a member or the closing of a link writes an event; the cleanup after a deletion, which deletes the
    same rows, writes none. So the end of such a right is in its event, and what a deletion takes away is not a
    revocation.

    The instant is that of the event. Other changes have the end of their second, because the stream has whole seconds
    only; for a replaced guest link it is when the new one was made.
    """
    change = record["dynamodb"]
    key, new = unmarshal(change["Keys"]), unmarshal(change.get("NewImage") or {})
    if key[PK].startswith(EVENTS_PREFIX):
        return _of_event(new) if record["eventName"] == "INSERT" else None
    kind = _kind(record["eventName"], key[SK], new)
    if kind is None:
        return None
    second = from_millis((math.floor(change["ApproximateCreationDateTime"]) + 1) * 1000)
    at = new["createdAt"] if new and key[SK].endswith(_GUEST_LINK) else second
    return Revocation(kind, key[PK], key[SK], at, new.get("status") if kind == "status" else None)


def _of_event(event: Mapping[str, Any]) -> Revocation | None:
    if event["type"] not in _ENDING:
        return None
    entity, name = _ENDING[event["type"]]
    key = entity.key_for(boardId=event["boardId"], **{name: event["refs"][name]})
    return Revocation("removal", key.pk, key.sk, event["createdAt"])


def _kind(name: str, sort_key: str, new: Mapping[str, Any]) -> str | None:
    if name == "REMOVE" and sort_key.startswith(CALENDAR_FEED.sk_prefix):
        return "removal"
    if name == "MODIFY" and sort_key.endswith(_GUEST_LINK):
        return "removal"
    if name == "INSERT" and sort_key.startswith(INVITE.sk_prefix) and new.get("status") == "retracted":
        return "invite"
    if name == "MODIFY" and new.get("revokedAt") is not None:
        return "token"
    if name == "MODIFY" and sort_key == USER.sk:
        return "status"
    return "purge" if name == "INSERT" and sort_key == PURGE.sk else None


def append(revocation: Revocation, event_id: str) -> None:
    """Adds to the record; the same change twice is one object."""
    aws.s3().put_object(
        Bucket=settings().revocations_bucket,
        Key=f"{PREFIX}{revocation.at}-{event_id}.json",
        Body=json.dumps(asdict(revocation)).encode(),
        ContentType="application/json",
        ChecksumAlgorithm="SHA256",
    )
