"""How matters stand in a year: the first meeting of a month counts, in its own zone."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import pytest

from governance.domain.planning.plan_year import plan_year
from governance.ids import BoardId
from governance.instants import Instant
from governance.models.meetings.meeting import MatterOnAgenda, StoredMeeting
from governance.models.planning.plan_item import MatterInMonth, StoredPlanItem
from tests.domain import samples

AT = Instant("2097-01-01T00:00:00.000Z")
STAMPS: dict[str, Any] = {"created_at": AT, "updated_at": AT}
MATTER = StoredPlanItem(id="m", board_id=BoardId("b"), title="M", months=(3,), **STAMPS)


def meeting(id_: str, start: str | None, zone: str | None = None, status: str = "scheduled") -> StoredMeeting:
    matters = (MatterOnAgenda(plan_item_id="m", agenda_item_id=f"of {id_}"),)
    return samples.meeting(id=id_, start_time=start, timezone=zone, status=status, matters=matters)


def march(
    *meetings: StoredMeeting, recorded: Mapping[str, Collection[str]] | None = None, now: str = AT, year: int = 2098
) -> MatterInMonth:
    shown = plan_year(year, [MATTER], meetings, recorded or {}, Instant(now))
    return shown.matters[0].months[0]


def test_a_matter_without_a_meeting_is_planned_until_its_month_is_over() -> None:
    assert march().status == "planned"
    assert march(now="2098-03-31T23:59:59.999Z").status == "planned"
    assert march(now="2098-04-01T00:00:00.000Z").status == "missed"


@pytest.mark.parametrize(
    ("start", "zone", "counts"),
    [
        ("2098-03-01T00:00:00.000Z", None, True),
        ("2098-02-28T23:59:59.999Z", None, False),
        ("2098-02-28T23:30:00.000Z", "Europe/Paris", True),
        ("2098-03-01T03:00:00.000Z", "America/New_York", False),
        ("2098-04-01T03:00:00.000Z", "America/New_York", True),
        ("2099-03-10T09:00:00.000Z", None, False),
        (None, None, False),
    ],
)
def test_a_meeting_is_in_the_month_of_its_start_in_its_zone(start: str | None, zone: str | None, counts: bool) -> None:
    assert (march(meeting("a", start, zone)).meeting_id == "a") is counts


def test_the_first_meeting_of_the_month_counts() -> None:
    later, first = meeting("a", "2098-03-20T09:00:00.000Z"), meeting("b", "2098-03-10T09:00:00.000Z")
    assert march(later, first).agenda_item_id == "of b"


def test_a_matter_is_done_once_the_minutes_of_its_meeting_have_it() -> None:
    held = meeting("a", "2098-03-10T09:00:00.000Z", status="completed")
    assert march(held).status == "on_agenda"
    assert march(held, recorded={"a": {"another"}}).status == "on_agenda"
    assert march(held, recorded={"a": {"of a"}}).status == "done"
    after = "2098-04-02T00:00:00.000Z"
    assert march(held, recorded={"a": {"of a"}}, now=after).status == "done"
    missed = march(held, now=after)
    assert (missed.status, missed.meeting_id) == ("missed", "a")


def test_a_month_is_over_in_the_zone_of_its_meeting() -> None:
    in_new_york = meeting("a", "2098-03-10T09:00:00.000Z", "America/New_York")
    assert march(in_new_york, now="2098-04-01T03:00:00.000Z").status == "on_agenda"
    assert march(in_new_york, now="2098-04-01T05:00:00.000Z").status == "missed"
