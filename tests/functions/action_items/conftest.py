"""Fixtures for the action item tests."""

from __future__ import annotations

import pytest

from tests.harness.action_item_scenario import ActionItemScenario, new_action_item_scenario
from tests.harness.board_scenario import BoardScenario


@pytest.fixture
def meeting(scenario: BoardScenario) -> ActionItemScenario:
    return new_action_item_scenario(scenario)
