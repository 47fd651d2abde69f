"""What an occurrence left open goes to the next one of its series, once (ADR series).

It goes when the one is completed and the other opened, whichever is later: the opening asks for what the meeting before
left open, the completion for the meeting that follows. An opening renews the meeting before, so that a completion at
the same time reads again.
"""

from __future__ import annotations

from governance.domain.events import meetings as events
from governance.domain.meetings import agenda as agenda_rules
from governance.domain.members.unregistered_user import named
from governance.models.action_items.action_item import OPEN
from governance.models.meetings.agenda import StoredAgendaItem
from governance.models.meetings.meeting import StoredMeeting
from governance.models.series.of_meeting import OccurrenceOfMeeting
from governance.store.action_items import action_items
from governance.store.meetings import agendas, meetings
from governance.store.members import unregistered_users
from governance.store.writes import Write
from governance.usecases.context import Context
from governance.usecases.event_writes import record_meeting_event
from governance.usecases.series import composing
from governance.usecases.series.neighbours import following, nearest

_OVER = ("completed", "finalized")


def left_open_before(meeting: StoredMeeting) -> tuple[list[StoredAgendaItem], list[Write]]:
    """Returns what the occurrence before a meeting left open, if it is over, and the writes that say it was carried."""
    before = nearest(meeting, before=True)
    if before is None or before.occurrence is None:
        return [], []
    if before.status not in _OVER or before.occurrence.carried_to is not None:
        return [], [meetings.renew(before)]
    carried = _carried(before, before.occurrence, meeting.id)
    return _left_open(before), meetings.replace(before, carried, meeting.created_at)


def carry_on(context: Context, completed: StoredMeeting) -> tuple[StoredMeeting, list[Write]]:
    """Returns a meeting that is completed, and the writes that carry what it left open to the next one, if any."""
    if completed.occurrence is None or completed.occurrence.carried_to is not None:
        return completed, []
    to = following(completed)
    if to is None:
        return completed, []
    old = agendas.agenda_of(to.board_id, to.id)
    new, others = agenda_rules.filled(to, old, _left_open(completed), context.now)
    renewed = to.model_copy(update={"version": to.version + 1})
    shown = agenda_rules.with_agenda(to, new) if new else renewed
    writes = [
        *meetings.replace(to, shown, context.now),
        *composing.waiting(context, completed.board_id, completed.occurrence.series_id, others),
    ]
    if new is not None:
        named = events.OfMeeting(meeting_id=to.id)
        event = record_meeting_event(context, events.AGENDA_UPDATED, to, named)
        writes = [agendas.put_agenda(old, new), *writes, *event]
    return _carried(completed, completed.occurrence, to.id, version=completed.version), writes


def _carried(
    meeting: StoredMeeting, occurrence: OccurrenceOfMeeting, to: str, version: int | None = None
) -> StoredMeeting:
    carried = occurrence.model_copy(update={"carried_to": to})
    return meeting.model_copy(update={"occurrence": carried, "version": version or meeting.version + 1})


def _left_open(meeting: StoredMeeting) -> list[StoredAgendaItem]:
    """Returns what a meeting left open, with all papers: of an agenda, each reader sees those that they may see."""
    minutes, agenda = agendas.with_minutes(meeting.board_id, [meeting.id])[meeting.id]
    recorded = {item.agenda_item_id for item in minutes.items if item.agenda_item_id} if minutes else set()
    tasks = [item for item in action_items.list_of_meeting(meeting.board_id, meeting.id) if item.status == OPEN]
    items = agenda.items if agenda else ()
    person_ids = {item.presenter_unregistered_user_id for item in items} - {None}
    people = named(unregistered_users.get_many(meeting.board_id, [id_ for id_ in person_ids if id_]))
    papers = set(agenda_rules.papers_of(items))
    return [*agenda_rules.left_open(agenda, recorded, papers, tasks, people)]
