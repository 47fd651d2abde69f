"""A reminder that is planned and has not arrived yet reminds nobody once its reason has ended (ADR deliveries)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from governance.deliveries.notifications.reminders import send_reminder
from governance.domain.notifications.due import of_bet, of_item, of_meeting
from governance.instants import now
from governance.models.notifications.reminder import DueReminder
from governance.queue import sending
from governance.store.action_items import action_items
from governance.store.meetings import meetings
from governance.store.reports import bets
from tests.harness.board_scenario import Person
from tests.harness.client import Client, Response
from tests.harness.meeting_scenario import MeetingScenario, from_now
from tests.reminders.conftest import World
from tests.reminders.test_bets import bet_of
from tests.reminders.test_due_dates import day, item_of, put_due, seconds_to
from tests.reminders.test_polls import put_poll

End = Callable[[Client, str], Response]
_TASK: Mapping[str, End] = {
    "completed": lambda owner, path: owner.patch(path, {"status": "completed"}),
    "cancelled": lambda owner, path: owner.patch(path, {"status": "cancelled"}),
    "nobody's": lambda owner, path: owner.patch(path, {"assigneeUserId": None}),
    "moved": lambda owner, path: owner.put(f"{path}/due", {"dueOn": "2040-01-31"}),
    "without a day": lambda owner, path: owner.delete(f"{path}/due"),
    "deleted": lambda owner, path: owner.delete(path),
}
_BET: Mapping[str, End] = {
    "won": lambda owner, path: owner.patch(path, {"status": "won"}),
    "nobody's": lambda owner, path: owner.patch(path, {"ownerUserId": None}),
    "moved": lambda owner, path: owner.patch(path, {"dueOn": "2040-01-31"}),
    "deleted": lambda owner, path: owner.delete(path),
}
_OF_A_MEETING: Mapping[str, End] = {
    "a draft": lambda owner, path: owner.patch(path, {"status": "draft"}),
    "over": lambda owner, path: owner.patch(path, {"status": "completed"}),
    "deleted": lambda owner, path: owner.delete(path),
}
_MEETING: Mapping[str, End] = {
    **_OF_A_MEETING,
    "moved": lambda owner, path: owner.patch(path, {"startTime": from_now(days=20)}),
    "without a time": lambda owner, path: owner.patch(path, {"startTime": None}),
}
_POLL: Mapping[str, End] = {
    **_OF_A_MEETING,
    "moved": lambda owner, path: owner.put(f"{path}/poll", {"closesAt": from_now(days=20)}),
    "removed": lambda owner, path: owner.delete(f"{path}/poll"),
}


def plan(due: DueReminder) -> None:
    """Puts the messages of a reminder into the queue."""
    messages = list(send_reminder(due.item()))
    assert messages
    sending.send(messages)


def told_after(world: World, user: Person, type_: str, ends: Mapping[str, End], end: str | None, path: str) -> int:
    """Returns how often a user is told, after something ended like this; None: nothing did."""
    if end is not None:
        ended = ends[end](world.board.owner.client, path)
        assert ended.status == 200, ended.text
    return len(world.told(user, type_))


@pytest.mark.parametrize("end", [None, *_TASK])
def test_of_a_task(world: World, meeting: MeetingScenario, end: str | None) -> None:
    ben = world.board.member("ben")
    path = item_of(meeting, ben)
    put_due(meeting, path, day(days=4))
    stored = action_items.find(world.board.board_id, path.rpartition("/")[2])
    assert stored is not None
    due = of_item(stored, now())[0]
    world.move(seconds=seconds_to("UTC", day(days=3), 8) + 60)
    plan(due)
    assert told_after(world, ben, "task_due", _TASK, end, path) == (end is None)


@pytest.mark.parametrize("end", [None, *_BET])
def test_of_a_bet(world: World, end: str | None) -> None:
    ben = world.board.member("ben")
    path = bet_of(world, ben, day(days=4))
    stored = bets.find(world.board.board_id, path.rpartition("/")[2])
    assert stored is not None
    due = of_bet(stored, now())[-1]
    world.move(seconds=seconds_to("UTC", day(days=3), 8) + 60)
    plan(due)
    assert told_after(world, ben, "bet_due_soon", _BET, end, path) == (end is None)


@pytest.mark.parametrize("end", [None, *_MEETING])
def test_of_a_meeting(world: World, meeting: MeetingScenario, end: str | None) -> None:
    ben = world.board.member("ben")
    assert meeting.patch(startTime=from_now(days=3)).status == 200
    plan_of_meeting(world, meeting, days=2)
    assert told_after(world, ben, "meeting_reminder", _MEETING, end, meeting.path) == (end is None)


def test_a_reminder_that_becomes_due_as_its_meeting_is_moved_is_not_planned(
    world: World, meeting: MeetingScenario
) -> None:
    assert meeting.patch(startTime=from_now(days=3)).status == 200
    due = due_of_meeting(world, meeting)
    assert meeting.patch(startTime=from_now(days=4)).status == 200
    world.move(days=2, minutes=1)
    assert list(send_reminder(due.item())) == []


@pytest.mark.parametrize("end", [None, *_POLL])
def test_of_a_poll(world: World, meeting: MeetingScenario, end: str | None) -> None:
    ben = world.board.member("ben")
    meeting.slot(from_now(days=30))
    assert put_poll(meeting, from_now(days=9)).status == 200
    plan_of_meeting(world, meeting, days=8)
    assert told_after(world, ben, "vote_reminder", _POLL, end, meeting.path) == (end is None)


def plan_of_meeting(world: World, meeting: MeetingScenario, *, days: int) -> None:
    """Plans the reminder of a meeting or its poll, which is due in some days."""
    due = due_of_meeting(world, meeting)
    world.move(days=days, minutes=1)
    plan(due)


def due_of_meeting(world: World, meeting: MeetingScenario) -> DueReminder:
    """Returns the reminder of a meeting or its poll."""
    stored = meetings.find(world.board.board_id, meeting.path.rpartition("/")[2])
    assert stored is not None
    (due,) = of_meeting(stored, now())
    return due
