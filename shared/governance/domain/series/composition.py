"""What the agenda of an occurrence begins with: template, work plan, backlog, what was left open (ADR series)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from governance.domain.meetings import agenda as agenda_rules
from governance.domain.members.unregistered_user import NamedPeople
from governance.domain.planning import backlog_item, plan_item
from governance.domain.planning.months import local_start
from governance.instants import Instant
from governance.models.meetings.agenda import StoredAgenda, StoredAgendaItem
from governance.models.meetings.meeting import StoredMeeting
from governance.models.planning.backlog_item import StoredBacklogItem
from governance.models.planning.plan_item import StoredPlanItem
from governance.models.series.series import StoredSeries

MOVES = 40
"""Items that move between the backlog and an agenda in one transaction: two writes each, of 100 that it takes."""


@dataclass(frozen=True)
class Composition:
    """What one transaction moves: an agenda, None if it gets nothing; what leaves the backlog, and what waits there.

    `remaining` are the sources of what moves next, beside the backlog; None if nothing does.
    """

    agenda: StoredAgenda | None
    placed: tuple[StoredBacklogItem, ...]
    without_room: tuple[StoredBacklogItem, ...]
    remaining: tuple[str, ...] | None = None


def matters_of(series: StoredSeries, meeting: StoredMeeting, plan: Iterable[StoredPlanItem]) -> list[StoredAgendaItem]:
    """Returns the matters of the month of a meeting, as items of its agenda: the board's, or those of its committee."""
    start = local_start(meeting)
    due = (item for item in plan if item.committee_id == series.committee_id)
    return [plan_item.on_agenda(item) for item in due if start is not None and start.month in item.months]


def backlog_of(series: StoredSeries, backlog: Iterable[StoredBacklogItem], until: Instant) -> list[StoredBacklogItem]:
    """Returns what waits for a series, and for no series in particular, since an instant or longer."""
    return [item for item in backlog if item.series_id in {None, series.id} and item.created_at <= until]


@dataclass(frozen=True)
class Candidates:
    """What may come to an agenda, in this order: of template and work plan, of the backlog, what was left open."""

    planned: Sequence[StoredAgendaItem]
    backlog: Sequence[StoredBacklogItem]
    left_open: Sequence[StoredAgendaItem]

    def on_agenda(self, people: NamedPeople) -> list[StoredAgendaItem]:
        """Returns them as they stand on an agenda."""
        taken = (backlog_item.moved(backlog_item.on_agenda(item), people) for item in self.backlog)
        return [*self.planned, *taken, *self.left_open]


def composed(
    series: StoredSeries,
    meeting: StoredMeeting,
    old: StoredAgenda | None,
    candidates: Candidates,
    people: NamedPeople,
    now: Instant,
    moves: int = MOVES,
) -> Composition:
    """Returns what one transaction puts on the agenda of an occurrence; `moves` items move from or to the backlog."""
    agenda, others = agenda_rules.filled(meeting, old, candidates.on_agenda(people), now)
    kept = {item.id for item in agenda_rules.items_of(agenda)}
    placed = tuple(item for item in candidates.backlog if item.id in kept)
    if len(placed) > moves:
        first = replace(candidates, backlog=placed[:moves], left_open=())
        agenda, _ = agenda_rules.filled(meeting, old, first.on_agenda(people), now)
        return Composition(agenda, placed[:moves], (), tuple(map(source, candidates.left_open)))
    stay = {item.id for item in candidates.backlog}
    waits = queued(series, [item for item in others if item.id not in stay], now, moves - len(placed))
    return replace(waits, agenda=agenda, placed=placed)


def queued(series: StoredSeries, items: Sequence[StoredAgendaItem], now: Instant, moves: int = MOVES) -> Composition:
    """Returns what one transaction puts into the backlog of items that have no room on an agenda."""
    remaining = tuple(map(source, items[moves:]))
    return Composition(None, (), tuple(waiting(series, item, now) for item in items[:moves]), remaining or None)


def source(item: StoredAgendaItem) -> str:
    """Returns the id of what a new item of an agenda was made of: an item left open or of a template, or a matter."""
    return item.carried_from or item.plan_item_id or item.id


def to_move(meeting: StoredMeeting, items: Sequence[StoredAgendaItem]) -> Sequence[StoredAgendaItem]:
    """Returns which of these items are still to move: all, unless transactions of the meeting's opening went before."""
    if meeting.occurrence is None or meeting.occurrence.remaining is None:
        return items
    return [item for item in items if source(item) in meeting.occurrence.remaining]


def shown(meeting: StoredMeeting, composed: Composition) -> StoredMeeting:
    """Returns an occurrence after one transaction: with its agenda, and what is still to move."""
    new = agenda_rules.with_agenda(meeting, composed.agenda) if composed.agenda else meeting
    return with_remaining(new, composed.remaining).model_copy(update={"version": meeting.version + 1})


def with_remaining(meeting: StoredMeeting, sources: tuple[str, ...] | None) -> StoredMeeting:
    """Returns the meeting of an occurrence of which this is still to move."""
    if meeting.occurrence is None:
        return meeting
    return meeting.model_copy(update={"occurrence": meeting.occurrence.model_copy(update={"remaining": sources})})


def waiting(series: StoredSeries, item: StoredAgendaItem, now: Instant) -> StoredBacklogItem:
    """Returns an item as it waits for the next occurrence of a series."""
    kept = backlog_item.waiting(item, series.board_id, now)
    return kept.model_copy(update={"committee_id": series.committee_id, "series_id": series.id})


def within(composition: Composition, room: int) -> Composition:
    """Returns the composition without new items for which the backlog has no room."""
    free = max(0, room + len(composition.placed))
    return replace(composition, without_room=composition.without_room[:free])
