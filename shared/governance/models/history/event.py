"""Events: what happened on a board, as it is stored and as the feed returns it."""

from enum import StrEnum
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field

from governance.ids import BoardId, UserId, is_id
from governance.instants import Instant
from governance.models.base import Resource, Stored
from governance.models.page import PageQuery

CreatedVia = Literal["web", "agent"]
"""How a change was made, in a browser session (`web`) or with an access token (`agent`)."""
EventReferences = dict[str, str]
"""Identifiers by name, such as `meetingId` or `userId`."""
EventDetails = dict[str, Any]
"""What changed. The fields depend on the type of the event."""


FieldValue = str | list[str] | None
"""A value of a field: a text, an instant, an identifier, or a list of these; null if there was none."""


class FieldChange(Resource):
    """A field that changed, with its value before and after."""

    field: str
    """Name of the field, as the resource has it."""
    before: Annotated[FieldValue, Field(alias="from")]
    """The value before; null if there was none."""
    after: Annotated[FieldValue, Field(alias="to")]
    """The value after; null if there is none."""


class Event(StrEnum):
    """The types of events. New types may be added; ignore types that you do not know."""

    # domain/events has the record of each; webhooks may subscribe to every type

    INVITE_CREATED = "invite.created"
    INVITE_ACCEPTED = "invite.accepted"
    MEMBER_CHANGED = "member.changed"
    MEMBER_REMOVED = "member.removed"
    MEMBER_LEFT = "member.left"
    OWNERSHIP_TRANSFERRED = "board.ownership_transferred"
    BOARD_CHANGED = "board.changed"
    BOARD_DELETED = "board.deleted"
    EXAMPLE_BOARD_CREATED = "board.example_created"
    EXAMPLE_BOARD_FILLED = "board.example_filled"
    EXPORT_REQUESTED = "export.requested"
    TOKEN_CREATED = "token.created"  # noqa: S105 - no secret
    TOKEN_REVOKED = "token.revoked"  # noqa: S105 - no secret
    COMMITTEE_CREATED = "committee.created"
    COMMITTEE_UPDATED = "committee.updated"
    COMMITTEE_DELETED = "committee.deleted"
    MEETING_CREATED = "meeting.created"
    MEETING_UPDATED = "meeting.updated"
    MEETING_STATUS_CHANGED = "meeting.status_changed"
    MEETING_DELETED = "meeting.deleted"
    MEETING_CANCELLED = "meeting.cancelled"
    MEETING_REINSTATED = "meeting.reinstated"
    MEETING_MOVED_BY_CALENDAR = "meeting.updated_from_calendar"
    MEETING_CANCELLED_BY_CALENDAR = "meeting.cancelled_from_calendar"
    RSVP_CHANGED = "meeting.rsvp_changed"
    POLL_SET = "poll.set"
    POLL_DELETED = "poll.deleted"
    REMINDER_SENT = "reminder.sent"
    AGENDA_UPDATED = "agenda.updated"
    MINUTES_UPDATED = "minutes.updated"
    MINUTES_DELETED = "minutes.deleted"
    MINUTES_RESTORED = "minutes.restored"
    MINUTES_CIRCULATED = "minutes.circulated"
    MINUTES_APPROVED = "minutes.approved"
    MINUTES_CORRECTED = "minutes.corrected"
    MINUTES_REMARKED = "minutes.remarked"
    MINUTES_REMARK_DELETED = "minutes.remark_deleted"
    MINUTES_DISPOSED = "minutes.disposed"
    MINUTES_SIGNED = "minutes.signed"
    MINUTES_SIGNERS_CHANGED = "minutes.signers_changed"
    SERIES_CREATED = "series.created"
    SERIES_UPDATED = "series.updated"
    SERIES_DELETED = "series.deleted"
    OCCURRENCE_MOVED = "occurrence.moved"
    OCCURRENCE_CANCELLED = "occurrence.cancelled"
    OCCURRENCE_RESTORED = "occurrence.restored"
    OCCURRENCE_OPENED = "occurrence.opened"
    SLOT_PROPOSED = "slot.proposed"
    SLOT_REMOVED = "slot.removed"
    GUEST_LINK_OPENED = "guest_link.opened"
    GUEST_LINK_CLOSED = "guest_link.closed"
    GUEST_SLOTS_VIEWED = "guest.slots_viewed"
    GUEST_VOTE_CAST = "guest.vote_cast"
    ACTION_ITEM_CREATED = "action_item.created"
    ACTION_ITEM_UPDATED = "action_item.updated"
    ACTION_ITEM_STATUS_CHANGED = "action_item.status_changed"
    ACTION_ITEM_DELETED = "action_item.deleted"
    DUE_DATE_SET = "due_date.set"
    DUE_DATE_DELETED = "due_date.deleted"
    DOCUMENT_VIEWED = "document.viewed"
    DOCUMENT_DELETED = "document.deleted"
    DOCUMENT_VERSION_ADDED = "document.version_added"
    DOCUMENT_VERSION_DELETED = "document.version_deleted"
    BOARD_PACK_REQUESTED = "board_pack.requested"
    BOARD_PACK_PUBLISHED = "board_pack.published"
    REPORT_STATUS_CHANGED = "report.status_changed"
    REPORT_DELETED = "report.deleted"
    DASHBOARD_REVIEW_STATUS_CHANGED = "dashboard.review_status_changed"
    DASHBOARD_ACCESS_GRANTED = "dashboard.access_granted"
    DASHBOARD_ACCESS_REVOKED = "dashboard.access_revoked"
    DASHBOARD_OWNERSHIP_TRANSFERRED = "dashboard.ownership_transferred"
    DASHBOARD_FIGURES_CHANGED = "dashboard.figures_changed"
    CYCLE_CREATED = "cycle.created"
    CYCLE_UPDATED = "cycle.updated"
    CYCLE_DELETED = "cycle.deleted"
    CYCLE_DISPATCHED = "cycle.dispatched"
    CYCLE_PUBLISHED = "cycle.published"
    BET_CREATED = "bet.created"
    BET_UPDATED = "bet.updated"
    BET_DELETED = "bet.deleted"
    BACKLOG_ITEM_CREATED = "backlog_item.created"
    BACKLOG_ITEM_UPDATED = "backlog_item.updated"
    BACKLOG_ITEM_DELETED = "backlog_item.deleted"
    PLAN_ITEM_CREATED = "plan_item.created"
    PLAN_ITEM_UPDATED = "plan_item.updated"
    PLAN_ITEM_DELETED = "plan_item.deleted"
    TEMPLATE_CREATED = "template.created"
    TEMPLATE_UPDATED = "template.updated"
    TEMPLATE_DELETED = "template.deleted"
    VALIDATION_FLAG_RAISED = "validation_flag.raised"
    VALIDATION_FLAG_CORRECTED = "validation_flag.corrected"
    VALIDATION_FLAG_DISMISSED = "validation_flag.dismissed"
    VALIDATION_FLAG_REOPENED = "validation_flag.reopened"
    DASHBOARD_DELETED = "dashboard.deleted"
    RESOLUTION_CREATED = "resolution.created"
    RESOLUTION_UPDATED = "resolution.updated"
    RESOLUTION_DELETED = "resolution.deleted"
    RESOLUTION_OPENED = "resolution.opened"
    BALLOT_CAST = "resolution.ballot_cast"
    BALLOT_WITHDRAWN = "resolution.ballot_withdrawn"
    PROXY_CHANGED = "resolution.proxy_changed"
    VOTER_RECUSED = "resolution.recused"
    RESOLUTION_CLOSED = "resolution.closed"
    RESOLUTION_WITHDRAWN = "resolution.withdrawn"
    PAPER_REQUEST_CREATED = "paper_request.created"
    PAPER_REQUEST_UPDATED = "paper_request.updated"
    PAPER_REQUEST_DELIVERED = "paper_request.delivered"
    PAPER_REQUEST_DECIDED = "paper_request.decided"
    PAPER_REQUEST_DELETED = "paper_request.deleted"
    COMMENT_CREATED = "comment.created"
    COMMENT_UPDATED = "comment.updated"
    COMMENT_DELETED = "comment.deleted"
    COMMENT_RESOLVED = "comment.resolved"
    COMMENT_REOPENED = "comment.reopened"
    BILLING_OVERRIDDEN = "board.billing_overridden"
    USER_PURGED = "user.purged"
    WEBHOOK_CREATED = "webhook.created"
    WEBHOOK_UPDATED = "webhook.updated"
    WEBHOOK_DELETED = "webhook.deleted"
    WEBHOOK_SECRET_ROTATED = "webhook.secret_rotated"  # noqa: S105 - no secret
    WEBHOOK_TESTED = "webhook.tested"
    WEBHOOK_REDELIVERED = "webhook.redelivered"
    WEBHOOK_DISABLED = "webhook.disabled"
    UNREGISTERED_USER_CREATED = "unregistered_user.created"
    UNREGISTERED_USER_UPDATED = "unregistered_user.updated"
    UNREGISTERED_USER_ARCHIVED = "unregistered_user.archived"
    UNREGISTERED_USER_UNARCHIVED = "unregistered_user.unarchived"
    UNREGISTERED_USER_SCRUBBED = "unregistered_user.scrubbed"
    UNREGISTERED_USER_MERGED = "unregistered_user.merged"
    UNREGISTERED_USER_FLAGGED = "unregistered_user.flagged"
    UNREGISTERED_RSVP_CHANGED = "unregistered_rsvp.changed"
    UNREGISTERED_USER_FLAG_DISMISSED = "unregistered_user.flag_dismissed"


