"""Races of answers to a meeting, each run many times."""

from __future__ import annotations

from functools import partial

import pytest

from governance.models.event import Event
from tests.harness.board_scenario import BoardScenario
from tests.harness.meeting_scenario import new_meeting_scenario, stored_events
from tests.harness.race import Racers

pytestmark = pytest.mark.slow
ROUNDS = 30


def test_two_answers_at_once_are_one_after_the_other(scenario: BoardScenario, racers: Racers) -> None:
    """Each event begins where the one before it ended, whichever of two answers came first."""
    ben = scenario.member("ben")
    meeting = new_meeting_scenario(scenario)
    path = f"{meeting.path}/rsvp"
    for _ in range(ROUNDS):
        calls = [partial(ben.client.put, path, {"status": status}) for status in ("accepted", "declined")]
        responses = racers.run(*calls, partial(ben.client.delete, path))
        assert [response.status for response in responses] == [200] * 3
    (shown,) = [entry for entry in scenario.owner.client.get(f"{meeting.path}/rsvps").data if entry["userId"] == ben.id]
    changes = [event.details for event in stored_events(scenario, Event.RSVP_CHANGED)]
    ends, starts = [change["to"] for change in changes], [change["from"] for change in changes]
    assert all(change["from"] != change["to"] for change in changes)
    for status in ("accepted", "declined", "noAnswer"):
        left_over = ends.count(status) - starts.count(status) + (status == "noAnswer")
        assert left_over == (status == shown["status"])
