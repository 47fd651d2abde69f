"""The audit trail: its entries, and the parameters of the audit log."""

from typing import Annotated, Any, Literal

from pydantic import Field

from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.models.base import Resource
from governance.models.history.event import CreatedVia
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
"""Name of an action. Some values are reserved for later features."""
AuditDetails = dict[str, Any]
"""More about an action. A change of a status has `{from, to}`, an update `{fields}`, a change of a membership
`{memberEmail, positions}`. Other actions have `{id, title}` or nothing.
"""


class AuditEntry(Resource):
    """An entry of a board's audit log."""

    id: Annotated[str, Field(alias="_id")]
    board_id: BoardId | None
    """Identifier of the board; null for a few system-level events."""
    actor_user: UserId | None
    """Identifier of the user who performed the action; null for the system, for guests, and for board access tokens."""
    action: AuditAction
    """Name of the action."""
    details: AuditDetails
    """More about the action."""
    created_via: CreatedVia | None
    created_at: Instant
    updated_at: Instant


class LogProof(Resource):
    """The proof that an audit entry is in the append-only log of the installation."""

    object: Literal["log_proof"] = "log_proof"
    entry_id: str
    """Identifier of the audit entry, or of the event."""
    index: int | None
    """Number of the entry in the log, counted from 0; null until it is logged. The first number, if it was logged
    twice.
    """
    entry: str
    """The audit entry, or the event, as it was logged, as canonical JSON (RFC 8785)."""
    salt: str | None
    """Random bytes as base64 that keep the public log unreadable; null for an entry of an earlier release that is not
    logged yet.
    """
    proof: str | None
    """The proof as text in the format c2sp.org/tlog-proof@v1, with the log's newest checkpoint; null until the entry is
    logged.
    """


class AuditQuery(LegacyListQuery):
    """The parameters of the audit log."""
