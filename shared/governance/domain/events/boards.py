"""The events of boards."""

from governance.domain.events.kind import (
    MEMBERS,
    OWNER,
    Changed,
    Effect,
    EventKind,
    Leftovers,
    Notification,
    Payload,
    Transition,
    notifies,
)
from governance.instants import Instant
from governance.models.history.event import Event


class BoardDeleted(Payload):
    """A board was deleted; only the event still has its invite code, and when it was created."""

    invite_code: str | None = None
    is_example: bool = False
    board_created_at: Instant | None = None


BOARD_CHANGED = EventKind(
    Event.BOARD_CHANGED,
    Changed,
    notifications=notifies(Notification("board_update", MEMBERS, "told.board_changed")),
    effects=(Effect.MOVES_BOARD_IN_LISTS, Effect.CHANGES_CALENDAR_FEEDS),
)
BOARD_DELETED = EventKind(
    Event.BOARD_DELETED, BoardDeleted, is_protecting=True, leaves=Leftovers.BOARD, is_delivered=False
)
EXAMPLE_BOARD_CREATED = EventKind(
    Event.EXAMPLE_BOARD_CREATED, Payload, effects=(Effect.BEGINS_EXAMPLE_BOARD,), is_delivered=False
)
EXAMPLE_BOARD_FILLED = EventKind(
    Event.EXAMPLE_BOARD_FILLED,
    Payload,
    notifications=notifies(Notification("example_board_ready", OWNER, "told.example_board_ready", is_sentence=True)),
    is_delivered=False,
)
BILLING_OVERRIDDEN = EventKind(
    Event.BILLING_OVERRIDDEN,
    Transition,
    audit="billingPlanOverride",
    is_protecting=True,
    effects=(Effect.MOVES_BOARD_IN_LISTS,),
)
