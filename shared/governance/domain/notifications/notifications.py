"""Who is notified of an event, by which channels, and what a notification says (ADR 0063)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

from governance.domain.notifications.notification_rules import (
    CATEGORY,
    MAIL_SWITCH,
    RULES,
    NotificationRule,
    RecipientGroup,
)
from governance.domain.notifications.wording import leftovers
from governance.domain.reports.cycle import section_name
from governance.ids import UserId, is_id, millis_of_id, time_ordered_id
from governance.instants import Instant, shift
from governance.limits import DELIVERY_MINUTES, NOTIFICATION_DAYS
from governance.models.account.user import StoredUser
from governance.models.boards.board import RosterEntry
from governance.models.calendar import CalendarSettings
from governance.models.event import Event, StoredEvent
from governance.models.notifications.notification import (
    Channel,
    NotificationType,
    ReadMark,
    StoredNotification,
    StoredPreferences,
)
from governance.models.reports.dashboard import StoredDashboard
from governance.scopes import Tier
from governance.texts import DEFAULT, Language, text

_MINIMUM_TIER = {
    RecipientGroup.MEMBERS: Tier.GUEST,
    RecipientGroup.COLLABORATORS: Tier.COLLABORATOR,
    RecipientGroup.MANAGERS: Tier.MANAGER,
    RecipientGroup.ADMINS: Tier.ADMIN,
}
_FOUND = (RecipientGroup.INVITEES, RecipientGroup.DASHBOARD_OWNER, RecipientGroup.COMMENTED)
"""Recipients who are looked up at delivery, and not in the list of the board's members."""
_NAMED_IN_DELIVERY_DATA = {
    RecipientGroup.ASSIGNEE: "assigneeUserId",
    RecipientGroup.ORGANIZER: "creatorId",
    RecipientGroup.SECTION_OWNER: "ownerUserId",
}


def rule_for(event: StoredEvent) -> NotificationRule | None:
    """Returns the rule of an event; None if nobody is notified of it.

    Events of a draft or of a committee's document have none, because not all members of the board may see these.
    Comments on such a document are the exception: each recipient's access is checked.
    """
    change = event.delivery_data.get("told") or event.details.get("about") or event.details.get("to")
    rule = RULES.get((event.type, None)) or RULES.get((event.type, change))
    is_checked = rule is not None and rule.recipients is RecipientGroup.COMMENTED
    if event.draft_of is not None or (event.committee_id is not None and not is_checked):
        return None
    return rule


def opens_draft(event: StoredEvent) -> bool:
    """Returns whether the event makes a draft visible to the members of the board."""
    return event.type is Event.MEETING_STATUS_CHANGED and event.details.get("from") == "draft"


def ends_administration(event: StoredEvent) -> bool:
    """Returns whether the event ends its member's right to manage the board tokens that they created."""
    if event.type is Event.MEMBER_CHANGED:
        return bool(event.delivery_data.get("demoted"))
    return event.type in (Event.MEMBER_REMOVED, Event.MEMBER_LEFT)


def invites_left(event: StoredEvent) -> int:
    """Returns how many invites of a member who lost rights stay pending, because others made them too."""
    number: int = event.delivery_data.get("invitesLeft", 0)
    return number


def announced_task(event: StoredEvent, item_id: str, title: str, assignee: UserId) -> StoredEvent:
    """Returns the event that notifies the assignee of an action item whose meeting was a draft."""
    refs, delivery_data = {**event.refs, "actionItemId": item_id}, {"title": title, "assigneeUserId": assignee}
    return _announced(
        event, item_id, type=Event.ACTION_ITEM_CREATED, refs=refs, details={}, delivery_data=delivery_data
    )


def announced_slots(event: StoredEvent) -> StoredEvent:
    """Returns the event that notifies voters of the slots of a meeting that was a draft."""
    return _announced(event, "slots", type=Event.SLOT_PROPOSED, details={})


def announced_section(event: StoredEvent, section: StoredDashboard, **told: str) -> StoredEvent:
    """Returns the event of a cycle as it notifies the owner of a section.

    The title of the given event is the name of the cycle. `told` is added to the delivery data.
    """
    refs = {**event.refs, "reportId": section.report_id, "dashboardId": section.id}
    delivery_data = {
        **event.delivery_data,
        "cycle": event.delivery_data["title"],
        "title": section_name(section),
        "sectionName": section_name(section),
        "dashboardType": section.dashboard_type,
        **told,
    }
    return _announced(event, section.id, refs=refs, delivery_data=delivery_data)


