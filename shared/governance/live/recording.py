"""The audit entries of the live channel: each once an hour for a user and a board (ADR live).

Those of a board are written in the transaction of what they record; the system's after it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from governance import telemetry
from governance.errors import ApiError
from governance.ids import BoardId, time_ordered_id
from governance.instants import Instant, millis
from governance.models.history.audit import AuditEntry
from governance.models.live.live import LiveCredential
from governance.store.history import audit
from governance.store.live import records
from governance.store.schema.keys import Item, Key
from governance.store.schema.live import recorded_address_key, recorded_key
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.writes import StaleRead, Write

BoardAction = Literal["wsRoomJoin", "wsRoomLeave", "wsRoomAccessDenied", "wsRateLimit"]
SystemAction = Literal["wsConnect", "wsDisconnect"]


def key(credential: LiveCredential, action: BoardAction | SystemAction, board_id: BoardId | None = None) -> Key:
    """Returns the key of the item that says when an action was last recorded."""
    return recorded_key(credential.user_id, action, board_id)


def record(
    credential: LiveCredential,
    action: BoardAction,
    items: Mapping[Key, Item],
    now: Instant,
    board_id: BoardId,
    details: Mapping[str, Any] | None = None,
) -> list[Write]:
    """Returns the writes of an entry on a board; none if one was written within the hour, as the item of `key` says.

    They fail with `StaleRead` if another one was recorded since that was read.
    """
    about = key(credential, action, board_id)
    if records.is_recent(items.get(about), now):
        return []
    return [records.note(about, now), audit.put(_entry(credential, action, board_id, now, details or {}))]


def _entry(
    credential: LiveCredential | None,
    action: BoardAction | SystemAction | Literal["wsAuthFailure"],
    board_id: BoardId | None,
    now: Instant,
    details: Mapping[str, Any],
) -> AuditEntry:
    return AuditEntry(
        id=time_ordered_id(millis(now)),
        board_id=board_id,
        actor_user=credential.user_id if credential else None,
        action=action,
        details=dict(details),
        created_via=credential.created_via if credential else None,
        created_at=now,
        updated_at=now,
    )


def record_connection(
    credential: LiveCredential,
    action: SystemAction,
    items: Mapping[Key, Item],
    now: Instant,
    details: Mapping[str, Any] | None = None,
) -> None:
    """Records that a connection was opened or ended, once a user and hour, as the item of `key` says.

    It never fails, as what is recorded must not fail with it: an entry that cannot be written is lost, and logged.
    """
    about = key(credential, action)
    _try_to_record(about, items.get(about), _entry(credential, action, None, now, details or {}))


def record_refusal(address: str, reason: str, now: Instant) -> None:
    """Records a handshake that was refused, once an address and hour. It never fails either."""
    about, details = recorded_address_key(address), {"reason": reason, "address": address}
    try:
        noted = read_one(about)
    except ApiError:  # counted where it failed
        return
    _try_to_record(about, noted, _entry(None, "wsAuthFailure", None, now, details))


def _try_to_record(about: Key, noted: Item | None, entry: AuditEntry) -> None:
    if records.is_recent(noted, entry.created_at):
        return
    try:
        transact([records.note(about, entry.created_at), records.put_system(entry)])
    except StaleRead:  # somebody else has recorded it
        return
    except Exception as error:  # noqa: BLE001 - a full partition is a defect, which must not refuse anybody
        telemetry.log_error("entry not recorded", error, action=entry.action)