_LOGGED_OF_MINUTES = frozenset(
    {
        Event.MINUTES_CIRCULATED,
        Event.MINUTES_REMARKED,
        Event.MINUTES_REMARK_DELETED,
        Event.MINUTES_DISPOSED,
        Event.MINUTES_APPROVED,
        Event.MINUTES_CORRECTED,
        Event.MINUTES_SIGNED,
        Event.MINUTES_SIGNERS_CHANGED,
    }
)
"""What happens to minutes from their circulation on; before, their events expire like others."""


def is_logged(event_type: str) -> bool:
    """Returns whether events are entries of the log that nobody can rewrite, as those of the audit log are."""
    return event_type.startswith("resolution.") or event_type in _LOGGED_OF_MINUTES


class StoredEvent(Stored):
    """An event as it is stored and as the table's stream carries it.

    `draft_of` is the creator of the draft, `committee_id` the committee of the document that the event is about: nobody
    else may see the event. `refs` are the ids of its subject. `details` is for every reader, `delivery_data` only for
    the delivery of notifications.
    """

    id: str
    board_id: BoardId
    type: Event
    actor_user_id: UserId | None
    created_via: CreatedVia | None
    created_at: Instant
    draft_of: UserId | None = None
    committee_id: str | None = None
    refs: dict[str, str]
    details: dict[str, Any]
    delivery_data: dict[str, Any]


