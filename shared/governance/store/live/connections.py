"""Tickets, connections and rooms of the live channel; each row ends by itself (ADR live)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from governance.ids import BoardId, UserId
from governance.instants import Instant, shift
from governance.limits import LIVE_CONNECTION_MINUTES
from governance.models.live.live import Change, LiveCredential, RoomEntry, StoredConnection, StoredTicket
from governance.store.decoding import decode_all
from governance.store.schema.keys import SEPARATOR, Key, Range, make_item
from governance.store.schema.live import (
    CONNECTIONS,
    LISTENER_PREFIX,
    connection_key,
    listener_key,
    listener_partition,
    room_key,
    room_partition,
    ticket_key,
)
from governance.store.table import query, read_one
from governance.store.writes import ABSENT, EXISTS, Delete, Put, Write, equals

_GRACE_MINUTES = 15
"""How much longer than a connection its rows are kept: the platform may not say that it has ended."""


def put_ticket(ticket: str, stored: StoredTicket) -> Write:
    """Returns the write of a new ticket, of which only a digest is kept."""
    return Put(make_item(ticket_key(ticket), stored.item(), ttl=stored.expires_at), ABSENT)


def find_ticket(ticket: str) -> StoredTicket | None:
    """Returns a ticket that was not used; None for any other text."""
    item = read_one(ticket_key(ticket))
    return StoredTicket.model_validate(item) if item else None


def open_connection(ticket: str, connection: StoredConnection) -> list[Write]:
    """Returns the writes that use up a ticket for a connection. They fail with `StaleRead` if it was used already."""
    entry = _entry(connection)
    listener = listener_key(connection.user_id, connection.connected_at, connection.id)
    return [
        Delete(ticket_key(ticket), EXISTS),
        Put(_item(connection), ABSENT),
        Put(make_item(listener, entry.item(), ttl=_ends(connection))),
    ]


def _item(connection: StoredConnection) -> dict[str, object]:
    return make_item(connection_key(connection.id), connection.item(), ttl=_ends(connection))


def _ends(connection: StoredConnection) -> Instant:
    return shift(connection.connected_at, minutes=LIVE_CONNECTION_MINUTES + _GRACE_MINUTES)


def _entry(connection: StoredConnection) -> RoomEntry:
    credential = {name: getattr(connection, name) for name in LiveCredential.model_fields}
    return RoomEntry(connection_id=connection.id, **credential)


def find(connection_id: str) -> StoredConnection | None:
    """Returns a connection; None if it has ended."""
    item = read_one(connection_key(connection_id))
    return StoredConnection.model_validate(item) if item else None


def replace(old: StoredConnection, new: StoredConnection) -> list[Write]:
    """Returns the writes that change a connection, and put it into the rooms and take it out of those that differ.

    They fail with `StaleRead` if the connection changed since it was read.
    """
    changed = new.model_copy(update={"version": old.version + 1})
    writes: list[Write] = [Put(_item(changed), equals(version=old.version))]
    for board_id in set(new.rooms) - set(old.rooms):
        key = room_key(board_id, new.user_id, new.id)
        writes.append(Put(make_item(key, _entry(new).item(), ttl=_ends(new))))
    return [*writes, *(Delete(_room_key(old, board_id)) for board_id in set(old.rooms) - set(new.rooms))]


def _room_key(connection: StoredConnection, board_id: BoardId) -> Key:
    return room_key(board_id, connection.user_id, connection.id)


def close(connection: StoredConnection) -> list[Write]:
    """Returns the writes that end a connection. They fail with `StaleRead` if it changed since it was read."""
    listener = listener_key(connection.user_id, connection.connected_at, connection.id)
    rooms = [Delete(_room_key(connection, board_id)) for board_id in connection.rooms]
    return [Delete(connection_key(connection.id), equals(version=connection.version)), Delete(listener), *rooms]


def of_user(user_id: UserId) -> list[RoomEntry]:
    """Returns the connections of a user, the oldest first."""
    return decode_all(RoomEntry, query(CONNECTIONS.within(listener_partition(user_id))))


def in_room(board_id: BoardId, after: str | None, below: str | None = None) -> list[RoomEntry]:
    """Returns the connections in a board's room, between two positions, those of a user one after another."""
    return decode_all(RoomEntry, query(Range(room_partition(board_id), above=after, below=below)))


def room_of_change(change: Change) -> str:
    """Returns the partition of those who may hear of a change: a board's room, or a user's own."""
    return room_partition(change.board_id) if change.board_id else listener_partition(UserId(change.user_id or ""))


def has_any(partition: str) -> bool:
    """Returns whether there is a connection in a room, with one read."""
    span = CONNECTIONS.within(partition) if partition.startswith(LISTENER_PREFIX) else Range(partition)
    return bool(query(span, 1))


def in_room_of(board_id: BoardId, user_id: UserId) -> list[RoomEntry]:
    """Returns the connections of a user in a board's room."""
    return decode_all(RoomEntry, query(Range(room_partition(board_id), f"{user_id}{SEPARATOR}")))


def position(entry: RoomEntry) -> str:
    """Returns the position of a connection in a board's room."""
    return room_key(BoardId(""), entry.user_id, entry.connection_id).sk


def users_of(entries: Iterable[RoomEntry]) -> Iterator[UserId]:
    """Yields the users of these connections, each once."""
    yield from dict.fromkeys(entry.user_id for entry in entries)
