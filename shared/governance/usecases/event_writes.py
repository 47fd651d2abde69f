"""The writes that record an event of a board, with its entry in the audit log if its kind has one (ADR history)."""

from __future__ import annotations

from governance.domain.access.visibility import draft_owner
from governance.domain.events.kind import EventKind, P
from governance.domain.events.meetings import OfMeeting
from governance.ids import BoardId, UserId, time_ordered_id
from governance.instants import millis
from governance.models.history.audit import AuditAction, AuditEntry
from governance.models.history.event import StoredEvent
from governance.models.meetings.meeting import StoredMeeting
from governance.store.history import audit, events
from governance.store.history.audit import Draft
from governance.store.writes import Write
from governance.usecases.context import Context


def record_event(
    context: Context,
    kind: EventKind[P],
    payload: P,
    *,
    board_id: BoardId | None = None,
    draft_of: UserId | None = None,
    committee_id: str | None = None,
    event_id: str | None = None,
) -> list[Write]:
    """Returns the writes that record an event caused by this caller, with its audit entry if its kind has one.

    `draft_of` and `committee_id` hide the event like the draft or the committee's document that it is about. `event_id`
    is given if something else is named after the event; it begins with the instant of the request.
    """
    id_ = event_id or time_ordered_id(millis(context.now))
    event = new_event(context, kind, payload, board_id or context.board.id, id_, draft_of, committee_id)
    recorded = events.put(event, is_protecting=kind.is_protecting)
    if kind.audit is None:
        return [recorded]
    draft = Draft(draft_of, OfMeeting.of(event).meeting_id) if draft_of else None
    return [recorded, audit.put(audit_entry(event, kind.audit), draft, is_protecting=kind.is_protecting)]


def record_meeting_event(
    context: Context, kind: EventKind[P], meeting: StoredMeeting, payload: P, event_id: str | None = None
) -> list[Write]:
    """Returns the writes of an event about a meeting; a draft hides its events. `event_id` is as for `record_event`."""
    return record_event(context, kind, payload, draft_of=draft_owner(meeting), event_id=event_id)


def new_event(
    context: Context,
    kind: EventKind[P],
    payload: P,
    board_id: BoardId,
    event_id: str,
    draft_of: UserId | None = None,
    committee_id: str | None = None,
) -> StoredEvent:
    """Returns an event of this instant, caused by this caller."""
    principal, parts = context.known_principal, payload.parts()
    return StoredEvent(
        id=event_id,
        board_id=board_id,
        type=kind.event_type,
        actor_user_id=principal.user_id if principal else None,
        created_via=principal.created_via if principal else None,
        created_at=context.now,
        draft_of=draft_of,
        committee_id=committee_id,
        refs=parts.refs,
        details=parts.details,
        delivery_data=parts.delivery_data,
    )


def audit_entry(event: StoredEvent, action: AuditAction) -> AuditEntry:
    """Returns the audit entry of an event, which has its id."""
    return AuditEntry(
        id=event.id,
        board_id=event.board_id,
        actor_user=event.actor_user_id,
        action=action,
        details=event.details,
        created_via=event.created_via,
        created_at=event.created_at,
        updated_at=event.created_at,
    )
