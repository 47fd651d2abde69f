"""What is written down of an act: its event, and its audit entry (the API specification, sections 2.11 and 6)."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Literal

from governance.models.base import Resource

Via = Literal["web", "agent"]


class Event(StrEnum):
    """The kinds of events; each has its row in `domain/acts.py`."""

    INVITE_CREATED = "invite.created"
    INVITE_ACCEPTED = "invite.accepted"
    MEMBER_CHANGED = "member.changed"
    MEMBER_REMOVED = "member.removed"
    MEMBER_LEFT = "member.left"
    OWNERSHIP_TRANSFERRED = "board.ownership_transferred"
    BOARD_CHANGED = "board.changed"
    BOARD_DELETED = "board.deleted"
    MEETING_CREATED = "meeting.created"
    MEETING_UPDATED = "meeting.updated"
    MEETING_STATUS_CHANGED = "meeting.status_changed"
    MEETING_DELETED = "meeting.deleted"
    SLOT_PROPOSED = "slot.proposed"
    GUEST_SLOTS_VIEWED = "guest.slots_viewed"
    GUEST_VOTE_CAST = "guest.vote_cast"
    ACTION_ITEM_CREATED = "action_item.created"
    ACTION_ITEM_UPDATED = "action_item.updated"
    ACTION_ITEM_STATUS_CHANGED = "action_item.status_changed"
    ACTION_ITEM_DELETED = "action_item.deleted"
    DOCUMENT_VIEWED = "document.viewed"
    DOCUMENT_DELETED = "document.deleted"
    DOCUMENT_VERSION_DELETED = "document.version_deleted"
    REPORT_STATUS_CHANGED = "report.status_changed"
    DASHBOARD_REVIEW_STATUS_CHANGED = "dashboard.review_status_changed"
    BILLING_OVERRIDDEN = "board.billing_overridden"
    USER_PURGED = "user.purged"


class AuditEntry(Resource):
    """An audit entry; `details` was validated for its action when it was written."""

    id: str
    board_id: str | None
    actor_user: str | None
    action: str
    details: dict[str, Any]
    created_via: Via | None
    created_at: str
    updated_at: str


class StoredEvent(Resource):
    """An event as the store keeps it and the stream carries it.

    `draft_of` is the creator of the draft that the event is about: nobody else may learn of it. `refs` are the ids of
    what the event is about, `data` whatever a reader of the event needs beside.
    """

    id: str
    board_id: str
    type: Event
    actor_user_id: str | None
    created_via: Via | None
    created_at: str
    draft_of: str | None = None
    refs: dict[str, str]
    data: dict[str, Any]
