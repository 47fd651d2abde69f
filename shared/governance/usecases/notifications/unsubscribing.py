"""Turning off mails by the link in each of them, without signing in (RFC 8058; an extension of the API, ADR mail)."""

from __future__ import annotations

from dataclasses import replace
from typing import cast, get_args

from governance.domain.events.members import UNREGISTERED_USER_UPDATED, PersonChanged
from governance.domain.history.audit import changed_fields
from governance.domain.members.unregistered_user import changed
from governance.domain.notifications import unsubscribing as unsubscribing_rules
from governance.domain.notifications.unsubscribing import Subscription
from governance.errors import not_found
from governance.models.boards.board import StoredBoard
from governance.models.calendars.calendar import StoredCalendarSettings
from governance.models.members.unregistered_user import StoredUnregisteredUser
from governance.models.notifications.notification import MailSubscription, NotificationCategory, NotificationChannel
from governance.settings import Secret, settings
from governance.store.calendars import calendars
from governance.store.members import unregistered_users
from governance.store.notifications import notifications
from governance.store.schema.entities import BOARD, CALENDAR_SETTINGS, PREFERENCES, UNREGISTERED_USER, USER
from governance.store.schema.keys import Key
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome, RequestInfo
from governance.usecases.declarations import finds, loads, uses_secret
from governance.usecases.event_writes import record_event

_BOTH: tuple[NotificationChannel, ...] = ("email", "in_app")


def _rows(info: RequestInfo) -> list[Key]:
    link = unsubscribing_rules.parse(settings().secret(Secret.INVITE_LINK), info.params["unsubscribeToken"])
    if link is None:
        return []
    if link.subscription.board_id is not None:
        return [UNREGISTERED_USER.key_for(**_names(link.subscription)), BOARD.key_for(**_names(link.subscription))]
    rows = (USER, PREFERENCES, CALENDAR_SETTINGS)
    return [row.key_for(userId=link.subscription.user_id) for row in rows]


def _names(linked: Subscription) -> dict[str, str]:
    """Returns the ids of a person without an account, by which their row is found."""
    return {"boardId": linked.board_id or "", "unregisteredUserId": linked.recipient_id}


def _person(context: Context, linked: Subscription) -> StoredUnregisteredUser | None:
    if linked.board_id is None or context.item(BOARD, **_names(linked)) is None:
        return None
    return context.stored_or_none(UNREGISTERED_USER, StoredUnregisteredUser, **_names(linked))


def _address(context: Context, linked: Subscription) -> str | None:
    """Returns the address of a subscription's recipient; None if they do not exist, or have no address any more."""
    if linked.board_id is not None:
        person = _person(context, linked)
        return person.email if person and person.status == "active" else None
    user = context.item(USER, userId=linked.user_id)
    return None if user is None or user.get("purged") else str(user["email"])


def subscription(context: Context) -> Subscription:
    """Returns the subscription that the link names.

    Raises 404 for any other text, and for a link that has ended: after a year, with the address that it was sent to,
    and with the user.
    """
    secret = settings().secret(Secret.INVITE_LINK)
    link = unsubscribing_rules.parse(secret, context.params["unsubscribeToken"])
    address = None if link is None else _address(context, link.subscription)
    if link is None or address is None or not link.works(secret, address, context.now):
        raise not_found()
    return link.subscription


@uses_secret(Secret.INVITE_LINK)
@loads(_rows)
@finds(subscription)
def get_mail_subscription(context: Context, linked: Subscription) -> MailSubscription:
    """Returns whether the user gets these mails."""
    return MailSubscription(topic=linked.topic, enabled=_is_enabled(context, linked))


@uses_secret(Secret.INVITE_LINK)
@loads(_rows)
@finds(subscription)
def unsubscribe_from_mails(context: Context, linked: Subscription) -> Outcome[MailSubscription]:
    """Turns these mails off; notifications in the app stay."""
    writes = _writes(context, linked) if _is_enabled(context, linked) else []
    return Outcome(MailSubscription(topic=linked.topic, enabled=False), writes)


def _is_enabled(context: Context, linked: Subscription) -> bool:
    if (person := _person(context, linked)) is not None:
        return person.receives_mail
    if linked.topic in get_args(NotificationCategory):
        return "email" in _channels(context, linked)
    return _calendar_settings(context, linked).wants(linked.topic)  # type: ignore[arg-type]


def _writes(context: Context, linked: Subscription) -> list[Write]:
    person = _person(context, linked)
    return [_write(context, linked)] if person is None else _writes_of_person(context, person)


def _writes_of_person(context: Context, old: StoredUnregisteredUser) -> list[Write]:
    """Returns the writes after which a person without an account gets no mails; nobody is the actor of their event."""
    new = changed(old.model_copy(update={"receives_mail": False}), context.now)
    named = PersonChanged(unregistered_user_id=new.id, id=new.id, fields=changed_fields(old, new))
    event = record_event(context, UNREGISTERED_USER_UPDATED, named, board_id=new.board_id)
    board = context.stored(BOARD, StoredBoard, boardId=new.board_id)
    return replace(context, known_board=board).while_board_exists([*unregistered_users.replace(old, new), *event])


def _write(context: Context, linked: Subscription) -> Write:
    if linked.topic in get_args(NotificationCategory):
        old = notifications.preferences(linked.user_id, context.item(PREFERENCES, userId=linked.user_id))
        others = tuple(channel for channel in _channels(context, linked) if channel != "email")
        chosen = {**old.preferences, cast("NotificationCategory", linked.topic): others}
        new = old.model_copy(update={"preferences": chosen, "version": old.version + 1})
        return notifications.put_preferences(old, new)
    name = "invitations" if linked.topic == "invitations" else "vote_requests"
    changed = _calendar_settings(context, linked).model_copy(update={name: False})
    return calendars.put_settings(linked.user_id, changed)


def _channels(context: Context, linked: Subscription) -> tuple[NotificationChannel, ...]:
    stored = notifications.preferences(linked.user_id, context.item(PREFERENCES, userId=linked.user_id))
    return stored.preferences.get(cast("NotificationCategory", linked.topic), _BOTH)


def _calendar_settings(context: Context, linked: Subscription) -> StoredCalendarSettings:
    return calendars.settings_of(context.item(CALENDAR_SETTINGS, userId=linked.user_id))
