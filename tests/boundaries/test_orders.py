"""Lists that are sorted by creation are read from either end."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.board_scenario import BoardScenario

TOKEN = {"name": "robot", "preset": "read_only", "expiresInDays": None}
LISTS: dict[str, dict[str, Any]] = {
    "/api/v1/me/tokens": TOKEN,
    "/api/v1/me/calendar-feeds": {"name": "Mine"},
    "{board}/tokens": TOKEN,
    "{board}/committees": {"name": "Audit", "memberIds": []},
    "{board}/webhooks": {"url": "https://example.com/hook", "events": ["*"]},
}


@pytest.mark.parametrize("path", LISTS)
def test_a_collection_is_listed_in_either_order_page_by_page(scenario: BoardScenario, path: str) -> None:
    client, list_path = scenario.owner.client, path.format(board=scenario.path)
    made = [client.post(list_path, LISTS[path]).data["id"] for _ in range(3)]
    for limit in (1, 2, 3):
        assert [entry["id"] for entry in client.all(list_path, order="asc", limit=limit)] == made
        assert [entry["id"] for entry in client.all(list_path, order="desc", limit=limit)] == made[::-1]
    assert [entry["id"] for entry in client.all(list_path)] == made[::-1]
    assert client.get(list_path, order="up").failure == (400, "INVALID_QUERY_PARAMETER")


def test_the_deliveries_of_a_webhook_are_listed_in_either_order(scenario: BoardScenario) -> None:
    client, hooks = scenario.owner.client, f"{scenario.path}/webhooks"
    path = f"{hooks}/{client.post(hooks, LISTS['{board}/webhooks']).data['id']}"
    made = [client.post(f"{path}/test").data["id"] for _ in range(3)]
    assert [entry["id"] for entry in client.all(f"{path}/deliveries", order="asc", limit=2)] == made
    assert [entry["id"] for entry in client.all(f"{path}/deliveries", limit=2)] == made[::-1]
