"""Postponing an item of an agenda: it leaves the agenda for another one, or for the backlog (ADR planning).

Both places change in one transaction, which fails if one of them has changed, so an item stands in one place.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from governance.domain.events import planning as events
from governance.domain.meetings import agenda as agenda_rules
from governance.domain.meetings import in_camera
from governance.domain.meetings.agenda import items_of
from governance.domain.planning import backlog_item as backlog_rules
from governance.domain.series.composition import waiting
from governance.errors import invalid_body, not_found
from governance.models.meetings.agenda import (
    TO_BACKLOG,
    TO_NEXT,
    Agenda,
    PostponeBody,
    StoredAgenda,
    StoredAgendaItem,
)
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.minutes import StoredMinutes
from governance.models.planning.backlog_item import StoredBacklogItem
from governance.models.series.series import StoredSeries
from governance.store.meetings import agendas
from governance.store.planning import backlog
from governance.store.schema.entities import AGENDA, MEETING, UNREGISTERED_USER_COUNT
from governance.store.schema.minutes import MINUTES, MINUTES_CORRECTION
from governance.store.writes import Write
from governance.usecases.committees.contents import update_counts
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import finds, loads, own_committees, repeated_if
from governance.usecases.meetings.agendas import (
    agenda_in,
    agenda_outcome,
    agenda_writes,
    check_still_shown,
    named_meeting,
    papers_named,
    presenters,
)
from governance.usecases.meetings.in_camera import reader_of
from governance.usecases.meetings.meetings import check_no_open_resolution, visible_meeting
from governance.usecases.meetings.minutes import open_correction
from governance.usecases.members.named_people import check_people_unchanged
from governance.usecases.planning.backlog_events import record_backlog_event
from governance.usecases.planning.series import next_of_series


def _check_left_still_shown(context: Context, data: Mapping[str, Any]) -> None:
    """Raises 404 if the meeting is gone or hidden by now, or the agenda names what the caller does not see any more."""
    context.find(visible_meeting)
    check_still_shown(context, data)


def _agenda(context: Context) -> StoredAgenda:
    """Returns the agenda of the meeting that the path names; raises 404 if it has no such item that the caller sees."""
    context.find(visible_meeting)
    agenda, item_id = agenda_in(context), context.params["itemId"]
    items = [item for item in items_of(agenda) if item.id == item_id]
    if agenda is None or not items or in_camera.hidden(items, reader_of(context, items)):
        raise not_found()
    return agenda


@repeated_if(_check_left_still_shown, moves=True)
@loads(MEETING, AGENDA, MINUTES, MINUTES_CORRECTION, UNREGISTERED_USER_COUNT, own_committees)
@finds(visible_meeting, _agenda)
def postpone_agenda_item(
    context: Context, meeting: StoredMeeting, old: StoredAgenda, body: PostponeBody
) -> Outcome[Agenda]:
    """Moves an item of the agenda to the backlog or to another meeting, with its id and its papers.

    Raises 400 for its own meeting, and for one that the caller does not see; 409 `IN_MINUTES` for an item that has an
    entry in the minutes or their open correction, as far as the caller sees it, `IN_USE` for one with an open
    resolution, `NO_SERIES` where no next meeting is.
    """
    (item,) = (item for item in old.items if item.id == context.params["itemId"])
    papers, people = papers_named(context, old.items), presenters(context, old.items)
    arrival = _arrival(context, meeting, backlog_rules.moved(item, people), body.to)
    new = agenda_rules.without(meeting, old, item.id, context.now)
    minutes = context.stored_or_none(MINUTES, StoredMinutes)
    backlog_rules.check_unrecorded(item.id, _recorded(context, item, minutes, open_correction(context)))
    check_no_open_resolution(context, meeting, {item.id})
    left = agenda_outcome(context, meeting, old, new, papers, people)
    unrecorded = agendas.check_minutes_unchanged(meeting.board_id, meeting.id, minutes)
    return Outcome(left.response, [*left.writes, unrecorded, *arrival])


def _recorded(context: Context, item: StoredAgendaItem, *written: StoredMinutes | None) -> set[str]:
    """Returns the id of the item if the caller sees an entry for it in what was written."""
    entries = [entry for minutes in written if minutes for entry in minutes.items]
    return in_camera.recorded(entries, [item], reader_of(context, [item, *entries]))


def _arrival(context: Context, meeting: StoredMeeting, item: StoredAgendaItem, to: str) -> list[Write]:
    """Returns the writes of the place that an item is moved to."""
    following = next_of_series(context, meeting) if to == TO_NEXT else None
    if isinstance(following, StoredSeries):
        return _waits(context, waiting(following, item, context.now))
    if to == TO_BACKLOG:
        return _waits(context, backlog_rules.waiting(item, context.board.id, context.now))
    found = named_meeting(context, following.id if following else to)
    if found is None or found[0].id == meeting.id:
        raise invalid_body({"to": "must be `backlog`, `next` or the id of another meeting of this board"})
    other, agenda = found
    return agenda_writes(context, other, agenda, agenda_rules.appended(other, agenda, [item], context.now))


def _waits(context: Context, item: StoredBacklogItem) -> list[Write]:
    named = check_people_unchanged(context, (), agenda_rules.people_of([item]))
    counted = update_counts(context, None, item.committee_id)
    event = record_backlog_event(context, events.BACKLOG_ITEM_CREATED, item)
    return [*backlog.create(item), *named, *counted, *event]
