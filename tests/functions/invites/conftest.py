"""What the tests of invites share: people, a short way to invite, and the mails that went out."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.board_scenario import BoardScenario, Person, person
from tests.harness.client import Client, Response
from tests.harness.outbox import outbox

__all__ = ["outbox"]


class Inviting:
    """A board with an owner, a collaborator, and whoever is invited."""

    def __init__(self, scenario: BoardScenario) -> None:
        self.board = scenario
        self.owner = scenario.owner
        self.path = f"/api/invite/{scenario.board_id}"

    def ask(self, email: str, by: Client | None = None, **body: Any) -> Response:
        """Invite an address."""
        return (by or self.owner.client).post(self.path, {"inviteeEmail": email, **body})

    def invite(self, email: str = "ann@example.com", by: Client | None = None, **body: Any) -> str:
        """Invite an address; the invite's id."""
        response = self.ask(email, by, **body)
        assert response.status == 200, response.text
        return str(response.json["inviteId"])

    def code(self) -> str:
        """The board's invite code."""
        return str(self.owner.client.get(f"{self.path}/code").json["inviteCode"])

    def listed(self, by: Client | None = None) -> list[dict[str, Any]]:
        """The board's invites."""
        found: list[dict[str, Any]] = (by or self.owner.client).get(f"{self.path}/invites").json
        return found

    def member(self, who: Person) -> dict[str, Any] | None:
        """A user as a member of the board, if he is one."""
        members = self.owner.client.all(f"{self.board.path}/members")
        return next((entry for entry in members if entry["userId"] == who.id), None)


@pytest.fixture
def inviting(scenario: BoardScenario) -> Inviting:
    """A board to invite to."""
    return Inviting(scenario)


@pytest.fixture
def ann(store: str) -> Person:  # noqa: ARG001 - a fixture needs another
    """A user who is no member."""
    return person("ann")
