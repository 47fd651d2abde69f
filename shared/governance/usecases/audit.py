"""The audit log, and the feed of a board's events (the API specification, section 4.12; ADR 0061 and 0062)."""

from __future__ import annotations

from governance.domain.visibility import event_buckets
from governance.ids import millis_of
from governance.instants import of_millis, shift
from governance.limits import EVENT_SETTLES_SECONDS
from governance.models.act import BoardEvent
from governance.models.audit import AuditQuery, EventsQuery
from governance.models.page import Flow, Page
from governance.store import acts
from governance.store.paging import Window, strictly_before
from governance.usecases.context import Context


def list_audit_entries(context: Context, query: AuditQuery) -> Flow:
    """The board's audit entries of the last 365 days, oldest first."""
    return Flow(acts.audit_texts(context.board.id, context.user_id, context.now, context.after), query.limit)


def list_events(context: Context, query: EventsQuery) -> Page[BoardEvent]:
    """A page of the board's events, oldest first, up to the moment before which none can appear any more."""
    committees = context.membership.committee_ids if context.membership else ()
    settled = shift(context.now, seconds=-EVENT_SETTLES_SECONDS)
    above = f"{of_millis(millis_of(query.after))}#{query.after}" if query.after else None
    window = Window(query.limit, descending=False, after=context.after, above=above, below=strictly_before(settled))
    found, position = acts.events(context.board.id, event_buckets(context.user_id, committees), window)
    return Page([BoardEvent.model_validate(happened.item()) for happened in found], position)
