"""The audit log, and the feed of a board's events (the API specification, section 4.12; ADR 0061 and 0062)."""

from __future__ import annotations

from governance.domain.visibility import event_buckets
from governance.ids import millis_of_id
from governance.instants import from_millis, shift
from governance.limits import EVENT_DAYS, EVENT_SETTLES_SECONDS
from governance.models.audit import AuditQuery
from governance.models.event import BoardEvent, EventsQuery
from governance.models.page import JsonArrayStream, Page
from governance.store import audit, events
from governance.store.paging import strictly_after, strictly_before
from governance.usecases.context import Context, loads, own_seats


def list_audit_entries(context: Context, query: AuditQuery) -> JsonArrayStream:
    """Returns the board's audit entries of the last 365 days, oldest first."""
    texts = audit.iter_texts(context.board, context.user_id, context.now, context.after, query.limit)
    return JsonArrayStream(texts, query.limit)


@loads(own_seats)
def list_events(context: Context, query: EventsQuery) -> Page[BoardEvent]:
    """Returns a page of the board's events, oldest first, up to the instant before which no event can appear late."""
    settled = strictly_before(shift(context.now, seconds=-EVENT_SETTLES_SECONDS))
    oldest = strictly_after(shift(context.now, days=-EVENT_DAYS))
    last = f"{from_millis(millis_of_id(query.after))}#{query.after}" if query.after else ""
    buckets = event_buckets(context.user_id, context.committee_ids)
    above = max(oldest, last)
    page, position = events.list_page(context.board.id, buckets, above, settled, context.after, query.limit)
    return Page([BoardEvent.model_validate(event.item()) for event in page], position)
