"""What calendars show of a board: its meetings, its open slots, how far back, and how many."""

from __future__ import annotations

from typing import Any

import pytest

from governance.domain.calendars import calendar as calendar_rules
from governance.domain.calendars.calendar import CalendarEvent, OpenSlot
from governance.instants import Instant
from governance.limits import FEED_EVENTS
from tests.domain.samples import BOARD, NOW, THEN, board, just_before, later, meeting

TODAY = Instant("2030-06-15T00:00:00.000Z")
FIRST = Instant("2030-03-17T00:00:00.000Z")
"""The midnight 90 days before NOW."""
ABOUT = {
    "title": "Spring",
    "place": None,
    "description": "Board",
    "path": f"/boards/{BOARD}/meetings/m",
    "stamped_at": THEN,
    "sequence": 0,
}


def open_slot(**members: Any) -> OpenSlot:
    usual: dict[str, Any] = {"id": "s", "meeting_id": "m", "start_time": NOW, "timezone": "Europe/Paris"}
    return OpenSlot(**{**usual, "duration_in_minutes": 45, "created_at": THEN, **members})


def shown(*slots: OpenSlot, **members: Any) -> list[CalendarEvent]:
    about = meeting(**members)
    return list(calendar_rules.board_events(board(), {about.id: about}, slots, NOW))


def test_a_meeting_is_shown_with_its_times_zone_and_revision() -> None:
    times = {"start_time": NOW, "end_time": later(minutes=30), "timezone": "Europe/Paris"}
    event_shown = calendar_rules.meeting_event(meeting(**times, sequence=4, updated_at=NOW), board())
    times_shown: dict[str, Any] = {"start": NOW, "end": later(minutes=30), "timezone": "Europe/Paris"}
    expected = {**ABOUT, **times_shown, "id": "m", "status": "CONFIRMED", "sequence": 4, "stamped_at": NOW}
    assert event_shown == CalendarEvent(**expected)


def test_a_meeting_without_an_end_is_shown_for_an_hour_and_one_without_a_start_not_at_all() -> None:
    event_shown = calendar_rules.meeting_event(meeting(start_time=NOW), board())
    assert event_shown is not None
    assert (event_shown.end, event_shown.timezone) == (later(hours=1), None)
    assert calendar_rules.default_end(NOW) == later(hours=1)
    assert calendar_rules.meeting_event(meeting(end_time=NOW), board()) is None


@pytest.mark.parametrize("status", ["draft", "scheduled", "in_progress", "completed", "finalized"])
def test_a_draft_is_tentative_and_every_other_meeting_confirmed(status: str) -> None:
    event_shown = calendar_rules.meeting_event(meeting(status=status, start_time=NOW), board())
    assert event_shown is not None
    assert event_shown.status == ("TENTATIVE" if status == "draft" else "CONFIRMED")


@pytest.mark.parametrize(
    ("members", "place", "description"),
    [
        ({}, None, "Board"),
        ({"location": "Room 2"}, "Room 2", "Board"),
        ({"virtual_meeting_url": "https://x.example"}, "https://x.example", "Board\nhttps://x.example"),
        ({"location": "Room 2", "virtual_meeting_url": "tel:1"}, "Room 2", "Board\ntel:1"),
    ],
)
def test_the_place_is_the_room_or_else_the_link_which_the_description_has_too(
    members: dict[str, str], place: str | None, description: str
) -> None:
    event_shown = calendar_rules.meeting_event(meeting(start_time=NOW, **members), board())
    assert event_shown is not None
    assert (event_shown.place, event_shown.description) == (place, description)


def test_a_feed_begins_with_the_midnight_ninety_days_ago() -> None:
    assert calendar_rules.today(NOW) == TODAY
    assert calendar_rules.first_instant(NOW) == FIRST
    assert calendar_rules.first_instant(TODAY) == FIRST
    assert [event.start for event in shown(start_time=FIRST)] == [FIRST]
    assert shown(start_time=just_before(FIRST)) == []


def test_an_open_slot_is_shown_with_its_own_time_and_its_meetings_title() -> None:
    (event_shown,) = shown(open_slot(), sequence=3)
    times: dict[str, Any] = {"start": NOW, "end": later(minutes=45), "timezone": "Europe/Paris"}
    assert event_shown == CalendarEvent(**{**ABOUT, **times, "id": "s", "status": "TENTATIVE", "sequence": 3})


def test_a_slot_is_stamped_with_the_later_of_its_proposal_and_its_meetings_change() -> None:
    for created, changed in ((THEN, NOW), (NOW, THEN)):
        (event_shown,) = shown(open_slot(created_at=created), updated_at=changed)
        assert event_shown.stamped_at == NOW


def test_a_slot_is_open_until_the_end_of_its_day_while_the_meeting_collects_votes() -> None:
    assert len(shown(open_slot(start_time=TODAY))) == 1
    assert shown(open_slot(start_time=just_before(TODAY))) == []
    assert shown(open_slot(meeting_id="hidden")) == []
    assert shown(open_slot(), booked_slot_id="s") == []
    assert shown(open_slot(), status="in_progress") == []
    assert len(shown(open_slot(), status="draft")) == 1


def test_a_feed_has_the_latest_thousand_events_in_the_order_of_their_start() -> None:
    """Two events begin in each minute; those that begin later have lower ids."""
    events = []
    for number in range(1002):
        begun = meeting(id=f"{9000 - number // 2 * 2 + number % 2}", start_time=later(minutes=number // 2))
        events += [event for event in [calendar_rules.meeting_event(begun, board())] if event]
    assert len(calendar_rules.newest(reversed(events))) == FEED_EVENTS
    assert calendar_rules.newest(reversed(events)) == events[2:]
