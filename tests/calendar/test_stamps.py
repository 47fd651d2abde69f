"""A change that a calendar shows gives the board a new stamp, and nothing else does.

Which events these are is declared by their records (`contract/test_event_effects.py`).
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from governance.store.calendars import calendars
from governance.store.schema.entities import CALENDAR_STAMP
from governance.store.table import read_one
from tests.calendar.calendar_invitation_mails import calendar_of, schedule, settle
from tests.calendar.invited import want_calendar_invitations
from tests.calendar.mails import deliver, itip, mail
from tests.harness.board_scenario import BoardScenario
from tests.harness.history import event_items
from tests.harness.meeting_scenario import MeetingScenario, from_now
from tests.harness.outbox import Outbox
from tests.harness.stream import process_records, record

pytestmark = pytest.mark.usefixtures("bucket")


def stamp(scenario: BoardScenario) -> str:
    return calendars.stamp_of(read_one(CALENDAR_STAMP.key_for(boardId=scenario.board_id)))


@pytest.fixture
def meeting(scenario: BoardScenario, outbox: Outbox) -> MeetingScenario:
    """A meeting with an open slot, to which its creator is invited."""
    del outbox
    want_calendar_invitations(scenario.owner)
    meeting = schedule(scenario)
    meeting.slot(from_now(days=7))
    settle(scenario)
    return meeting


def _ask(meeting: MeetingScenario, outbox: Outbox, method: str, *lines: str) -> None:
    """Sends a mail of the creator's calendar about the meeting."""
    (event,) = calendar_of(outbox.last).walk("VEVENT")
    content = itip(method, event, *lines, SEQUENCE=str(int(str(event["sequence"])) + 1))
    assert deliver(mail(meeting.board.owner.email, str(outbox.last["Reply-To"]), content)) == [None]


SHOWN: dict[str, Callable[[MeetingScenario, Outbox], object]] = {
    "a new time": lambda meeting, _: meeting.patch(startTime=from_now(days=9)),
    "slot removed": lambda meeting, _: meeting.remove(meeting.listed()[0]),
    "board renamed": lambda meeting, _: meeting.board.owner.client.patch(meeting.board.path, {"name": "New"}),
    "moved by a calendar": lambda meeting, outbox: _ask(
        meeting, outbox, "REQUEST", "DTSTART:20990501T090000Z", "DTEND:20990501T100000Z"
    ),
    "cancelled by a calendar": lambda meeting, outbox: _ask(meeting, outbox, "CANCEL"),
}
NOT_SHOWN: dict[str, Callable[[MeetingScenario, Outbox], object]] = {
    "guest link": lambda meeting, _: meeting.board.owner.client.post(f"{meeting.path}/guest-link", {}),
    "answer": lambda meeting, _: meeting.board.owner.client.put(f"{meeting.path}/rsvp", {"status": "accepted"}),
}


@pytest.mark.parametrize("change", SHOWN)
def test_what_a_calendar_shows_renews_the_stamp(meeting: MeetingScenario, outbox: Outbox, change: str) -> None:
    assert renews(meeting, lambda: SHOWN[change](meeting, outbox))


@pytest.mark.parametrize("change", NOT_SHOWN)
def test_what_no_calendar_shows_leaves_the_stamp(meeting: MeetingScenario, outbox: Outbox, change: str) -> None:
    assert not renews(meeting, lambda: NOT_SHOWN[change](meeting, outbox))


def renews(meeting: MeetingScenario, change: Callable[[], object]) -> bool:
    """Makes a change and delivers its events and no others; returns whether the board has a new stamp."""
    before, known = stamp(meeting.board), event_items(meeting.board.board_id)
    change()
    made = [item for item in event_items(meeting.board.board_id) if item not in known]
    assert process_records([record(item) for item in made]) == []
    return stamp(meeting.board) != before
