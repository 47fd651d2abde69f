"""The backlog of a board: list, create, change, delete, place (an extension of the API, ADR planning)."""

from __future__ import annotations

from governance.domain.access.visibility import can_see_document, document_visibilities
from governance.domain.events import planning as events
from governance.domain.meetings import agenda as agenda_rules
from governance.domain.meetings import in_camera
from governance.domain.meetings.agenda import KnownReferences, items_of
from governance.domain.planning import backlog_item as backlog_rules
from governance.errors import forbidden, not_found
from governance.models.base import Deleted
from governance.models.meetings.agenda import Agenda, AgendaItemFields, ItemWithPapersBody
from governance.models.page import OrderedQuery, Page
from governance.models.planning.backlog_item import (
    BacklogItem,
    BacklogItemCreate,
    BacklogItemPatch,
    PlaceBody,
    StoredBacklogItem,
)
from governance.store.planning import backlog
from governance.store.schema.entities import BACKLOG_ITEM, UNREGISTERED_USER_COUNT
from governance.store.writes import Write
from governance.usecases.committees.contents import update_counts
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import creates, finds, loads, own_committees, repeated_if
from governance.usecases.meetings.agendas import (
    Papers,
    agenda_outcome,
    audience_writes,
    members_among,
    papers_named,
    presenters,
)
from governance.usecases.meetings.in_camera import reader_of
from governance.usecases.members.named_people import check_people_unchanged, check_still_known
from governance.usecases.planning.backlog_events import record_backlog_event
from governance.usecases.planning.placing import check_placed_still_shown, placed_on
from governance.usecases.planning.series import check_series


@loads(own_committees)
def list_backlog_items(context: Context, query: OrderedQuery) -> Page[BacklogItem]:
    """Returns a page of what waits for the board and for the caller's committees, the last that came first."""
    visibilities = document_visibilities(context.committee_ids)
    stored, position = backlog.list_visible(context.board.id, visibilities, context.window(query))
    papers, people, reader = papers_named(context, stored), presenters(context, stored), reader_of(context, stored)
    return Page([backlog_rules.to_resource(item, papers.visible, people, reader) for item in stored], position)


def visible_item(context: Context) -> StoredBacklogItem:
    """Returns the item that the path names; raises 404 if it does not wait, or waits for a committee of others."""
    item = context.stored(BACKLOG_ITEM, StoredBacklogItem)
    if not can_see_document(context.committee_ids, item.committee_id):
        raise not_found()
    return item


def _open_item(context: Context) -> StoredBacklogItem:
    """Returns the item that the path names; raises 403 for one in camera that the caller does not see."""
    item = context.find(visible_item)
    if in_camera.hidden([item], reader_of(context, [item])):
        raise forbidden("Only the audience of an item in camera changes it.")
    return item


def _find_again(context: Context) -> None:
    """Raises 404 if an item is gone or hidden by now, or names what its maker does not see any more."""
    item = visible_item(context)
    is_hidden = in_camera.hidden([item], reader_of(context, [item]))
    if is_hidden or not papers_named(context, [item]).visible >= {*item.document_ids}:
        raise not_found()
    check_still_known(context, agenda_rules.people_of([item]))


def _known(context: Context, papers: Papers, *items: AgendaItemFields | ItemWithPapersBody) -> KnownReferences:
    """Returns what these items, which have these papers, may name."""
    members = members_among(context, agenda_rules.members_of(items))
    reader = reader_of(context, [item for item in items if isinstance(item, StoredBacklogItem)])
    return KnownReferences(papers.visible, papers.hidden, members, presenters(context, items), reader)


def _shown(item: StoredBacklogItem, known: KnownReferences) -> BacklogItem:
    return backlog_rules.to_resource(item, known.papers, known.people, known.writer)


@creates(BACKLOG_ITEM, "backlogItemId", _find_again)
@loads(UNREGISTERED_USER_COUNT, own_committees)
def create_backlog_item(context: Context, body: BacklogItemCreate) -> Outcome[BacklogItem]:
    """Puts an item into the backlog; raises 409 `LIMIT_REACHED` where as many wait as may."""
    check_series(context, body.series_id, body.committee_id)
    known = _known(context, papers_named(context, [body]), body)
    item = backlog_rules.created(context.board.id, body, known, context.committee_ids, context.now)
    writes = [
        *backlog.create(item),
        *check_people_unchanged(context, (), agenda_rules.people_of([item])),
        *update_counts(context, None, item.committee_id),
        *record_backlog_event(context, events.BACKLOG_ITEM_CREATED, item),
    ]
    return Outcome(_shown(item, known), writes)


@loads(BACKLOG_ITEM, UNREGISTERED_USER_COUNT, own_committees)
@finds(_open_item)
def update_backlog_item(context: Context, old: StoredBacklogItem, body: BacklogItemPatch) -> Outcome[BacklogItem]:
    """Changes the fields of an item that the body names; setting the same values changes nothing."""
    named = old.model_copy(update=body.changes())
    if (named.series_id, named.committee_id) != (old.series_id, old.committee_id):
        check_series(context, named.series_id, named.committee_id)
    papers = papers_named(context, [old, named])
    known = _known(context, papers, old, named)
    new = backlog_rules.patched(old, body, known, context.committee_ids, context.now)
    if new is old:
        return Outcome(_shown(old, known), [])
    writes = [
        backlog.replace(old, new),
        *audience_writes(context, papers, [old], [new], known.writer),
        *check_people_unchanged(context, agenda_rules.people_of([old]), agenda_rules.people_of([new])),
        *update_counts(context, old.committee_id, new.committee_id),
        *record_backlog_event(context, events.BACKLOG_ITEM_UPDATED, new),
    ]
    return Outcome(_shown(new, known), writes)


@loads(BACKLOG_ITEM, own_committees)
@finds(_open_item)
def delete_backlog_item(context: Context, item: StoredBacklogItem) -> Outcome[Deleted]:
    """Deletes an item that waits."""
    return Outcome(Deleted(), _removal(context, item))


def _removal(context: Context, item: StoredBacklogItem) -> list[Write]:
    event = record_backlog_event(context, events.BACKLOG_ITEM_DELETED, item)
    return [*backlog.delete(item), *update_counts(context, item.committee_id, None), *event]


@repeated_if(check_placed_still_shown, moves=True)
@loads(BACKLOG_ITEM, UNREGISTERED_USER_COUNT, own_committees)
@finds(_open_item)
def place_backlog_item(context: Context, item: StoredBacklogItem, body: PlaceBody) -> Outcome[Agenda]:
    """Moves an item to the end of an agenda. Raises 400 if the caller sees no such meeting."""
    meeting, old = placed_on(context, body)
    named = [*items_of(old), item]
    papers, people = papers_named(context, named), presenters(context, named)
    placed = backlog_rules.moved(backlog_rules.on_agenda(item), people)
    new = agenda_rules.appended(meeting, old, [placed], context.now)
    shown = agenda_outcome(context, meeting, old, new, papers, people)
    return Outcome(shown.response, [*_removal(context, item), *shown.writes])
