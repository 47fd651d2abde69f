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
from tests.harness.client import Answer, Client
from tests.harness.gathering import Gathering, new_gathering
from tests.harness.world import Person, World
from tests.interleavings.schedules import Call, every_interleaving, serial

Pair = tuple[Call, Call]


@dataclass
class Stage:
    """A board with an owner and a member, and short ways to do things."""

    world: World
    ben: Person

    @property
    def owner(self) -> Client:
        return self.world.owner.client

    def path(self, *parts: str) -> str:
        return "/".join((self.world.path, *parts))

    def made(self, path: str, **body: Any) -> str:
        answer = self.owner.post(path, body)
        assert answer.status < 300, answer.text
        return f"{path}/{answer.data['id']}"

    def member(self, who: Person) -> str:
        (found,) = [member.id for member in boards.members(self.world.board_id) if member.user_id == who.id]
        return found

    def gathering(self, **members: Any) -> Gathering:
        meeting = new_gathering(self.world)
        if members:
            assert meeting.patch(**members).status == 200
        return meeting

    def invite(self, email: str, by: Client | None = None) -> Answer:
        return (by or self.owner).post(f"/api/invite/{self.world.board_id}", {"inviteeEmail": email})

    def invited(self, who: Person) -> str:
        return str(self.invite(who.email).json["inviteId"])

    def code(self) -> str:
        return str(self.owner.get(f"/api/invite/{self.world.board_id}/code").json["inviteCode"])

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
    for answers, found in every_interleaving(first, second):
        schedules += 1
        assert all(answer.status < 500 for answer in answers), [answer.text for answer in answers]
        assert found in possible, f"schedule {schedules}: {[answer.text for answer in answers]}"
    assert schedules >= 6, "they never met"
