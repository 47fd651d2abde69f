"""The events of exports."""

from governance.domain.events.kind import EventKind, Payload, Ref, readers_from
from governance.models.history.event import Event
from governance.scopes import Tier


class ExportRequested(Payload):
    """Somebody requested an export of the board."""

    export_id: Ref[str]


_BY_ADMINS = readers_from(Tier.ADMIN)

EXPORT_REQUESTED = EventKind(Event.EXPORT_REQUESTED, ExportRequested, heard_by=_BY_ADMINS)
