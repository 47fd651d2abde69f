"""Fixtures for the tests of MCP."""

from __future__ import annotations

import pytest

from tests.harness.board_scenario import BoardScenario
from tests.mcp.agent import Agent


@pytest.fixture
def agent(scenario: BoardScenario) -> Agent:
    """An agent with the session of the owner of a board."""
    return Agent(scenario.owner.client)
