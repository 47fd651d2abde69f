"""The audit log, and the feed of a board's events (the API specification, section 4.12; ADR history)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from governance.domain.access.visibility import event_visibilities
from governance.errors import not_found
from governance.ids import millis_of_id
from governance.instants import from_millis, shift
from governance.limits import AUDIT_DAYS, EVENT_DAYS, EVENT_SETTLES_SECONDS
from governance.log.leaves import Leaf
from governance.models.history.audit import AuditEntry, AuditQuery, LogProof
from governance.models.history.event import BoardEvent, EventsQuery
from governance.models.page import JsonArrayStream, Page
from governance.store.history import audit, events
from governance.store.history.audit import LogEntry
from governance.store.meetings import meetings
from governance.store.paging import strictly_after, strictly_before
from governance.usecases.context import Context
from governance.usecases.declarations import finds, loads, own_committees
from governance.usecases.history.log_proofs import proof_of


def list_audit_entries(context: Context, query: AuditQuery) -> JsonArrayStream[AuditEntry]:
    """Returns the board's audit entries of the last 365 days, oldest first, without those of others' drafts."""
    chunks = audit.iter_chunks(context.board, context.now, context.after, query.limit)
    return JsonArrayStream(_texts(context, chunks), query.limit)


def requested_leaf(context: Context) -> Leaf:
    """Returns the leaf of the entry, or of the logged event, that the path names.

    Raises 404 if the audit log does not show the entry to the caller, or they may not see what the event is about.
    """
    entry_id = context.params["entryId"]
    if (entry_and_leaf := audit.find(context.board.id, entry_id)) is not None and _is_shown(context, entry_and_leaf[0]):
        return entry_and_leaf[1]
    leaf = events.find_leaf(context.board.id, event_visibilities(context.user_id, context.committee_ids), entry_id)
    if leaf is None:
        raise not_found()
    return leaf


@loads(own_committees)
@finds(requested_leaf)
def get_log_proof(context: Context, leaf: Leaf) -> LogProof:
    """Returns the proof that an entry of the audit log, or an event, is in the log that nobody can rewrite."""
    return proof_of(context.params["entryId"], leaf)


def _is_shown(context: Context, entry: LogEntry) -> bool:
    """Returns whether the audit log shows an entry to the caller."""
    is_kept = entry.position > strictly_after(shift(context.now, days=-AUDIT_DAYS))
    return is_kept and all(text is not None for _, text in _texts(context, [[entry]]))


def _texts(context: Context, chunks: Iterable[Sequence[LogEntry]]) -> Iterator[tuple[str, str | None]]:
    """Yields the positions and the texts of entries; entries about others' unopened drafts have no text.

    The drafts that the entries of a chunk are about are read together. A draft that was deleted stays hidden.
    """
    asked, hidden = set[str](), set[str]()
    for chunk in chunks:
        others = {id_ for entry in chunk if (id_ := _draft_of_another(context, entry))}
        hidden |= meetings.drafts_among(context.board.id, others - asked)
        asked |= others
        for entry in chunk:
            yield entry.position, None if _draft_of_another(context, entry) in hidden else entry.text


def _draft_of_another(context: Context, entry: LogEntry) -> str | None:
    """Returns the meeting that another user's draft has become or still is; None for an entry about anything else."""
    return entry.draft.meeting_id if entry.draft and entry.draft.creator_id != context.user_id else None


@loads(own_committees)
def list_board_events(context: Context, query: EventsQuery) -> Page[BoardEvent]:
    """Returns a page of the board's events, oldest first, up to the instant before which no event can appear late."""
    settled = strictly_before(shift(context.now, seconds=-EVENT_SETTLES_SECONDS))
    oldest = strictly_after(shift(context.now, days=-EVENT_DAYS))
    last = f"{from_millis(millis_of_id(query.after))}#{query.after}" if query.after else ""
    visibilities = event_visibilities(context.user_id, context.committee_ids)
    above = max(oldest, last, audit.earliest(context.board))
    page, position = events.list_page(context.board.id, visibilities, above, settled, context.after, query.limit)
    return Page([BoardEvent.of(event) for event in page], position)
