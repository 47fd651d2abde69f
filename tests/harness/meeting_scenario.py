"""A scheduled meeting with slots, and queries for the events and audit entries that requests leave behind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from governance import instants
from governance.models.history.event import StoredEvent
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.client import Client, Response
from tests.harness.history import event_items


def from_now(**offset: int) -> instants.Instant:
    """Returns the instant that lies this far in the future."""
    return instants.shift(instants.now(), **offset)


@dataclass
class MeetingScenario:
    """A meeting of a board, with shortcuts for the requests on its slots."""

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
        created: dict[str, Any] = response.data
        return created

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
        slots: list[dict[str, Any]] = response.data
        return slots


def new_meeting_scenario(scenario: BoardScenario, status: str = "scheduled", title: str = "Spring") -> MeetingScenario:
    """Creates a meeting as the board's owner."""
    meeting = scenario.owner.client.post(f"{scenario.path}/meetings", {"title": title, "status": status})
    assert meeting.status == 201, meeting.text
    return MeetingScenario(scenario, f"{scenario.path}/meetings/{meeting.data['id']}")


def stored_events(scenario: BoardScenario, kind: str) -> list[StoredEvent]:
    """Returns the stored events of a kind on the scenario's board."""
    items = event_items(scenario.board_id)
    events = [StoredEvent.model_validate(item) for item in items]
    return [event for event in events if event.type == kind]


def audit_entries(scenario: BoardScenario, action: str) -> list[dict[str, Any]]:
    """Returns the audit entries of an action, oldest first."""
    entries = scenario.owner.client.get(f"/api/auditlog/{scenario.board_id}").json
    return [entry for entry in entries if entry["action"] == action]


def leave(scenario: BoardScenario, person: Person) -> None:
    """Removes a member at their own request, through the API."""
    members = scenario.owner.client.all(f"{scenario.path}/members")
    (own,) = [member for member in members if member["userId"] == person.id]
    assert person.client.delete(f"{scenario.path}/members/{own['id']}").status == 200
