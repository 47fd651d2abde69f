"""Turning off mails by the link in each of them, without signing in (RFC 8058; an extension of the API, ADR mail)."""

from __future__ import annotations

from typing import cast, get_args

from governance.domain.notifications import unsubscribing as rules
from governance.domain.notifications.unsubscribing import Subscription
from governance.errors import not_found
from governance.models.calendar import StoredCalendarSettings
from governance.models.notifications.notification import Category, Channel, MailSubscription
from governance.settings import Secret, settings
from governance.store import notifications
from governance.store.calendars import calendars
from governance.store.schema.entities import CALENDAR_SETTINGS, PREFERENCES, USER
from governance.store.schema.keys import Key
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome, RequestInfo
from governance.usecases.declarations import finds, loads, uses_secret

_BOTH: tuple[Channel, ...] = ("email", "in_app")


def _rows(info: RequestInfo) -> list[Key]:
    link = rules.parse(settings().secret(Secret.INVITE_LINK), info.params["unsubscribeToken"])
    rows = (USER, PREFERENCES, CALENDAR_SETTINGS)
    return [] if link is None else [row.key_for(userId=link.subscription.user_id) for row in rows]


def subscription(context: Context) -> Subscription:
    """Returns the subscription that the link names.

    Raises 404 for any other text, and for a link that has ended: after a year, with the address that it was sent to,
    and with the user.
    """
    secret = settings().secret(Secret.INVITE_LINK)
    link = rules.parse(secret, context.params["unsubscribeToken"])
    user = None if link is None else context.item(USER, userId=link.subscription.user_id)
    if link is None or user is None or user.get("purged") or not link.works(secret, user["email"], context.now):
        raise not_found()
    return link.subscription


@uses_secret(Secret.INVITE_LINK)
@loads(_rows)
@finds(subscription)
def get_subscription(context: Context, found: Subscription) -> MailSubscription:
    """Returns whether the user gets these mails."""
    return MailSubscription(topic=found.topic, enabled=_is_enabled(context, found))


@uses_secret(Secret.INVITE_LINK)
@loads(_rows)
@finds(subscription)
def unsubscribe(context: Context, found: Subscription) -> Outcome[MailSubscription]:
    """Turns these mails off; notifications in the app stay."""
    writes = [_write(context, found)] if _is_enabled(context, found) else []
    return Outcome(MailSubscription(topic=found.topic, enabled=False), writes)


def _is_enabled(context: Context, found: Subscription) -> bool:
    if found.topic in get_args(Category):
        return "email" in _channels(context, found)
    return _calendar_settings(context, found).wants(found.topic)  # type: ignore[arg-type]


def _write(context: Context, found: Subscription) -> Write:
    if found.topic in get_args(Category):
        old = notifications.preferences(found.user_id, context.item(PREFERENCES, userId=found.user_id))
        others = tuple(channel for channel in _channels(context, found) if channel != "email")
        chosen = {**old.preferences, cast("Category", found.topic): others}
        new = old.model_copy(update={"preferences": chosen, "version": old.version + 1})
        return notifications.put_preferences(old, new)
    name = "invitations" if found.topic == "invitations" else "vote_requests"
    changed = _calendar_settings(context, found).model_copy(update={name: False})
    return calendars.put_settings(found.user_id, changed)


def _channels(context: Context, found: Subscription) -> tuple[Channel, ...]:
    stored = notifications.preferences(found.user_id, context.item(PREFERENCES, userId=found.user_id))
    return stored.preferences.get(cast("Category", found.topic), _BOTH)


def _calendar_settings(context: Context, found: Subscription) -> StoredCalendarSettings:
    return calendars.settings_of(context.item(CALENDAR_SETTINGS, userId=found.user_id))
