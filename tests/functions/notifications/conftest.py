"""Fixtures for the tests of notifications."""

from __future__ import annotations

import pytest

from tests.harness.board_scenario import BoardScenario, Person


@pytest.fixture
def ben(scenario: BoardScenario) -> Person:
    """A member who is notified of what the owner does."""
    return scenario.member("ben")