def announced_suggestion(event: StoredEvent) -> StoredEvent:
    """Returns the event that suggests a meeting to managers, once a cycle is published and no meeting is ahead."""
    link = f"/boards/{event.board_id}/meetings/new"
    delivery_data = {**event.delivery_data, "told": "meeting", "meetingLink": link}
    return _announced(event, "meeting", delivery_data=delivery_data)


_NAMED_TOKENS = 3


def announced_leftovers(event: StoredEvent, names: Sequence[str], webhooks: int, invites: int) -> StoredEvent | None:
    """Returns the event that tells owner and admins what a member leaves behind; None if it is nothing.

    `names` are the active board tokens; the first few appear by name, the rest as a count. The member is the actor, so
    that the notification refers to them. Admins are notified even if they removed the member themselves.
    """
    if not (names or webhooks or invites):
        return None
    left: dict[str, Any] = {
        "names": list(names[:_NAMED_TOKENS]),
        "tokens": len(names),
        "webhooks": webhooks,
        "invites": invites,
    }
    delivery_data = {"left": left, "title": leftovers(DEFAULT, **left)}  # the release before reads the title (ADR 0150)
    return _announced(event, "tokens", actor_user_id=event.refs["userId"], delivery_data=delivery_data)


def announced_flags(event: StoredEvent, dashboard: StoredDashboard, user_ids: Sequence[UserId]) -> StoredEvent:
    """Returns the event that notifies these users of the flags of one change, with a link to this dashboard.

    The id stays that of the event, so that each user is notified once, however many dashboards are theirs.
    """
    delivery_data = {
        "userIds": [*user_ids],
        "title": dashboard.title,
        "dashboardType": dashboard.dashboard_type,
        "number": event.details["number"],
    }
    return event.model_copy(
        update={"refs": {**event.refs, "dashboardId": dashboard.id}, "delivery_data": delivery_data}
    )


def _announced(event: StoredEvent, subject: str, **changes: Any) -> StoredEvent:
    digest = hashlib.sha256(f"{event.id}\n{subject}".encode()).hexdigest()
    return event.model_copy(update={**changes, "id": time_ordered_id(millis_of_id(event.id), digest[:12])})


def recipients(
    rule: NotificationRule, event: StoredEvent, members: Sequence[RosterEntry], found: Iterable[UserId] = ()
) -> list[UserId]:
    """Returns the ids of the users to notify, never the actor.

    `members` are those of the board, or those of the users that the rule names who are members. `found` have the
    invited e-mail address, own the dashboard, or are to be notified of the comment.
    """
    chosen = _chosen(rule.recipients, event, members, found)
    return [user_id for user_id in dict.fromkeys(chosen) if user_id and user_id != event.actor_user_id]


def named_users(rule: NotificationRule, event: StoredEvent) -> list[UserId] | None:
    """Returns the ids of the users who are notified if they are members; None if that depends on other members."""
    if rule.recipients in (RecipientGroup.OWNER, RecipientGroup.ORGANIZER) or rule.recipients in _MINIMUM_TIER:
        return None
    if rule.recipients in (*_FOUND, RecipientGroup.REMOVED):
        return []
    return [user_id for user_id in _named(rule.recipients, event) if user_id is not None]


def _chosen(
    audience: RecipientGroup, event: StoredEvent, members: Sequence[RosterEntry], found: Iterable[UserId]
) -> Iterable[UserId | None]:
    if audience in _FOUND:
        return found
    if audience is RecipientGroup.REMOVED:
        return [UserId(event.refs["userId"])]
    if audience is RecipientGroup.OWNER:
        return [member.user_id for member in members if member.tier is Tier.OWNER]
    if audience in _MINIMUM_TIER:
        return [member.user_id for member in members if member.tier >= _MINIMUM_TIER[audience]]
    present = {member.user_id for member in members}
    if audience is RecipientGroup.ORGANIZER and event.delivery_data.get("creatorId") not in present:
        return _chosen(RecipientGroup.ADMINS, event, members, found)
    return [user_id for user_id in _named(audience, event) if user_id in present]


def _named(audience: RecipientGroup, event: StoredEvent) -> Sequence[UserId | None]:
    if audience is RecipientGroup.INVITERS:
        return [*event.delivery_data["inviterIds"]]
    if audience is RecipientGroup.COMMITTEE:
        return [*event.delivery_data.get("seatedUserIds", ())]
    if audience is RecipientGroup.NAMED:
        return [*event.delivery_data.get("userIds", ())]
    if audience is RecipientGroup.CONCERNED:
        return [UserId(event.refs["userId"])]
    return [event.delivery_data.get(_NAMED_IN_DELIVERY_DATA[audience])]


