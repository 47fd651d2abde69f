"""The keys of the live channel: tickets, connections, rooms, and the system's own audit entries (ADR live).

A connection's id is the platform's text, so these keys are functions.
"""

from __future__ import annotations

import hashlib

from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.store.schema.keys import SEPARATOR, Key, SortedList, position

ROOM_PREFIX, LISTENER_PREFIX, CONNECTION_PREFIX = "ROOM#", "LISTENER#", "CONNECTION#"
CONNECTIONS = SortedList(None, CONNECTION_PREFIX)
"""The connections of a user, by when they began."""


def ticket_key(ticket: str) -> Key:
    """Returns the key of a ticket; only its digest is stored."""
    return Key(f"TICKET#{hashlib.sha256(ticket.encode()).hexdigest()}", "TICKET")


def connection_key(connection_id: str) -> Key:
    """Returns the key of a connection."""
    return Key(f"{CONNECTION_PREFIX}{connection_id}", "CONNECTION")


def listener_partition(user_id: UserId) -> str:
    """Returns the partition of a user's connections, and of what was recorded of them within the hour."""
    return f"{LISTENER_PREFIX}{user_id}"


def listener_key(user_id: UserId, connected_at: Instant, connection_id: str) -> Key:
    """Returns the key by which a user's connection is found."""
    return Key(listener_partition(user_id), CONNECTION_PREFIX + position(connected_at, connection_id))


def room_partition(board_id: BoardId) -> str:
    """Returns the partition of the connections that are in a board's room."""
    return f"{ROOM_PREFIX}{board_id}"


def room_key(board_id: BoardId, user_id: UserId, connection_id: str) -> Key:
    """Returns the key of a connection in a board's room; those of one user follow each other."""
    return Key(room_partition(board_id), f"{user_id}{SEPARATOR}{connection_id}")


def recorded_key(user_id: UserId, action: str, board_id: BoardId | None) -> Key:
    """Returns the key of when an audit entry of the channel was last written for a user and a board, or for none."""
    return Key(listener_partition(user_id), f"RECORDED#{action}#{board_id or ''}")


def recorded_address_key(address: str) -> Key:
    """Returns the key of when a refused handshake was last recorded for a network address."""
    return Key(f"REFUSED#{address}", "RECORDED")


def folded_key(board_id: BoardId, second: str) -> Key:
    """Returns the key of how often a board's room was rung in a second (`YYYY-MM-DDTHH:MM:SS`)."""
    return Key(f"RINGS#{board_id}", second)


SYSTEM_AUDIT_PREFIX = "SYSTEM_AUDIT#"
_SHARDS = 4
"""Partitions that a day's entries are spread over by their ids, which end at random; each takes 500 a second."""


def system_audit_partitions(day: str) -> list[str]:
    """Returns the partitions of the audit entries without a board of one day (`YYYY-MM-DD`)."""
    return [_system_audit_partition(day, shard) for shard in range(_SHARDS)]


def system_audit_partition_of_month(in_month: str) -> str:
    """Returns the partition in which releases before 0.5 wrote the entries of a month (`YYYY-MM`)."""
    return f"{SYSTEM_AUDIT_PREFIX}{in_month}"


def _system_audit_partition(day: str, shard: int) -> str:
    return f"{SYSTEM_AUDIT_PREFIX}{day}#{shard}"


def system_entry_key(created_at: Instant, entry_id: str) -> Key:
    """Returns the key of an audit entry without a board."""
    return Key(
        _system_audit_partition(created_at[:10], int(entry_id[-1], 16) % _SHARDS), position(created_at, entry_id)
    )
