"""What each act leaves behind: the table of events and their audit actions (ADR 0009)."""

from __future__ import annotations

from governance.models.act import Event

AUDIT_ACTION: dict[Event, str] = {
    Event.INVITE_ACCEPTED: "memberChange",
    Event.MEMBER_CHANGED: "memberChange",
    Event.MEMBER_REMOVED: "memberDelete",
    Event.MEMBER_LEFT: "memberLeft",
    Event.OWNERSHIP_TRANSFERRED: "ownershipTransfer",
    Event.MEETING_CREATED: "meetingCreate",
    Event.MEETING_UPDATED: "meetingUpdate",
    Event.MEETING_STATUS_CHANGED: "meetingStatusChange",
    Event.MEETING_DELETED: "meetingDelete",
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
    Event.BILLING_OVERRIDDEN: "billingPlanOverride",
    Event.USER_PURGED: "userHardPurge",
}
"""The audit action of an event; an event without one leaves no audit entry."""
