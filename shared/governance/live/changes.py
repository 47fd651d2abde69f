"""The changes in the table's stream that the channel rings for: events, and rows that change without one (ADR live)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from governance.domain.documents.document import readers_of_change
from governance.domain.live.hearing import change_of_event
from governance.ids import BoardId, UserId
from governance.instants import Instant, now, shift
from governance.limits import RING_SECONDS
from governance.live.rings import end_message, ring_message
from governance.models.documents.document import StoredDocument
from governance.models.history.event import Event, StoredEvent
from governance.models.live.live import Change, View
from governance.queue.message import Message
from governance.scopes import Tier
from governance.store.attributes import unmarshal
from governance.store.notifications.notifications import CLAIM
from governance.store.schema import ranges
from governance.store.schema.entities import (
    DASHBOARD,
    DOCUMENT,
    GUEST_VOTE,
    INVITE,
    MEMBER_VOTE,
    NOTIFICATION,
    NOTIFICATIONS_READ,
    REPORT,
    RSVP,
    UNREGISTERED_RSVP,
    USER,
    USER_TOKEN,
    VERSIONS_OF_DOCUMENT,
)
from governance.store.schema.history import EVENTS_PREFIX
from governance.store.schema.keys import PK, Item, Kind, key_of


class Row(NamedTuple):
    """A row that is new or has changed."""

    is_new: bool
    key: Item
    image: Item

    @property
    def at(self) -> Instant:
        """When it changed, by the row itself; now for a row that does not say so."""
        return Instant(self.image.get("updatedAt") or self.image.get("markedAt") or now())

    def ids(self, kind: Kind) -> dict[str, str]:
        """Returns the ids in the key of this row of a kind."""
        return kind.ids_of(key_of(self.key))


def messages_of(record: Mapping[str, Any]) -> list[Message]:
    """Returns the messages that follow, for the channel, from a record of the stream; most have none."""
    if record["eventName"] == "REMOVE":
        return []
    row = _row(record)
    if row.key[PK].startswith(EVENTS_PREFIX):
        change = change_of_event(StoredEvent.model_validate(row.image)) if row.is_new else None
        return [ring_message(change)] if change else []
    if ended := _ends_credential_of(row):
        return [end_message(ended)]
    to_change = next((tell for entity, tell in _ROWS.items() if _is_row_of(entity, row)), None)
    change = to_change(row) if to_change else None
    return [ring_message(change)] if change else []


def _row(record: Mapping[str, Any]) -> Row:
    change = record["dynamodb"]
    return Row(record["eventName"] == "INSERT", unmarshal(change["Keys"]), unmarshal(change["NewImage"]))


def _is_row_of(kind: Kind, row: Row) -> bool:
    return kind.is_kind_of(key_of(row.key))


def _ends_credential_of(row: Row) -> UserId | None:
    """Returns the id of a user who is no longer active, or whose token was revoked; None for any other row."""
    if row.is_new:
        return None
    if _is_row_of(USER, row):
        return UserId(row.ids(USER)["userId"]) if row.image.get("status") != "active" else None
    is_revoked = _is_row_of(USER_TOKEN, row) and row.image.get("revokedAt") is not None
    return UserId(row.ids(USER_TOKEN)["userId"]) if is_revoked else None


def _on_board(row: Row, event: str, ids: dict[str, str], *views: View) -> Change:
    return Change(event=event, ids=ids, at=row.at, board_id=BoardId(ids["boardId"]), views=views)


def _without(ids: dict[str, str], name: str) -> dict[str, str]:
    """Returns the ids without that of the row's owner, which the channel does not send."""
    return {key: id_ for key, id_ in ids.items() if key != name}


def _vote(row: Row) -> Change:
    ids = _without(row.ids(MEMBER_VOTE), "userId")
    return _on_board(row, "vote.cast", ids, View(tier=Tier.GUEST, meeting_id=ids["meetingId"]))


def _guest_vote(row: Row) -> Change:
    """Returns the change of a guest's vote: its event is recorded once an hour."""
    return _in_meeting(row, Event.GUEST_VOTE_CAST, _without(row.ids(GUEST_VOTE), "digest"))


