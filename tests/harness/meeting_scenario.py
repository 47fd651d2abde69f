"""A scheduled meeting, and what one does with its slots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from governance import instants
from governance.models.event import StoredEvent
from governance.store import schema
from governance.store.table import Range, query
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.client import Client, Response


def from_now(**offset: int) -> str:
    """An instant so much later than now."""
    return instants.shift(instants.now(), **offset)


@dataclass
class MeetingScenario:
    """A meeting of a world, by its path."""

    board: BoardScenario
    path: str

    @property
    def slots(self) -> str:
        return f"{self.path}/slots"

    def propose(self, client: Client | None = None, start: str | None = None, **members: Any) -> Response:
        body = {"startTime": start or from_now(days=1), "timezone": "Europe/Paris", **members}
        return (client or self.board.owner.client).post(self.slots, body)

    def slot(self, start: str | None = None, **members: Any) -> dict[str, Any]:
        response = self.propose(start=start, **members)
        assert response.status == 201, response.text
        found: dict[str, Any] = response.data
        return found

    def vote(self, client: Client, slot: dict[str, Any], choice: str = "ok", **members: Any) -> Response:
        return client.put(f"{self.slots}/{slot['id']}/vote", {"vote": choice, **members})

    def confirm(self, slot: dict[str, Any], client: Client | None = None) -> Response:
        return (client or self.board.owner.client).post(f"{self.slots}/{slot['id']}/confirm")

    def remove(self, slot: dict[str, Any], client: Client | None = None) -> Response:
        return (client or self.board.owner.client).delete(f"{self.slots}/{slot['id']}")

    def patch(self, **members: Any) -> Response:
        return self.board.owner.client.patch(self.path, members)

    def finalize(self) -> None:
        assert self.patch(status="completed").status == 200
        assert self.patch(status="finalized").status == 200

    def listed(self, client: Client | None = None) -> list[dict[str, Any]]:
        response = (client or self.board.owner.client).get(self.slots)
        assert response.status == 200, response.text
        found: list[dict[str, Any]] = response.data
        return found


def new_meeting_scenario(scenario: BoardScenario, status: str = "scheduled", title: str = "Spring") -> MeetingScenario:
    meeting = scenario.owner.client.post(f"{scenario.path}/meetings", {"title": title, "status": status})
    assert meeting.status == 201, meeting.text
    return MeetingScenario(scenario, f"{scenario.path}/meetings/{meeting.data['id']}")


def events_of(scenario: BoardScenario, kind: str) -> list[StoredEvent]:
    """The events of a kind that lie in the outbox of the world's board."""
    items = query(Range(schema.event(scenario.board_id, "", "", "").pk, "", above=" "))
    found = [StoredEvent.model_validate(item) for item in items]
    return [event for event in found if event.type == kind]


def audit_entries(scenario: BoardScenario, action: str) -> list[dict[str, Any]]:
    """The audit entries of an action, oldest first."""
    entries = scenario.owner.client.get(f"/api/auditlog/{scenario.board_id}").json
    return [entry for entry in entries if entry["action"] == action]


def leave(scenario: BoardScenario, who: Person) -> None:
    """A member leaves, through the API."""
    members = scenario.owner.client.all(f"{scenario.path}/members")
    (own,) = [member for member in members if member["userId"] == who.id]
    assert who.client.delete(f"{scenario.path}/members/{own['id']}").status == 200
