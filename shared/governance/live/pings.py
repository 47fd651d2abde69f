"""Pings that this process answered without a write; they count together with later messages.

A connection that does nothing but ping every few minutes is never written. One that sends more is counted in its row.
"""

from __future__ import annotations

from governance.instants import Instant, millis
from governance.models.live.live import StoredConnection

_MOST = 10_000
_last: dict[tuple[str, Instant], int] = {}


def of(connection: StoredConnection) -> tuple[int, ...]:
    """Returns the instant of a connection's last ping that was not written, in milliseconds since 1970."""
    at = _last.get(_key(connection))
    return () if at is None else (at,)


def note(connection: StoredConnection, at: Instant) -> None:
    """Notes a ping that is not written; the oldest are forgotten."""
    forget(connection)
    _last[_key(connection)] = millis(at)
    if len(_last) > _MOST:
        _last.pop(next(iter(_last)), None)


def forget(connection: StoredConnection) -> None:
    """Forgets a ping that is counted in the row of its connection by now."""
    _last.pop(_key(connection), None)


def _key(connection: StoredConnection) -> tuple[str, Instant]:
    return connection.id, connection.connected_at
