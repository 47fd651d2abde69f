"""The protocol of the live channel: what a handshake, a message and an end lead to, in any transport.

Nothing here sends: the functions return what a client is sent, and which connections end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Any

from governance.domain.access.access import not_a_member
from governance.domain.live import messages
from governance.domain.live.messages import LiveMessage, Wish
from governance.errors import ApiError, Code, Reason, conflict, not_found
from governance.ids import BoardId
from governance.instants import Instant, now, shift
from governance.limits import LIVE_CONNECTIONS_PER_USER, LIVE_OPENING_SECONDS, LIVE_ROOMS
from governance.live import pings, recording, rights
from governance.models.live.live import LeftReason, LiveCredential, StoredConnection, StoredTicket
from governance.store.boards import boards
from governance.store.live import connections
from governance.store.schema.entities import BOARD, MEMBER
from governance.store.schema.keys import Item, Key
from governance.store.table import read
from governance.store.transactions import transact
from governance.store.writes import Write, retry_stale_reads, stale_read


@dataclass(frozen=True)
class Handshake:
    """The answer to a handshake: its status, what was opened, and the connections that this replaces."""

    status: int
    opened: StoredConnection | None = None
    replaced: tuple[str, ...] = ()


@dataclass(frozen=True)
class Answer:
    """What a client is sent, and whether its connection ends then, with the reason unless it was forgotten before."""

    messages: tuple[LiveMessage, ...]
    ends: bool = False
    reason: LeftReason | None = None


ENDED = Answer((), ends=True)
_ABOUT_ROOMS: tuple[recording.BoardAction, ...] = ("wsRoomJoin", "wsRoomLeave", "wsRoomAccessDenied")


def connect(connection_id: str, offered: Sequence[str], address: str) -> Handshake:
    """Opens a connection with the ticket among the offered subprotocols, and uses the ticket up.

    The status is 400 without the protocol's own name, and 401 without a valid ticket. A user's oldest
    connections beyond the limit are returned, to be disconnected.
    """
    if messages.PROTOCOL not in offered:
        return Handshake(HTTPStatus.BAD_REQUEST)
    tickets = [
        subprotocol.removeprefix(messages.TICKET_PREFIX)
        for subprotocol in offered
        if subprotocol.startswith(messages.TICKET_PREFIX)
    ]
    if len(tickets) != 1:
        return _refused(address, "no_ticket")
    return retry_stale_reads(lambda: _open(connection_id, tickets[0], address))


def _refused(address: str, reason: str) -> Handshake:
    recording.record_refusal(address, reason, now())
    return Handshake(HTTPStatus.UNAUTHORIZED)


def _open(connection_id: str, ticket: str, address: str) -> Handshake:
    stored, at = connections.find_ticket(ticket), now()
    if stored is None or at >= stored.expires_at:
        return _refused(address, "invalid_ticket")
    items = read([*rights.credential_keys(stored), recording.key(stored, "wsConnect")])
    if rights.ended(stored, items, at) is not None:
        return _refused(address, "credential_ended")
    opened = StoredConnection(id=connection_id, connected_at=at, **_credential(stored))
    holds = rights.check_holds(stored)
    transact([*connections.open_connection(ticket, opened), *holds])
    recording.record_connection(stored, "wsConnect", items, at)
    open_ones = connections.of_user(stored.user_id)
    return Handshake(200, opened, tuple(entry.connection_id for entry in open_ones[:-LIVE_CONNECTIONS_PER_USER]))


def _credential(stored: StoredTicket) -> dict[str, Any]:
    return {name: getattr(stored, name) for name in LiveCredential.model_fields}


def receive(connection_id: str, content: Any) -> Answer:
    """Answers a message, given its JSON value (None for what is not JSON). Every message counts.

    A message of a connection that has ended, or whose credential has, ends the connection.
    """
    try:
        return retry_stale_reads(lambda: _answer(connection_id, content))
    except ApiError as error:
        return Answer((messages.failure(error, messages.named_room(content)),))


def _answer(connection_id: str, content: Any) -> Answer:
    old, at = connections.find(connection_id), now()
    if old is None:
        return ENDED
    known = (*old.recent, *pings.of(old))
    recent = messages.counted(known, at)
    if recent is None:
        _record_limit(old, at)
        raise messages.too_many_messages()
    is_first = messages.is_first_in_a_minute(known, at)
    return _Message(old, old.model_copy(update={"recent": recent}), at, is_first).answer(content)


def _record_limit(connection: StoredConnection, at: Instant) -> None:
    """Records, on the boards in whose rooms a connection is, that it sent too many messages."""
    items = read(recording.key(connection, "wsRateLimit", board_id) for board_id in connection.rooms)
    record = partial(recording.record, connection, "wsRateLimit", items, at)
    writes = [write for board_id in connection.rooms for write in record(board_id)]
    if writes:
        transact(writes)


@dataclass(frozen=True)
class _Message:
    """A message that is counted: the connection as it was stored, and as it is with this message.

    `is_first` says that the connection had no other within the minute.
    """

    old: StoredConnection
    new: StoredConnection
    at: Instant
    is_first: bool

    def answer(self, content: Any) -> Answer:
        """Returns the answer, and stores what follows from the message."""
        try:
            wish = messages.wish_of(content)
        except ApiError as error:
            return self._refuse(error, messages.named_room(content))
        items = read(self._keys(wish))
        if (reason := rights.ended(self.old, items, self.at)) is not None:
            return Answer(tuple(messages.left(board_id, reason) for board_id in self.old.rooms), True, reason)
        if wish.board_id is None:
            return self._pong()
        answer = self._join if wish.action == "join" else self._leave
        return answer(wish.board_id, items)

    def _pong(self) -> Answer:
        """Answers a ping, which is stored only if there was another message within the minute: pages ping seldom."""
        if not self.is_first:
            return self._store(self.new, messages.pong())
        pings.note(self.old, self.at)
        return Answer((messages.pong(),))

    def _keys(self, wish: Wish) -> list[Key]:
        keys = rights.credential_keys(self.old)
        if wish.board_id is not None:
            keys += [BOARD.key_for(boardId=wish.board_id), self._member_key(wish.board_id)]
            keys += [recording.key(self.old, action, wish.board_id) for action in _ABOUT_ROOMS]
        return keys

    def _member_key(self, board_id: BoardId) -> Key:
        return MEMBER.key_for(boardId=board_id, userId=self.old.user_id)

    def _join(self, board_id: BoardId, items: dict[Key, Item]) -> Answer:
        record = partial(recording.record, self.old, items=items, now=self.at, board_id=board_id)
        room = messages.room_of(board_id)
        if BOARD.key_for(boardId=board_id) not in items:
            return self._refuse(not_found(), room)
        if self._member_key(board_id) not in items:
            refusal = record("wsRoomAccessDenied", details={"reason": Code.FORBIDDEN.name})
            return self._refuse(not_a_member(), room, refusal)
        if board_id in self.old.rooms:
            return self._store(self.new, messages.joined(board_id))
        if len(self.old.rooms) >= LIVE_ROOMS:
            return self._refuse(conflict(Reason.LIMIT_REACHED), room)
        inside = self.new.model_copy(update={"rooms": (*self.old.rooms, board_id)})
        holds = [
            boards.check_exists(board_id, stale_read),
            boards.check_is_member(board_id, self.old.user_id, stale_read),
        ]
        return self._store(inside, messages.joined(board_id), [*holds, *record("wsRoomJoin")])

    def _leave(self, board_id: BoardId, items: dict[Key, Item]) -> Answer:
        if board_id not in self.old.rooms:
            return self._store(self.new, messages.left(board_id))
        outside = without_room(self.new, board_id)
        recorded = recording.record(self.old, "wsRoomLeave", items, self.at, board_id)
        is_there = BOARD.key_for(boardId=board_id) in items
        return self._store(outside, messages.left(board_id), recorded if is_there else [])

    def _refuse(self, error: ApiError, room: str | None, writes: Sequence[Write] = ()) -> Answer:
        return self._store(self.new, messages.failure(error, room), writes)

    def _store(self, new: StoredConnection, message: LiveMessage, writes: Sequence[Write] = ()) -> Answer:
        transact([*connections.replace(self.old, new), *writes])
        pings.forget(self.old)
        return Answer((message,))


def without_room(connection: StoredConnection, board_id: BoardId) -> StoredConnection:
    """Returns a connection that is no longer in the room of a board."""
    return connection.model_copy(update={"rooms": tuple(room for room in connection.rooms if room != board_id)})


def disconnect(connection_id: str, reason: LeftReason | None = None) -> None:
    """Forgets a connection that has ended; does nothing if it is forgotten already."""
    retry_stale_reads(lambda: _forget(connection_id, reason))


def disconnect_gone(connection_id: str) -> None:
    """Forgets a connection to which nothing can be sent, unless that may be because it is being opened."""
    connection = connections.find(connection_id)
    if connection is not None and shift(connection.connected_at, seconds=LIVE_OPENING_SECONDS) <= now():
        disconnect(connection_id)


def _forget(connection_id: str, reason: LeftReason | None) -> None:
    connection, at = connections.find(connection_id), now()
    if connection is None:
        return
    boards = {board_id: BOARD.key_for(boardId=board_id) for board_id in connection.rooms}
    leaves = [recording.key(connection, "wsRoomLeave", board_id) for board_id in boards]
    items = read([*boards.values(), *leaves, recording.key(connection, "wsDisconnect")])
    details, writes = {"reason": reason} if reason else {}, connections.close(connection)
    for board_id in (board_id for board_id, key in boards.items() if key in items):
        writes += recording.record(connection, "wsRoomLeave", items, at, board_id, details)
    transact(writes)
    recording.record_connection(connection, "wsDisconnect", items, at, details)


def leave(connection_id: str, board_id: BoardId, reason: LeftReason) -> None:
    """Takes a connection out of a room that its user has lost; does nothing if it is not in it."""
    retry_stale_reads(lambda: _lose(connection_id, board_id, reason))


def _lose(connection_id: str, board_id: BoardId, reason: LeftReason) -> None:
    connection, at = connections.find(connection_id), now()
    if connection is None or board_id not in connection.rooms:
        return
    about, board = recording.key(connection, "wsRoomLeave", board_id), BOARD.key_for(boardId=board_id)
    items = read([about, board])
    recorded = recording.record(connection, "wsRoomLeave", items, at, board_id, {"reason": reason})
    transact(
        [*connections.replace(connection, without_room(connection, board_id)), *(recorded if board in items else [])]
    )
