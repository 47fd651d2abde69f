"""Series of meetings on a board."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.client import Response
from tests.harness.sample_bodies import SERIES

MONTHLY = SERIES
"""On the first Tuesday of each month from January 2098 on, at nine in Paris."""


@pytest.fixture
def manager(scenario: BoardScenario) -> Person:
    return scenario.member("maya", access_type="manager")


def create(scenario: BoardScenario, manager: Person, **members: Any) -> Response:
    return manager.client.post(f"{scenario.path}/series", {**MONTHLY, **members})


def series_path(scenario: BoardScenario, manager: Person, **members: Any) -> str:
    created = create(scenario, manager, **members)
    assert created.status == 201, created.text
    return f"{scenario.path}/series/{created.data['id']}"


def keys(response: Response) -> list[str]:
    """Returns the keys of the occurrences in a list, or of those that are next."""
    listed = response.data if isinstance(response.data, list) else response.data["next"]
    return [each["key"] for each in listed]


def listed(manager: Person, series: str, first: str = "2098-01-01", end: str = "2099-01-01") -> list[dict[str, Any]]:
    found = manager.client.get(f"{series}/occurrences", **{"from": first, "to": end})
    assert found.status == 200, found.text
    occurrences: list[dict[str, Any]] = found.data
    return occurrences
