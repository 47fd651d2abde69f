"""Notifications, the mark up to which all are read, and preferences: all in the user's own collection (ADR 0063).

A notification's id begins with its moment, so its place in the list is its id; what is deleted, or was never to be
shown, is in no list, but stays under its key until it expires: a repeated event finds it there.
"""

from __future__ import annotations

from collections.abc import Iterable

from governance.errors import not_found
from governance.instants import shift
from governance.limits import NOTIFICATION_DAYS, NOTIFICATIONS_LISTED
from governance.models.notification import StoredNotification, StoredPreferences
from governance.store.schema import NOTIFICATION, NOTIFICATIONS_READ, PREFERENCES, USER, Item, Key, make_item
from governance.store.table import Range, query
from governance.store.writes import ABSENT, Condition, Put, Update, Write, equals, fail_with

_LIST = "NOTIFICATIONS#"
_READ_AT = "readAt"
_CLAIM = "mailClaim"


def key(user_id: str, notification_id: str) -> Key:
    """Where a notification lies."""
    return NOTIFICATION.at(userId=user_id, notificationId=notification_id)


def create(notification: StoredNotification) -> Put:
    """A notification, if there is none of its event and user yet."""
    place = {"L1": f"{_LIST}{notification.id}"} if notification.in_app else {}
    expiry = shift(notification.created_at, days=NOTIFICATION_DAYS)
    item = make_item(key(notification.user_id, notification.id), notification.item(), ttl=expiry, **place)
    return Put(item, ABSENT)


def newest(user_id: str) -> list[StoredNotification]:
    """As many as a list shows, newest first."""
    items = query(Range(USER.at(userId=user_id).pk, _LIST, "L1"), NOTIFICATIONS_LISTED, descending=True)
    return [StoredNotification.model_validate(item) for item in items]


def mark_read(notification: StoredNotification, now: str) -> Write:
    """The notification is read, if it was not deleted meanwhile."""
    return Update(
        key(notification.user_id, notification.id),
        "SET #r = :true, #u = :now",
        {"#r": "read", "#u": "updatedAt"},
        {":true": True, ":now": now},
        equals(deleted=False),
        fail_with(not_found),
    )


def delete(notification: StoredNotification) -> Write:
    """The notification is in no list any more."""
    return Update(
        key(notification.user_id, notification.id),
        "SET #d = :true REMOVE #l",
        {"#d": "deleted", "#l": "L1"},
        {":true": True},
        equals(deleted=False),
        fail_with(not_found),
    )


def claim_mail(notification: StoredNotification, claim: str) -> Write:
    """The mail is about to be sent, by whoever made this claim and nobody else; a repeat of the claim holds as well."""
    free = Condition("#m = :due OR #c = :claim", {}, {":due": "due"})
    names, values = {"#m": "mail", "#c": _CLAIM}, {":sent": "sent", ":claim": claim}
    return Update(key(notification.user_id, notification.id), "SET #m = :sent, #c = :claim", names, values, free)


def release_mail(notification: StoredNotification, claim: str) -> Write:
    """The mail was not sent by whoever made this claim: it is still due."""
    names, values = {"#m": "mail", "#c": _CLAIM}, {":due": "due"}
    place = key(notification.user_id, notification.id)
    return Update(place, "SET #m = :due REMOVE #c", names, values, equals(**{_CLAIM: claim}))


def mark_all_read(user_id: str, now: str) -> Write:
    """All that was delivered until now is read: one write, whatever the number."""
    return Put(make_item(NOTIFICATIONS_READ.at(userId=user_id), {_READ_AT: now}))


def read_until(item: Item | None) -> str:
    """The instant until which all is read; empty where that was never said."""
    return str(item[_READ_AT]) if item else ""


def preferences(user_id: str, item: Item | None) -> StoredPreferences:
    """A user's preferences; without any, none is overridden."""
    return StoredPreferences.model_validate(item) if item else StoredPreferences(user_id=user_id)


def put_preferences(old: StoredPreferences, new: StoredPreferences) -> Write:
    """A user's preferences as they are now, if they are still as they were read."""
    condition = equals(version=old.version) if old.version else ABSENT
    return Put(make_item(PREFERENCES.at(userId=new.user_id), new.item()), condition)


def recipient_keys(user_id: str, notification_id: str) -> Iterable[Key]:
    """What is read of a user before he is notified: the notification, should it be there, himself, his preferences."""
    return key(user_id, notification_id), USER.at(userId=user_id), PREFERENCES.at(userId=user_id)
