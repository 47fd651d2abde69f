"""What the tests of paper requests share: a meeting, and the people around a paper of it."""

from __future__ import annotations

import pytest

from tests.harness.board_scenario import BoardScenario
from tests.harness.paper_scenario import Papers, new_paper_scenario


@pytest.fixture
def papers(scenario: BoardScenario) -> Papers:
    return new_paper_scenario(scenario)
