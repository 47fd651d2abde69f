"""Fixtures for the tests of notifications: the list, and an event that adds to it."""

from __future__ import annotations

from typing import Any

import pytest

from governance.models.history.event import Event
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.stream import deliver, new_event

LIST = "/api/notification/"


def notify(scenario: BoardScenario, **members: Any) -> None:
    """Delivers an event of the owner, which notifies the members."""
    deliver(new_event(scenario.board_id, Event.BOARD_CHANGED, scenario.owner.id, **members))


@pytest.fixture
def ben(scenario: BoardScenario) -> Person:
    """A member who is notified of what the owner does."""
    return scenario.member("ben")
