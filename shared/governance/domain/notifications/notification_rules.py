"""Which events are notified, to which recipients and with which text (ADR 0063)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import get_args

from governance.models.calendar import MailSwitch
from governance.models.event import Event
from governance.models.notifications.notification import Category, Channel, NotificationType


class RecipientGroup(Enum):
    """The recipients of a notification. All but invitees and the removed member must be members at delivery."""

    INVITEES = "every user who has the invited e-mail address"
    REMOVED = "the member who was removed"
    INVITERS = "the inviter and the re-inviters"
    CONCERNED = "the member that the event concerns"
    ASSIGNEE = "the new assignee"
    SECTION_OWNER = "the owner of a section of a cycle"
    DASHBOARD_OWNER = "the owner of the dashboard"
    ORGANIZER = "the creator of the meeting; without one on the board, the owner and the admins"
    MEMBERS = "every member"
    REMINDED = "those that a reminder still reaches when they are told"
    COLLABORATORS = "collaborators and up"
    MANAGERS = "managers and up"
    ADMINS = "the owner and the admins"
    OWNER = "the owner"
    NAMED = "the users that the announcement names"
    COMMENTED = "those mentioned by a comment, the one it replies to, and the owner of what it is on, if they see that"
    COMMITTEE = "those who were or are in the committee, where its seats changed"


@dataclass(frozen=True)
class NotificationRule:
    """How the recipients of an event are notified.

    `message` is the key of a text (ADR 0135) that continues the actor's name, or is a whole sentence where the service
    itself acts; its values are `board`, `title` and `number`. `person` is the notification's field that refers to the
    actor, `carries` are its other fields. A user gets those of `channels` that they have not turned off; a type that is
    neither in `CATEGORY` nor in `MAIL_SWITCH` is never mailed. The page that it leads to is in `_link` of
    deliveries/notification_emails.py for the mail, and in `addressOf` of views/notifications.js for the pages.
    """

    type: NotificationType
    recipients: RecipientGroup
    message: str
    person: str = "triggeringUserId"
    carries: tuple[str, ...] = ()
    channels: frozenset[Channel] = frozenset(("email", "in_app"))


_REPORT, _DASHBOARD = ("reportId",), ("reportId", "dashboardId", "dashboardType")
_SECTION = (*_DASHBOARD, "cycleId", "sectionName")
_MEETING, _DOCUMENT = ("meetingLink",), ("documentId",)
_MAIL: frozenset[Channel] = frozenset(("email",))
_APP: frozenset[Channel] = frozenset(("in_app",))

_MEETING_NEWS: Mapping[NotificationType, str] = {
    "meeting_scheduled": "told.meeting_scheduled",
    "meeting_changed": "told.meeting_changed",
    "meeting_cancelled": "told.meeting_cancelled",
}
_REMINDERS: Mapping[str, tuple[NotificationType, str]] = {
    "votes": ("vote_reminder", "told.vote_asked"),
    "deadline": ("vote_reminder", "told.vote_ends"),
    "answers": ("rsvp_reminder", "told.answer_asked"),
    "meeting": ("meeting_reminder", "told.meeting_tomorrow"),
    "due_tomorrow": ("task_due", "told.task_due_tomorrow"),
    "due_yesterday": ("task_due", "told.task_due_yesterday"),
}
"""By the subject of a reminder: the type of its notification, and its text."""

RULES: Mapping[tuple[Event, str | None], NotificationRule] = {
    (Event.INVITE_CREATED, None): NotificationRule(
        "board_invite", RecipientGroup.INVITEES, "told.invite_created", "inviterId", ("inviteId",)
    ),
    (Event.INVITE_ACCEPTED, None): NotificationRule(
        "membership_accepted",
        RecipientGroup.INVITERS,
        "told.invite_accepted",
        "acceptingUserId",
        ("inviteId",),
    ),
    (Event.MEMBER_CHANGED, None): NotificationRule(
        "membership_modified", RecipientGroup.CONCERNED, "told.member_changed"
    ),
    (Event.MEMBER_REMOVED, None): NotificationRule("membership_removed", RecipientGroup.REMOVED, "told.member_removed"),
    (Event.MEMBER_LEFT, None): NotificationRule("member_left", RecipientGroup.ADMINS, "told.member_left"),
    (Event.OWNERSHIP_TRANSFERRED, None): NotificationRule(
        "ownership_transfer", RecipientGroup.CONCERNED, "told.ownership_transferred"
    ),
    (Event.BOARD_CHANGED, None): NotificationRule("board_update", RecipientGroup.MEMBERS, "told.board_changed"),
    (Event.EXAMPLE_BOARD_FILLED, None): NotificationRule(
        "example_board_ready", RecipientGroup.OWNER, "told.example_board_ready", person=""
    ),
    (Event.TOKEN_CREATED, None): NotificationRule("board_update", RecipientGroup.OWNER, "told.token_created"),
    (Event.COMMITTEE_UPDATED, None): NotificationRule(
        "board_update",
        RecipientGroup.COMMITTEE,
        "told.committee_updated",
    ),
    (Event.WEBHOOK_CREATED, None): NotificationRule("board_update", RecipientGroup.OWNER, "told.webhook_created"),
    (Event.WEBHOOK_DISABLED, None): NotificationRule(
        "board_update", RecipientGroup.OWNER, "told.webhook_disabled", person=""
    ),
    (Event.MEETING_STATUS_CHANGED, "minutes"): NotificationRule(
        "post_meeting_minutes_distributed",
        RecipientGroup.MEMBERS,
        "told.minutes_finalized",
        carries=_MEETING,
    ),
    (Event.MEETING_MOVED_BY_CALENDAR, None): NotificationRule(
        "meeting_updated_from_calendar",
        RecipientGroup.MEMBERS,
        "told.moved_by_calendar",
        carries=_MEETING,
    ),
    (Event.MEETING_CANCELLED_BY_CALENDAR, None): NotificationRule(
        "meeting_cancelled_from_calendar",
        RecipientGroup.MEMBERS,
        "told.cancelled_by_calendar",
        carries=_MEETING,
    ),
    **{
        (Event.RSVP_CHANGED, answer): NotificationRule(
            "meeting_rsvp_changed", RecipientGroup.ORGANIZER, message, carries=_MEETING
        )
        for answer, message in {
            "accepted": "told.rsvp_accepted",
            "tentative": "told.rsvp_tentative",
            "declined": "told.rsvp_declined",
            "noAnswer": "told.rsvp_withdrawn",
        }.items()
    },
    **{
        (event, told): NotificationRule(told, RecipientGroup.MEMBERS, message, carries=_MEETING)
        for event in (Event.MEETING_CREATED, Event.MEETING_UPDATED, Event.MEETING_STATUS_CHANGED, Event.MEETING_DELETED)
        for told, message in _MEETING_NEWS.items()
    },
    **{
        (Event.REMINDER_SENT, about): NotificationRule(type_, RecipientGroup.REMINDED, message, carries=_MEETING)
        for about, (type_, message) in _REMINDERS.items()
    },
    (Event.CYCLE_DISPATCHED, "section"): NotificationRule(
        "section_dispatched", RecipientGroup.SECTION_OWNER, "told.section_dispatched", carries=_SECTION
    ),
    **{
        (Event.REMINDER_SENT, about): NotificationRule(
            "section_reminder", RecipientGroup.REMINDED, message, carries=_SECTION
        )
        for about, message in {"section_due": "told.section_due", "section_overdue": "told.section_overdue"}.items()
    },
    (Event.CYCLE_PUBLISHED, "package"): NotificationRule(
        "package_published", RecipientGroup.MEMBERS, "told.package_published", carries=(*_REPORT, "cycleId")
    ),
    (Event.CYCLE_PUBLISHED, "meeting"): NotificationRule(
        "meeting_creation_suggestion",
        RecipientGroup.MANAGERS,
        "told.meeting_suggested",
        carries=(*_MEETING, "cycleId"),
        channels=_APP,
    ),
    **{
        (Event.REMINDER_SENT, about): NotificationRule(
            "bet_due_soon", RecipientGroup.REMINDED, message, carries=("betId",)
        )
        for about, message in {"bet_in_a_week": "told.bet_in_a_week", "bet_tomorrow": "told.bet_tomorrow"}.items()
    },
    (Event.REMINDER_SENT, "new_slots"): NotificationRule(
        "slot_proposed",
        RecipientGroup.REMINDED,
        "told.new_slots",
        carries=_MEETING,
        channels=_MAIL,  # each slot was announced in the app when it was proposed
    ),
    (Event.SLOT_PROPOSED, None): NotificationRule(
        "slot_proposed",
        RecipientGroup.COLLABORATORS,
        "told.slot_proposed",
        carries=_MEETING,
        channels=_APP,
    ),
    (Event.ACTION_ITEM_CREATED, None): NotificationRule(
        "task_assignment", RecipientGroup.ASSIGNEE, "told.task_assigned", carries=_MEETING
    ),
    (Event.ACTION_ITEM_UPDATED, None): NotificationRule(
        "task_assignment", RecipientGroup.ASSIGNEE, "told.task_assigned", carries=_MEETING
    ),
    (Event.REPORT_STATUS_CHANGED, "published"): NotificationRule(
        "report_published", RecipientGroup.MEMBERS, "told.report_published", carries=_REPORT
    ),
    (Event.REPORT_STATUS_CHANGED, "finalized"): NotificationRule(
        "report_finalized", RecipientGroup.MEMBERS, "told.report_finalized", carries=_REPORT
    ),
    (Event.DASHBOARD_REVIEW_STATUS_CHANGED, "ready_for_review"): NotificationRule(
        "dashboard_ready_for_review",
        RecipientGroup.MANAGERS,
        "told.review_asked",
        carries=_DASHBOARD,
    ),
    (Event.DASHBOARD_REVIEW_STATUS_CHANGED, "changes_requested"): NotificationRule(
        "dashboard_changes_requested",
        RecipientGroup.DASHBOARD_OWNER,
        "told.changes_asked",
        carries=_DASHBOARD,
    ),
    (Event.DASHBOARD_REVIEW_STATUS_CHANGED, "internally_reviewed"): NotificationRule(
        "dashboard_internally_reviewed",
        RecipientGroup.DASHBOARD_OWNER,
        "told.reviewed",
        carries=_DASHBOARD,
    ),
    **{
        (Event.COMMENT_CREATED, subject): NotificationRule(
            "new_comment", RecipientGroup.COMMENTED, message, carries=carries
        )
        for subject, message, carries in (
            ("meeting", "told.comment_on_meeting", _MEETING),
            ("document", "told.comment_on_document", _DOCUMENT),
            ("committee_document", "told.comment_on_committee_document", _DOCUMENT),
            ("dashboard", "told.comment_on_dashboard", _DASHBOARD),
        )
    },
    (Event.DASHBOARD_ACCESS_GRANTED, None): NotificationRule(
        "dashboard_access_granted", RecipientGroup.CONCERNED, "told.dashboard_opened", carries=_DASHBOARD
    ),
    (Event.DASHBOARD_ACCESS_REVOKED, None): NotificationRule(
        "dashboard_access_removed", RecipientGroup.CONCERNED, "told.dashboard_closed", carries=_DASHBOARD
    ),
    (Event.DASHBOARD_OWNERSHIP_TRANSFERRED, None): NotificationRule(
        "dashboard_assigned", RecipientGroup.CONCERNED, "told.dashboard_assigned", carries=_DASHBOARD
    ),
    (Event.VALIDATION_FLAG_RAISED, None): NotificationRule(
        "validation_flag_raised", RecipientGroup.NAMED, "told.flags_raised", carries=_DASHBOARD
    ),
}
"""Rules by event and qualifier (see `rule_for`): a status, a reminder's subject or `told`; None matches any."""

