"""What an occurrence begins with: nothing is lost and nothing is twice, however much there is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.agenda_limits import AGENDA_ITEMS
from governance.domain.meetings.agenda import items_of
from governance.domain.members.unregistered_user import NOBODY
from governance.domain.series import composition
from governance.models.meetings.agenda import StoredAgendaItem
from governance.models.planning.backlog_item import StoredBacklogItem
from governance.models.planning.plan_item import StoredPlanItem
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
MEETING = samples.meeting(start_time="2098-01-31T23:30:00.000Z", timezone="Europe/Paris")


def items(kind: str, number: int) -> list[StoredAgendaItem]:
    return [StoredAgendaItem(id=f"{kind}{index}", title=kind) for index in range(number)]


def waiting(number: int, **members: Any) -> list[StoredBacklogItem]:
    return [
        StoredBacklogItem(id=f"w{index}", board_id=BOARD, title="W", **STAMPS, **members) for index in range(number)
    ]


def composed(planned: int, backlog: Sequence[StoredBacklogItem], left_open: int) -> composition.Composition:
    given_ = items("p", planned), backlog, items("o", left_open)
    return composition.composed(SERIES, MEETING, *given_, NOBODY, NOW)


@given(st.integers(0, 120), st.integers(0, 30), st.integers(0, 120))
def test_every_item_is_on_the_agenda_or_waits_and_stands_in_one_place(planned: int, backlog: int, left: int) -> None:
    made = composed(planned, waiting(backlog), left)
    on_agenda = [item.id for item in items_of(made.agenda)]
    new = [item.id for item in made.without_room]
    stayed = {item.id for item in waiting(backlog)} - {item.id for item in made.placed}
    everything = [item.id for item in (*items("p", planned), *waiting(backlog), *items("o", left))]
    assert sorted([*on_agenda, *new, *stayed]) == sorted(everything)
    assert on_agenda == everything[:AGENDA_ITEMS]


def test_what_has_no_room_waits_for_the_series_and_its_committee() -> None:
    (last,) = composed(AGENDA_ITEMS + 1, (), 0).without_room
    assert (last.id, last.series_id, last.committee_id) == (f"p{AGENDA_ITEMS}", "s", "audit")


def test_notes_that_would_outgrow_a_row_wait() -> None:
    long = [StoredAgendaItem(id=f"p{index}", title="P", notes="\u20ac" * 4000) for index in range(60)]
    made = composition.composed(SERIES, MEETING, long, (), (), NOBODY, NOW)
    assert 0 < len(items_of(made.agenda)) < len(long)
    assert len(items_of(made.agenda)) + len(made.without_room) == len(long)


@pytest.mark.parametrize(("moves", "room", "kept"), [(30, 500, 5), (4, 500, 2), (30, 1, 3), (1, 0, 0)])
def test_no_more_move_than_one_transaction_holds_and_the_backlog_has_room_for(moves: int, room: int, kept: int) -> None:
    made = composition.Composition(None, tuple(waiting(2)), tuple(waiting(5)))
    assert len(composition.within(made, moves, room).without_room) == kept


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
    assert [item.series_id for item in composition.backlog_of(SERIES, backlog)] == [None, "s"]
