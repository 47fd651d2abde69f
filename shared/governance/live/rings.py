"""Rings the clients that may hear of a change, and ends what they have lost by it (ADR live).

Rights are judged here, when a ring is sent. A message that comes twice rings twice, which does no harm.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from governance import live_posts
from governance.domain.access.visibility import draft_owner
from governance.domain.live import messages
from governance.domain.live.hearing import hears
from governance.ids import BoardId, UserId
from governance.instants import Instant, now, seconds_until, shift
from governance.limits import LIVE_CONNECTION_MINUTES, RING_SECONDS, RINGS_AT_ONCE
from governance.live import protocol, rights
from governance.models.documents.document import StoredDocument
from governance.models.history.event import Event
from governance.models.live.live import Change, LeftReason, Ring, RoomEntry, StoredConnection, View
from governance.models.meetings.meeting import StoredMeeting
from governance.models.queue import DeliveryKind
from governance.queue.message import Message
from governance.store.live import connections, folds
from governance.store.schema.entities import BOARD, DOCUMENT, MEETING
from governance.store.schema.keys import Item, Key
from governance.store.table import read

_ENDING: Mapping[str, LeftReason] = {Event.MEMBER_REMOVED: "removed", Event.MEMBER_LEFT: "left_board"}


def ring_message(change: Change, delay_seconds: float = 0) -> Message:
    """Returns the message that rings those who may hear of a change."""
    group = change.board_id or change.user_id or "none"
    return Message(DeliveryKind.RING, group, change.model_dump(mode="json", exclude_none=True), delay_seconds)


def end_message(user_id: UserId, delay_seconds: float = 0) -> Message:
    """Returns the message that ends the connections of a user whose credentials no longer hold by then."""
    return Message(DeliveryKind.LIVE_END, user_id, {"userId": user_id}, delay_seconds)


def end_by_clock(connection: StoredConnection) -> list[Message]:
    """Returns the message that ends a connection with its credential; none if the platform closes it before."""
    ends_at = connection.ends_at
    if ends_at is None or ends_at > shift(connection.connected_at, minutes=LIVE_CONNECTION_MINUTES):
        return []
    return [end_message(connection.user_id, max(0.001, seconds_until(ends_at, connection.connected_at)))]


def pass_on_ring(body: Mapping[str, Any]) -> Iterable[Message]:
    """Returns the message of a ring that had to wait.

    One from the dead-letter queue rings nobody any more, but still ends rooms.
    """
    return [ring_message(Change.model_validate(body))]


def pass_on_end(body: Mapping[str, Any]) -> Iterable[Message]:
    """Returns, when a credential has ended by the clock, the message that ends the connections that depend on it."""
    return [end_message(body["userId"])]


def ring(body: Mapping[str, Any]) -> Iterable[Message]:
    """Rings everybody who may hear of a change; returns the messages for the parts of a large room."""
    change, at = Change.model_validate(body), now()
    if change.board_id is None:
        return _ring_user(change, at)
    if change.ends_for is not None and change.after is None:
        _end_in_room(change.board_id, change.ends_for, _ENDING[change.event])
    entries = connections.in_room(change.board_id, change.after, change.below)
    parts = _parts(change, entries)
    if parts:
        return parts
    if change.event == Event.BOARD_DELETED:
        _end_room(change.board_id, entries)
    elif shift(change.at, seconds=RING_SECONDS) > at:
        _ring_room(_unfolded(change, change.board_id), change.board_id, entries, at)
    return []


def _unfolded(change: Change, board_id: BoardId) -> Change:
    """Returns a change with the views of those that it stands for."""
    return (
        change.model_copy(update={"views": folds.views_of(board_id, change.folded_in)}) if change.folded_in else change
    )


def _parts(change: Change, entries: Sequence[RoomEntry]) -> list[Message]:
    """Returns a message for each part of a room that is too large for one invocation; none for a small room."""
    if len(entries) <= RINGS_AT_ONCE or change.after is not None:
        return []
    positions = [connections.position(entry) for entry in entries]
    starts, lasts = positions[RINGS_AT_ONCE::RINGS_AT_ONCE], positions[RINGS_AT_ONCE - 1 : -1 : RINGS_AT_ONCE]
    bounds = zip(["", *lasts], [*starts, None], strict=True)
    return [ring_message(change.model_copy(update={"after": after, "below": below})) for after, below in bounds]


def _ring_room(change: Change, board_id: BoardId, entries: Sequence[RoomEntry], at: Instant) -> None:
    hearing = _hearing(change, board_id, entries, at)
    _post(change, messages.room_of(board_id), hearing)


def _hearing(change: Change, board_id: BoardId, entries: Sequence[RoomEntry], at: Instant) -> list[RoomEntry]:
    """Returns the connections whose users may hear of a change, with one batch of reads."""
    if not entries:
        return []
    subjects = [key for view in change.views for key in _subject_keys(board_id, view)]
    credentials = [key for entry in entries for key in rights.credential_keys(entry)]
    board = BOARD.key_for(boardId=board_id)
    items = read([board, *subjects, *credentials, *rights.listener_keys(board_id, connections.users_of(entries))])
    views = [resolved for view in change.views if (resolved := _resolved(board_id, view, items)) is not None]
    if board not in items or not views:
        return []
    listeners = {user_id: rights.listener(board_id, user_id, items) for user_id in connections.users_of(entries)}
    hearing = {user_id for user_id, listener in listeners.items() if listener is not None and hears(views, listener)}
    return [entry for entry in entries if entry.user_id in hearing and rights.ended(entry, items, at) is None]


def _subject_keys(board_id: BoardId, view: View) -> list[Key]:
    if view.meeting_id is not None:
        return [MEETING.key_for(boardId=board_id, meetingId=view.meeting_id)]
    if view.document_id is not None:
        return [DOCUMENT.key_for(boardId=board_id, documentId=view.document_id)]
    return []


def _resolved(board_id: BoardId, view: View, items: Mapping[Key, Item]) -> View | None:
    """Returns a view with what its subject decides; None if the subject was deleted, which rings by itself."""
    keys = _subject_keys(board_id, view)
    if not keys:
        return view
    item = items.get(keys[0])
    if item is None:
        return None
    if view.meeting_id is not None:
        return view.model_copy(update={"draft_of": draft_owner(StoredMeeting.model_validate(item))})
    document = StoredDocument.model_validate(item)
    audience = {"tier": None, "user_ids": tuple(document.audience.join_ids)} if document.audience else {}
    return view.model_copy(update={"committee_id": document.committee_id, **audience})


def _ring_user(change: Change, at: Instant) -> list[Message]:
    """Rings the connections of a user in their own room."""
    entries = connections.of_user(UserId(change.user_id or ""))
    items = read(key for entry in entries for key in rights.credential_keys(entry))
    if shift(change.at, seconds=RING_SECONDS) > at:
        _post(change, messages.OWN_ROOM, [entry for entry in entries if rights.ended(entry, items, at) is None])
    return []


def _post(change: Change, room: str, entries: Sequence[RoomEntry]) -> None:
    """Posts a ring to connections, and forgets those that have ended: the platform answers the same for new ones."""
    rung = Ring(room=room, event=change.event, ids=change.ids, at=change.at).model_dump(mode="json")
    for gone in live_posts.post_all([entry.connection_id for entry in entries], rung):
        protocol.disconnect_gone(gone)


def _end_room(board_id: BoardId, entries: Iterable[RoomEntry]) -> None:
    for entry in entries:
        _lose_room(entry.connection_id, board_id, "board_deleted")


def _end_in_room(board_id: BoardId, user_id: UserId, reason: LeftReason) -> None:
    """Takes somebody out of the room of a board that they have lost, unless they have joined it again since."""
    entries = connections.in_room_of(board_id, user_id)
    items = read(rights.listener_keys(board_id, connections.users_of(entries)))
    for entry in entries:
        if rights.listener(board_id, user_id, items) is None:
            _lose_room(entry.connection_id, board_id, reason)


def _lose_room(connection_id: str, board_id: BoardId, reason: LeftReason) -> None:
    """Tells a client first: after a crash between the two, it is told again."""
    live_posts.post(connection_id, messages.left(board_id, reason))
    protocol.leave(connection_id, board_id, reason)


def end(body: Mapping[str, Any]) -> Iterable[Message]:
    """Ends the connections of a user whose credentials hold no longer; those that hold stay. Nothing follows."""
    at = now()
    entries = connections.of_user(UserId(body["userId"]))
    items = read(key for entry in entries for key in rights.credential_keys(entry))
    for entry in entries:
        if (reason := rights.ended(entry, items, at)) is not None:
            _end_connection(entry, reason)
    return []


def _end_connection(entry: RoomEntry, reason: LeftReason) -> None:
    connection = connections.find(entry.connection_id)
    for board_id in connection.rooms if connection else ():
        live_posts.post(entry.connection_id, messages.left(board_id, reason))
    live_posts.disconnect(entry.connection_id)
    protocol.disconnect(entry.connection_id, reason)
