"""The events of the backlog, which its routes and the openings of occurrences record."""

from __future__ import annotations

from governance.domain.events import planning as events
from governance.domain.events.kind import EventKind
from governance.models.planning.backlog_item import StoredBacklogItem
from governance.store.writes import Write
from governance.usecases.context import Context
from governance.usecases.event_writes import record_event


def record_backlog_event(
    context: Context, kind: EventKind[events.OfBacklogItem], item: StoredBacklogItem
) -> list[Write]:
    """Returns the writes of an event about an item that waits; a committee's is its members' alone."""
    return record_event(context, kind, events.OfBacklogItem(backlog_item_id=item.id), committee_id=item.committee_id)
