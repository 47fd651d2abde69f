"""Who is notified of what: the table, a row for each event and each change that tells somebody."""

from __future__ import annotations

from typing import Any

from governance.ids import BoardId, UserId
from governance.models.boards.board import RosterEntry
from governance.models.event import Event
from governance.scopes import Tier

BOARD, MEETING = BoardId("b" * 24), "e" * 24
OWNER, ADMIN, MANAGER, COLLABORATOR, GUEST, OUTSIDER = (UserId(f"{n:024x}") for n in range(6))


TIERS = {
    OWNER: Tier.OWNER,
    ADMIN: Tier.ADMIN,
    MANAGER: Tier.MANAGER,
    COLLABORATOR: Tier.COLLABORATOR,
    GUEST: Tier.GUEST,
}
MEMBERS = [RosterEntry(user_id, user_id, tier) for user_id, tier in TIERS.items()]
EVERYBODY = {OWNER, ADMIN, MANAGER, COLLABORATOR, GUEST}
MEETING_REF = {"meetingId": MEETING}
REPORT_REFS = {"reportId": "d" * 24}
DASHBOARD_REFS = {**REPORT_REFS, "dashboardId": "c" * 24}


def change(to: str) -> dict[str, str]:
    return {"from": "x", "to": to}


Row = tuple[Event, dict[str, Any], str, set[UserId], set[str]]
ROWS: list[Row] = [
    (
        Event.INVITE_CREATED,
        {"refs": {"inviteId": "a" * 24}, "delivery_data": {"inviteeEmail": "x@example.com"}},
        "board_invite",
        {OUTSIDER},
        {"boardId", "inviterId", "inviteId"},
    ),
    (
        Event.INVITE_ACCEPTED,
        {"refs": {"inviteId": "a" * 24}, "delivery_data": {"inviterIds": [COLLABORATOR, ADMIN, OUTSIDER]}},
        "membership_accepted",
        {COLLABORATOR, ADMIN},
        {"boardId", "acceptingUserId", "inviteId"},
    ),
    (Event.MEMBER_CHANGED, {"refs": {"userId": GUEST}}, "membership_modified", {GUEST}, set()),
    (Event.MEMBER_REMOVED, {"refs": {"userId": OUTSIDER}}, "membership_removed", {OUTSIDER}, set()),
    (Event.MEMBER_LEFT, {"refs": {"userId": OUTSIDER}}, "member_left", {OWNER, ADMIN}, set()),
    (Event.OWNERSHIP_TRANSFERRED, {"refs": {"userId": MANAGER}}, "ownership_transfer", {MANAGER}, set()),
    (Event.BOARD_CHANGED, {}, "board_update", EVERYBODY, set()),
    (Event.EXAMPLE_BOARD_FILLED, {}, "example_board_ready", {OWNER}, {"boardId"}),
    (Event.TOKEN_CREATED, {"refs": {"tokenId": "a" * 24}}, "board_update", {OWNER}, set()),
    (Event.WEBHOOK_CREATED, {"refs": {"webhookId": "a" * 24}}, "board_update", {OWNER}, set()),
    (Event.COMMITTEE_UPDATED, {"delivery_data": {"seatedUserIds": [GUEST, OUTSIDER]}}, "board_update", {GUEST}, set()),
    (Event.WEBHOOK_DISABLED, {"refs": {"webhookId": "a" * 24}}, "board_update", {OWNER}, {"boardId"}),
    (
        Event.MEETING_STATUS_CHANGED,
        {"refs": MEETING_REF, "details": change("finalized"), "delivery_data": {"told": "minutes"}},
        "post_meeting_minutes_distributed",
        EVERYBODY,
        {"boardId", "triggeringUserId", "meetingLink"},
    ),
    *[
        (kind, {"refs": MEETING_REF}, type_, EVERYBODY, {"boardId", "triggeringUserId", "meetingLink"})
        for kind, type_ in (
            (Event.MEETING_MOVED_BY_CALENDAR, "meeting_updated_from_calendar"),
            (Event.MEETING_CANCELLED_BY_CALENDAR, "meeting_cancelled_from_calendar"),
        )
    ],
    *[
        (
            kind,
            {"refs": MEETING_REF, "delivery_data": {"told": told}},
            told,
            EVERYBODY,
            {"boardId", "triggeringUserId", "meetingLink"},
        )
        for kind in (Event.MEETING_CREATED, Event.MEETING_UPDATED, Event.MEETING_STATUS_CHANGED, Event.MEETING_DELETED)
        for told in ("meeting_scheduled", "meeting_changed", "meeting_cancelled")
    ],
    *[
        (
            Event.RSVP_CHANGED,
            {"refs": MEETING_REF, "details": change(answer), "delivery_data": {"creatorId": creator}},
            "meeting_rsvp_changed",
            readers,
            {"boardId", "triggeringUserId", "meetingLink"},
        )
        for answer, creator, readers in (
            ("accepted", GUEST, {GUEST}),
            ("tentative", None, {OWNER, ADMIN}),
            ("declined", OUTSIDER, {OWNER, ADMIN}),
            ("noAnswer", GUEST, {GUEST}),
        )
    ],
    (
        Event.SLOT_PROPOSED,
        {"refs": MEETING_REF},
        "slot_proposed",
        EVERYBODY - {GUEST},
        {"boardId", "triggeringUserId", "meetingLink"},
    ),
    *[
        (
            kind,
            {"refs": MEETING_REF, "delivery_data": {"assigneeUserId": GUEST}},
            "task_assignment",
            {GUEST},
            {"boardId", "triggeringUserId", "meetingLink"},
        )
        for kind in (Event.ACTION_ITEM_CREATED, Event.ACTION_ITEM_UPDATED)
    ],
    *[
        (
            Event.REPORT_STATUS_CHANGED,
            {"refs": REPORT_REFS, "details": change(status)},
            kind,
            EVERYBODY,
            {"boardId", "triggeringUserId", "reportId"},
        )
        for status, kind in (("published", "report_published"), ("finalized", "report_finalized"))
    ],
    *[
        (
            Event.DASHBOARD_REVIEW_STATUS_CHANGED,
            {
                "refs": DASHBOARD_REFS,
                "details": change(status),
                "delivery_data": {"dashboardType": "uniform"},
            },
            kind,
            readers,
            {"boardId", "triggeringUserId", "reportId", "dashboardId", "dashboardType"},
        )
        for status, kind, readers in (
            ("ready_for_review", "dashboard_ready_for_review", {OWNER, ADMIN, MANAGER}),
            ("changes_requested", "dashboard_changes_requested", {OUTSIDER}),  # who owns it is read when it is told
            ("internally_reviewed", "dashboard_internally_reviewed", {OUTSIDER}),
        )
    ],
    *[
        (
            Event.COMMENT_CREATED,
            {"refs": {**refs, "commentId": "a" * 24}, "delivery_data": {"told": subject, "dashboardType": "uniform"}},
            "new_comment",
            {OUTSIDER},  # who is told is read when it is told
            {"boardId", "triggeringUserId", *carried},
        )
        for subject, refs, carried in (
            ("meeting", MEETING_REF, {"meetingLink"}),
            ("document", {"documentId": "c" * 24}, {"documentId"}),
            ("committee_document", {"documentId": "c" * 24}, {"documentId"}),
            ("dashboard", DASHBOARD_REFS, {"reportId", "dashboardId", "dashboardType"}),
        )
    ],
    *[
        (
            kind,
            {"refs": {**DASHBOARD_REFS, "userId": GUEST}, "delivery_data": {"dashboardType": "uniform"}},
            type_,
            {GUEST},
            {"boardId", "triggeringUserId", "reportId", "dashboardId", "dashboardType"},
        )
        for kind, type_ in (
            (Event.DASHBOARD_ACCESS_GRANTED, "dashboard_access_granted"),
            (Event.DASHBOARD_ACCESS_REVOKED, "dashboard_access_removed"),
            (Event.DASHBOARD_OWNERSHIP_TRANSFERRED, "dashboard_assigned"),
        )
    ],
    (
        Event.CYCLE_DISPATCHED,
        {
            "refs": {**DASHBOARD_REFS, "cycleId": "9" * 24},
            "delivery_data": {
                "told": "section",
                "ownerUserId": GUEST,
                "sectionName": "Finance",
                "dashboardType": "uniform",
            },
        },
        "section_dispatched",
        {GUEST},
        {"boardId", "triggeringUserId", "reportId", "dashboardId", "dashboardType", "cycleId", "sectionName"},
    ),
    (
        Event.VALIDATION_FLAG_RAISED,
        {"refs": DASHBOARD_REFS, "delivery_data": {"userIds": [GUEST, OWNER], "dashboardType": "uniform"}},
        "validation_flag_raised",
        {GUEST, OWNER},
        {"boardId", "triggeringUserId", "reportId", "dashboardId", "dashboardType"},
    ),
    (
        Event.CYCLE_PUBLISHED,
        {"refs": {"reportId": "8" * 24, "cycleId": "9" * 24}, "delivery_data": {"told": "package"}},
        "package_published",
        EVERYBODY,
        {"boardId", "triggeringUserId", "reportId", "cycleId"},
    ),
    (
        Event.CYCLE_PUBLISHED,
        {"refs": {"cycleId": "9" * 24}, "delivery_data": {"told": "meeting", "meetingLink": "/boards/b/meetings/new"}},
        "meeting_creation_suggestion",
        {OWNER, ADMIN, MANAGER},
        {"boardId", "triggeringUserId", "meetingLink", "cycleId"},
    ),
]
