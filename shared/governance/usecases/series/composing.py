"""Reads what the agenda of an occurrence begins with, and moves it there (ADR series)."""

from __future__ import annotations

from collections.abc import Iterable

from governance.agenda_limits import BACKLOG_ITEMS_PER_BOARD, PLAN_ITEMS_PER_BOARD, SERIES_MOVES
from governance.domain.access.visibility import document_visibility
from governance.domain.events import planning as events
from governance.domain.meetings import agenda as agenda_rules
from governance.domain.members.unregistered_user import NamedPeople
from governance.domain.planning import agenda_template
from governance.domain.series import composition as rules
from governance.domain.series.composition import Composition
from governance.ids import BoardId
from governance.models.meetings.agenda import ItemFields, StoredAgendaItem
from governance.models.meetings.meeting import StoredMeeting
from governance.models.planning.agenda_template import StoredAgendaTemplate
from governance.models.planning.backlog_item import StoredBacklogItem
from governance.models.planning.plan_item import StoredPlanItem
from governance.models.series.series import StoredSeries
from governance.store.committees import committees
from governance.store.meetings import agendas
from governance.store.paging import Window
from governance.store.planning import agenda_templates, backlog, plan
from governance.store.series import series as store
from governance.store.writes import Write
from governance.usecases.context import Context
from governance.usecases.meetings.agendas import members_among, presenters
from governance.usecases.planning.backlog_events import record_backlog_event


def agenda_of(
    context: Context, series: StoredSeries, meeting: StoredMeeting, left_open: list[StoredAgendaItem]
) -> tuple[StoredMeeting, list[Write]]:
    """Returns an occurrence with its agenda, and the writes of the agenda and of what moves from or to the backlog."""
    template = _template(series)
    waiting = rules.backlog_of(series, _backlog(series))
    people = presenters(context, [*(template.items if template else ()), *waiting])
    planned = [*_of_template(context, template, meeting, people), *rules.matters_of(series, meeting, _plan(series))]
    composed = rules.composed(series, meeting, planned, waiting[:SERIES_MOVES], left_open, people, context.now)
    composed = rules.within(composed, SERIES_MOVES, backlog.room(series.board_id))
    if composed.agenda is None:
        return meeting, []
    shown = agenda_rules.with_agenda(meeting, composed.agenda).model_copy(update={"version": meeting.version})
    return shown, [agendas.put_agenda(None, composed.agenda), *_moves(context, series, composed)]


def _template(series: StoredSeries) -> StoredAgendaTemplate | None:
    return agenda_templates.find(series.board_id, series.template_id) if series.template_id else None


def _of_template(
    context: Context, template: StoredAgendaTemplate | None, meeting: StoredMeeting, people: NamedPeople
) -> Iterable[StoredAgendaItem]:
    if template is None:
        return ()
    named: list[ItemFields] = [*template.items]
    members = members_among(context, agenda_rules.members_of(named))
    return agenda_template.items_for(template, meeting, members, people)


def _plan(series: StoredSeries) -> list[StoredPlanItem]:
    window = Window(PLAN_ITEMS_PER_BOARD, descending=False)
    return plan.list_visible(series.board_id, [document_visibility(series.committee_id)], window)[0]


def _backlog(series: StoredSeries) -> list[StoredBacklogItem]:
    window = Window(BACKLOG_ITEMS_PER_BOARD, descending=False)
    return backlog.list_visible(series.board_id, [document_visibility(series.committee_id)], window)[0]


def waiting(context: Context, board_id: BoardId, series_id: str, others: Iterable[StoredAgendaItem]) -> list[Write]:
    """Returns the writes of what waits for the next occurrence of a series, for want of room in an agenda."""
    series = store.find(board_id, series_id)
    kept = [rules.waiting(series, item, context.now) for item in others] if series else []
    if series is None or not kept:
        return []
    composed = rules.within(Composition(None, (), tuple(kept)), SERIES_MOVES, backlog.room(board_id))
    return _moves(context, series, composed)


def _moves(context: Context, series: StoredSeries, composed: Composition) -> list[Write]:
    """Returns the writes of what leaves the backlog and what waits there from now on, counted once."""
    more = len(composed.without_room) - len(composed.placed)
    gone = [record_backlog_event(context, events.BACKLOG_ITEM_DELETED, item) for item in composed.placed]
    new = [record_backlog_event(context, events.BACKLOG_ITEM_CREATED, item) for item in composed.without_room]
    counted = [committees.count_contents(series.board_id, series.committee_id, more)] if series.committee_id else []
    return [
        *backlog.move(series.board_id, composed.placed, composed.without_room),
        *(counted if more else []),
        *(write for writes in (*gone, *new) for write in writes),
    ]
