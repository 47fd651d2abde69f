"""The rows of `make scale` about series of meetings, the work plan and the backlog."""

from __future__ import annotations

from datetime import datetime, timedelta

from governance.ids import UserId, new_id
from governance.instants import Instant, format_instant, now, shift, to_datetime
from governance.models.boards.board import StoredBoard
from governance.models.meetings.meeting import MatterOnAgenda, StoredMeeting
from governance.models.planning.backlog_item import StoredBacklogItem
from governance.models.planning.plan_item import StoredPlanItem
from governance.models.series.series import OpenedOccurrence, StoredSeries
from governance.store.meetings import meetings
from governance.store.planning import backlog, plan
from governance.store.series import series
from infra.tools.scale.preparation import Request, get, owned_board, stamps
from infra.tools.scale.world import Caller, World, earlier

_PAGE = 10
_DAYS = 28
"""Between two occurrences: thirteen in a year."""
_OF_A_YEAR = 13


def _a_series(board: StoredBoard, owner: UserId, start: Instant, created_at: Instant) -> StoredSeries:
    """Returns a series of a board, every four weeks from a start on."""
    return StoredSeries(
        id=new_id(),
        board_id=board.id,
        title="Board meeting",
        rule="FREQ=WEEKLY;INTERVAL=4",
        start=start[:16],
        timezone="UTC",
        duration_minutes=90,
        since=start[:10],
        opens_days_before=1,
        created_by_user_id=owner,
        created_at=created_at,
        updated_at=created_at,
    )


def _old_series(world: World, years: int) -> tuple[Caller, str]:
    """Creates a series that began so many years ago and whose occurrences were all opened; returns its path."""
    owner, board, path = owned_board(world)
    starts = [_next_start() - timedelta(days=_DAYS * (number + 1)) for number in range(_OF_A_YEAR * years)]
    made = _a_series(board, owner.id, format_instant(starts[-1]), earlier(1))
    world.fill(series.create(made))
    instants = [format_instant(start) for start in starts]
    world.fill(
        series.open_occurrence(
            made, OpenedOccurrence(key=start[:16], meeting_id=new_id(), original=start, start_time=start)
        )
        for start in instants
    )
    return owner, f"{path}/series/{made.id}"


def _next_start() -> datetime:
    return to_datetime(shift(now(), days=2)).replace(second=0, microsecond=0)


def series_page(world: World, size: int) -> Request:
    """Returns the first page of the given number of series of a board."""
    owner, board, path = owned_board(world)
    start = format_instant(_next_start())
    world.fill(
        write for number in range(size) for write in series.create(_a_series(board, owner.id, start, earlier(number)))
    )
    return get(owner, f"{path}/series?limit={_PAGE}")


def one_series(world: World, years: int) -> Request:
    """Returns a series that began so many years ago, with what is next."""
    owner, path = world.shared(_old_series, years)
    return get(owner, path)


def occurrences(world: World, years: int) -> Request:
    """Returns the occurrences of half a year that is past and half a year to come."""
    owner, path = world.shared(_old_series, years)
    first, end = (shift(now(), days=days)[:10] for days in (-180, 180))
    return get(owner, f"{path}/occurrences?from={first}&to={end}")


def opening(world: World, years: int) -> Request:
    """Returns the opening of the next occurrence that is not opened."""
    owner, path = world.shared(_old_series, years)
    keys = iter([each["key"] for each in owner.data("GET", path)["next"] if each["status"] == "planned"])
    return lambda: owner.send("POST", f"{path}/occurrences/{next(keys)}/open", None)


def plan_year(world: World, years: int) -> Request:
    """Returns the year of ten matters, which a meeting in each month of so many years had on its agenda."""
    owner, board, path = owned_board(world)
    matters = [
        StoredPlanItem.model_validate(
            {**stamps(board, owner, earlier(number)), "title": "Matter", "months": tuple(range(1, 13))}
        )
        for number in range(_PAGE)
    ]
    world.fill(write for matter in matters for write in plan.create(matter))
    placed = tuple(MatterOnAgenda(plan_item_id=matter.id, agenda_item_id=new_id()) for matter in matters)
    year = int(now()[:4])
    world.fill(
        write
        for number in range(12 * years)
        for write in meetings.create(
            StoredMeeting.model_validate(
                {
                    **stamps(board, owner, earlier(number)),
                    "status": "scheduled",
                    "title": "Meeting",
                    "matters": placed,
                    "start_time": f"{year - number // 12}-{number % 12 + 1:02}-10T09:00:00.000Z",
                }
            )
        )
    )
    return get(owner, f"{path}/plan/years/{year}")


def backlog_page(world: World, size: int) -> Request:
    """Returns the first page of the given number of items that wait."""
    owner, board, path = owned_board(world)
    world.fill(
        write
        for number in range(size)
        for write in backlog.create(
            StoredBacklogItem.model_validate({**stamps(board, owner, earlier(number)), "title": "Item"})
        )
    )
    return get(owner, f"{path}/backlog?limit={_PAGE}")
