"""One act, one record: the event and, where the act is audited, the audit entry (ADR 0060)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from governance.domain.audit import AUDIT_ACTION, validate_details
from governance.ids import time_ordered_id
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
    board_id: str | None = None,
    refs: Mapping[str, str] | None = None,
    details: Mapping[str, Any] | None = None,
    data: Mapping[str, Any] | None = None,
    draft_of: str | None = None,
    committee_id: str | None = None,
) -> list[Write]:
    """The writes that record an act of this caller.

    `refs` are ids (`meetingId`, ...); `details` goes to the audit entry and to whoever reads the event, and must have
    the event's shape; `data` is for the delivery of notifications alone. `draft_of` and `committee_id` hide the event
    with the draft or the committee's document that it is about.
    """
    principal = context.known_principal
    happened = StoredEvent(
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
    return [events.put(happened), *_audited(happened)]


def _audited(happened: StoredEvent) -> list[Write]:
    action = AUDIT_ACTION.get(happened.type)
    if action is None:
        return []
    entry = AuditEntry(
        id=happened.id,
        board_id=happened.board_id,
        actor_user=happened.actor_user_id,
        action=action,
        details=happened.details,
        created_via=happened.created_via,
        created_at=happened.created_at,
        updated_at=happened.created_at,
    )
    return [audit.put(entry, happened.draft_of)]
