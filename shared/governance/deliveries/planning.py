"""Plans what follows from an event: one message for each batch of recipients, and one for the cleanup (ADR 0100)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from governance import delivery_queue
from governance.deliveries.announcements import Announcement, announcements, recipients_message
from governance.deliveries.calendar_invitations import plan_calendar_invitations, plan_withdrawals
from governance.deliveries.comment_readers import still_told_of_comment
from governance.deliveries.figures import plan_figures
from governance.deliveries.reminders import still_reminded
from governance.delivery_queue import Message
from governance.domain.calendars import calendar as calendar_rules
from governance.domain.example_board import character_ids
from governance.domain.notifications.notification_rules import RecipientGroup
from governance.domain.notifications.notifications import named_users, recipients, rule_for
from governance.errors import suppress_not_found
from governance.ids import BoardId, UserId
from governance.instants import now
from governance.limits import TRANSACTION_WRITES
from governance.models.boards.board import RosterEntry
from governance.models.event import Event, StoredEvent
from governance.models.meetings.due import DeliveryKind
from governance.packs.message import pack_message
from governance.store.account import users
from governance.store.boards import boards
from governance.store.calendars import calendars
from governance.store.transactions import transact
from governance.usecases.boards.board_order import move_in_lists
from governance.usecases.boards.example_boards import fill_example_board
from governance.usecases.cleanup import delete_leftovers, leaves_something
from governance.usecases.reports.dashboard_owners import owner_now
from governance.webhooks.planning import plan_webhooks

_RECIPIENTS_PER_MESSAGE = TRANSACTION_WRITES
"""Their notifications are written in one transaction."""


class UnknownEventError(Exception):
    """An event has a type that this release does not know."""


ReadRoster = Callable[[BoardId], list[RosterEntry]]


def event_message(stored: Mapping[str, Any]) -> Message:
    """Returns the message that begins the delivery of a stored event.

    The event is not validated here: one that cannot be delivered ends in the dead-letter queue, with all that it holds.
    """
    return Message(DeliveryKind.EVENT, str(stored.get("boardId") or "none"), stored)


def plan_event(stored: Mapping[str, Any]) -> Iterable[Message]:
    """Returns the messages that follow from an event. If one plan fails, the others are sent before it is raised.

    Raises `UnknownEventError` for an event of a type that only a newer release knows: that release handles it when it
    is tried again, or when it is sent again from the dead-letter queue.
    """
    event = StoredEvent.model_validate(stored)
    if event.type not in set(Event):
        raise UnknownEventError
    messages: list[Message] = []
    errors: list[Exception] = []
    for plan in PLANS:
        try:
            messages += plan(event)
        except Exception as error:  # noqa: BLE001 - raised below
            errors.append(error)
    if errors:
        delivery_queue.send(messages)
        raise errors[0]
    return messages


def plan_notifications(event: StoredEvent) -> Iterator[Message]:
    """Yields a message for each hundred recipients of each announcement of the event.

    Nobody is notified of what the made-up members of an example board do.
    """
    if event.actor_user_id in character_ids(event.board_id):
        return
    roster = cache(boards.roster)  # an opened draft has many announcements
    for announcement in announcements(event, now()):
        yield from _messages(announcement, _recipient_ids(announcement, roster))


def messages_to(user_ids: Sequence[UserId], event: StoredEvent) -> Iterator[Message]:
    """Yields the messages that notify these users of an event; nothing if the event has no rule."""
    if (rule := rule_for(event)) is not None:
        yield from _messages(Announcement(rule, event), user_ids)


def _messages(announcement: Announcement, user_ids: Sequence[UserId]) -> Iterator[Message]:
    for start in range(0, len(user_ids), _RECIPIENTS_PER_MESSAGE):
        batch = user_ids[start : start + _RECIPIENTS_PER_MESSAGE]
        yield recipients_message(DeliveryKind.NOTIFICATIONS, announcement, batch)


def _recipient_ids(announcement: Announcement, read_roster: ReadRoster) -> list[UserId]:
    """Returns the ids of the users that the rule names; their access is checked when they are notified.

    The whole roster is read only for a rule that names all members of a tier.
    """
    rule, event = announcement.rule, announcement.event
    if rule.recipients is RecipientGroup.REMINDED:
        return [user_id for user_id in still_reminded(event) if user_id != event.actor_user_id]
    named = named_users(rule, event)
    members = read_roster(event.board_id) if named is None else boards.roster_of(event.board_id, named)
    return recipients(rule, event, members, _found(rule.recipients, event))


def _found(group: RecipientGroup, event: StoredEvent) -> list[UserId]:
    """Returns the recipients of a rule that are not found in the list of the board's members."""
    if group is RecipientGroup.INVITEES:
        return users.user_ids_by_email(event.delivery_data["inviteeEmail"])
    if group is RecipientGroup.DASHBOARD_OWNER:
        owner = owner_now(event.board_id, event.refs["reportId"], event.refs["dashboardId"])
        return [owner] if owner else []
    if group is RecipientGroup.COMMENTED:
        return still_told_of_comment(event)
    return []


