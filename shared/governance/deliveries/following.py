"""Plans what follows from an event: one message for each batch of recipients, and one for the cleanup (ADR
deliveries)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from governance.deliveries.boards.example_boards import plan_example_board
from governance.deliveries.boards.leftovers import plan_cleanup
from governance.deliveries.calendars.plans import plan_calendar_invitations
from governance.deliveries.members.merge_recommendations import (
    plan_recommendations,
)
from governance.deliveries.notifications.plans import plan_notifications
from governance.deliveries.reports.figures import plan_figures
from governance.deliveries.resolutions.certificates import plan_certificate
from governance.domain.events.documents import OfDocument
from governance.domain.events.kind import Effect
from governance.domain.events.registry import KINDS
from governance.errors import suppress_not_found
from governance.instants import now
from governance.models.history.event import StoredEvent
from governance.models.queue import DeliveryKind
from governance.packs.message import pack_message
from governance.queue import sending
from governance.queue.frame import worst
from governance.queue.message import Message
from governance.store.boards import boards
from governance.store.calendars import calendars
from governance.store.transactions import transact
from governance.usecases.boards.board_order import move_in_lists
from governance.webhooks.planning import plan_webhooks


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
        sending.send(messages)
        raise worst(errors)
    return messages


def _plan_board_pack(event: StoredEvent) -> Iterable[Message]:
    requested = OfDocument.of(event)
    return [pack_message(event.board_id, requested.document_id, requested.version_id or "")]


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


ALWAYS = (_plan_webhooks, plan_notifications, plan_cleanup)
EFFECTS: Mapping[Effect, Callable[[StoredEvent], Iterable[Message]]] = {
    Effect.MOVES_BOARD_IN_LISTS: _update_lists,
    Effect.CHANGES_CALENDAR_FEEDS: _update_calendar,
    Effect.CHANGES_CALENDAR_INVITATIONS: plan_calendar_invitations,
    Effect.CHANGES_FIGURES: plan_figures,
    Effect.BEGINS_EXAMPLE_BOARD: plan_example_board,
    Effect.BEGINS_BOARD_PACK: _plan_board_pack,
    Effect.RECOMMENDS_MERGES: plan_recommendations,
    Effect.MAKES_CERTIFICATE: plan_certificate,
}
"""Functions that plan what an event does: each returns messages, and may read and write the store."""
