"""Notifications and preferences (the API specification, section 4.13)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from governance.domain.notifications import is_kept
from governance.errors import not_found
from governance.models.notification import Message, Notification, PreferenceBody, Preferences, StoredNotification
from governance.models.page import Page
from governance.store import notifications
from governance.store.schema import NOTIFICATION, NOTIFICATIONS_READ, PREFERENCES, Entity, Item, Key
from governance.store.table import run_async, transact
from governance.usecases.context import Context, Loader, Outcome, RequestInfo, loads, prefetch
from governance.usecases.notification_references import populated


def _own(entity: Entity) -> Loader:
    """The calling user's own row of an entity."""

    def keys(ask: RequestInfo) -> Iterable[Key | None]:
        return [entity.key(**{**ask.params, "userId": ask.user_id})] if ask.user_id else []

    return keys


def _item(context: Context, entity: Entity) -> Item | None:
    return context.item(entity, userId=context.principal.named_user_id)


def _newest(ask: RequestInfo) -> list[StoredNotification]:
    return notifications.newest(ask.user_id) if ask.user_id else []


@loads(_own(NOTIFICATIONS_READ))
@prefetch(_newest)
def list_notifications(context: Context) -> Page[Notification]:
    """The newest notifications of the last 180 days, newest first, with what they refer to."""
    kept = [found for found in context.prefetched if is_kept(found, context.now)]
    return Page(populated([_as_read(context, found) for found in kept]))


def _as_read(context: Context, found: StoredNotification) -> StoredNotification:
    """The notification, read where it was delivered before the caller said that all are read."""
    until = notifications.read_until(_item(context, NOTIFICATIONS_READ))
    if found.read or found.delivered_at > until:
        return found
    return found.model_copy(update={"read": True, "updated_at": until})


def _notification(context: Context) -> StoredNotification:
    item = _item(context, NOTIFICATION)
    found = StoredNotification.model_validate(item) if item else None
    if found is None or found.deleted or not found.in_app or not is_kept(found, context.now):
        raise not_found()
    return found


@loads(_own(NOTIFICATION), _own(NOTIFICATIONS_READ))
def read_notification(context: Context) -> Notification:
    """The notification, read; where it is read already nothing happens."""
    found = _as_read(context, _notification(context))
    if found.read:
        (answer,) = populated([found])
        return answer
    # Written beside the read of what it refers to, which is not part of the decision: so it costs no third call.
    writing = run_async(partial(transact, [notifications.mark_read(found, context.now)]))
    (answer,) = populated([found.model_copy(update={"read": True, "updated_at": context.now})])
    writing.result()
    return answer


def read_all_notifications(context: Context) -> Outcome[Message]:
    """Everything delivered until now is read."""
    write = notifications.mark_all_read(context.principal.named_user_id, context.now)
    return Outcome(Message(message="All notifications are marked as read."), [write])


@loads(_own(NOTIFICATION))
def delete_notification(context: Context) -> Outcome[Message]:
    """The notification is gone, also should its event be delivered once more."""
    return Outcome(Message(message="The notification is deleted."), [notifications.delete(_notification(context))])


@loads(_own(PREFERENCES))
def get_preferences(context: Context) -> Preferences:
    """The categories that the caller has overridden."""
    user_id = context.principal.named_user_id
    return Preferences(preferences=notifications.preferences(user_id, _item(context, PREFERENCES)).preferences)


@loads(_own(PREFERENCES))
def put_preference(context: Context, body: PreferenceBody) -> Outcome[Preferences]:
    """All overridden categories, with this one set."""
    old = notifications.preferences(context.principal.named_user_id, _item(context, PREFERENCES))
    chosen = {**old.preferences, body.event_category: tuple(dict.fromkeys(body.channels))}
    new = old.model_copy(update={"preferences": chosen, "version": old.version + 1})
    return Outcome(Preferences(preferences=chosen), [notifications.put_preferences(old, new)])
