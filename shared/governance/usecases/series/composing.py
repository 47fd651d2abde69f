"""Reads what the agenda of an occurrence begins with, and moves it there (ADR series)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from governance.agenda_limits import BACKLOG_ITEMS_PER_BOARD, PLAN_ITEMS_PER_BOARD
from governance.domain.access.visibility import document_visibility
from governance.domain.events import planning as events
from governance.domain.meetings.agenda import members_of
from governance.domain.meetings.meeting import HELD
from governance.domain.members.unregistered_user import NamedPeople
from governance.domain.planning import agenda_template
from governance.domain.series import composition as rules
from governance.domain.series.composition import Candidates, Composition
from governance.models.meetings.agenda import ItemFields, StoredAgenda, StoredAgendaItem
from governance.models.meetings.meeting import StoredMeeting
from governance.models.planning.agenda_template import StoredAgendaTemplate
from governance.models.planning.backlog_item import StoredBacklogItem
from governance.models.planning.plan_item import StoredPlanItem
from governance.models.series.series import StoredSeries
from governance.store.committees import committees
from governance.store.paging import Window
from governance.store.planning import agenda_templates, backlog, plan
from governance.store.writes import Write
from governance.usecases.context import Context
from governance.usecases.meetings.agendas import members_among, presenters
from governance.usecases.meetings.approval_items import items_of_occurrence
from governance.usecases.planning.backlog_events import record_backlog_event
from governance.usecases.series.neighbours import beside


def agenda_of(
    context: Context,
    series: StoredSeries,
    meeting: StoredMeeting,
    old: StoredAgenda | None,
    left_open: Sequence[StoredAgendaItem],
) -> tuple[StoredMeeting, StoredAgenda | None, list[Write]]:
    """Returns an occurrence, its agenda if it gets items, and the writes of what moves from or to the backlog.

    It is what one transaction takes of an opening: of a meeting with something that is still to move, the next part.
    """
    template = _template(series)
    waiting_now = rules.backlog_of(series, _backlog(series), meeting.created_at)
    people = presenters(context, [*(template.items if template else ()), *waiting_now])
    planned = [
        *_to_approve(context, series, meeting, left_open),
        *_of_template(context, template, meeting, people),
        *rules.matters_of(series, meeting, _plan(series)),
    ]
    candidates = Candidates(rules.to_move(meeting, planned), waiting_now, rules.to_move(meeting, left_open))
    composed = rules.composed(series, meeting, old, candidates, people, context.now)
    return rules.shown(meeting, composed), composed.agenda, _moves(context, series, composed)


def _to_approve(
    context: Context, series: StoredSeries, meeting: StoredMeeting, left_open: Sequence[StoredAgendaItem]
) -> list[StoredAgendaItem]:
    """Returns the items for minutes that wait for their approval, if no occurrence before it is still to be held."""
    items = items_of_occurrence(context, series, meeting, left_open)
    before = next(iter(beside(meeting, before=True)), None) if items else None
    return items if before is None or before.status in HELD else []


def _template(series: StoredSeries) -> StoredAgendaTemplate | None:
    return agenda_templates.find(series.board_id, series.template_id) if series.template_id else None


def _of_template(
    context: Context, template: StoredAgendaTemplate | None, meeting: StoredMeeting, people: NamedPeople
) -> Iterable[StoredAgendaItem]:
    if template is None:
        return ()
    named: list[ItemFields] = [*template.items]
    members = members_among(context, members_of(named))
    return agenda_template.items_for(template, meeting, members, people)


def _plan(series: StoredSeries) -> list[StoredPlanItem]:
    window = Window(PLAN_ITEMS_PER_BOARD, descending=False)
    return plan.list_visible(series.board_id, [document_visibility(series.committee_id)], window)[0]


def _backlog(series: StoredSeries) -> list[StoredBacklogItem]:
    window = Window(BACKLOG_ITEMS_PER_BOARD, descending=False)
    return backlog.list_visible(series.board_id, [document_visibility(series.committee_id)], window)[0]


def wait(
    context: Context, series: StoredSeries, meeting: StoredMeeting, items: Sequence[StoredAgendaItem]
) -> tuple[StoredMeeting, list[Write]]:
    """Returns a meeting that left these items open, and the writes after which they wait for the next occurrence.

    It is what one transaction takes.
    """
    queued = rules.queued(series, items, context.now)
    return rules.with_remaining(meeting, queued.remaining), _moves(context, series, queued)


def has_lost_committee(series: StoredSeries) -> bool:
    """Returns whether a series is of a committee that was deleted: for it nothing waits, and nothing is opened."""
    return series.committee_id is not None and not committees.get_many(series.board_id, [series.committee_id])


def _moves(context: Context, series: StoredSeries, composed: Composition) -> list[Write]:
    """Returns the writes of what leaves the backlog and what waits there from now on, counted once.

    What the backlog has no room for stays where it is.
    """
    if composed.without_room:
        composed = rules.within(composed, backlog.room(series.board_id))
    more = len(composed.without_room) - len(composed.placed)
    gone = [record_backlog_event(context, events.BACKLOG_ITEM_DELETED, item) for item in composed.placed]
    new = [record_backlog_event(context, events.BACKLOG_ITEM_CREATED, item) for item in composed.without_room]
    counted = [committees.count_contents(series.board_id, series.committee_id, more)] if series.committee_id else []
    return [
        *backlog.move(series.board_id, composed.placed, composed.without_room),
        *(counted if more else []),
        *(write for writes in (*gone, *new) for write in writes),
    ]
