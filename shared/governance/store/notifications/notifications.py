"""Notifications, the mark up to which all are read, and preferences: all in partitions of the user (ADR deliveries).

A notification's id begins with its instant, so that its position in the list is its id. A notification that is deleted
or is never shown is in no list, but stays under its key until it expires, so that a repeated event finds it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from governance.errors import not_found
from governance.ids import PersonId, RecipientId, UserId
from governance.instants import Instant, shift
from governance.limits import NOTIFICATION_DAYS, NOTIFICATIONS_LISTED
from governance.models.notifications.notification import ReadMark, StoredNotification, StoredPreferences
from governance.store.decoding import decode_all
from governance.store.schema import ranges
from governance.store.schema.entities import (
    CALENDAR_SETTINGS,
    NOTIFICATION,
    NOTIFICATIONS_READ,
    PREFERENCES,
    USER,
    delivered_partition,
)
from governance.store.schema.keys import PK, SK, Item, Key, Range, key_of, make_item
from governance.store.table import iter_ranges, query
from governance.store.writes import ABSENT, EXISTS, Condition, Put, Update, Write, equals, fail_with

CLAIM = "mailClaim"
"""The attribute of a notification whose e-mail somebody is sending, or has sent."""
_NAMED = "unregisteredUserId"
_SIDE_BY_SIDE = 1000
"""Notifications of each user that are read at once with those of others: few have more."""


def key(recipient_id: RecipientId, notification_id: str) -> Key:
    """Returns the key of a notification."""
    return NOTIFICATION.key_for(userId=recipient_id, notificationId=notification_id)


def create(notification: StoredNotification) -> Put:
    """Returns the write of a notification. It fails with `StaleRead` if its event and user have one already."""
    entry = ranges.NOTIFICATIONS.entry(notification.id) if notification.in_app else {}
    expiry = shift(notification.created_at, days=NOTIFICATION_DAYS)
    item = make_item(key(notification.user_id, notification.id), notification.item(), ttl=expiry, **entry)
    return Put(item, ABSENT)


def renew(old: StoredNotification, new: StoredNotification) -> Put:
    """Returns the write of a notification about more slots. It fails with `StaleRead` if another did so first."""
    return replace(create(new), condition=equals(slotIds=list(old.slot_ids)))


def newest(user_id: UserId, number: int = NOTIFICATIONS_LISTED) -> list[StoredNotification]:
    """Returns the latest notifications of a user, `number` at most, newest first."""
    listed = ranges.NOTIFICATIONS.within(delivered_partition(user_id))
    items = query(listed, number, descending=True)
    return decode_all(StoredNotification, items)


def keys_about(user_ids: Iterable[UserId], person_id: PersonId) -> Iterator[Key]:
    """Yields the keys of users' notifications that a person without an account caused, hidden ones too."""
    for row in _rows_of(user_ids, "refs"):
        if row.get("refs", {}).get("unregisteredUserId") == person_id:
            yield key_of(row)


def keys_naming(user_ids: Iterable[UserId], person_id: PersonId) -> Iterator[Key]:
    """Yields the keys of users' notifications whose text names a person without an account, hidden ones too."""
    for row in _rows_of(user_ids, _NAMED):
        if row.get(_NAMED) == person_id:
            yield key_of(row)


def _rows_of(user_ids: Iterable[UserId], attribute: str) -> Iterator[Item]:
    """Yields an attribute of users' notifications, with their keys; the users' are read in parallel."""
    spans = [Range(delivered_partition(user_id), NOTIFICATION.sk_prefix) for user_id in user_ids]
    return iter_ranges(spans, _SIDE_BY_SIDE, PK, SK, attribute)


def forget_named(key: Key) -> Write:
    """Returns the write after which a notification does not say any more which person its text names."""
    return Update(key, "REMOVE #n", {"#n": _NAMED}, {}, EXISTS)


def change_actor(key: Key, person_id: PersonId, user_id: UserId) -> Write:
    """Returns the write after which a user caused a notification, in place of a person without an account."""
    names = {"#p": "unregisteredUserId", "#t": "triggeringUserId"}
    condition = Condition("refs.#p = :person", {"#p": "unregisteredUserId"}, {":person": person_id})
    return Update(key, "SET refs.#t = :user REMOVE refs.#p", names, {":user": user_id}, condition)


