"""Records what event: an event and, for audited kinds, the audit entry (ADR 0060)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from governance.domain.audit import AUDIT_ACTION, validate_details
from governance.ids import BoardId, UserId, time_ordered_id
from governance.instants import millis
from governance.models.audit import AuditEntry
from governance.models.event import Event, StoredEvent
from governance.store import audit, events
from governance.store.writes import Write
from governance.usecases.context import Context


def record_event(
    context: Context,
    kind: Event,
    *,
    board_id: BoardId | None = None,
    refs: Mapping[str, str] | None = None,
    details: Mapping[str, Any] | None = None,
    data: Mapping[str, Any] | None = None,
    draft_of: UserId | None = None,
    committee_id: str | None = None,
) -> list[Write]:
    """Returns the writes that record an event caused by this caller.

    `refs` are ids (`meetingId`, ...). `details` is shown with the event and in the audit log, and must have the shape
    of the event's kind. `data` is for the delivery of notifications only. `draft_of` and `committee_id` hide the event
    like the draft or the committee's document that it is about.
    """
    principal = context.known_principal
    event = StoredEvent(
        id=time_ordered_id(millis(context.now)),
        board_id=board_id or context.board.id,
        type=kind,
        actor_user_id=principal.user_id if principal else None,
        created_via=principal.created_via if principal else None,
        created_at=context.now,
        draft_of=draft_of,
        committee_id=committee_id,
        refs=dict(refs or {}),
        details=validate_details(kind, details or {}),
        data=dict(data or {}),
    )
    return [events.put(event), *_audit_entry(event)]


def _audit_entry(event: StoredEvent) -> list[Write]:
    action = AUDIT_ACTION.get(event.type)
    if action is None:
        return []
    entry = AuditEntry(
        id=event.id,
        board_id=event.board_id,
        actor_user=event.actor_user_id,
        action=action,
        details=event.details,
        created_via=event.created_via,
        created_at=event.created_at,
        updated_at=event.created_at,
    )
    return [audit.put(entry, event.draft_of)]
