"""Notifies the recipients of an event in the app: at least once, and without harm when repeated (ADR deliveries).

The notification of an event for a user has one id, so it is stored once; it says whether its e-mail is still due. The
e-mails are sent by messages of their own, so that the mail service holds up no notification.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from governance.deliveries.meetings.proposed_slots import counted, told_slots
from governance.deliveries.notifications.planned import Planned, planned_in, recipients_message
from governance.deliveries.notifications.recipients import still_concerned, task_now
from governance.domain.access.visibility import can_see_meeting
from governance.domain.account.avatars import initials, initials_avatar
from governance.domain.events.invites import Invited
from governance.domain.events.kind import MAIL, Lookup
from governance.domain.events.members import MemberEnded, PersonChanged, bounced_address
from governance.domain.events.registry import KINDS
from governance.domain.meetings.people import is_invited
from governance.domain.notifications.addressee import Addressee, addressed, of_person, of_user
from governance.domain.notifications.notification_types import PAPER_TYPES, TYPES
from governance.domain.notifications.notifications import (
    UNREGISTERED_ACTOR,
    channels,
    notification_id,
    references,
)
from governance.domain.notifications.wording import notification_message
from governance.domain.quota import BOUNCE_NOTIFICATIONS, INVITE_NOTIFICATIONS, Quota
from governance.ids import PersonId, RecipientId, UserId
from governance.instants import Instant, now
from governance.limits import TRANSACTION_WRITES
from governance.models.account.user import StoredUser
from governance.models.boards.board import StoredBoard
from governance.models.history.event import Event
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.people import StoredMeetingPeople
from governance.models.meetings.slot import StoredSlot
from governance.models.members.unregistered_user import StoredUnregisteredUser
from governance.models.notifications.notification import NotificationChannel, StoredNotification
from governance.models.notifications.recipients import Addressees, RecipientBatch
from governance.models.queue import DeliveryKind
from governance.queue.message import Message
from governance.store import quotas
from governance.store.account import avatars
from governance.store.calendars import calendars
from governance.store.meetings import people
from governance.store.notifications import notifications
from governance.store.schema.entities import (
    BOARD,
    CALENDAR_SETTINGS,
    MEETING,
    MEETING_PEOPLE,
    MEMBER,
    PREFERENCES,
    UNREGISTERED_USER,
    USER,
)
from governance.store.schema.keys import Item, Key
from governance.store.table import read
from governance.store.transactions import transact
from governance.store.writes import Write, retry_stale_reads

_EMAILS_PER_MESSAGE = 25


class Limit(NamedTuple):
    """A quota of notifications, and the key of its uses."""

    quota: Quota
    key: Key


@dataclass(frozen=True)
class DeliveryContext:
    """A notification of an event, and the data that it needs: the board, the linked meeting, the actor.

    `chosen` is who of the people without an account is invited to the meeting.
    """

    plan: Planned[Any]
    board: StoredBoard
    meeting: StoredMeeting | None
    chosen: StoredMeetingPeople | None
    actor: StoredUser | StoredUnregisteredUser | None

    @property
    def actor_name(self) -> str:
        """The current name of the actor; empty if there is none, or it is not known."""
        if isinstance(self.actor, StoredUnregisteredUser):
            return self.actor.name
        return self.actor.full_name if self.actor else ""

    def addressees(self, to: Addressees, items: Mapping[Key, Item]) -> Iterator[Addressee]:
        """Yields those recipients who still exist, and may be notified of the event now."""
        found = (*(self._user(id_, items) for id_ in to.user_ids), *(self._person(id_, items) for id_ in to.person_ids))
        return (addressee for addressee in found if addressee)

    def keys(self, to: Addressees) -> Iterator[Key]:
        """Yields the keys of the items that decide whether recipients may be notified, and how."""
        for user_id in to.user_ids:
            yield from notifications.recipient_keys(user_id, notification_id(self.plan.event, user_id))
            yield self._member_key(user_id)
            yield from (limit.key for limit in [self.limit(user_id)] if limit)
        for person_id in to.person_ids:
            yield self.notification_key(person_id)
            yield self._person_key(person_id)

    def notification_key(self, recipient_id: RecipientId) -> Key:
        """Returns the key of a recipient's notification."""
        return notifications.key(recipient_id, notification_id(self.plan.event, recipient_id))

    def limit(self, recipient_id: RecipientId) -> Limit | None:
        """Returns the quota of a user's notifications on a board about one inviter's invites or one address's bounces.

        Without it, an invite that is made and retracted over and over would fill the user's list. None for others.
        """
        board_id, payload = self.plan.event.board_id, self.plan.payload
        if (address := bounced_address(payload)) is not None:
            digest = hashlib.sha256(address.encode()).hexdigest()
            return Limit(BOUNCE_NOTIFICATIONS, quotas.key(BOUNCE_NOTIFICATIONS, recipient_id, f"{board_id}#{digest}"))
        if self.plan.notification.audience.lookup is Lookup.INVITEES:
            about = f"{board_id}#{self.plan.event.actor_user_id}"
            return Limit(INVITE_NOTIFICATIONS, quotas.key(INVITE_NOTIFICATIONS, recipient_id, about))
        return None

    def _user(self, user_id: UserId, items: Mapping[Key, Item]) -> Addressee | None:
        """Returns a user; None once purged, or if they have left since, or do not see the meeting, which is a draft."""
        if self.meeting is not None and not can_see_meeting(user_id, self.meeting):
            return None
        item = items.get(USER.key_for(userId=user_id))
        user = StoredUser.model_validate(item) if item else None
        if user is None or user.purged:
            return None
        may_tell = self.plan.notification.audience.has_outsiders or self._member_key(user_id) in items
        return of_user(user) if may_tell else None

    def _person(self, person_id: PersonId, items: Mapping[Key, Item]) -> Addressee | None:
        """Returns a person without an account; None if they get no e-mails any more, or the meeting is a draft.

        A person who is not invited to the meeting is notified of their own tasks and papers only. Their zone is that of
        the meeting.
        """
        if self.meeting is not None and not can_see_meeting(None, self.meeting):
            return None
        kind = self.plan.notification.type
        is_own = TYPES[kind].category == "action_item" or kind in PAPER_TYPES
        if not is_own and not is_invited(self.chosen, person_id):
            return None
        item = items.get(self._person_key(person_id))
        addressee = of_person(StoredUnregisteredUser.model_validate(item)) if item else None
        timezone = self.meeting.timezone if self.meeting else None
        return replace(addressee, timezone=timezone) if addressee else None

    def _person_key(self, person_id: PersonId) -> Key:
        return UNREGISTERED_USER.key_for(boardId=self.plan.event.board_id, unregisteredUserId=person_id)

    def _member_key(self, user_id: UserId) -> Key:
        return MEMBER.key_for(boardId=self.plan.event.board_id, userId=user_id)


