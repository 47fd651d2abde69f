"""Fixtures for the invite tests: a board, helpers to invite, and the collected e-mails."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.board_scenario import BoardScenario, Person, person
from tests.harness.client import Client, Response


class InviteScenario:
    """A board, with shortcuts for the requests on its invites."""

    def __init__(self, scenario: BoardScenario) -> None:
        self.board = scenario
        self.owner = scenario.owner
        self.path = f"/api/invite/{scenario.board_id}"

    def post(self, email: str, by: Client | None = None, **body: Any) -> Response:
        return (by or self.owner.client).post(self.path, {"inviteeEmail": email, **body})

    def invite(self, email: str = "ann@example.com", by: Client | None = None, **body: Any) -> str:
        response = self.post(email, by, **body)
        assert response.status == 200, response.text
        return str(response.json["inviteId"])

    def code(self) -> str:
        return str(self.owner.client.get(f"{self.path}/code").json["inviteCode"])

    def listed(self, by: Client | None = None) -> list[dict[str, Any]]:
        invites: list[dict[str, Any]] = (by or self.owner.client).get(f"{self.path}/invites").json
        return invites

    def member(self, user: Person) -> dict[str, Any] | None:
        members = self.owner.client.all(f"{self.board.path}/members")
        return next((entry for entry in members if entry["userId"] == user.id), None)


def send_email(invites: InviteScenario, invite: str, by: Client | None = None) -> Response:
    return (by or invites.owner.client).post(f"/api/invite/{invite}/send-email")


@pytest.fixture
def invites(scenario: BoardScenario) -> InviteScenario:
    """A board that olivia owns, with helpers to invite."""
    return InviteScenario(scenario)


@pytest.fixture
def ann(store: str) -> Person:  # noqa: ARG001 - requested for its effect
    return person("ann")
