"""The audit trail: its entries, the shapes of their details, and the parameters of the audit log."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.models.base import Resource
from governance.models.event import Via
from governance.models.page import LegacyListQuery

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
    """The details of an event or audit entry: one of the shapes below, without other fields."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, validate_by_name=True, validate_by_alias=True, defer_build=True
    )


class EmptyDetails(Details):
    """No details: the action says everything."""


class AuditSubject(Details):
    """The resource that was acted on; `title` is null for a resource without one."""

    id: str
    title: str | None


class SubjectOfMember(AuditSubject):
    """The resource to which a member was granted, or lost, a right."""

    userId: UserId  # noqa: N815 - as other members of details


class ChangedFields(Details):
    """The names of the fields that changed."""

    fields: list[str]


class Transition(Details):
    """A change from one status to another."""

    before: str = Field(alias="from")
    after: str = Field(alias="to")


class ReminderDetails(Details):
    """The subject of a reminder."""

    about: str


class FlaggedDashboards(Details):
    """The dashboards whose flags were raised or corrected together, and how many flags these are."""

    dashboardIds: list[str]  # noqa: N815 - as members are named in JSON
    number: int


class MembershipDetails(Details):
    """A new or changed membership; `fields` are the names of the fields that changed."""

    memberEmail: str | None  # noqa: N815 - the specification's own spelling
    positions: list[str]
    fields: list[str] | None = None


class AuditEntry(Resource):
    """An entry of the audit log; `details` has the shape that belongs to its action."""

    id: Annotated[str, Field(alias="_id")]
    board_id: BoardId | None
    actor_user: UserId | None
    action: AuditAction
    details: dict[str, Any]
    created_via: Via | None
    created_at: Instant
    updated_at: Instant


class LogProof(Resource):
    """The proof that an entry is in the log that nobody can rewrite; `index` and `proof` are null until it is logged.

    `entry` is the text that was logged, with its `salt` (base64).
    """

    object: Literal["log_proof"] = "log_proof"
    entry_id: str
    index: int | None
    entry: str
    salt: str | None
    proof: str | None


class AuditQuery(LegacyListQuery):
    """The parameters of the audit log."""
