"""The events of board packs."""

from governance.domain.events.documents import OfDocument
from governance.domain.events.kind import Effect, EventKind
from governance.models.history.event import Event

BOARD_PACK_REQUESTED = EventKind(Event.BOARD_PACK_REQUESTED, OfDocument, effects=(Effect.BEGINS_BOARD_PACK,))