class BoardEvent(Resource):
    """Something that happened on a board."""

    object: Literal["event"] = "event"
    id: str
    board_id: BoardId
    type: Event
    """Type of the event, such as `meeting.created`."""
    actor_user_id: UserId | None
    """Identifier of the user who caused it; null for guests, the system and board access tokens."""
    created_via: CreatedVia | None
    created_at: str
    """When it happened."""
    refs: EventReferences
    """Identifiers of the resources that the event is about."""
    details: EventDetails
    """What changed, such as `{from, to}` for a status or `{fields}` for an update."""
    changes: list[FieldChange]
    """The values of changed fields before and after: titles, times, places, due dates, assignees, roles, access and
    positions. Empty for other events and for events of earlier releases. What is known of people without an account is
    never kept.
    """

    @classmethod
    def of(cls, event: StoredEvent) -> Self:
        """Returns an event as clients see it."""
        return cls.model_validate({**event.item(), "changes": event.delivery_data.get("changes", [])})


def _event_id(text: str) -> str:
    if not is_id(text):
        raise ValueError("must be the id of an event")
    return text


class EventsQuery(PageQuery):
    """The parameters of the feed of events."""

    after: Annotated[str, AfterValidator(_event_id)] | None = None
    """Only events after this one. Pass the id of the last event that you have processed."""
