"""The events of board packs."""

from governance.domain.events.documents import OfDocument
from governance.domain.events.kind import Audience, Effect, EventKind, Lookup, Notification, notifies
from governance.models.history.event import Event


class PackPublished(OfDocument):
    """A board pack was published; the notification of its readers has the title of its meeting."""

    meeting_title: str


_READERS: Audience[PackPublished] = Audience(lookup=Lookup.PACK_READERS)

BOARD_PACK_REQUESTED = EventKind(Event.BOARD_PACK_REQUESTED, OfDocument, effects=(Effect.BEGINS_BOARD_PACK,))
BOARD_PACK_PUBLISHED = EventKind(
    Event.BOARD_PACK_PUBLISHED,
    PackPublished,
    notifications=notifies(Notification("pack_published", _READERS, "told.pack_published")),
)
