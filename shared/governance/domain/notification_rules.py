"""Which events are notified, to which recipients and in which words (ADR 0063)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from governance.models.event import Event
from governance.models.notification import Category, NotificationType


class RecipientGroup(Enum):
    """The recipients of a notification. All but invitees and the removed member must be members at delivery."""

    INVITEES = "every user who has the invited e-mail address"
    REMOVED = "the member who was removed"
    INVITERS = "the inviter and the re-inviters"
    CONCERNED = "the member that the event concerns"
    ASSIGNEE = "the new assignee"
    CREATOR = "the creator of the dashboard"
    ORGANIZER = "the creator of the meeting; without one on the board, the owner and the admins"
    MEMBERS = "every member"
    COLLABORATORS = "collaborators and up"
    MANAGERS = "managers and up"
    ADMINS = "the owner and the admins"
    OWNER = "the owner"


@dataclass(frozen=True)
class NotificationRule:
    """What an event tells its recipients.

    `message` continues the actor's name, or is a whole sentence where the service itself acts; it may contain {board}
    and {title}. `person` is the notification's member that
    refers to the actor, `carries` are its other members.
    """

    type: NotificationType
    recipients: RecipientGroup
    message: str
    person: str = "triggeringUserId"
    carries: tuple[str, ...] = ()


_REPORT, _DASHBOARD = ("reportId",), ("reportId", "dashboardId", "dashboardType")
_MEETING = ("meetingLink",)

RULES: Mapping[tuple[Event, str | None], NotificationRule] = {
    (Event.INVITE_CREATED, None): NotificationRule(
        "board_invite", RecipientGroup.INVITEES, "invited you to the board “{board}”.", "inviterId", ("inviteId",)
    ),
    (Event.INVITE_ACCEPTED, None): NotificationRule(
        "membership_accepted",
        RecipientGroup.INVITERS,
        "joined the board “{board}”.",
        "acceptingUserId",
        ("inviteId",),
    ),
    (Event.MEMBER_CHANGED, None): NotificationRule(
        "membership_modified", RecipientGroup.CONCERNED, "changed your membership in the board “{board}”."
    ),
    (Event.MEMBER_REMOVED, None): NotificationRule(
        "membership_removed", RecipientGroup.REMOVED, "removed you from the board “{board}”."
    ),
    (Event.MEMBER_LEFT, None): NotificationRule("member_left", RecipientGroup.ADMINS, "left the board “{board}”."),
    (Event.OWNERSHIP_TRANSFERRED, None): NotificationRule(
        "ownership_transfer", RecipientGroup.CONCERNED, "made you the owner of the board “{board}”."
    ),
    (Event.BOARD_CHANGED, None): NotificationRule(
        "board_update", RecipientGroup.MEMBERS, "changed the board “{board}”."
    ),
    (Event.TOKEN_CREATED, None): NotificationRule(
        "board_update", RecipientGroup.OWNER, "created the access token “{title}” of the board “{board}”."
    ),
    (Event.WEBHOOK_DISABLED, None): NotificationRule(
        "board_update", RecipientGroup.OWNER, "A webhook of the board “{board}” was disabled: {title}.", person=""
    ),
    (Event.MEETING_STATUS_CHANGED, "finalized"): NotificationRule(
        "post_meeting_minutes_distributed",
        RecipientGroup.MEMBERS,
        "finalized the meeting “{title}”: its minutes are available.",
        carries=_MEETING,
    ),
    (Event.MEETING_MOVED_BY_CALENDAR, None): NotificationRule(
        "meeting_updated_from_calendar",
        RecipientGroup.MEMBERS,
        "moved the meeting “{title}” in the calendar.",
        carries=_MEETING,
    ),
    (Event.MEETING_CANCELLED_BY_CALENDAR, None): NotificationRule(
        "meeting_cancelled_from_calendar",
        RecipientGroup.MEMBERS,
        "cancelled the time of the meeting “{title}” in the calendar.",
        carries=_MEETING,
    ),
    **{
        (Event.RSVP_CHANGED, answer): NotificationRule(
            "meeting_rsvp_changed", RecipientGroup.ORGANIZER, message, carries=_MEETING
        )
        for answer, message in {
            "accepted": "accepted the meeting “{title}”.",
            "tentative": "may attend the meeting “{title}”.",
            "declined": "declined the meeting “{title}”.",
            "noAnswer": "took back the answer to the meeting “{title}”.",
        }.items()
    },
    (Event.SLOT_PROPOSED, None): NotificationRule(
        "slot_proposed", RecipientGroup.COLLABORATORS, "proposed a time for the meeting “{title}”.", carries=_MEETING
    ),
    (Event.ACTION_ITEM_CREATED, None): NotificationRule(
        "task_assignment", RecipientGroup.ASSIGNEE, "assigned the task “{title}” to you.", carries=_MEETING
    ),
    (Event.ACTION_ITEM_UPDATED, None): NotificationRule(
        "task_assignment", RecipientGroup.ASSIGNEE, "assigned the task “{title}” to you.", carries=_MEETING
    ),
    (Event.REPORT_STATUS_CHANGED, "published"): NotificationRule(
        "report_published", RecipientGroup.MEMBERS, "published the report “{title}”.", carries=_REPORT
    ),
    (Event.REPORT_STATUS_CHANGED, "finalized"): NotificationRule(
        "report_finalized", RecipientGroup.MEMBERS, "finalized the report “{title}”.", carries=_REPORT
    ),
    (Event.DASHBOARD_REVIEW_STATUS_CHANGED, "ready_for_review"): NotificationRule(
        "dashboard_ready_for_review",
        RecipientGroup.MANAGERS,
        "asks for a review of the dashboard “{title}”.",
        carries=_DASHBOARD,
    ),
    (Event.DASHBOARD_REVIEW_STATUS_CHANGED, "changes_requested"): NotificationRule(
        "dashboard_changes_requested",
        RecipientGroup.CREATOR,
        "asks for changes to the dashboard “{title}”.",
        carries=_DASHBOARD,
    ),
    (Event.DASHBOARD_REVIEW_STATUS_CHANGED, "internally_reviewed"): NotificationRule(
        "dashboard_internally_reviewed",
        RecipientGroup.CREATOR,
        "has reviewed the dashboard “{title}”.",
        carries=_DASHBOARD,
    ),
}
"""The rule of an event; for a change of status, of the event and the new status."""

TOKENS_LEFT = NotificationRule(
    "board_update",
    RecipientGroup.OWNER,
    "no longer administers the board “{board}”, but {title}. Revoke what is not needed.",
)
"""What the owner is told of a member who leaves board tokens behind; {title} says how many, and names some."""

CATEGORY: Mapping[NotificationType, Category] = {
    "task_assignment": "action_item",
    "post_meeting_minutes_distributed": "post_meeting",
    "dashboard_assigned": "section_status",
    "dashboard_access_granted": "section_status",
    "dashboard_access_removed": "section_status",
    "dashboard_changes_requested": "section_status",
    "dashboard_ready_for_review": "section_status",
    "dashboard_internally_reviewed": "section_status",
    "report_published": "package_status",
    "report_finalized": "package_status",
}
"""The category that users can silence a type by; any other type is always shown in-app and never mailed."""
