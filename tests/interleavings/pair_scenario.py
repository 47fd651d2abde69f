"""A board with two people on it for pairs of writes, and what holds of every pair.

For each pair, whatever the schedule, both are told and leave behind exactly what they would if the first had been
answered before the second began, or the second before the first.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest

from governance.store import boards
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.client import Client, Response
from tests.harness.meeting_scenario import MeetingScenario, new_meeting_scenario
from tests.interleavings.schedules import Call, every_interleaving, serial

Pair = tuple[Call, Call]


@dataclass
class Stage:
    """A board with an owner and a member, and short ways to do things."""

    board: BoardScenario
    ben: Person

    @property
    def owner(self) -> Client:
        return self.board.owner.client

    def path(self, *parts: str) -> str:
        return "/".join((self.board.path, *parts))

    def made(self, path: str, **body: Any) -> str:
        response = self.owner.post(path, body)
        assert response.status < 300, response.text
        return f"{path}/{response.data['id']}"

    def member(self, who: Person) -> str:
        (found,) = [member.id for member in boards.members(self.board.board_id) if member.user_id == who.id]
        return found

    def new_meeting(self, **members: Any) -> MeetingScenario:
        meeting = new_meeting_scenario(self.board)
        if members:
            assert meeting.patch(**members).status == 200
        return meeting

    def invite(self, email: str, by: Client | None = None) -> Response:
        return (by or self.owner).post(f"/api/invite/{self.board.board_id}", {"inviteeEmail": email})

    def invited(self, who: Person) -> str:
        return str(self.invite(who.email).json["inviteId"])

    def code(self) -> str:
        return str(self.owner.get(f"/api/invite/{self.board.board_id}/code").json["inviteCode"])

    def removal(self, who: Person, by: Client | None = None) -> Call:
        return partial((by or self.owner).delete, self.path("members", self.member(who)))

    def transfer(self, who: Person) -> Call:
        return partial(self.owner.post, self.path("ownership-transfer"), {"memberId": self.member(who)})

    def create_meeting(self, client: Client | None = None) -> Call:
        return partial((client or self.owner).post, self.path("meetings"), {"title": "M", "status": "scheduled"})


def check_pair(first: Call, second: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """No schedule of the two ends otherwise than one after the other, and none is a 500."""
    monkeypatch.setattr("random.choice", lambda options: options[0])
    possible = serial(first, second)
    schedules = 0
    for responses, found in every_interleaving(first, second):
        schedules += 1
        assert all(response.status < 500 for response in responses), [response.text for response in responses]
        assert found in possible, f"schedule {schedules}: {[response.text for response in responses]}"
    assert schedules >= 6, "they never met"
