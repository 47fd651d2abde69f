"""What an occurrence left open goes to the next one of its series, once (ADR series).

It goes when the one is completed and the other opened, whichever is later: the opening asks for what the meeting before
left open, the completion for the meeting that follows. If all that follow have begun, it waits for the next one that is
opened. An opening renews the meeting before, so that a completion at the same time reads again. What one transaction
does not take follows in others, which the clock begins.
"""

from __future__ import annotations

from collections.abc import Sequence

from governance.domain.events import meetings as events
from governance.domain.meetings import agenda as agenda_rules
from governance.domain.meetings import in_camera
from governance.domain.meetings.in_camera import NOBODY
from governance.domain.meetings.meeting import HELD
from governance.domain.members.unregistered_user import named
from governance.domain.series import composition as rules
from governance.models.action_items.action_item import OPEN
from governance.models.meetings.agenda import StoredAgenda, StoredAgendaItem
from governance.models.meetings.meeting import StoredMeeting
from governance.models.series.of_meeting import OccurrenceOfMeeting
from governance.models.series.series import StoredSeries
from governance.store.action_items import action_items
from governance.store.meetings import agendas, meetings
from governance.store.members import unregistered_users
from governance.store.series import series as store
from governance.store.writes import Write
from governance.usecases.context import Context
from governance.usecases.event_writes import record_meeting_event
from governance.usecases.series import composing
from governance.usecases.series.neighbours import beside, not_begun


def left_open_before(meeting: StoredMeeting) -> tuple[list[StoredAgendaItem], list[Write]]:
    """Returns what the occurrence before a meeting left open, if it is over, and the writes that say it was carried."""
    before = next(iter(beside(meeting, before=True)), None)
    if before is None or before.occurrence is None:
        return [], []
    if before.status not in HELD or before.occurrence.carried_to is not None:
        return [], [meetings.renew(before)]
    changes = {"occurrence": _carried(before.occurrence, meeting.id), "version": before.version + 1}
    carried = before.model_copy(update=changes)
    return _left_open(before), meetings.replace(before, carried, meeting.created_at)


def carry_on(context: Context, completed: StoredMeeting) -> tuple[StoredMeeting, list[Write]]:
    """Returns a meeting that is completed, and the writes that carry what it left open to the next one, if any."""
    if completed.occurrence is None or completed.occurrence.carried_to is not None:
        return completed, []
    occurrence, later = completed.occurrence, beside(completed, before=False)
    if not later:
        return completed, []
    to, left_open = not_begun(later), _left_open(completed)
    if to is None:
        return _wait(context, completed, _carried(occurrence, occurrence.series_id), left_open)
    old = agendas.agenda_of(to.board_id, to.id)
    new, others = agenda_rules.filled(to, old, agenda_rules.not_carried(old, left_open), context.now)
    renewed = to.model_copy(update={"version": to.version + 1})
    shown = agenda_rules.with_agenda(to, new) if new else renewed
    carried, waits = _wait(context, completed, _carried(occurrence, to.id), others)
    return carried, [*_agenda_writes(context, to, old, new), *meetings.replace(to, shown, context.now), *waits]


def _wait(
    context: Context, completed: StoredMeeting, carried: OccurrenceOfMeeting, items: Sequence[StoredAgendaItem]
) -> tuple[StoredMeeting, list[Write]]:
    """Returns a meeting that is carried over, and the writes of its items that wait for want of room in an agenda.

    While transactions of its own opening follow, these are left to them.
    """
    meeting = completed.model_copy(update={"occurrence": carried})
    series = store.find(meeting.board_id, carried.series_id) if items else None
    if series is None or composing.has_lost_committee(series):
        return meeting, []
    if carried.remaining is not None:
        return rules.with_remaining(meeting, (*carried.remaining, *map(rules.source, items))), []
    left, waits = composing.wait(context, series, meeting, items)
    return left, [*waits, *store.follow_up(left, context.now)]


def _agenda_writes(
    context: Context, meeting: StoredMeeting, old: StoredAgenda | None, new: StoredAgenda | None
) -> list[Write]:
    if new is None:
        return []
    named = events.OfMeeting(meeting_id=meeting.id)
    return [agendas.put_agenda(old, new), *record_meeting_event(context, events.AGENDA_UPDATED, meeting, named)]


def next_part(context: Context, series: StoredSeries, meeting: StoredMeeting) -> list[Write]:
    """Returns the writes of the next transaction after an opening or a completion with more than one transaction takes.

    For a meeting that is over, what it and the one before left open waits; nothing else moves any more.
    """
    is_over = meeting.status in HELD
    before = (each for each in beside(meeting, before=True) if each.occurrence)
    sources = [each for each in before if each.occurrence and each.occurrence.carried_to == meeting.id]
    left_open = [item for source in (*sources, *([meeting] if is_over else [])) for item in _left_open(source)]
    if is_over:
        shown, writes = composing.wait(context, series, meeting, rules.to_move(meeting, left_open))
        shown = shown.model_copy(update={"version": meeting.version + 1})
    else:
        old = agendas.agenda_of(meeting.board_id, meeting.id)
        new_items = agenda_rules.not_carried(old, left_open)
        shown, new, moves = composing.agenda_of(context, series, meeting, old, new_items)
        writes = [*_agenda_writes(context, meeting, old, new), *moves]
    return [*meetings.replace(meeting, shown, context.now), *writes]


def _carried(occurrence: OccurrenceOfMeeting, to: str) -> OccurrenceOfMeeting:
    return occurrence.model_copy(update={"carried_to": to})


def _left_open(meeting: StoredMeeting) -> list[StoredAgendaItem]:
    """Returns what a meeting left open, with all papers: of an agenda, each reader sees those that they may see."""
    minutes, agenda = agendas.with_minutes(meeting.board_id, [meeting.id])[meeting.id]
    recorded = in_camera.recorded(minutes.items, agenda_rules.items_of(agenda), NOBODY) if minutes else set()
    tasks = [item for item in action_items.list_of_meeting(meeting.board_id, meeting.id) if item.status == OPEN]
    items = agenda.items if agenda else ()
    person_ids = {item.presenter_unregistered_user_id for item in items} - {None}
    people = named(unregistered_users.get_many(meeting.board_id, [id_ for id_ in person_ids if id_]))
    papers = set(agenda_rules.papers_of(items))
    return [*agenda_rules.left_open(agenda, recorded, papers, tasks, people)]
