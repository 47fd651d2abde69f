"""The audit trail: its entries, and the parameters of the audit log."""

from typing import Annotated, Any, Literal

from pydantic import Field

from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.models.base import Resource
from governance.models.event import CreatedVia
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
AuditDetails = dict[str, Any]


class AuditEntry(Resource):
    """An entry of the audit log; `details` has the shape that belongs to its action."""

    id: Annotated[str, Field(alias="_id")]
    board_id: BoardId | None
    actor_user: UserId | None
    action: AuditAction
    details: AuditDetails
    created_via: CreatedVia | None
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
