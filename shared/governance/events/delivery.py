"""Delivers an event as notifications and e-mails: at least once, and without harm when repeated (ADR 0063).

The notification of an event for a user has one id, so it is stored once; it says whether its e-mail is still due. A
delivery that is killed and repeated goes on where it stopped; an e-mail is sent at most once (ADR 0065), and only while
its recipient has had few enough of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial

from governance.domain.avatars import initials, initials_avatar
from governance.domain.notifications import (
    NotificationRule,
    RecipientGroup,
    channels,
    named_users,
    notification_id,
    object_id,
    recipients,
    references,
    sentence,
)
from governance.domain.visibility import can_see_meeting
from governance.events.announcements import announcements
from governance.events.notification_emails import NotificationEmail, render_notification_email, send_once
from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.mail.sender import EmailThrottled
from governance.models.board import RosterEntry, StoredBoard
from governance.models.event import StoredEvent
from governance.models.meeting import StoredMeeting
from governance.models.notification import StoredNotification
from governance.models.user import StoredUser
from governance.store import avatars, boards, notifications, users
from governance.store.schema import BOARD, MEETING, PREFERENCES, USER, Item, Key
from governance.store.table import read, run_async, transact

_USERS_PER_TRANSACTION = 100
_PAUSE_SECONDS = 1


@dataclass(frozen=True)
class DeliveryContext:
    """An event with what its notifications need: the rule, the board, the linked meeting, the actor, the message."""

    event: StoredEvent
    rule: NotificationRule
    board: StoredBoard
    meeting: StoredMeeting | None
    actor: StoredUser | None
    pictured: bool
    message: str


@dataclass(frozen=True)
class Recipient:
    """A user to be notified, with their notification: the stored one, or a new one that is not stored yet."""

    user: StoredUser
    notification: StoredNotification
    is_new: bool


DueEmail = tuple[DeliveryContext, Recipient]
ReadRoster = Callable[[BoardId], list[RosterEntry]]


def deliver(event: StoredEvent, now: Instant, patience: float) -> None:
    """Notifies every user that the event concerns; raises if one could not be notified, so that it is retried.

    `patience` is the time in seconds for which e-mails are retried while the mail service throttles.
    """
    deadline = time.monotonic() + patience
    roster = cache(boards.roster)
    due = [mail for rule, announced in announcements(event, now) for mail in _announce(rule, announced, roster, now)]
    _send_emails(due, deadline)


def _announce(rule: NotificationRule, event: StoredEvent, read_roster: ReadRoster, now: Instant) -> list[DueEmail]:
    """Notifies every user that the event concerns in the app, and returns the e-mails that are due.

    `read_roster` returns the members of a board; it is shared by all announcements, of which an opened draft has many.
    """
    context = _read_context(event, rule)
    if context is None:
        return []
    user_ids = _recipient_ids(context, read_roster)
    batches = [
        user_ids[start : start + _USERS_PER_TRANSACTION] for start in range(0, len(user_ids), _USERS_PER_TRANSACTION)
    ]
    notified = [recipient for batch in batches for recipient in _notify(context, batch, now)]
    return [(context, recipient) for recipient in notified if recipient.notification.mail == "due"]


def _read_context(event: StoredEvent, rule: NotificationRule) -> DeliveryContext | None:
    """Reads what the notifications need; None if the board, or the meeting to be linked, was deleted."""
    board_key, actor_key = BOARD.key_for(boardId=event.board_id), USER.key_or_none(userId=event.actor_user_id or "")
    meeting_key = MEETING.key_or_none(boardId=event.board_id, meetingId=event.refs.get("meetingId", ""))
    linked = "meetingLink" in rule.carries
    items = read(key for key in (board_key, actor_key, meeting_key if linked else None) if key)
    board, actor = items.get(board_key), items.get(actor_key) if actor_key else None
    meeting = items.get(meeting_key) if meeting_key else None
    if board is None or (linked and meeting is None):
        return None
    acting_user = StoredUser.model_validate(actor) if actor else None
    title = event.data.get("title") or event.details.get("title") or "untitled"
    return DeliveryContext(
        event,
        rule,
        StoredBoard.model_validate(board),
        StoredMeeting.model_validate(meeting) if linked and meeting else None,
        acting_user,
        acting_user is not None and _has_avatar(acting_user),
        rule.message.format(board=board["name"], title=title),
    )


def _has_avatar(actor: StoredUser) -> bool:
    """Stores the avatar of the acting user; returns False if there is none, so that the neutral one is shown."""
    return initials(actor) != "" and avatars.put(actor.id, initials_avatar(actor))


def _recipient_ids(context: DeliveryContext, read_roster: ReadRoster) -> list[UserId]:
    """Returns the ids of the users that the rule names, without those who may not see the meeting.

    The whole roster is read only for a rule that names all members of a tier.
    """
    group, event = context.rule.recipients, context.event
    named = named_users(context.rule, event)
    members = read_roster(event.board_id) if named is None else boards.roster_of(event.board_id, named)
    invitees = users.user_ids_by_email(event.data["inviteeEmail"]) if group is RecipientGroup.INVITEES else []
    user_ids = recipients(context.rule, event, members, invitees)
    return [user_id for user_id in user_ids if context.meeting is None or can_see_meeting(user_id, context.meeting)]


def _notify(context: DeliveryContext, user_ids: Sequence[UserId], now: Instant) -> list[Recipient]:
    """Stores the missing notifications of up to a hundred users in one transaction; returns all."""
    ids = {user_id: notification_id(context.event, user_id) for user_id in user_ids}
    items = read(key for user_id, id_ in ids.items() for key in notifications.recipient_keys(user_id, id_))
    notified = list(_recipients(context, ids, items, now))
    writes = [notifications.create(recipient.notification) for recipient in notified if recipient.is_new]
    if writes:
        transact(writes)
    return notified


def _send_emails(due: Sequence[DueEmail], deadline: float) -> None:
    """Sends the e-mails that are due; retries those that the mail service throttles, once a second until the deadline.

    The mail service limits e-mails per second, and a large board may need more. Any other error is raised after all
    e-mails have been tried.
    """
    errors: list[BaseException] = []
    while due:
        sent = [(email, run_async(partial(_send_email, *email))) for email in due]
        failed = [(email, error) for email, future in sent if (error := future.exception())]
        errors += [error for _, error in failed if not isinstance(error, EmailThrottled)]
        due = [email for email, error in failed if isinstance(error, EmailThrottled)]
        if due:
            if time.monotonic() + _PAUSE_SECONDS > deadline:
                raise EmailThrottled
            time.sleep(_PAUSE_SECONDS)
    if errors:
        raise errors[0]


def _recipients(
    context: DeliveryContext, ids: dict[UserId, str], items: dict[Key, Item], now: Instant
) -> Iterator[Recipient]:
    """Returns the recipients with their notifications; none for a purged user or one without any channel."""
    for user_id, id_ in ids.items():
        stored, user_item = items.get(notifications.key(user_id, id_)), items.get(USER.key_for(userId=user_id))
        user = StoredUser.model_validate(user_item) if user_item else None
        if user is None or user.purged:
            continue
        if stored is not None:
            yield Recipient(user, StoredNotification.model_validate(stored), is_new=False)
        elif new := _new_notification(context, id_, user, items.get(PREFERENCES.key_for(userId=user_id)), now):
            yield Recipient(user, new, is_new=True)


def _new_notification(
    context: DeliveryContext, id_: str, user: StoredUser, preferences: Item | None, now: Instant
) -> StoredNotification | None:
    """Returns the notification for the user's channels; None if the user has turned off all of them."""
    event, rule = context.event, context.rule
    chosen = channels(rule.type, notifications.preferences(user.id, preferences))
    if not chosen:
        return None
    return StoredNotification(
        id=id_,
        user_id=user.id,
        type=rule.type,
        message=context.message,
        refs=references(rule, event),
        board_name=context.board.name,
        in_app="in_app" in chosen,
        mail="due" if "email" in chosen and user.status == "active" else "none",
        pictured=context.pictured,
        delivered_at=now,
        created_at=event.created_at,
        updated_at=event.created_at,
    )


def _send_email(context: DeliveryContext, recipient: Recipient) -> None:
    notification = recipient.notification
    message = sentence(notification, context.actor)
    content = render_notification_email(recipient.user, message, notification, context.board)
    send_once(NotificationEmail(notification, object_id(context.event), content))