def _answer(row: Row) -> Change:
    """Returns the change of an answer to a meeting: its event covers a new status, not a new comment."""
    return _in_meeting(row, Event.RSVP_CHANGED, _without(row.ids(RSVP), "userId"))


def _answer_of_person(row: Row) -> Change:
    return _in_meeting(row, Event.UNREGISTERED_RSVP_CHANGED, row.ids(UNREGISTERED_RSVP))


def _in_meeting(row: Row, event: str, ids: dict[str, str]) -> Change:
    return _on_board(row, event, ids, View(tier=Tier.GUEST, meeting_id=ids["meetingId"]))


def _invite(row: Row) -> Change | None:
    """Returns the change of an invite that was retracted or declined; an accepted one has an event."""
    status = row.image["status"]
    if status not in ("retracted", "declined"):
        return None
    return _on_board(row, f"invite.{status}", row.ids(INVITE), View(tier=Tier.GUEST))


def _account(row: Row) -> Change | None:
    """Returns the change of an account, which all its boards show; None if only a session was noted."""
    if row.is_new or shift(row.at, seconds=RING_SECONDS) <= now():
        return None
    ids, views = row.ids(USER), (View(tier=Tier.GUEST),)
    return Change(event=Event.MEMBER_CHANGED, ids=ids, at=row.at, on_boards_of=UserId(ids["userId"]), views=views)


def _document(row: Row) -> Change:
    """Returns the change of a document; those who can no longer see it hear of the change, too."""
    document = StoredDocument.model_validate(row.image)
    views = [View(tier=Tier.GUEST, committee_id=committee_id) for committee_id in readers_of_change(document)]
    if document.audience is not None:
        views.append(View(committee_id=document.committee_id, user_ids=tuple(document.audience.join_ids)))
    return _on_board(row, _event("document", row), row.ids(DOCUMENT), *views)


def _versions(row: Row) -> Change:
    ids = row.ids(VERSIONS_OF_DOCUMENT)
    return _on_board(row, "document.updated", ids, View(tier=Tier.GUEST, document_id=ids["documentId"]))


def _report(row: Row) -> Change:
    return _on_board(row, _event("report", row), row.ids(REPORT), View(tier=Tier.GUEST))


def _dashboard(row: Row) -> Change:
    return _on_board(row, _event("dashboard", row), row.ids(DASHBOARD), View(tier=Tier.GUEST))


def _notification(row: Row) -> Change | None:
    """Returns the change of a notification that its user sees or saw; None if only its e-mail changed."""
    image = row.image
    is_shown = ranges.NOTIFICATIONS.attribute in image
    if not (image["deleted"] or (is_shown and (image["read"] or CLAIM not in image))):
        return None
    ids = {"notificationId": image["id"]}
    if "boardId" in image["refs"]:
        ids["boardId"] = image["refs"]["boardId"]
    return Change(
        event=_event("notification", row), ids=ids, at=row.at, user_id=UserId(row.ids(NOTIFICATION)["userId"])
    )


def _read_mark(row: Row) -> Change:
    user_id = UserId(row.ids(NOTIFICATIONS_READ)["userId"])
    return Change(event="notification.updated", ids={}, at=row.at, user_id=user_id)


def _event(subject: str, row: Row) -> str:
    return f"{subject}.{'created' if row.is_new else 'updated'}"


_ROWS: Mapping[Kind, Callable[[Row], Change | None]] = {
    MEMBER_VOTE: _vote,
    GUEST_VOTE: _guest_vote,
    RSVP: _answer,
    UNREGISTERED_RSVP: _answer_of_person,
    INVITE: _invite,
    DOCUMENT: _document,
    VERSIONS_OF_DOCUMENT: _versions,
    REPORT: _report,
    DASHBOARD: _dashboard,
    NOTIFICATION: _notification,
    NOTIFICATIONS_READ: _read_mark,
    USER: _account,
}
"""The rows that ring by themselves: their changes have no event of the feed."""
