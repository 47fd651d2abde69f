"""Notifications and preferences (the API specification, section 4.13)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice

from governance.domain.notifications import notifications as notifications_rules
from governance.errors import not_found
from governance.limits import NOTIFICATIONS_LISTED
from governance.models.account.user import StoredUser
from governance.models.notifications.notification import (
    Message,
    Notification,
    PreferenceBody,
    Preferences,
    ReadMark,
    StoredNotification,
)
from governance.models.page import JsonArrayStream, LegacyListQuery
from governance.store.dynamodb import run_async
from governance.store.notifications import notifications
from governance.store.schema.entities import NOTIFICATION, NOTIFICATIONS_READ, PREFERENCES
from governance.store.schema.keys import Entity, Item, Key
from governance.store.transactions import transact
from governance.usecases.context import Context, Outcome, RequestInfo
from governance.usecases.declarations import Loader, finds, loads, prefetch
from governance.usecases.notifications.notification_references import is_hidden, with_references


def _own(entity: Entity) -> Loader:
    """Loads the calling user's own item of an entity."""

    def keys(info: RequestInfo) -> Iterable[Key | None]:
        return [entity.key_or_none(**{**info.params, "userId": info.user_id})] if info.user_id else []

    return keys


def _item(context: Context, entity: Entity) -> Item | None:
    return context.item(entity, userId=context.principal.named_user_id)


def _newest(info: RequestInfo) -> list[StoredNotification]:
    return notifications.newest(info.known_user_id)


def _rows_of_page(query: LegacyListQuery) -> int:
    """Returns how many notifications are read at a time: one more than are shown, to know whether more follow."""
    return min((query.limit or NOTIFICATIONS_LISTED) + 1, NOTIFICATIONS_LISTED)


def _first_rows(info: RequestInfo) -> list[StoredNotification]:
    """Reads the rows of the first page; later pages need all of them, because the list is limited to 500."""
    number = _rows_of_page(info.query_as(LegacyListQuery)) if info.after is None else NOTIFICATIONS_LISTED
    return notifications.newest(info.known_user_id, number)


@loads(_own(NOTIFICATIONS_READ))
@prefetch(_first_rows)
def list_notifications(
    context: Context, first: list[StoredNotification], query: LegacyListQuery
) -> JsonArrayStream[Notification]:
    """Returns the newest notifications of the last 180 days, newest first, with the resources that they refer to."""
    number = _rows_of_page(query)
    return JsonArrayStream(_entries(context, _iter_kept(context, first, number), number), query.limit)


def _iter_kept(context: Context, first: Sequence[StoredNotification], number: int) -> Iterator[StoredNotification]:
    """Yields the notifications behind the cursor; reads those beyond the first rows when they are needed."""
    yield from (notification for notification in first if _is_kept(context, notification, context.after))
    if context.after is None and len(first) == number and number < NOTIFICATIONS_LISTED:
        newest = notifications.newest(context.principal.named_user_id)
        yield from (notification for notification in newest if _is_kept(context, notification, first[-1].id))


def _is_kept(context: Context, notification: StoredNotification, after: str | None) -> bool:
    return notifications_rules.is_kept(notification, context.now) and (after is None or notification.id < after)


def _entries(context: Context, stored: Iterator[StoredNotification], number: int) -> Iterator[tuple[str, str | None]]:
    """Yields the notifications. The resources that they refer to are read in batches."""
    while some := [_with_read_mark(context, notification) for notification in islice(stored, number)]:
        shown = {notification.id: notification for notification in with_references(some, _reader(context))}
        for notification in some:
            visible = shown.get(notification.id)
            yield notification.id, visible.to_json() if visible else None


def _with_read_mark(context: Context, notification: StoredNotification) -> StoredNotification:
    """Returns the notification, marked as read if it was there when the caller marked all as read."""
    mark = _read_mark(context)
    if notification.read or not notifications_rules.is_read(notification, mark):
        return notification
    return notification.model_copy(update={"read": True, "updated_at": mark.marked_at})


def _read_mark(context: Context) -> ReadMark:
    return notifications.read_mark(context.principal.named_user_id, _item(context, NOTIFICATIONS_READ))


def _notification(context: Context) -> StoredNotification:
    item = _item(context, NOTIFICATION)
    stored = StoredNotification.model_validate(item) if item else None
    if stored is None or stored.deleted or not stored.in_app or not notifications_rules.is_kept(stored, context.now):
        raise not_found()
    if is_hidden(stored, context.known_user_id):
        raise not_found()
    return stored


def _reader(context: Context) -> StoredUser:
    user = context.principal.user
    if user is None:
        raise not_found()
    return user


def _one_with_references(context: Context, stored: StoredNotification) -> Notification:
    for response in with_references([stored], _reader(context)):
        return response
    raise not_found()


@loads(_own(NOTIFICATION), _own(NOTIFICATIONS_READ))
@finds(_notification)
def mark_notification_read(context: Context, notification: StoredNotification) -> Notification:
    """Marks a notification as read; does nothing if it is read already."""
    stored = _with_read_mark(context, notification)
    if stored.read:
        return _one_with_references(context, stored)
    # Committed here, in parallel with the read of the resource that it refers to: one round trip less.
    writing = run_async(partial(transact, [notifications.mark_read(stored, context.now)]))
    response = _one_with_references(context, stored.model_copy(update={"read": True, "updated_at": context.now}))
    writing.result()
    return response


@loads(_own(NOTIFICATIONS_READ))
@prefetch(_newest)
def mark_all_notifications_read(context: Context, newest: list[StoredNotification]) -> Outcome[Message]:
    """Marks all notifications as read that are there now; one that is delivered at the same time stays unread."""
    old = _read_mark(context)
    new = notifications_rules.all_read(old, newest, context.now)
    return Outcome(Message(message="All notifications were marked as read."), [notifications.put_read_mark(old, new)])


@loads(_own(NOTIFICATION))
@finds(_notification)
def delete_notification(_context: Context, notification: StoredNotification) -> Outcome[Message]:
    """Deletes a notification for good, even if its event is delivered again."""
    return Outcome(Message(message="The notification was deleted."), [notifications.delete(notification)])


@loads(_own(PREFERENCES))
def get_notification_preferences(context: Context) -> Preferences:
    """Returns the channels of the categories that the caller has changed."""
    user_id = context.principal.named_user_id
    return Preferences(preferences=notifications.preferences(user_id, _item(context, PREFERENCES)).preferences)


@loads(_own(PREFERENCES))
def put_notification_preference(context: Context, body: PreferenceBody) -> Outcome[Preferences]:
    """Sets the channels of a category; returns all categories that the caller has changed."""
    old = notifications.preferences(context.principal.named_user_id, _item(context, PREFERENCES))
    chosen = {**old.preferences, body.event_category: tuple(dict.fromkeys(body.channels))}
    new = old.model_copy(update={"preferences": chosen, "version": old.version + 1})
    return Outcome(Preferences(preferences=chosen), [notifications.put_preferences(old, new)])
