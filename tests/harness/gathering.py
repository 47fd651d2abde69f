"""A scheduled meeting, and what one does with its slots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from governance import instants
from governance.models.event import StoredEvent
from governance.store import schema
from governance.store.table import Range, query
from tests.harness.client import Answer, Client
from tests.harness.world import Person, World


def hence(**offset: int) -> str:
    """An instant so much later than now."""
    return instants.shift(instants.now(), **offset)


@dataclass
class Gathering:
    """A meeting of a world, by its path."""

    world: World
    path: str

    @property
    def slots(self) -> str:
        return f"{self.path}/slots"

    def propose(self, client: Client | None = None, start: str | None = None, **members: Any) -> Answer:
        body = {"startTime": start or hence(days=1), "timezone": "Europe/Paris", **members}
        return (client or self.world.owner.client).post(self.slots, body)

    def slot(self, start: str | None = None, **members: Any) -> dict[str, Any]:
        answer = self.propose(start=start, **members)
        assert answer.status == 201, answer.text
        found: dict[str, Any] = answer.data
        return found

    def vote(self, client: Client, slot: dict[str, Any], choice: str = "ok", **members: Any) -> Answer:
        return client.put(f"{self.slots}/{slot['id']}/vote", {"vote": choice, **members})

    def confirm(self, slot: dict[str, Any], client: Client | None = None) -> Answer:
        return (client or self.world.owner.client).post(f"{self.slots}/{slot['id']}/confirm")

    def remove(self, slot: dict[str, Any], client: Client | None = None) -> Answer:
        return (client or self.world.owner.client).delete(f"{self.slots}/{slot['id']}")

    def patch(self, **members: Any) -> Answer:
        return self.world.owner.client.patch(self.path, members)

    def finalize(self) -> None:
        assert self.patch(status="completed").status == 200
        assert self.patch(status="finalized").status == 200

    def listed(self, client: Client | None = None) -> list[dict[str, Any]]:
        answer = (client or self.world.owner.client).get(self.slots)
        assert answer.status == 200, answer.text
        found: list[dict[str, Any]] = answer.data
        return found


def new_gathering(world: World, status: str = "scheduled", title: str = "Spring") -> Gathering:
    meeting = world.owner.client.post(f"{world.path}/meetings", {"title": title, "status": status})
    assert meeting.status == 201, meeting.text
    return Gathering(world, f"{world.path}/meetings/{meeting.data['id']}")


def events_of(world: World, kind: str) -> list[StoredEvent]:
    """The events of a kind that lie in the outbox of the world's board."""
    items = query(Range(schema.event(world.board_id, "", "", "").pk, "", above=" "))
    found = [StoredEvent.model_validate(item) for item in items]
    return [event for event in found if event.type == kind]


def audited(world: World, action: str) -> list[dict[str, Any]]:
    """The audit entries of an action, oldest first."""
    entries = world.owner.client.get(f"/api/auditlog/{world.board_id}").json
    return [entry for entry in entries if entry["action"] == action]


def leave(world: World, who: Person) -> None:
    """A member leaves, through the API."""
    members = world.owner.client.all(f"{world.path}/members")
    (own,) = [member for member in members if member["userId"] == who.id]
    assert who.client.delete(f"{world.path}/members/{own['id']}").status == 200
