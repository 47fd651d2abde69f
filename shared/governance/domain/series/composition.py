"""What the agenda of an occurrence begins with: template, work plan, backlog, what was left open (ADR series)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True)
class Composition:
    """An agenda, None without items; which items leave the backlog for it, and which wait there for want of room."""

    agenda: StoredAgenda | None
    placed: tuple[StoredBacklogItem, ...]
    without_room: tuple[StoredBacklogItem, ...]


def matters_of(series: StoredSeries, meeting: StoredMeeting, plan: Iterable[StoredPlanItem]) -> list[StoredAgendaItem]:
    """Returns the matters of the month of a meeting, as items of its agenda: the board's, or those of its committee."""
    start = local_start(meeting)
    due = (item for item in plan if item.committee_id == series.committee_id)
    return [plan_item.on_agenda(item) for item in due if start is not None and start.month in item.months]


def backlog_of(series: StoredSeries, backlog: Iterable[StoredBacklogItem]) -> list[StoredBacklogItem]:
    """Returns what waits for a series, and for no series in particular."""
    return [item for item in backlog if item.series_id in {None, series.id}]


def composed(
    series: StoredSeries,
    meeting: StoredMeeting,
    planned: Iterable[StoredAgendaItem],
    backlog: Sequence[StoredBacklogItem],
    left_open: Iterable[StoredAgendaItem],
    people: NamedPeople,
    now: Instant,
) -> Composition:
    """Returns the agenda of an occurrence that is opened; `planned` is what template and work plan have for it."""
    by_id = {item.id: item for item in backlog}
    taken = (backlog_item.moved(backlog_item.on_agenda(item), people) for item in backlog)
    agenda, others = agenda_rules.filled(meeting, None, [*planned, *taken, *left_open], now)
    kept = {item.id for item in agenda_rules.items_of(agenda)}
    return Composition(
        agenda,
        tuple(item for item in backlog if item.id in kept),
        tuple(waiting(series, item, now) for item in others if item.id not in by_id),
    )


def waiting(series: StoredSeries, item: StoredAgendaItem, now: Instant) -> StoredBacklogItem:
    """Returns an item as it waits for the next occurrence of a series."""
    kept = backlog_item.waiting(item, series.board_id, now)
    return kept.model_copy(update={"committee_id": series.committee_id, "series_id": series.id})


def within(composition: Composition, moves: int, room: int) -> Composition:
    """Returns the composition with at most so many new items in the backlog, and so many that move in all."""
    free = max(0, min(moves - len(composition.placed), room + len(composition.placed)))
    return Composition(composition.agenda, composition.placed, composition.without_room[:free])
