"""The sweep of what is due: killed at every call, nobody is told twice and nobody is left out (ADR deliveries)."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from governance.ids import BoardId, new_id
from governance.instants import Instant
from governance.limits import DUE_AHEAD_SECONDS
from governance.mail import sender
from governance.models.notifications.reminder import DueReminder, ReminderKind
from governance.queue import sending
from governance.store import due
from governance.store.notifications import notifications
from governance.store.transactions import transact
from tests.harness import queue
from tests.harness.board_scenario import Person
from tests.harness.crash_injection import create_members, ends_before
from tests.harness.meeting_scenario import MeetingScenario, from_now
from tests.harness.observed_table import events as table_events
from tests.reminders.conftest import World
from tests.reminders.test_polls import put_poll

_HOURS = 13


def _reminded(user: Person) -> int:
    return sum(told.type == "vote_reminder" for told in notifications.newest(user.id))


def _mailed(world: World, users: list[Person]) -> Counter[str]:
    addresses = {user.email for user in users}
    reminders = [mail for mail in world.outbox.mails if "ends soon" in str(mail["Subject"])]
    return Counter(str(mail["To"]) for mail in reminders if mail["To"] in addresses)


def _set_due(world: World, meeting: MeetingScenario) -> None:
    """Sets a deadline whose reminder is due at its half time, and moves the clock there."""
    assert put_poll(meeting, from_now(hours=2 * _HOURS)).status == 200
    world.outbox.raw.clear()
    world.move(hours=_HOURS, seconds=1)


def _work(world: World) -> None:
    """Lets the worker sweep and deliver; messages that a killed one held are visible again."""
    queue.current.now += queue.LONG_ENOUGH
    world.sweep()
    queue.current.deliver()


@pytest.mark.slow
@pytest.mark.parametrize("before", [True, False], ids=["before the call", "after the call"])
def test_killed_at_every_call_everybody_is_reminded_once(
    world: World, meeting: MeetingScenario, *, before: bool
) -> None:
    """A mail is lost only to a death between its claim and the mail service."""
    missing = [meeting.board.member(name) for name in ("ben", "cleo")]
    meeting.slot(from_now(days=300))
    world.deliver()
    call, done, lost = 0, False, 0
    while not done:
        call += 1
        world.move(hours=24)  # a meeting has one reminder of a kind a day
        _set_due(world, meeting)
        done = ends_before(call, lambda: _work(world), before=before)
        _work(world)
        assert [_reminded(user) for user in missing] == [call] * 2
        assert set(_mailed(world, missing).values()) == {1}
        lost += len(missing) - len(_mailed(world, missing))
    assert (call > 20, lost) == (True, len(missing))


def _put_rows(at: Instant, count: int) -> None:
    """Stores reminders of meetings that were deleted; they cost the sweep as much as any other."""
    rows = [
        DueReminder(kind=ReminderKind.MEETING, due_at=at, board_id=BoardId(new_id()), meeting_id=new_id())
        for _ in range(count)
    ]
    for start in range(0, count, 100):
        transact([due.put_reminder(row) for row in rows[start : start + 100]])


def test_a_reminder_is_handed_on_with_the_rest_of_its_time_as_delay(world: World) -> None:
    ahead = DUE_AHEAD_SECONDS - 5
    _put_rows(from_now(seconds=ahead), 3)
    _put_rows(from_now(seconds=DUE_AHEAD_SECONDS + 5), 3)
    assert world.sweep() == 3
    assert {round(message.visible_at - queue.current.now) for message in queue.current.messages} <= {ahead - 1, ahead}
    assert world.sweep() == 0


def test_a_row_that_was_left_behind_does_nothing(world: World, meeting: MeetingScenario) -> None:
    ben = meeting.board.member("ben")
    meeting.slot(from_now(days=300))
    assert put_poll(meeting, from_now(days=5)).status == 200
    left_behind = DueReminder(
        kind=ReminderKind.POLL,
        due_at=from_now(hours=1),
        board_id=meeting.board.board_id,
        meeting_id=meeting.path.rpartition("/")[2],
    )
    transact([due.put_reminder(left_behind)])
    world.move(hours=2)
    _work(world)
    assert _reminded(ben) == 0


@dataclass
class _Cost:
    """The calls of each invocation, counted as they are made."""

    calls: int = 0

    def count(self, **_: Any) -> None:
        self.calls += 1


@contextmanager
def _counted() -> Iterator[_Cost]:
    cost = _Cost()
    watched: dict[str, Any] = {"sesv2": sender.client().meta.events, "sqs": sending.client().meta.events}
    watched["dynamodb"] = table_events
    for service, events in watched.items():
        events.register_first(f"before-call.{service}.*", cost.count)
    try:
        yield cost
    finally:
        for service, events in watched.items():
            events.unregister(f"before-call.{service}.*", cost.count)


_CALL_SECONDS = 0.02
"""Of a call of the store, the queue or the mail service: twice what they take on most days."""
_WORKERS = 50
_MEMBERS, _BOARDS = 100, 100


def _finished_at(costs: Sequence[float], starts: float = 0.0) -> float:
    """Returns when so many workers are done with messages that cost so many seconds, each taking the next one."""
    workers = [starts] * _WORKERS
    for seconds in costs:
        heapq.heappush(workers, heapq.heappop(workers) + seconds)
    return max(workers)


@pytest.mark.slow
def test_ten_thousand_reminders_of_one_minute_are_sent_within_two_and_starve_nobody(
    world: World, meeting: MeetingScenario
) -> None:
    """One board's share is delivered by the real code, and its calls counted; a hundred boards have as much to do.

    The queue is fair between boards (message groups), so a message of another board waits for one message of a worker
    at most, not for all that were there before.
    """
    create_members(meeting.board, _MEMBERS)
    meeting.slot(from_now(days=300))
    world.deliver()
    _set_due(world, meeting)
    _put_rows(from_now(seconds=1), _BOARDS)
    with _counted() as sweeping:
        assert world.sweep() > _BOARDS
    costs: list[float] = []
    queue.current.now += 60
    while message := queue.current.receive():
        with _counted() as handling:
            assert queue.invoke_deliveries(message) == []
        queue.current.messages.remove(message)
        if message.group == meeting.board.board_id:
            costs.append(handling.calls * _CALL_SECONDS)
    mails = [mail for mail in world.outbox.mails if "ends soon" in str(mail["Subject"])]
    assert len(mails) == _MEMBERS
    assert len({str(mail["To"]) for mail in mails}) == _MEMBERS
    assert _finished_at(costs * _BOARDS, sweeping.calls * _CALL_SECONDS) < 120
    assert max(costs) < 5


@pytest.mark.slow
def test_ten_thousand_rows_of_one_second_are_swept_in_one_invocation(world: World) -> None:
    _put_rows(from_now(seconds=30), 10_000)
    with _counted() as sweeping:
        assert world.sweep() == 10_000
    assert len(queue.current.messages) == 10_000
    assert sweeping.calls * _CALL_SECONDS < 45
    assert world.sweep() == 0