def _plan_cleanup(event: StoredEvent) -> Iterator[Message]:
    """Yields the messages that clean up after a deletion or departure: calendar invitations, then the rest.

    Calendar invitations come first, because the cleanup deletes the members.
    """
    yield from plan_withdrawals(event)
    if leaves_something(event):
        yield _cleanup_message(event)


def _cleanup_message(event: StoredEvent) -> Message:
    return Message(DeliveryKind.CLEANUP, event.board_id, event.model_dump(mode="json"))


def clean_up(stored: Mapping[str, Any]) -> Iterable[Message]:
    """Deletes what a recorded deletion left behind; what does not fit in follows by a message."""
    event = StoredEvent.model_validate(stored)
    return [] if delete_leftovers(event) else [_cleanup_message(event)]


def _plan_example_board(event: StoredEvent) -> Iterator[Message]:
    if event.type is Event.EXAMPLE_BOARD_CREATED:
        yield _example_board_message(event.board_id)


def _example_board_message(board_id: BoardId) -> Message:
    return Message(DeliveryKind.EXAMPLE_BOARD, board_id, {"boardId": board_id})


def fill(body: Mapping[str, Any]) -> Iterable[Message]:
    """Fills an example board; what does not fit in follows by a message."""
    board_id = BoardId(body["boardId"])
    return [] if fill_example_board(board_id) else [_example_board_message(board_id)]


def _plan_board_pack(event: StoredEvent) -> Iterator[Message]:
    if event.type is Event.BOARD_PACK_REQUESTED:
        yield pack_message(event.board_id, event.refs["documentId"], event.refs["versionId"])


def _plan_webhooks(event: StoredEvent) -> Iterable[Message]:
    return plan_webhooks(event, now())


def _update_lists(event: StoredEvent) -> Iterable[Message]:
    """Moves a changed board in its members' lists at once, without a message."""
    move_in_lists(event)
    return []


def _update_calendar(event: StoredEvent) -> Iterable[Message]:
    """Renews the calendar feeds of the board at once, without a message, if they show the event.

    A board that was deleted gets no new stamp, however late the event: its cleanup may have ended.
    """
    if calendar_rules.is_shown(event.type) and boards.find(event.board_id) is not None:
        with suppress_not_found():
            transact([boards.check_exists(event.board_id), calendars.renew_stamp(event.board_id, now())])
    return []


PLANS: Sequence[Callable[[StoredEvent], Iterable[Message]]] = (
    _plan_webhooks,
    plan_notifications,
    _plan_cleanup,
    _update_lists,
    _update_calendar,
    _plan_example_board,
    _plan_board_pack,
    plan_calendar_invitations,
    plan_figures,
)
"""Functions that plan what follows from an event: each returns messages, and may read and write the store."""
