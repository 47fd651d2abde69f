"""The events of documents and their versions."""

from governance.domain.events.kind import EventKind, Leftovers, Ref, Subject, readers_from
from governance.models.history.event import Event
from governance.scopes import Tier


class OfDocument(Subject):
    """An event of a document, a version of it or a meeting's pack; a committee's document is not named by its title."""

    document_id: Ref[str]
    version_id: Ref[str | None] = None
    meeting_id: Ref[str | None] = None


DOCUMENT_VIEWED = EventKind(Event.DOCUMENT_VIEWED, OfDocument, audit="documentView", heard_by=readers_from(Tier.ADMIN))
DOCUMENT_DELETED = EventKind(Event.DOCUMENT_DELETED, OfDocument, audit="documentDelete", leaves=Leftovers.DOCUMENT)
DOCUMENT_VERSION_ADDED = EventKind(Event.DOCUMENT_VERSION_ADDED, OfDocument)
DOCUMENT_VERSION_DELETED = EventKind(
    Event.DOCUMENT_VERSION_DELETED, OfDocument, audit="documentVersionDelete", leaves=Leftovers.DOCUMENT_VERSION
)
