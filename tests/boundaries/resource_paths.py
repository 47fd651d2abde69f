"""The paths that create each kind of resource on a board."""

from __future__ import annotations

from tests.harness.board_scenario import BoardScenario


def collection_paths(scenario: BoardScenario) -> dict[str, str]:
    """Creates the parent resources, and returns the path to POST to for each kind of resource."""
    owner, path = scenario.owner.client, scenario.path
    meeting = owner.post(f"{path}/meetings", {"title": "M", "status": "scheduled"}).data["id"]
    report = owner.post(f"{path}/reports", {"title": "R"}).data["id"]
    return {
        "boards": "/api/v1/boards",
        "my tokens": "/api/v1/me/tokens",
        "tokens": f"{path}/tokens",
        "invites": f"/api/invite/{scenario.board_id}",
        "documents": f"{path}/documents",
        "reports": f"{path}/reports",
        "meetings": f"{path}/meetings",
        "slots": f"{path}/meetings/{meeting}/slots",
        "action-items": f"{path}/meetings/{meeting}/action-items",
        "dashboards": f"{path}/reports/{report}/dashboards",
    }