LEFT_BEHIND = NotificationRule(
    "board_update",
    RecipientGroup.ADMINS,
    "told.left_behind",
)
"""Rule of the hint to the owner and the admins about a member who leaves board tokens, webhooks or invites behind."""

CATEGORY: Mapping[NotificationType, Category] = {
    "task_assignment": "action_item",
    "task_due": "action_item",
    "post_meeting_minutes_distributed": "post_meeting",
    "validation_flag_raised": "validation_flag",
    "dashboard_assigned": "section_status",
    "dashboard_access_granted": "section_status",
    "dashboard_access_removed": "section_status",
    "dashboard_changes_requested": "section_status",
    "dashboard_ready_for_review": "section_status",
    "dashboard_internally_reviewed": "section_status",
    "bet_due_soon": "bet_reminder",
    "section_dispatched": "section_status",
    "section_reminder": "section_overdue",
    "package_published": "package_status",
    "report_published": "package_status",
    "report_finalized": "package_status",
}
"""The category that users can silence a type by."""

PRODUCED = tuple(each for each in get_args(Category) if each in {CATEGORY.get(rule.type) for rule in RULES.values()})
"""Categories that have at least one notification type. The pages offer only these."""

MAIL_SWITCH: Mapping[NotificationType, MailSwitch] = {
    "slot_proposed": "voteRequests",
    "vote_reminder": "voteRequests",
    "rsvp_reminder": "invitations",
    "meeting_reminder": "invitations",
}
"""The calendar setting that turns the mails of a type off; a type with neither is always shown in-app, never mailed."""
