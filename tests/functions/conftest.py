"""Fixtures that several subjects share."""

from __future__ import annotations

import pytest

from tests.harness.board_scenario import BoardScenario
from tests.harness.meeting_scenario import MeetingScenario, new_meeting_scenario


@pytest.fixture
def meeting(scenario: BoardScenario) -> MeetingScenario:
    """A scheduled meeting on the board that olivia owns."""
    return new_meeting_scenario(scenario)
