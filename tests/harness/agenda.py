"""A meeting and its action items, to act on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.harness.client import Answer, Client
from tests.harness.gathering import Gathering, new_gathering
from tests.harness.world import World


@dataclass
class Agenda(Gathering):
    """A meeting, and what one does with its action items."""

    @property
    def items(self) -> str:
        return f"{self.path}/action-items"

    @property
    def legacy(self) -> str:
        return f"/api/board/{self.world.board_id}/action-items"

    def add(self, client: Client | None = None, **members: Any) -> Answer:
        return (client or self.world.owner.client).post(self.items, {"title": "Sign", **members})

    def item(self, client: Client | None = None, **members: Any) -> dict[str, Any]:
        answer = self.add(client, **members)
        assert answer.status == 201, answer.text
        found: dict[str, Any] = answer.data
        return found

    def change(self, item: dict[str, Any], client: Client | None = None, /, **members: Any) -> Answer:
        return (client or self.world.owner.client).patch(f"{self.items}/{item['_id']}", members)

    def listed_items(self, client: Client | None = None) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = (client or self.world.owner.client).get(self.items).data
        return found


def new_agenda(world: World, status: str = "scheduled", title: str = "Spring") -> Agenda:
    """A new meeting of the board's owner."""
    return Agenda(world, new_gathering(world, status, title).path)
