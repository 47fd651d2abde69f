"""People without an account on a board: requests that add them and act on them, and what is recorded of them."""

from __future__ import annotations

from typing import Any

from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Response


def people(scenario: BoardScenario) -> str:
    return f"{scenario.path}/unregistered-users"


def add(scenario: BoardScenario, **members: Any) -> dict[str, Any]:
    """Adds a person, as the owner, who is called Anna unless the members say otherwise."""
    added = scenario.owner.client.post(people(scenario), {"firstName": "Anna", **members})
    assert added.status == 201, added.text
    data: dict[str, Any] = added.data
    return data


def act(scenario: BoardScenario, person_id: str, action: str) -> Response:
    """Archives, unarchives or scrubs a person, as the owner."""
    return scenario.owner.client.post(f"{people(scenario)}/{person_id}/{action}")


def reason(response: Response) -> tuple[int, str]:
    return response.status, response.details["reason"]


def people_entries(scenario: BoardScenario) -> list[dict[str, Any]]:
    """Returns the audit entries about people without an account, oldest first."""
    entries: list[dict[str, Any]] = scenario.owner.client.get(f"/api/auditlog/{scenario.board_id}").json
    return [entry for entry in entries if entry["action"].startswith("boardUserUnregistered")]