def mark_read(notification: StoredNotification, now: Instant) -> Write:
    """Returns the write that marks a notification as read. It fails with 404 if it was deleted meanwhile."""
    return Update(
        key(notification.user_id, notification.id),
        "SET #r = :true, #u = :now",
        {"#r": "read", "#u": "updatedAt"},
        {":true": True, ":now": now},
        equals(deleted=False),
        fail_with(not_found),
    )


def delete(notification: StoredNotification) -> Write:
    """Returns the write that takes a notification out of the list. It fails with 404 if it was deleted meanwhile."""
    return Update(
        key(notification.user_id, notification.id),
        "SET #d = :true REMOVE #l",
        {"#d": "deleted", "#l": ranges.NOTIFICATIONS.attribute},
        {":true": True},
        equals(deleted=False),
        fail_with(not_found),
    )


def claim_mail(notification: StoredNotification, claim: str) -> Write:
    """Returns the write that claims the right to send a notification's e-mail.

    It fails with `StaleRead` if the e-mail is not due or is claimed by another; a repeat of the same claim succeeds.
    """
    free = Condition("#m = :due OR #c = :claim", {}, {":due": "due"})
    names, values = {"#m": "mail", "#c": CLAIM}, {":sent": "sent", ":claim": claim}
    return Update(key(notification.user_id, notification.id), "SET #m = :sent, #c = :claim", names, values, free)


def release_mail(notification: StoredNotification, claim: str) -> Write:
    """Returns the write that gives a claim back, after which the e-mail is due again."""
    names, values = {"#m": "mail", "#c": CLAIM}, {":due": "due"}
    claimed = equals(**{CLAIM: claim})
    return Update(key(notification.user_id, notification.id), "SET #m = :due REMOVE #c", names, values, claimed)


def throttle_mail(notification: StoredNotification) -> Write:
    """Returns the write that gives an e-mail up because its recipient is over a quota; the notification is in-app only.

    A notification that was for e-mail alone is put in the list. It fails with `StaleRead` if the e-mail is not due.
    """
    names, values = {"#m": "mail", "#i": "inApp"}, {":throttled": "throttled", ":true": True}
    listing = ""
    if not notification.in_app:
        ((attribute, value),) = ranges.NOTIFICATIONS.entry(notification.id).items()
        listing, names["#l"], values[":l"] = ", #l = :l", attribute, value
    expression = f"SET #m = :throttled, #i = :true{listing}"
    return Update(key(notification.user_id, notification.id), expression, names, values, equals(mail="due"))


def read_mark(user_id: UserId, item: Item | None) -> ReadMark:
    """Returns the mark of what a user has read, from its item; an empty mark without one."""
    return ReadMark.model_validate(item) if item else ReadMark(user_id=user_id)


def put_read_mark(old: ReadMark, new: ReadMark) -> Write:
    """Returns the write of a user's read mark. It fails with `StaleRead` if the mark changed meanwhile."""
    condition = equals(version=old.version) if old.version else ABSENT
    return Put(make_item(NOTIFICATIONS_READ.key_for(userId=new.user_id), new.item()), condition)


def preferences(user_id: UserId, item: Item | None) -> StoredPreferences:
    """Returns a user's preferences from their item; without one, nothing is overridden."""
    return StoredPreferences.model_validate(item) if item else StoredPreferences(user_id=user_id)


def put_preferences(old: StoredPreferences, new: StoredPreferences) -> Write:
    """Returns the write of a user's preferences. It fails with `StaleRead` if they changed since they were read."""
    condition = equals(version=old.version) if old.version else ABSENT
    return Put(make_item(PREFERENCES.key_for(userId=new.user_id), new.item()), condition)


def recipient_keys(user_id: UserId, notification_id: str) -> Iterable[Key]:
    """Returns the keys to read before a user is notified: the notification, the user and their preferences."""
    return (
        key(user_id, notification_id),
        USER.key_for(userId=user_id),
        PREFERENCES.key_for(userId=user_id),
        CALENDAR_SETTINGS.key_for(userId=user_id),
    )
