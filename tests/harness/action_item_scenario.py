"""A meeting with action items, for tests that create and change them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client, Response
from tests.harness.meeting_scenario import MeetingScenario, new_meeting_scenario


@dataclass
class ActionItemScenario(MeetingScenario):
    """A meeting, with shortcuts for the requests on its action items."""

    @property
    def items(self) -> str:
        return f"{self.path}/action-items"

    @property
    def legacy(self) -> str:
        return f"/api/board/{self.board.board_id}/action-items"

    def add(self, client: Client | None = None, **members: Any) -> Response:
        return (client or self.board.owner.client).post(self.items, {"title": "Sign", **members})

    def item(self, client: Client | None = None, **members: Any) -> dict[str, Any]:
        response = self.add(client, **members)
        assert response.status == 201, response.text
        created: dict[str, Any] = response.data
        return created

    def change(self, item: dict[str, Any], client: Client | None = None, /, **members: Any) -> Response:
        return (client or self.board.owner.client).patch(f"{self.items}/{item['_id']}", members)

    def listed_items(self, client: Client | None = None) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = (client or self.board.owner.client).all(self.items)
        return items


def new_action_item_scenario(
    scenario: BoardScenario, status: str = "scheduled", title: str = "Spring"
) -> ActionItemScenario:
    """Creates a meeting as the board's owner."""
    return ActionItemScenario(scenario, new_meeting_scenario(scenario, status, title).path)
