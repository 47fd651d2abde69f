"""Fixtures for the tests of dashboards."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client


def create(caller: Client, report: str, **members: Any) -> str:
    made = caller.post(f"{report}/dashboards", {"dashboardType": "uniform", "title": "Money", **members})
    assert made.status == 201, made.text
    return f"{report}/dashboards/{made.data['id']}"


@pytest.fixture
def report(scenario: BoardScenario) -> str:
    made = scenario.owner.client.post(f"{scenario.path}/reports", {"title": "Q1"})
    return f"{scenario.path}/reports/{made.data['id']}"


@pytest.fixture
def dashboard(scenario: BoardScenario, report: str) -> str:
    return create(scenario.owner.client, report)
