"""Fixtures for the tests of calendars."""

from __future__ import annotations

import pytest

from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.outbox import outbox

__all__ = ["outbox"]


def want_invitations(user: Person, wanted: bool = True) -> None:
    """Switches invitations by mail on or off."""
    response = user.client.put("/api/v1/me/calendar", {"invitations": wanted})
    assert response.status == 200
    assert user.client.get("/api/v1/me/calendar").data == response.data


@pytest.fixture
def ben(scenario: BoardScenario) -> Person:
    """A collaborator who wants invitations."""
    user = scenario.member("ben")
    want_invitations(user)
    return user
