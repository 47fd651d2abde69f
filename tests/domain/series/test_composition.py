"""What an occurrence begins with: nothing is lost and nothing is twice, however much there is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.agenda_limits import AGENDA_ITEMS
from governance.domain.meetings.agenda import items_of
from governance.domain.members.unregistered_user import NOBODY
from governance.domain.series import composition
from governance.domain.series.composition import Candidates, Composition
from governance.models.meetings.agenda import StoredAgendaItem
from governance.models.planning.backlog_item import StoredBacklogItem
from governance.models.planning.plan_item import StoredPlanItem
from governance.models.series.of_meeting import OccurrenceOfMeeting
from governance.models.series.series import StoredSeries
from tests.domain import samples
from tests.domain.samples import BOARD, NOW, THEN

STAMPS: dict[str, Any] = {"created_at": THEN, "updated_at": THEN}
SERIES = StoredSeries(
    id="s",
    board_id=BOARD,
    title="S",
    rule="FREQ=MONTHLY;BYDAY=1TU",
    start="2098-01-07T09:00",
    timezone="Europe/Paris",
    duration_minutes=60,
    committee_id="audit",
    since="2098-01-07",
    created_by_user_id=samples.CREATOR,
    **STAMPS,
)
MEETING = samples.meeting(
    start_time="2098-01-31T23:30:00.000Z",
    timezone="Europe/Paris",
    occurrence=OccurrenceOfMeeting(series_id="s", key="2098-02-01T00:30"),
)


def items(kind: str, number: int) -> list[StoredAgendaItem]:
    return [StoredAgendaItem(id=f"{kind}{index}", title=kind) for index in range(number)]


def waiting(number: int, **members: Any) -> list[StoredBacklogItem]:
    shown = {**STAMPS, **members}
    return [StoredBacklogItem(id=f"w{index}", board_id=BOARD, title="W", **shown) for index in range(number)]


def candidates(planned: int, backlog: Sequence[StoredBacklogItem], left_open: int) -> Candidates:
    return Candidates(items("p", planned), backlog, items("o", left_open))


def composed(planned: int, backlog: Sequence[StoredBacklogItem], left_open: int) -> Composition:
    return composition.composed(SERIES, MEETING, None, candidates(planned, backlog, left_open), NOBODY, NOW)


def transactions(all_: Candidates) -> Iterator[Composition]:
    """Yields what each transaction of an opening moves, one after the other."""
    meeting, agenda, waits = MEETING, None, list(all_.backlog)
    while True:
        planned, left = (composition.to_move(meeting, each) for each in (all_.planned, all_.left_open))
        made = composition.composed(SERIES, meeting, agenda, Candidates(planned, waits, left), NOBODY, NOW)
        yield made
        if made.remaining is None:
            return
        meeting, agenda = composition.shown(meeting, made), made.agenda or agenda
        waits = [item for item in waits if item not in made.placed]


@given(st.integers(0, 150), st.integers(0, 130), st.integers(0, 150))
def test_every_item_is_on_the_agenda_or_waits_and_stands_in_one_place(planned: int, backlog: int, left: int) -> None:
    all_ = candidates(planned, waiting(backlog), left)
    made = [*transactions(all_)]
    (*_, agenda) = (each.agenda for each in made if each.agenda) if planned + backlog + left else (None,)
    on_agenda = [item.id for item in items_of(agenda)]
    new = [item.id for each in made for item in each.without_room]
    placed = {item.id for each in made for item in each.placed}
    stayed = [item.id for item in all_.backlog if item.id not in placed]
    everything = [item.id for item in (*all_.planned, *all_.backlog, *all_.left_open)]
    assert sorted([*on_agenda, *new, *stayed]) == sorted(everything)
    assert on_agenda == everything[:AGENDA_ITEMS]
    assert all(len(each.placed) + len(each.without_room) <= composition.MOVES for each in made)


def test_a_transaction_that_moves_no_more_than_it_takes_is_the_last_one() -> None:
    assert composed(60, waiting(composition.MOVES), 0).remaining is None
    assert composed(0, waiting(composition.MOVES + 1), 2).remaining == ("o0", "o1")
    assert composed(AGENDA_ITEMS, (), composition.MOVES + 1).remaining == (f"o{composition.MOVES}",)


def test_what_has_no_room_waits_for_the_series_and_its_committee() -> None:
    (last,) = composed(AGENDA_ITEMS + 1, (), 0).without_room
    assert (last.id, last.series_id, last.committee_id) == (f"p{AGENDA_ITEMS}", "s", "audit")


def test_notes_that_would_outgrow_a_row_wait() -> None:
    long = [StoredAgendaItem(id=f"p{index}", title="P", notes="\u20ac" * 4000) for index in range(60)]
    made = composition.composed(SERIES, MEETING, None, Candidates(long, (), ()), NOBODY, NOW)
    assert 0 < len(items_of(made.agenda)) < len(long)
    assert len(items_of(made.agenda)) + len(made.without_room) == len(long)


@pytest.mark.parametrize(("room", "kept"), [(500, 5), (2, 4), (0, 2), (-3, 0)])
def test_no_more_waits_than_the_backlog_has_room_for(room: int, kept: int) -> None:
    made = Composition(None, tuple(waiting(2)), tuple(waiting(5)))
    assert len(composition.within(made, room).without_room) == kept


def test_matters_come_in_the_month_of_the_meeting_and_of_its_committee_alone() -> None:
    plan = [
        StoredPlanItem(
            id=f"{month} {committee}", board_id=BOARD, title="M", months=(month,), committee_id=committee, **STAMPS
        )
        for month in (1, 2)
        for committee in ("audit", None)
    ]
    assert [item.plan_item_id for item in composition.matters_of(SERIES, MEETING, plan)] == ["2 audit"]


def test_the_backlog_gives_what_waits_for_this_series_or_for_none() -> None:
    backlog = [*waiting(1), *waiting(1, series_id="s"), *waiting(1, series_id="other")]
    assert [item.series_id for item in composition.backlog_of(SERIES, backlog, NOW)] == [None, "s"]


def test_what_came_into_the_backlog_after_an_opening_stays() -> None:
    backlog = waiting(1, created_at=NOW)
    assert composition.backlog_of(SERIES, backlog, THEN) == []
    assert composition.backlog_of(SERIES, backlog, NOW) == backlog