@dataclass(frozen=True)
class Recipient:
    """A recipient with their notification: the stored one, or a new one that is not stored yet.

    A new one may replace the one that it has `renewed`.
    """

    addressee: Addressee
    notification: StoredNotification
    is_new: bool
    renewed: StoredNotification | None = None


def notify_recipients(body: Mapping[str, Any]) -> Iterable[Message]:
    """Notifies a batch of recipients in the app, and returns the messages that send the e-mails that are due."""
    batch = RecipientBatch.model_validate(body)
    plan = planned_in(batch)
    context = read_context(plan)
    if context is None:
        return []
    pictured = isinstance(context.actor, StoredUser) and _has_avatar(context.actor)
    concerned = still_concerned(plan, task_now(plan), context.meeting, batch.addressees)
    notified = retry_stale_reads(partial(_notify, context, concerned, pictured))
    due = addressed(recipient.addressee for recipient in notified if recipient.notification.mail == "due")
    delay = TYPES[plan.notification.type].mail_delay_seconds
    return [recipients_message(DeliveryKind.EMAILS, plan, to, delay=delay) for to in due.batches(_EMAILS_PER_MESSAGE)]


def read_context(plan: Planned[Any]) -> DeliveryContext | None:
    """Reads what the notifications need; None if the board, or the meeting to be linked, was deleted."""
    event, payload = plan.event, plan.payload
    board_key, user_key = BOARD.key_for(boardId=event.board_id), USER.key_or_none(userId=event.actor_user_id or "")
    person_id = event.refs.get(UNREGISTERED_ACTOR)
    actor_key = user_key or UNREGISTERED_USER.key_or_none(boardId=event.board_id, unregisteredUserId=person_id)
    named = {"boardId": event.board_id, "meetingId": event.refs.get("meetingId", "")}
    meeting_key, people_key = MEETING.key_or_none(**named), MEETING_PEOPLE.key_or_none(**named)
    linked = "meetingLink" in TYPES[plan.notification.type].refs and "meetingId" in event.refs
    of_meeting = (meeting_key, people_key) if linked else ()
    items = read(key for key in (board_key, actor_key, *of_meeting) if key)
    board, actor = items.get(board_key), items.get(actor_key) if actor_key else None
    meeting = items.get(meeting_key) if meeting_key else None
    if board is None or (linked and meeting is None and event.type is not Event.MEETING_DELETED):
        return None
    if plan.notification.audience.has_outsiders and isinstance(payload, MemberEnded):
        board = {**board, "name": payload.board_name or board["name"]}  # the name when they left
    return DeliveryContext(
        plan,
        StoredBoard.model_validate(board),
        StoredMeeting.model_validate(meeting) if linked and meeting else None,
        people.from_item(items.get(people_key) if people_key else None),
        (StoredUser if user_key else StoredUnregisteredUser).model_validate(actor) if actor else None,
    )


def _has_avatar(actor: StoredUser) -> bool:
    """Stores the avatar of the acting user; returns False if there is none, so that the neutral one is shown."""
    return initials(actor) != "" and avatars.put(actor.id, initials_avatar(actor))


