"""The audit entries of the live channel: each once an hour for a user and a board (ADR live)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from governance.ids import BoardId, time_ordered_id
from governance.instants import Instant, millis
from governance.models.audit import AuditEntry
from governance.models.live import LiveCredential
from governance.store import audit
from governance.store.live import records
from governance.store.schema.keys import Item, Key
from governance.store.schema.live import recorded_address_key, recorded_key
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.writes import Write, retry_stale_reads

Action = Literal["wsConnect", "wsDisconnect", "wsRoomJoin", "wsRoomLeave", "wsRoomAccessDenied", "wsRateLimit"]


def key(credential: LiveCredential, action: Action, board_id: BoardId | None = None) -> Key:
    """Returns the key of the item that says when an action was last recorded."""
    return recorded_key(credential.user_id, action, board_id)


def record(
    credential: LiveCredential,
    action: Action,
    items: Mapping[Key, Item],
    now: Instant,
    board_id: BoardId | None = None,
    details: Mapping[str, Any] | None = None,
) -> list[Write]:
    """Returns the writes of an audit entry; none if one was written within the hour, as the item of `key` says.

    They fail with `StaleRead` if another one was recorded since that was read.
    """
    about = key(credential, action, board_id)
    if records.is_recent(items.get(about), now):
        return []
    entry = AuditEntry(
        id=time_ordered_id(millis(now)),
        board_id=board_id,
        actor_user=credential.user_id,
        action=action,
        details=dict(details or {}),
        created_via=credential.created_via,
        created_at=now,
        updated_at=now,
    )
    return [records.note(about, now), records.put_system(entry) if board_id is None else audit.put(entry)]


def record_refusal(address: str, reason: str, now: Instant) -> None:
    """Records a handshake that was refused, once an address and hour."""
    about = recorded_address_key(address)

    def attempt() -> None:
        if records.is_recent(read_one(about), now):
            return
        entry = AuditEntry(
            id=time_ordered_id(millis(now)),
            board_id=None,
            actor_user=None,
            action="wsAuthFailure",
            details={"reason": reason, "address": address},
            created_via=None,
            created_at=now,
            updated_at=now,
        )
        transact([records.note(about, now), records.put_system(entry)])

    retry_stale_reads(attempt)
