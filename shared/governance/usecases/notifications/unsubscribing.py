"""Turning off mails by the link in each of them, without signing in (RFC 8058; an extension of the API, ADR 0133)."""

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


def _parsed(token: str) -> Subscription | None:
    return rules.parse(settings().secret(Secret.INVITE_LINK), token)


def _rows(info: RequestInfo) -> list[Key]:
    found = _parsed(info.params["unsubscribeToken"])
    return (
        [] if found is None else [row.key_for(userId=found.user_id) for row in (USER, PREFERENCES, CALENDAR_SETTINGS)]
    )


def subscription(context: Context) -> Subscription:
    """Returns the subscription that the link names; raises 404 for any other text, and for a user who was purged."""
    found = _parsed(context.params["unsubscribeToken"])
    user = None if found is None else context.item(USER, userId=found.user_id)
    if found is None or user is None or user.get("purged"):
        raise not_found()
    return found


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
    return _switched(context, found, enabled=False)


@uses_secret(Secret.INVITE_LINK)
@loads(_rows)
@finds(subscription)
def subscribe_again(context: Context, found: Subscription) -> Outcome[MailSubscription]:
    """Turns these mails on again."""
    return _switched(context, found, enabled=True)


def _is_enabled(context: Context, found: Subscription) -> bool:
    if found.topic in get_args(Category):
        return "email" in _channels(context, found)
    return _calendar_settings(context, found).wants(found.topic)  # type: ignore[arg-type]


def _switched(context: Context, found: Subscription, *, enabled: bool) -> Outcome[MailSubscription]:
    answer = MailSubscription(topic=found.topic, enabled=enabled)
    return Outcome(answer, [] if _is_enabled(context, found) == enabled else [_write(context, found, enabled)])


def _write(context: Context, found: Subscription, enabled: bool) -> Write:
    if found.topic in get_args(Category):
        old = notifications.preferences(found.user_id, context.item(PREFERENCES, userId=found.user_id))
        others = tuple(channel for channel in _channels(context, found) if channel != "email")
        chosen = {**old.preferences, cast("Category", found.topic): ("email", *others) if enabled else others}
        new = old.model_copy(update={"preferences": chosen, "version": old.version + 1})
        return notifications.put_preferences(old, new)
    name = "invitations" if found.topic == "invitations" else "vote_requests"
    changed = _calendar_settings(context, found).model_copy(update={name: enabled})
    return calendars.put_settings(found.user_id, changed)


def _channels(context: Context, found: Subscription) -> tuple[Channel, ...]:
    stored = notifications.preferences(found.user_id, context.item(PREFERENCES, userId=found.user_id))
    return stored.preferences.get(cast("Category", found.topic), _BOTH)


def _calendar_settings(context: Context, found: Subscription) -> StoredCalendarSettings:
    return calendars.settings_of(context.item(CALENDAR_SETTINGS, userId=found.user_id))
