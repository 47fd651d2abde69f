"""A board on which resolutions are voted on."""

import pytest

from tests.harness.board_scenario import BoardScenario
from tests.harness.resolution_scenario import ResolutionScenario


@pytest.fixture
def votes(scenario: BoardScenario) -> ResolutionScenario:
    return ResolutionScenario(scenario)