def channels(
    rule: NotificationRule, overridden: StoredPreferences | None, settings: CalendarSettings
) -> frozenset[Channel]:
    """Returns the channels by which a user gets notifications of this rule."""
    return rule.channels & _chosen_channels(rule.type, overridden, settings)


def _chosen_channels(
    kind: NotificationType, overridden: StoredPreferences | None, settings: CalendarSettings
) -> frozenset[Channel]:
    if category := CATEGORY.get(kind):
        return frozenset((overridden.preferences if overridden else {}).get(category, ("email", "in_app")))
    switch = MAIL_SWITCH.get(kind)
    mailed = switch is not None and settings.wants(switch)
    return frozenset(("email", "in_app") if mailed else ("in_app",))


def notification_id(event: StoredEvent, user_id: UserId) -> str:
    """Returns the id of the notification of an event for a user; the same pair always gives the same id.

    It begins with the event's instant, so that ids are in the order of time.
    """
    digest = hashlib.sha256(f"{event.id}\n{user_id}".encode()).hexdigest()
    return time_ordered_id(millis_of_id(event.id), digest[:12])


_OBJECTS = ("betId", "actionItemId", "dashboardId", "reportId", "documentId", "meetingId", "cycleId")


def object_id(event: StoredEvent) -> str:
    """Returns the id of what an event is about: the most specific thing that it names, or else the board."""
    return next((event.refs[name] for name in _OBJECTS if name in event.refs), event.board_id)


def references(rule: NotificationRule, event: StoredEvent) -> dict[str, str]:
    """Returns the fields of a notification that refer to something else."""
    known = {
        **event.refs,
        "boardId": event.board_id,
        "meetingLink": meeting_link(event),
        "dashboardType": event.delivery_data.get("dashboardType"),
        "sectionName": event.delivery_data.get("sectionName"),
        rule.person: event.actor_user_id,
    }
    names = ("boardId", rule.person, *rule.carries)
    return {name: value for name in names if name and (value := known.get(name)) is not None}


def linked_meeting(notification: StoredNotification) -> str | None:
    """Returns the id of the meeting that a notification links to; None if it links to none, or to a new one's form."""
    named = notification.refs.get("meetingLink", "").rpartition("/")[2]
    return named if is_id(named) else None


def is_kept(notification: StoredNotification, now: Instant) -> bool:
    """Returns whether a notification is not yet `NOTIFICATION_DAYS` old."""
    return notification.created_at > shift(now, days=-NOTIFICATION_DAYS)


def is_read(notification: StoredNotification, mark: ReadMark) -> bool:
    """Returns whether its user has read a notification, alone or with all others."""
    return notification.read or notification.delivered_at <= mark.until or notification.id in mark.ids


def all_read(mark: ReadMark, listed: Iterable[StoredNotification], now: Instant) -> ReadMark:
    """Returns the mark after its user has marked the notifications that are `listed` as read.

    A delivery stamps its rows when it begins, and writes them later. So an instant marks only rows that are surely
    written, and younger ones are marked by their ids. The mark never moves back.
    """
    until = max(mark.until, shift(now, minutes=-DELIVERY_MINUTES))
    young = [notification.id for notification in listed if notification.delivered_at > until]
    return mark.model_copy(
        update={
            "marked_at": max(mark.marked_at, now),
            "until": until,
            "ids": tuple(dict.fromkeys([*young, *(mark.ids if until == mark.until else ())])),
            "version": mark.version + 1,
        }
    )


PERSONS = ("inviterId", "acceptingUserId", "triggeringUserId")
"""The fields of a notification that refer to a user; it has one of them at most."""


def has_kept_name(actor: StoredUser, notification: StoredNotification) -> bool:
    """Returns whether the actor is unchanged since the event, so that their name reveals nothing new."""
    return actor.updated_at <= notification.created_at


def sentence(notification: StoredNotification, actor: StoredUser | None, language: Language) -> str:
    """Returns the message with the actor's current name. No notification stores it, so that a purge removes it.

    `language` is the reader's; the message is in the language that the reader had when it was written.
    """
    if notification.message[:1].isupper():
        return notification.message  # no user caused it
    if not any(member in notification.refs for member in PERSONS):
        name = text(language, "told.board_token")
    else:
        name = (actor.full_name if actor else "") or text(language, "told.somebody")
    return f"{name} {notification.message}"


def meeting_link(event: StoredEvent) -> str | None:
    """Returns the path of an event's meeting, or of the form for one, below the root URL of the service; else None."""
    meeting_id = event.refs.get("meetingId")
    if meeting_id is None:
        return event.delivery_data.get("meetingLink")
    return f"/boards/{event.board_id}/meetings/{meeting_id}"