def _notify(context: DeliveryContext, to: Addressees, pictured: bool) -> list[Recipient]:
    """Stores the missing notifications of up to a hundred recipients in one transaction; returns all."""
    started = now()
    items = read(context.keys(to))
    slots = told_slots(context.plan.event, context.plan.payload)  # after the notifications: renewing them checks these
    notified = list(_recipients(context, to, items, pictured, started, slots))
    writes = [write for recipient in notified if recipient.is_new for write in _creation(context, recipient, items)]
    for start in range(0, len(writes), TRANSACTION_WRITES):
        transact(writes[start : start + TRANSACTION_WRITES])
    return notified


def _creation(context: DeliveryContext, recipient: Recipient, items: Mapping[Key, Item]) -> list[Write]:
    """Returns the writes of a new notification; one of an invite or a bounce also uses the quota of the day."""
    if recipient.renewed is not None:
        return [notifications.renew(recipient.renewed, recipient.notification)]
    created, limit = notifications.create(recipient.notification), context.limit(recipient.addressee.id)
    if limit is None:
        return [created]
    usage = quotas.usage_at(*limit, items)
    return [created, usage.claim(recipient.notification.delivered_at).take]


def _recipients(
    context: DeliveryContext,
    to: Addressees,
    items: dict[Key, Item],
    pictured: bool,
    started: Instant,
    slots: Sequence[StoredSlot] | None,
) -> Iterator[Recipient]:
    """Yields the recipients with their notifications; skips those without any channel."""
    for addressee in context.addressees(to, items):
        id_ = notification_id(context.plan.event, addressee.id)
        stored = items.get(context.notification_key(addressee.id))
        old = StoredNotification.model_validate(stored) if stored is not None else None
        if slots is not None:
            if told := _of_slots(context, id_, addressee, items, pictured, started, slots, old):
                yield told
            continue
        if old is not None:
            yield Recipient(addressee, old, is_new=False)
            continue
        limit = context.limit(addressee.id)
        if limit is not None and quotas.usage_at(*limit, items).is_exhausted(started):
            continue
        if new := _new_notification(context, id_, addressee, items, pictured, started):
            yield Recipient(addressee, new, is_new=True)


def _of_slots(
    context: DeliveryContext,
    id_: str,
    user: Addressee,
    items: dict[Key, Item],
    pictured: bool,
    started: Instant,
    slots: Sequence[StoredSlot],
    old: StoredNotification | None,
) -> Recipient | None:
    """Returns the recipient of a window's slots; None if they know all of them.

    A notification of fewer slots is renewed: it is unread again, keeps its place, and comes back if it was deleted.
    """
    event = context.plan.event
    payload = counted(context.plan.payload, event.actor_user_id, slots, user.user_id)
    if set(payload.slot_ids) <= set(old.slot_ids if old else ()):
        return None
    plan = replace(context.plan, payload=payload, notification=KINDS[event.type].notifications[payload.variant])
    new = _new_notification(replace(context, plan=plan), id_, user, items, pictured, started)
    if new is None:
        return None
    new = new.model_copy(update={"slot_ids": payload.slot_ids})
    if old is not None:
        new = new.model_copy(update={"created_at": old.created_at, "updated_at": started})
    return Recipient(user, new, is_new=True, renewed=old)


def _new_notification(
    context: DeliveryContext, id_: str, user: Addressee, items: Mapping[Key, Item], pictured: bool, started: Instant
) -> StoredNotification | None:
    """Returns the notification for the recipient's channels; None if they have turned off all of them."""
    event, payload, notification = context.plan.event, context.plan.payload, context.plan.notification
    chosen = _channels(context, user, items)
    if not chosen:
        return None
    return StoredNotification(
        id=id_,
        user_id=user.id,
        type=notification.type,
        message=notification_message(notification, payload, context.board.name, user),
        is_sentence=notification.is_sentence,
        refs=references(notification.type, event, payload),
        board_name=context.board.name,
        in_app="in_app" in chosen,
        mail="due" if "email" in chosen and user.is_active and not context.board.is_example else "none",
        pictured=pictured,
        about_email=bounced_address(payload) if isinstance(payload, Invited) else None,
        about_user_id=payload.member_user_id if isinstance(payload, PersonChanged) else None,
        unregistered_user_id=payload.unregistered_user_id if isinstance(payload, PersonChanged) else None,
        delivered_at=started,
        created_at=event.created_at,
        updated_at=event.created_at,
    )


def _channels(
    context: DeliveryContext, recipient: Addressee, items: Mapping[Key, Item]
) -> frozenset[NotificationChannel]:
    """Returns the channels by which a recipient is notified; a person without an account only gets e-mails."""
    notification = context.plan.notification
    if recipient.user_id is None:
        return notification.channels & MAIL
    user_id = recipient.user_id
    preferences = notifications.preferences(user_id, items.get(PREFERENCES.key_for(userId=user_id)))
    settings = calendars.settings_of(items.get(CALENDAR_SETTINGS.key_for(userId=user_id)))
    return channels(notification, preferences, settings)
