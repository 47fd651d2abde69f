"""Fixtures for the tests of dashboards."""

from __future__ import annotations

import pytest

from tests.functions.dashboards.rights import create
from tests.harness.board_scenario import BoardScenario


@pytest.fixture
def report(scenario: BoardScenario) -> str:
    """The path of a report of the owner."""
    made = scenario.owner.client.post(f"{scenario.path}/reports", {"title": "Q1"})
    return f"{scenario.path}/reports/{made.data['id']}"


@pytest.fixture
def dashboard(scenario: BoardScenario, report: str) -> str:
    """The path of a dashboard of the owner."""
    return create(scenario.owner.client, report)
