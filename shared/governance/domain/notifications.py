"""Who is notified of what, and how: the table of notices, their readers and their channels (ADR 0063)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from governance.domain.access import member_tier
from governance.ids import millis_of_id, time_ordered_id
from governance.instants import shift
from governance.limits import NOTIFICATION_DAYS
from governance.models.board import Membership
from governance.models.event import Event, StoredEvent
from governance.models.notification import Category, Channel, NotificationType, StoredNotification, StoredPreferences
from governance.models.user import StoredUser
from governance.scopes import Tier


class RecipientGroup(Enum):
    """Whom a notice is for; but for the first and the second, only who is a member when it is delivered."""

    INVITEES = "every user who bears the invited address"
    REMOVED = "the member who was removed"
    INVITERS = "the inviter and the re-inviters"
    CONCERNED = "the member whom the act concerns"
    ASSIGNEE = "the new assignee"
    CREATOR = "the creator of the dashboard"
    MEMBERS = "every member"
    COLLABORATORS = "collaborators and up"
    MANAGERS = "managers and up"
    ADMINS = "the owner and the admins"


@dataclass(frozen=True)
class NotificationRule:
    """What an event tells whom: `message` goes on from the actor's name, and may name {board} and {title}.

    `person` is the reference member that the actor is.
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
        "membership_modified", RecipientGroup.CONCERNED, "changed your membership of the board “{board}”."
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
    (Event.MEETING_STATUS_CHANGED, "finalized"): NotificationRule(
        "post_meeting_minutes_distributed",
        RecipientGroup.MEMBERS,
        "finalized the meeting “{title}”: its minutes are there.",
        carries=_MEETING,
    ),
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
        "asks for changes of the dashboard “{title}”.",
        carries=_DASHBOARD,
    ),
    (Event.DASHBOARD_REVIEW_STATUS_CHANGED, "internally_reviewed"): NotificationRule(
        "dashboard_internally_reviewed",
        RecipientGroup.CREATOR,
        "has reviewed the dashboard “{title}”.",
        carries=_DASHBOARD,
    ),
}
"""The notice of an event; of one that moves a status, by the status moved to."""

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
"""The category of a type that users can silence; the others are always made in-app, without mail."""

_LEAST = {
    RecipientGroup.MEMBERS: Tier.GUEST,
    RecipientGroup.COLLABORATORS: Tier.COLLABORATOR,
    RecipientGroup.MANAGERS: Tier.MANAGER,
    RecipientGroup.ADMINS: Tier.ADMIN,
}
_NAMED_IN_DATA = {RecipientGroup.ASSIGNEE: "assigneeUserId", RecipientGroup.CREATOR: "creatorId"}


def rule_for(event: StoredEvent) -> NotificationRule | None:
    """The notice of an event; nobody is told of a draft."""
    if event.draft_of is not None:
        return None
    return RULES.get((event.type, None)) or RULES.get((event.type, event.details.get("to")))


def recipients(
    notice: NotificationRule, event: StoredEvent, members: Sequence[Membership], invitees: Iterable[str] = ()
) -> list[str]:
    """The users to notify, never the one who acted."""
    chosen = _chosen(notice.recipients, event, members, invitees)
    return [user_id for user_id in dict.fromkeys(chosen) if user_id and user_id != event.actor_user_id]


def _chosen(
    audience: RecipientGroup, event: StoredEvent, members: Sequence[Membership], invitees: Iterable[str]
) -> Iterable[str | None]:
    if audience is RecipientGroup.INVITEES:
        return invitees
    if audience is RecipientGroup.REMOVED:
        return [event.refs["userId"]]
    if audience in _LEAST:
        return [member.user_id for member in members if member_tier(member) >= _LEAST[audience]]
    present = {member.user_id for member in members}
    return [user_id for user_id in _named(audience, event) if user_id in present]


def _named(audience: RecipientGroup, event: StoredEvent) -> Sequence[str | None]:
    if audience is RecipientGroup.INVITERS:
        return [*event.data["inviterIds"]]
    if audience is RecipientGroup.CONCERNED:
        return [event.refs["userId"]]
    return [event.data.get(_NAMED_IN_DATA[audience])]


def channels(kind: NotificationType, overridden: StoredPreferences | None) -> frozenset[Channel]:
    """By which channels a user hears of this type."""
    category = CATEGORY.get(kind)
    if category is None:
        return frozenset(("in_app",))
    return frozenset((overridden.preferences if overridden else {}).get(category, ("email", "in_app")))


def notification_id(event: StoredEvent, user_id: str) -> str:
    """The one id of what this event means for this user: it begins with the event's moment."""
    digest = hashlib.sha256(f"{event.id}\n{user_id}".encode()).hexdigest()
    return time_ordered_id(millis_of_id(event.id), digest[:12])


def references(notice: NotificationRule, event: StoredEvent) -> dict[str, str]:
    """The reference members that a notification carries."""
    known = {
        **event.refs,
        "boardId": event.board_id,
        "meetingLink": meeting_link(event),
        "dashboardType": event.data.get("dashboardType"),
        notice.person: event.actor_user_id,
    }
    names = ("boardId", notice.person, *notice.carries)
    return {name: value for name in names if (value := known.get(name)) is not None}


def is_kept(notification: StoredNotification, now: str) -> bool:
    """A notification lasts 180 days."""
    return notification.created_at > shift(now, days=-NOTIFICATION_DAYS)


PERSONS = ("inviterId", "acceptingUserId", "triggeringUserId")
"""The reference members that are users; a notification has one of them at most: the user concerned."""


def sentence(notification: StoredNotification, actor: StoredUser | None) -> str:
    """The message with the actor's name of today: it is kept nowhere, so a purge need not look for it."""
    if not any(name in notification.refs for name in PERSONS):
        who = "An API token of the board"
    else:
        who = (actor.full_name if actor else "") or "Somebody"
    return f"{who} {notification.message}"


def meeting_link(event: StoredEvent) -> str | None:
    """Where the meeting of an event is found, below the address of the service."""
    meeting_id = event.refs.get("meetingId")
    return None if meeting_id is None else f"/boards/{event.board_id}/meetings/{meeting_id}"
