"""The audit action of each event and the shape of its details (ADR 0060)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from governance.models.audit import (
    AuditAction,
    AuditSubject,
    ChangedFields,
    Details,
    EmptyDetails,
    FlaggedDashboards,
    MembershipDetails,
    ReminderDetails,
    SubjectOfMember,
    Transition,
)
from governance.models.base import Resource
from governance.models.event import Event

AUDIT_ACTION: dict[Event, AuditAction] = {
    Event.INVITE_ACCEPTED: "memberChange",
    Event.MEMBER_CHANGED: "memberChange",
    Event.MEMBER_REMOVED: "memberDelete",
    Event.MEMBER_LEFT: "memberLeft",
    Event.OWNERSHIP_TRANSFERRED: "ownershipTransfer",
    Event.MEETING_CREATED: "meetingCreate",
    Event.MEETING_UPDATED: "meetingUpdate",
    Event.MEETING_STATUS_CHANGED: "meetingStatusChange",
    Event.MEETING_DELETED: "meetingDelete",
    Event.MEETING_MOVED_BY_CALENDAR: "meetingUpdate",
    Event.MEETING_CANCELLED_BY_CALENDAR: "meetingUpdate",
    Event.GUEST_SLOTS_VIEWED: "meetingGuestSlotsViewed",
    Event.GUEST_VOTE_CAST: "meetingGuestVoteCast",
    Event.ACTION_ITEM_CREATED: "actionItemCreate",
    Event.ACTION_ITEM_UPDATED: "actionItemUpdate",
    Event.ACTION_ITEM_STATUS_CHANGED: "actionItemStatusChange",
    Event.ACTION_ITEM_DELETED: "actionItemDelete",
    Event.DOCUMENT_VIEWED: "documentView",
    Event.DOCUMENT_DELETED: "documentDelete",
    Event.DOCUMENT_VERSION_DELETED: "documentVersionDelete",
    Event.REPORT_STATUS_CHANGED: "reportStatusChange",
    Event.DASHBOARD_REVIEW_STATUS_CHANGED: "dashboardReviewStatusChange",
    Event.DASHBOARD_ACCESS_GRANTED: "dashboardAccessGranted",
    Event.DASHBOARD_ACCESS_REVOKED: "dashboardAccessRevoked",
    Event.DASHBOARD_OWNERSHIP_TRANSFERRED: "dashboardOwnershipTransferred",
    Event.BILLING_OVERRIDDEN: "billingPlanOverride",
    Event.USER_PURGED: "userHardPurge",
}
"""The audit action of an event; an event without one leaves no audit entry."""

PROTECTING_EVENTS = frozenset(
    {
        Event.MEMBER_CHANGED,
        Event.MEMBER_REMOVED,
        Event.MEMBER_LEFT,
        Event.OWNERSHIP_TRANSFERRED,
        Event.BOARD_DELETED,
        Event.TOKEN_REVOKED,
        Event.COMMITTEE_UPDATED,
        Event.COMMITTEE_DELETED,
        Event.GUEST_LINK_CLOSED,
        Event.WEBHOOK_DELETED,
        Event.WEBHOOK_DISABLED,
        Event.WEBHOOK_SECRET_ROTATED,
        Event.DASHBOARD_ACCESS_REVOKED,
        Event.DASHBOARD_OWNERSHIP_TRANSFERRED,
        Event.BILLING_OVERRIDDEN,
        Event.USER_PURGED,
    }
)
"""Events that end a right, and those of operators: they are recorded even if a board's history is full (ADR 0097)."""
PROTECTING_ACTIONS = frozenset(AUDIT_ACTION[event] for event in PROTECTING_EVENTS if event in AUDIT_ACTION)
"""The same for audit entries."""

_SHAPES: dict[Event, type[Details]] = {
    Event.INVITE_ACCEPTED: MembershipDetails,
    Event.MEMBER_CHANGED: MembershipDetails,
    Event.BOARD_CHANGED: ChangedFields,
    Event.COMMITTEE_UPDATED: ChangedFields,
    Event.WEBHOOK_UPDATED: ChangedFields,
    Event.MEETING_UPDATED: ChangedFields,
    Event.MEETING_MOVED_BY_CALENDAR: ChangedFields,
    Event.MEETING_CANCELLED_BY_CALENDAR: ChangedFields,
    Event.MEETING_STATUS_CHANGED: Transition,
    Event.RSVP_CHANGED: Transition,
    Event.REMINDER_SENT: ReminderDetails,
    Event.ACTION_ITEM_UPDATED: ChangedFields,
    Event.ACTION_ITEM_STATUS_CHANGED: Transition,
    Event.REPORT_STATUS_CHANGED: Transition,
    Event.DASHBOARD_REVIEW_STATUS_CHANGED: Transition,
    Event.DASHBOARD_ACCESS_GRANTED: SubjectOfMember,
    Event.DASHBOARD_ACCESS_REVOKED: SubjectOfMember,
    Event.DASHBOARD_OWNERSHIP_TRANSFERRED: SubjectOfMember,
    Event.VALIDATION_FLAG_RAISED: FlaggedDashboards,
    Event.VALIDATION_FLAG_CORRECTED: FlaggedDashboards,
    Event.BILLING_OVERRIDDEN: Transition,
}
"""The shape of an event's details; every other event names its subject, or nothing."""


_SILENT_FIELDS = {
    "status",
    "updated_by",
    "updated_at",
    "version",
    "notes_bytes",
    "booked_slot_id",
    "timezone",
    "sequence",
}
"""Fields that no update lists as changed: the status, which has its own event, and those that the service sets."""

R = TypeVar("R", bound=Resource)


def changed_fields(old: R, new: R) -> list[str]:
    """Returns the names, in camel case, of the fields that an update changed.

    The status and what the service sets by itself are left out.
    """
    members = {name: field for name, field in type(old).model_fields.items() if name not in _SILENT_FIELDS}
    return [field.alias or name for name, field in members.items() if getattr(old, name) != getattr(new, name)]


class InvalidDetails(Exception):
    """A use case recorded details that do not fit its event: a bug of the service."""


def validate_details(event: Event, details: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the details as they are stored. Raises `InvalidDetails` if they do not have the event's shape."""
    shape = _SHAPES.get(event, AuditSubject if details else EmptyDetails)
    try:
        return shape.model_validate(dict(details)).model_dump(by_alias=True, exclude_unset=True)
    except ValidationError as error:
        raise InvalidDetails(f"{event}: {error.errors(include_url=False, include_input=False)}") from None
