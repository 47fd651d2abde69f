"""One thing in each state that its route may find it in: absent, another board's, hidden, on a restricted board."""

from __future__ import annotations

import re

from tests.harness.routes import Sample, Things, sample
from tests.harness.world import Person, World

ABSENT_ID = "0123456789abcdef01234567"
STATES = ("absent", "foreign", "hidden", "restricted")
_PARAMETER = re.compile(r"\{(\w+)\}")
_OFF_BOARD = re.compile("/me/|/notification/|invite/(status|preview|accept|decline|join)/")
"""What lies on no board; and what the owner cannot do, so that the billing state does not come into it."""
_ABSENT = {"inviteCode": "0f5b8c0e-6d7a-4c1b-9a39-5f1f6d1a2b3c", "token": "A" * 64}


def leaf(route: str) -> str | None:
    """The parameter that names what a route is about."""
    found = _PARAMETER.findall(route)
    return found[-1] if found else None


class States:
    """A world, another one, and somebody on the first who hides things from its owner."""

    def __init__(self, world: World, other: World, keeper: Person) -> None:
        self.world = world
        self.other = other
        self.keeper = keeper

    def request(self, route: str, state: str) -> Sample | None:
        """A sound request about a thing in this state; None where the route knows no such state."""
        name = leaf(route)
        if name is None:
            return None
        if state == "absent":
            return self._about(route, **{name: _ABSENT.get(name, ABSENT_ID)})
        if state == "foreign":
            return self._about(route, **{name: Things(self.other, self.other.owner, route)[name]})
        if state == "hidden":
            return self._hidden(route)
        return None if _OFF_BOARD.search(route) else self._about(route)

    def _about(self, route: str, **named: str) -> Sample:
        return sample(route, self.world, self.world.owner, **named)

    def _hidden(self, route: str) -> Sample | None:
        """A draft, what hangs on it, or a committee's document: the owner is neither its creator nor in it."""
        if "{documentId}" in route:
            return self._about(route, documentId=self._committee_document())
        named = {name for name in ("meetingId", "slotId", "actionItemId") if f"{{{name}}}" in route}
        return self._about(route, **self._draft(named)) if named else None

    def _draft(self, wanted: set[str]) -> dict[str, str]:
        meetings, client = f"{self.world.path}/meetings", self.keeper.client
        found = {"meetingId": client.post(meetings, {"title": "Draft"}).data["id"]}
        draft = f"{meetings}/{found['meetingId']}"
        slot = {"startTime": "2099-02-01T09:00:00Z", "timezone": "UTC"}
        found["slotId"] = client.post(f"{draft}/slots", slot).data["id"]
        found["actionItemId"] = client.post(f"{draft}/action-items", {"title": "Item"}).data["_id"]
        return {name: found[name] for name in wanted}

    def _committee_document(self) -> str:
        members = self.world.owner.client.get(f"{self.world.path}/members").data
        seats = [member["id"] for member in members if member["userId"] == self.keeper.id]
        body = {"name": "Committee", "memberIds": seats}
        committee = self.world.owner.client.post(f"{self.world.path}/committees", body).data["id"]
        document = {"title": "Secret", "committeeId": committee}
        made = self.keeper.client.post(f"{self.world.path}/documents", document).data["id"]
        return str(made)
