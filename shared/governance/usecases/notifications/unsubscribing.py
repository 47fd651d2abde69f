"""Turning off mails by the link in each of them, without signing in (RFC 8058; an extension of the API, ADR mail)."""

from __future__ import annotations

from dataclasses import replace
from typing import cast, get_args

from governance.domain.audit import changed_fields
from governance.domain.events.unregistered_users import UNREGISTERED_USER_UPDATED, PersonChanged
from governance.domain.members.unregistered_user import changed
from governance.domain.notifications import unsubscribing as rules
from governance.domain.notifications.unsubscribing import Subscription
from governance.errors import not_found
from governance.models.boards.board import StoredBoard
from governance.models.boards.unregistered_user import StoredUnregisteredUser
from governance.models.calendar import StoredCalendarSettings
from governance.models.notifications.notification import Category, Channel, MailSubscription
from governance.settings import Secret, settings
from governance.store import notifications
from governance.store.boards import unregistered_users
from governance.store.calendars import calendars
from governance.store.schema.entities import BOARD, CALENDAR_SETTINGS, PREFERENCES, UNREGISTERED_USER, USER
from governance.store.schema.keys import Key
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome, RequestInfo
from governance.usecases.declarations import finds, loads, uses_secret
from governance.usecases.event_writes import record_event

_BOTH: tuple[Channel, ...] = ("email", "in_app")


def _rows(info: RequestInfo) -> list[Key]:
    link = rules.parse(settings().secret(Secret.INVITE_LINK), info.params["unsubscribeToken"])
    if link is None:
        return []
    if link.subscription.board_id is not None:
        return [UNREGISTERED_USER.key_for(**_names(link.subscription)), BOARD.key_for(**_names(link.subscription))]
    rows = (USER, PREFERENCES, CALENDAR_SETTINGS)
    return [row.key_for(userId=link.subscription.user_id) for row in rows]


def _names(found: Subscription) -> dict[str, str]:
    """Returns the ids of a person without an account, by which their row is found."""
    return {"boardId": found.board_id or "", "unregisteredUserId": found.user_id}


def _person(context: Context, found: Subscription) -> StoredUnregisteredUser | None:
    if found.board_id is None or context.item(BOARD, **_names(found)) is None:
        return None
    return context.stored_or_none(UNREGISTERED_USER, StoredUnregisteredUser, **_names(found))


def _address(context: Context, found: Subscription) -> str | None:
    """Returns the address of whom a subscription names; None if they do not exist, or have no address any more."""
    if found.board_id is not None:
        person = _person(context, found)
        return person.email if person and person.status == "active" else None
    user = context.item(USER, userId=found.user_id)
    return None if user is None or user.get("purged") else str(user["email"])


def subscription(context: Context) -> Subscription:
    """Returns the subscription that the link names.

    Raises 404 for any other text, and for a link that has ended: after a year, with the address that it was sent to,
    and with the user.
    """
    secret = settings().secret(Secret.INVITE_LINK)
    link = rules.parse(secret, context.params["unsubscribeToken"])
    address = None if link is None else _address(context, link.subscription)
    if link is None or address is None or not link.works(secret, address, context.now):
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
    writes = _writes(context, found) if _is_enabled(context, found) else []
    return Outcome(MailSubscription(topic=found.topic, enabled=False), writes)


def _is_enabled(context: Context, found: Subscription) -> bool:
    if (person := _person(context, found)) is not None:
        return person.receives_mail
    if found.topic in get_args(Category):
        return "email" in _channels(context, found)
    return _calendar_settings(context, found).wants(found.topic)  # type: ignore[arg-type]


def _writes(context: Context, found: Subscription) -> list[Write]:
    person = _person(context, found)
    return [_write(context, found)] if person is None else _writes_of_person(context, person)


def _writes_of_person(context: Context, old: StoredUnregisteredUser) -> list[Write]:
    """Returns the writes after which a person without an account gets no mails; nobody is the actor of their event."""
    new = changed(old.model_copy(update={"receives_mail": False}), context.now)
    named = PersonChanged(unregistered_user_id=new.id, id=new.id, fields=changed_fields(old, new))
    event = record_event(context, UNREGISTERED_USER_UPDATED, named, board_id=new.board_id)
    board = context.stored(BOARD, StoredBoard, boardId=new.board_id)
    return replace(context, known_board=board).while_board_exists([*unregistered_users.replace(old, new), *event])


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
