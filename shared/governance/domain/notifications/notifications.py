"""Who is notified of an event, by which channels, and what a notification says (ADR deliveries)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from governance.domain.events.kind import APP, BOTH, Audience, Notification, P, Payload
from governance.domain.notifications.notification_types import TYPES
from governance.ids import RecipientId, UserId, is_id, millis_of_id, time_ordered_id
from governance.instants import Instant, shift
from governance.limits import DELIVERY_MINUTES, NOTIFICATION_DAYS
from governance.models.account.user import StoredUser
from governance.models.boards.board import RosterEntry
from governance.models.calendars.calendar import CalendarSettings
from governance.models.history.event import StoredEvent
from governance.models.notifications.notification import (
    NotificationChannel,
    NotificationType,
    ReadMark,
    StoredNotification,
    StoredPreferences,
)
from governance.models.notifications.recipients import Addressees
from governance.texts import Language, text


def recipients(audience: Audience[P], payload: P, actor: UserId | None, members: Sequence[RosterEntry]) -> Addressees:
    """Returns who is notified, never the actor.

    `members` are those of the board; those among the users that the payload names suffice without a tier.
    """
    named = [user_id for user_id in (audience.named(payload) if audience.named else ()) if user_id]
    present = {member.user_id for member in members}
    chosen = [user_id for user_id in named if audience.has_outsiders or user_id in present]
    if not chosen and audience.tier is not None:
        chosen = [member.user_id for member in members if member.tier >= audience.tier]
    people = audience.people(payload) if audience.people else ()
    return Addressees(without_actor(chosen, actor), [person_id for person_id in people if person_id])


def without_actor(user_ids: Iterable[UserId], actor: UserId | None) -> list[UserId]:
    """Returns these users, once each; nobody is notified of their own act."""
    return [user_id for user_id in dict.fromkeys(user_ids) if user_id != actor]


def channels(
    notification: Notification[P], overridden: StoredPreferences | None, settings: CalendarSettings
) -> frozenset[NotificationChannel]:
    """Returns the channels by which a user gets a notification: those that they have not turned off.

    A type without a category or a calendar setting is always shown in the app, and never mailed.
    """
    record = TYPES[notification.type]
    if record.category:
        return notification.channels & frozenset(
            overridden.preferences.get(record.category, BOTH) if overridden else BOTH
        )
    mailed = record.switch is not None and settings.wants(record.switch)
    return notification.channels & (BOTH if mailed else APP)


def notification_id(event: StoredEvent, recipient_id: RecipientId) -> str:
    """Returns the id of the notification of an event for a recipient; the same pair always gives the same id.

    It begins with the event's instant, so that ids are in the order of time.
    """
    digest = hashlib.sha256(f"{event.id}\n{recipient_id}".encode()).hexdigest()
    return time_ordered_id(millis_of_id(event.id), digest[:12])


_OBJECTS = (
    *("resolutionId", "paperRequestId", "betId", "actionItemId", "dashboardId", "reportId", "documentId"),
    *("meetingId", "cycleId"),
)


def object_id(event: StoredEvent) -> str:
    """Returns the id of what an event is about: the most specific thing that it names, or else the board."""
    return next((event.refs[name] for name in _OBJECTS if name in event.refs), event.board_id)


def references(kind: NotificationType, event: StoredEvent, payload: Payload) -> dict[str, str]:
    """Returns the fields of a notification that refer to something else."""
    record, known = TYPES[kind], {**payload.members(), "boardId": event.board_id}
    if "meetingId" in event.refs:
        known["meetingLink"] = f"/boards/{event.board_id}/meetings/{event.refs['meetingId']}"
    known[record.person] = event.actor_user_id
    names = ("boardId", record.person, *record.refs)
    return {name: value for name in names if (value := known.get(name)) is not None}


def linked_meeting(notification: StoredNotification) -> str | None:
    """Returns the id of the meeting that a notification links to; None if it links to none, or to a new one's form."""
    named = notification.refs.get("meetingLink", "").rpartition("/")[2]
    return named if is_id(named) else None


def is_kept(notification: StoredNotification, now: Instant) -> bool:
    """Returns whether a notification is not yet `NOTIFICATION_DAYS` old."""
    return notification.created_at > shift(now, days=-NOTIFICATION_DAYS)


def is_read(notification: StoredNotification, mark: ReadMark) -> bool:
    """Returns whether its user has read a notification, alone or with all others."""
    return notification.read or notification.delivered_at <= mark.until or notification.edition in mark.ids


def all_read(mark: ReadMark, listed: Iterable[StoredNotification], now: Instant) -> ReadMark:
    """Returns the mark after its user has marked the notifications that are `listed` as read.

    A delivery stamps its rows when it begins, and writes them later. So an instant marks only rows that are surely
    written, and younger ones are marked by their editions. The mark never moves back.
    """
    until = max(mark.until, shift(now, minutes=-DELIVERY_MINUTES))
    young = [notification.edition for notification in listed if notification.delivered_at > until]
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

UNREGISTERED_ACTOR = "unregisteredUserId"
"""The field of a notification, which is not shown, that refers to an actor without an account."""


def has_kept_name(actor: StoredUser, notification: StoredNotification) -> bool:
    """Returns whether the actor is unchanged since the event, so that their name reveals nothing new."""
    return actor.updated_at <= notification.created_at


def sentence(notification: StoredNotification, actor: str | None, language: Language) -> str:
    """Returns the message with the actor's current name. No notification stores it, so that a purge removes it.

    `language` is the reader's; the message is in the language that the reader had when it was written.
    """
    if notification.is_sentence:
        return notification.message
    if not any(member in notification.refs for member in (*PERSONS, UNREGISTERED_ACTOR)):
        name = text(language, "told.board_token")
    else:
        name = actor or text(language, "told.somebody")
    return f"{name} {notification.message}"
