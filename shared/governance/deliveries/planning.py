"""Plans what follows from an event: one message for each batch of recipients, and one for the cleanup (ADR
deliveries)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from governance import delivery_queue
from governance.deliveries.calendars.plans import plan_calendar_invitations, plan_withdrawals
from governance.deliveries.consequences import Planned, notifications_of, recipients_message
from governance.deliveries.figures import plan_figures
from governance.deliveries.merge_recommendations import recommendations_after, recommendations_for
from governance.deliveries.recipients import recipients_of
from governance.delivery_queue import Message
from governance.domain.events.kind import Effect
from governance.domain.events.registry import KINDS
from governance.domain.example_board import character_ids
from governance.errors import suppress_not_found
from governance.ids import BoardId, UserId
from governance.instants import Instant, now
from governance.limits import TRANSACTION_WRITES
from governance.models.event import StoredEvent
from governance.models.meetings.due import DeliveryKind
from governance.packs.message import pack_message
from governance.store.boards import board_lists, boards
from governance.store.calendars import calendars
from governance.store.transactions import transact
from governance.usecases.boards.board_order import move_in_lists
from governance.usecases.boards.example_boards import fill_example_board
from governance.usecases.cleanup import delete_leftovers, leaves_something
from governance.webhooks.planning import plan_webhooks

_RECIPIENTS_PER_MESSAGE = TRANSACTION_WRITES
"""Their notifications are written in one transaction."""


class UnknownEventError(Exception):
    """An event has a type that this release does not know."""


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
    if event.type not in KINDS:
        raise UnknownEventError
    kind = KINDS[event.type]
    messages: list[Message] = []
    errors: list[Exception] = []
    for plan in (*ALWAYS, *(EFFECTS[effect] for effect in kind.effects)):
        try:
            messages += plan(event)
        except Exception as error:  # noqa: BLE001 - raised below
            errors.append(error)
    if errors:
        delivery_queue.send(messages)
        raise errors[0]
    return messages


def plan_notifications(event: StoredEvent) -> Iterator[Message]:
    """Yields a message for each hundred recipients of each notification of the event.

    Nobody is notified of what the made-up members of an example board do.
    """
    if event.actor_user_id not in character_ids(event.board_id):
        yield from messages_of(notifications_of(event, now()))


def messages_of(plans: Iterable[Planned[Any]]) -> Iterator[Message]:
    """Yields a message for each hundred recipients of these notifications."""
    roster = cache(boards.roster)  # an opened draft has many
    for plan in plans:
        for batch in recipients_of(plan, roster).batches(_RECIPIENTS_PER_MESSAGE):
            yield recipients_message(DeliveryKind.NOTIFICATIONS, plan, batch)


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


def _plan_example_board(event: StoredEvent) -> Iterable[Message]:
    return [_example_board_message(event.board_id)]


def _example_board_message(board_id: BoardId) -> Message:
    return Message(DeliveryKind.EXAMPLE_BOARD, board_id, {"boardId": board_id})


def fill(body: Mapping[str, Any]) -> Iterable[Message]:
    """Fills an example board; what does not fit in follows by a message."""
    board_id = BoardId(body["boardId"])
    return [] if fill_example_board(board_id) else [_example_board_message(board_id)]


def _plan_board_pack(event: StoredEvent) -> Iterable[Message]:
    return [pack_message(event.board_id, event.refs["documentId"], event.refs["versionId"])]


def _plan_recommendations(event: StoredEvent) -> Iterable[Message]:
    return messages_of(recommendations_after(event))


def recommend_merges(body: Mapping[str, Any]) -> Iterator[Message]:
    """Yields a message for each board of an account that changed; of a board, the notifications of its admins."""
    user_id = UserId(body["userId"])
    if "boardId" in body:
        yield from messages_of(recommendations_for(BoardId(body["boardId"]), user_id, Instant(body["at"])))
        return
    for board_id in board_lists.board_ids_of(user_id):
        yield Message(DeliveryKind.RECOMMENDATION, board_id, {**body, "boardId": board_id})


def _plan_webhooks(event: StoredEvent) -> Iterable[Message]:
    return plan_webhooks(event, now())


def _update_lists(event: StoredEvent) -> Iterable[Message]:
    """Moves a changed board in its members' lists at once, without a message."""
    move_in_lists(event)
    return []


def _update_calendar(event: StoredEvent) -> Iterable[Message]:
    """Renews the calendar feeds of the board at once, without a message.

    A board that was deleted gets no new stamp, however late the event: its cleanup may have ended.
    """
    if boards.find(event.board_id) is not None:
        with suppress_not_found():
            transact([boards.check_exists(event.board_id), calendars.renew_stamp(event.board_id, now())])
    return []


ALWAYS = (_plan_webhooks, plan_notifications, _plan_cleanup)
EFFECTS: Mapping[Effect, Callable[[StoredEvent], Iterable[Message]]] = {
    Effect.MOVES_BOARD_IN_LISTS: _update_lists,
    Effect.CHANGES_CALENDAR_FEEDS: _update_calendar,
    Effect.CHANGES_CALENDAR_INVITATIONS: plan_calendar_invitations,
    Effect.CHANGES_FIGURES: plan_figures,
    Effect.BEGINS_EXAMPLE_BOARD: _plan_example_board,
    Effect.BEGINS_BOARD_PACK: _plan_board_pack,
    Effect.RECOMMENDS_MERGES: _plan_recommendations,
}
"""Functions that plan what an event does: each returns messages, and may read and write the store."""
