"""The writes that record an event of a board, with its entry in the audit log if its kind has one (ADR 0060)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from governance.domain.audit import AUDIT_ACTION, validate_details
from governance.domain.visibility import draft_owner
from governance.ids import BoardId, UserId, consecutive_ids, time_ordered_id
from governance.instants import millis
from governance.models.account.user import StoredUser
from governance.models.audit import AuditAction, AuditEntry
from governance.models.boards.board import Membership
from governance.models.event import Event, StoredEvent
from governance.models.meetings.meeting import StoredMeeting
from governance.store import audit, events
from governance.store.audit import Draft
from governance.store.writes import Write
from governance.usecases.context import Context


def record_event(
    context: Context,
    kind: Event,
    *,
    board_id: BoardId | None = None,
    refs: Mapping[str, str] | None = None,
    details: Mapping[str, Any] | None = None,
    delivery_data: Mapping[str, Any] | None = None,
    draft_of: UserId | None = None,
    committee_id: str | None = None,
    event_id: str | None = None,
) -> list[Write]:
    """Returns the writes that record an event caused by this caller.

    `refs` are ids (`meetingId`, ...). `details` is shown with the event and in the audit log, and must have the shape
    of the event's kind. `delivery_data` is for the delivery of notifications only. `draft_of` and `committee_id` hide
    the event like the draft or the committee's document that it is about. `event_id` is given if something else is
    named after the event; it begins with the instant of the request.
    """
    event = _new_event(
        context,
        kind,
        board_id=board_id or context.board.id,
        refs=dict(refs or {}),
        details=details or {},
        delivery_data=dict(delivery_data or {}),
        draft_of=draft_of,
        committee_id=committee_id,
        **({} if event_id is None else {"id": event_id}),
    )
    return [events.put(event), *_audit_entry(event)]


def record_meeting_event(
    context: Context,
    kind: Event,
    meeting: StoredMeeting,
    *,
    details: Mapping[str, Any] | None = None,
    delivery_data: Mapping[str, Any] | None = None,
    **refs: str,
) -> list[Write]:
    """Returns the writes of an event about a meeting, or about what `refs` name in it; a draft hides its events."""
    return record_event(
        context,
        kind,
        refs={"meetingId": meeting.id, **refs},
        details=details,
        delivery_data=delivery_data,
        draft_of=draft_owner(meeting),
    )


def _new_event(context: Context, kind: Event, *, details: Mapping[str, Any], **members: Any) -> StoredEvent:
    principal = context.known_principal
    return StoredEvent(
        type=kind,
        actor_user_id=principal.user_id if principal else None,
        created_via=principal.created_via if principal else None,
        created_at=context.now,
        details=validate_details(kind, details),
        **{"id": time_ordered_id(millis(context.now)), **members},
    )


def _audit_entry(event: StoredEvent) -> list[Write]:
    action = AUDIT_ACTION.get(event.type)
    if action is None:
        return []
    draft = Draft(event.draft_of, event.refs["meetingId"]) if event.draft_of else None
    return [audit.put(_entry(event, action), draft)]


def _entry(event: StoredEvent, action: AuditAction) -> AuditEntry:
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


def audit_member_changes(
    context: Context, members: Sequence[Membership], users: Mapping[UserId, StoredUser], fields: list[str]
) -> list[Write]:
    """Returns the writes of a `memberChange` in the audit log for each member, of an event about something else."""
    ids = consecutive_ids(millis(context.now), len(members))
    return audit.put_together(
        [_member_change(context, id_, member, users, fields) for id_, member in zip(ids, members, strict=True)]
    )


def _member_change(
    context: Context, id_: str, member: Membership, users: Mapping[UserId, StoredUser], fields: list[str]
) -> AuditEntry:
    user = users.get(member.user_id)
    details = {
        "memberEmail": user.email if user else None,
        "positions": list(member.board_positions),
        "fields": fields,
    }
    change = _new_event(
        context, Event.MEMBER_CHANGED, board_id=member.board_id, refs={}, details=details, delivery_data={}
    )
    return _entry(change.model_copy(update={"id": id_}), AUDIT_ACTION[Event.MEMBER_CHANGED])
