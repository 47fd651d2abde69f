"""Fixtures for the tests of comments."""

from __future__ import annotations

import pytest

from tests.functions.comments.subjects import MAKE, SUBJECTS
from tests.harness.board_scenario import BoardScenario


@pytest.fixture(params=SUBJECTS)
def subject(request: pytest.FixtureRequest, scenario: BoardScenario) -> str:
    """The path of a meeting, a document or a dashboard of the owner."""
    return MAKE[request.param](scenario, scenario.owner)
