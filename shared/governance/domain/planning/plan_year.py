"""How the matters of the work plan stand in a year: it is read from meetings and minutes, not stored (ADR planning)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from operator import attrgetter
from zoneinfo import ZoneInfo

from governance.domain.planning.months import local_start
from governance.instants import Instant, to_datetime
from governance.models.meetings.meeting import MatterOnAgenda, StoredMeeting
from governance.models.planning.plan_item import MatterInMonth, MatterInYear, MatterStatus, PlanYear, StoredPlanItem

_Places = Mapping[tuple[str, int], tuple[StoredMeeting, MatterOnAgenda]]


def plan_year(
    year: int,
    matters: Iterable[StoredPlanItem],
    meetings: Iterable[StoredMeeting],
    recorded: Mapping[str, Collection[str]],
    now: Instant,
) -> PlanYear:
    """Returns the year of these matters. `recorded` has, by held meeting, the items of its agenda with an entry."""
    places = _first_places(year, meetings)
    shown = [
        MatterInYear(
            plan_item_id=matter.id,
            months=tuple(
                _in_month(year, month, places.get((matter.id, month)), recorded, now) for month in matter.months
            ),
        )
        for matter in matters
    ]
    return PlanYear(year=year, matters=tuple(shown))


def _first_places(year: int, meetings: Iterable[StoredMeeting]) -> _Places:
    """Returns where a matter is on an agenda, by matter and month: at the first meeting of the month that has it."""
    places: dict[tuple[str, int], tuple[StoredMeeting, MatterOnAgenda]] = {}
    for meeting in sorted(meetings, key=attrgetter("start_time", "id")):
        for key, matter in _places_of(year, meeting):
            places.setdefault(key, (meeting, matter))
    return places


def _places_of(year: int, meeting: StoredMeeting) -> Iterator[tuple[tuple[str, int], MatterOnAgenda]]:
    start = local_start(meeting)
    if start is not None and start.year == year:
        yield from (((matter.plan_item_id, start.month), matter) for matter in meeting.matters)


def _in_month(
    year: int,
    month: int,
    place: tuple[StoredMeeting, MatterOnAgenda] | None,
    recorded: Mapping[str, Collection[str]],
    now: Instant,
) -> MatterInMonth:
    meeting, matter = place or (None, None)
    is_over = _is_over(year, month, meeting, now)
    status: MatterStatus = "missed" if is_over else "planned" if meeting is None else "on_agenda"
    if meeting is not None and matter is not None and matter.agenda_item_id in recorded.get(meeting.id, ()):
        status = "done"
    return MatterInMonth(
        month=month,
        status=status,
        meeting_id=meeting.id if meeting else None,
        agenda_item_id=matter.agenda_item_id if matter else None,
    )


def _is_over(year: int, month: int, meeting: StoredMeeting | None, now: Instant) -> bool:
    zone = (meeting.timezone if meeting else None) or "UTC"
    local = to_datetime(now).astimezone(ZoneInfo(zone))
    return (local.year, local.month) > (year, month)
