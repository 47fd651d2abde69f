"""The audit trail: its entries, the shapes of their details, and the parameters of the audit log."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from governance.models.base import LegacyQuery, Resource
from governance.models.event import Via
from governance.models.page import CursorQuery
from governance.models.text import PageLimit

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


class EmptyDetails(Details):
    """The action says it all."""


class Subject(Details):
    """What the act was done to; what has no title has none."""

    id: str
    title: str | None


class ChangedFields(Details):
    """Which members of it changed."""

    fields: list[str]


class Transition(Details):
    """From which state to which."""

    before: str = Field(alias="from")
    after: str = Field(alias="to")


class MembershipDetails(Details):
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

    def without_subject(self) -> AuditEntry:
        """The entry without its subject, if it names one."""
        return self.model_copy(update={"details": {}}) if self.details.keys() == Subject.model_fields.keys() else self


class AuditQuery(CursorQuery, LegacyQuery):
    """The audit log is answered whole, as far as an answer goes, unless a `limit` is given."""

    limit: PageLimit | None = Field(default=None, description="At most so many entries.")
