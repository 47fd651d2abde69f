"""What is written down of an act: its event, and its audit entry (the API specification, sections 2.11 and 6)."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

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
    SLOT_REMOVED = "slot.removed"
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
    REPORT_DELETED = "report.deleted"
    DASHBOARD_REVIEW_STATUS_CHANGED = "dashboard.review_status_changed"
    BILLING_OVERRIDDEN = "board.billing_overridden"
    USER_PURGED = "user.purged"


AuditAction = Literal[
    "ownershipTransfer",
    "memberDelete",
    "memberLeft",
    "memberChange",
    "documentVersionDelete",
    "documentDelete",
    "documentView",
    "meetingCreate",
    "meetingUpdate",
    "meetingStatusChange",
    "meetingDelete",
    "meetingGuestSlotsViewed",
    "meetingGuestVoteCast",
    "actionItemCreate",
    "actionItemUpdate",
    "actionItemStatusChange",
    "actionItemDelete",
    "reportStatusChange",
    "dashboardReviewStatusChange",
    "dashboardAccessGranted",
    "dashboardAccessRevoked",
    "dashboardOwnershipTransferred",
    "boardUserUnregisteredCreate",
    "boardUserUnregisteredUpdate",
    "boardUserUnregisteredArchive",
    "boardUserUnregisteredUnarchive",
    "boardUserUnregisteredScrubPii",
    "boardUserUnregisteredDismissBounceFlag",
    "wsConnect",
    "wsDisconnect",
    "wsRoomJoin",
    "wsRoomLeave",
    "wsRoomAccessDenied",
    "wsAuthFailure",
    "wsRateLimit",
    "userHardPurge",
    "billingPlanOverride",
]


class Details(BaseModel):
    """What an audit entry says of an act: one of the shapes below, and nothing beside it."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, validate_by_name=True, validate_by_alias=True, defer_build=True
    )


class Nothing(Details):
    """The action says it all."""


class Subject(Details):
    """What the act was done to; what has no title has none."""

    id: str
    title: str | None


class Fields(Details):
    """Which members of it changed."""

    fields: list[str]


class Transition(Details):
    """From which state to which."""

    before: str = Field(alias="from")
    after: str = Field(alias="to")


class Membership(Details):
    """Whose membership, and with which positions; `fields` tells what changed of one that was there before."""

    memberEmail: str | None  # noqa: N815 - the specification's own spelling
    positions: list[str]
    fields: list[str] | None = None


class AuditEntry(Resource):
    """An audit entry; `details` was validated for its action when it was written."""

    id: Annotated[str, Field(alias="_id")]
    board_id: str | None
    actor_user: str | None
    action: AuditAction
    details: dict[str, Any]
    created_via: Via | None
    created_at: str
    updated_at: str

    def nameless(self) -> AuditEntry:
        """The entry without its subject, if it names one."""
        return self.model_copy(update={"details": {}}) if self.details.keys() == Subject.model_fields.keys() else self


class StoredEvent(Resource):
    """An event as the store keeps it and the stream carries it.

    `draft_of` is the creator of the draft that the event is about, `committee_id` the committee whose document it is
    about: nobody else may learn of it. `refs` are the ids of what the event is about; `details` is what every reader
    may know of it, `data` what only those who deliver it need.
    """

    id: str
    board_id: str
    type: Event
    actor_user_id: str | None
    created_via: Via | None
    created_at: str
    draft_of: str | None = None
    committee_id: str | None = None
    refs: dict[str, str]
    details: dict[str, Any]
    data: dict[str, Any]


class BoardEvent(Resource):
    """An event as an integrator pulls it."""

    object: Literal["event"] = "event"
    id: str
    board_id: str
    type: Event
    actor_user_id: str | None
    created_via: Via | None
    created_at: str
    refs: dict[str, str]
    details: dict[str, Any]
