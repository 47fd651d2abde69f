"""A meeting to be reminded of, and what the clock of all components brings about."""

from __future__ import annotations

from datetime import timedelta
from email.message import EmailMessage

import pytest

from governance.instants import Instant, to_datetime
from tests.harness import queue
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.client import FUNCTIONS, load
from tests.harness.clock import Clock
from tests.harness.meeting_scenario import MeetingScenario, new_meeting_scenario
from tests.harness.outbox import Outbox
from tests.harness.privileges import acting_as
from tests.harness.stream import event_records, send_to_queue

TICK = {"source": "aws.events", "detail-type": "Scheduled Event", "detail": {}}


class World:
    """The service under a clock of its own: what happens by the clock happens in `pass_time`."""

    def __init__(self, scenario: BoardScenario, outbox: Outbox, clock: Clock) -> None:
        self.board, self.outbox, self._clock = scenario, outbox, clock

    def stop_clock(self, at: Instant) -> None:
        """Makes it this instant, until the clock is moved."""
        self._clock.stop(to_datetime(at))

    def move(self, **offset: float) -> None:
        """Moves the clock; nothing happens by it."""
        self._clock.move(timedelta(**offset).total_seconds())

    def pass_time(self, **offset: float) -> None:
        """Moves the clock, then sweeps as the function does each minute, and delivers all that is due by then."""
        self.move(**offset)
        self.sweep()
        self.deliver()

    def sweep(self) -> int:
        """Calls the function as its schedule does; returns how many messages it found due."""
        with acting_as("deliveries"):
            counts: dict[str, int] = load(FUNCTIONS / "deliveries" / "handler.py").lambda_handler(TICK, None)
        return counts["swept"]

    def deliver(self) -> None:
        """Delivers all events, those delivered before once more, and all messages that are visible."""
        assert send_to_queue(event_records(self.board.board_id)) == []
        queue.current.deliver()

    def told(self, user: Person, *types: str) -> list[str]:
        """Returns the messages of a user's notifications of these types, newest first."""
        self.deliver()
        rows = user.client.get("/api/notification/").json
        return [row["message"] for row in rows if row["type"] in types]

    def mails(self, user: Person) -> list[EmailMessage]:
        """Returns the e-mails to a user, oldest first."""
        self.deliver()
        return [mail for mail in self.outbox.mails if mail["To"] == user.email]


@pytest.fixture
def world(scenario: BoardScenario, outbox: Outbox, clock: Clock) -> World:
    """A board whose clock can be moved."""
    return World(scenario, outbox, clock)


@pytest.fixture
def meeting(world: World) -> MeetingScenario:
    """A scheduled meeting without a time."""
    return new_meeting_scenario(world.board)
