"""The work plan of a board: list, create, read, change, delete, place, and the year (an extension, ADR planning)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from governance.agenda_limits import PLAN_ITEMS_PER_BOARD
from governance.domain.access.visibility import can_see_document, document_visibilities, meeting_visibilities
from governance.domain.events import planning as events
from governance.domain.events.kind import EventKind
from governance.domain.meetings import agenda as agenda_rules
from governance.domain.meetings import in_camera
from governance.domain.meetings.agenda import items_of
from governance.domain.meetings.in_camera import NOBODY
from governance.domain.meetings.meeting import HELD, check_editable
from governance.domain.planning import plan_item as plan_rules
from governance.domain.planning.plan_year import plan_year
from governance.errors import not_found
from governance.models.base import Deleted
from governance.models.meetings.agenda import Agenda
from governance.models.meetings.meeting import StoredMeeting
from governance.models.page import OrderedQuery, Page
from governance.models.planning.backlog_item import PlaceBody
from governance.models.planning.plan_item import PlanItem, PlanItemCreate, PlanItemPatch, PlanYear, StoredPlanItem
from governance.store.boards import boards
from governance.store.meetings import agendas, meetings
from governance.store.paging import Window
from governance.store.planning import plan
from governance.store.schema.entities import PLAN_ITEM
from governance.store.writes import Write
from governance.usecases.committees.contents import update_counts
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import creates, finds, loads, own_committees, repeated_if
from governance.usecases.event_writes import record_event
from governance.usecases.meetings.agendas import agenda_outcome, papers_named, presenters, unchanged
from governance.usecases.meetings.in_camera import reader_of
from governance.usecases.planning.placing import check_placed_still_shown, placed_on
from governance.usecases.years import requested_year


def _visible(context: Context, window: Window) -> tuple[list[StoredPlanItem], str | None]:
    return plan.list_visible(context.board.id, document_visibilities(context.committee_ids), window)


@loads(own_committees)
def list_plan_items(context: Context, query: OrderedQuery) -> Page[PlanItem]:
    """Returns a page of the matters of the board and of the caller's committees, newest first."""
    stored, position = _visible(context, context.window(query))
    return Page([plan_rules.to_resource(item) for item in stored], position)


def visible_matter(context: Context) -> StoredPlanItem:
    """Returns the matter that the path names; raises 404 if it does not exist, or is a committee's of others."""
    item = context.stored(PLAN_ITEM, StoredPlanItem)
    if not can_see_document(context.committee_ids, item.committee_id):
        raise not_found()
    return item


@loads(PLAN_ITEM, own_committees)
@finds(visible_matter)
def get_plan_item(_context: Context, item: StoredPlanItem) -> PlanItem:
    """Returns one matter."""
    return plan_rules.to_resource(item)


@creates(PLAN_ITEM, "planItemId", visible_matter)
@loads(own_committees)
def create_plan_item(context: Context, body: PlanItemCreate) -> Outcome[PlanItem]:
    """Creates a matter; raises 409 `LIMIT_REACHED` on a board that has the most matters allowed."""
    item = plan_rules.created(context.board.id, body, context.committee_ids, context.now)
    writes = [
        *plan.create(item),
        *_check_owner(item, None),
        *update_counts(context, None, item.committee_id),
        *_event(context, events.PLAN_ITEM_CREATED, item),
    ]
    return Outcome(plan_rules.to_resource(item), writes)


@loads(PLAN_ITEM, own_committees)
@finds(visible_matter)
def update_plan_item(context: Context, old: StoredPlanItem, body: PlanItemPatch) -> Outcome[PlanItem]:
    """Changes the fields of a matter that the body names; setting the same values changes nothing."""
    new = plan_rules.patched(old, body, context.committee_ids, context.now)
    if new is old:
        return Outcome(plan_rules.to_resource(old), [])
    writes = [
        plan.replace(old, new),
        *_check_owner(new, old),
        *update_counts(context, old.committee_id, new.committee_id),
        *_event(context, events.PLAN_ITEM_UPDATED, new),
    ]
    return Outcome(plan_rules.to_resource(new), writes)


@loads(PLAN_ITEM, own_committees)
@finds(visible_matter)
def delete_plan_item(context: Context, item: StoredPlanItem) -> Outcome[Deleted]:
    """Deletes a matter; the agendas that have it keep their item."""
    event = _event(context, events.PLAN_ITEM_DELETED, item)
    return Outcome(Deleted(), [*plan.delete(item), *update_counts(context, item.committee_id, None), *event])


def _check_owner(item: StoredPlanItem, old: StoredPlanItem | None) -> list[Write]:
    """Checks that an owner who is newly named is a member; fails with 400 otherwise."""
    if item.owner_user_id is None or (old is not None and item.owner_user_id == old.owner_user_id):
        return []
    return [boards.check_is_member(item.board_id, item.owner_user_id, plan_rules.not_a_member)]


def _event(context: Context, kind: EventKind[events.OfPlanItem], item: StoredPlanItem) -> list[Write]:
    return record_event(context, kind, events.OfPlanItem(plan_item_id=item.id), committee_id=item.committee_id)


@repeated_if(check_placed_still_shown)
@loads(PLAN_ITEM, own_committees)
@finds(visible_matter)
def place_plan_item(context: Context, item: StoredPlanItem, body: PlaceBody) -> Outcome[Agenda]:
    """Puts a matter at the end of an agenda that does not have it.

    Raises 400 if the caller sees no such meeting, or it is in no month of the matter.
    """
    meeting, old = placed_on(context, body)
    plan_rules.check_month(item, meeting)
    check_editable(meeting)
    papers, people = papers_named(context, items_of(old)), presenters(context, items_of(old))
    if plan_rules.is_on(old, item, reader_of(context, items_of(old))):
        return Outcome(unchanged(context, meeting, old, papers), [])
    new = agenda_rules.appended(meeting, old, [plan_rules.on_agenda(item)], context.now)
    return agenda_outcome(context, meeting, old, new, papers, people)


@loads(own_committees)
@finds(requested_year)
def get_plan_year(context: Context, year: int) -> PlanYear:
    """Returns how the matters that the caller sees stand in a year."""
    matters, _ = _visible(context, Window(PLAN_ITEMS_PER_BOARD, descending=False))
    found = meetings.with_matters(context.board.id, meeting_visibilities(context.user_id), year)
    return plan_year(year, matters, found, _recorded(context, found), context.now)


def _recorded(context: Context, found: Iterable[StoredMeeting]) -> Mapping[str, set[str]]:
    """Returns the items of agendas that have an entry in the minutes of these meetings, by meeting, as far as held.

    What is in camera is left out, as a matter that is in camera is.
    """
    held = [meeting.id for meeting in found if meeting.status in HELD]
    minutes = agendas.minutes_of_many(context.board.id, held)
    return {id_: in_camera.recorded(written.items, (), NOBODY) for id_, written in minutes.items()}
