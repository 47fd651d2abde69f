"""A board with two members for pairs of concurrent writes, and the rule that every pair must follow.

In every schedule, the responses and the changes to the table are exactly those of one of the two serial orders. Where
both write one row, its condition decides, which `tests/contract/writes.txt` names for each write: a few such pairs do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest

from governance.store.boards import boards
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.client import Client, Response
from tests.harness.meeting_scenario import MeetingScenario, new_meeting_scenario
from tests.interleavings.schedules import Call, Outcome, every_interleaving, serial_outcomes
from tests.interleavings.torn_reads import every_torn_read

Check = Callable[[Call, Call], None]


@dataclass
class PairScenario:
    """A board with an owner and a member, with shortcuts to create resources and calls."""

    board: BoardScenario
    ben: Person

    @property
    def owner(self) -> Client:
        return self.board.owner.client

    def path(self, *parts: str) -> str:
        return "/".join((self.board.path, *parts))

    def create(self, path: str, **body: Any) -> str:
        response = self.owner.post(path, body)
        assert response.status < 300, response.text
        return f"{path}/{response.data['id']}"

    def member(self, person: Person) -> str:
        """Returns the id of a person's membership."""
        (member_id,) = [member.id for member in boards.members(self.board.board_id) if member.user_id == person.id]
        return member_id

    def new_meeting(self, **members: Any) -> MeetingScenario:
        meeting = new_meeting_scenario(self.board)
        if members:
            assert meeting.patch(**members).status == 200
        return meeting

    def invite(self, email: str, by: Client | None = None) -> Response:
        return (by or self.owner).post(f"/api/invite/{self.board.board_id}", {"inviteeEmail": email})

    def invite_id(self, person: Person) -> str:
        return str(self.invite(person.email).json["inviteId"])

    def code(self) -> str:
        return str(self.owner.get(f"/api/invite/{self.board.board_id}/code").json["inviteCode"])

    def removal(self, person: Person, by: Client | None = None) -> Call:
        return partial((by or self.owner).delete, self.path("members", self.member(person)))

    def transfer(self, person: Person) -> Call:
        return partial(self.owner.post, self.path("ownership-transfer"), {"memberId": self.member(person)})

    def create_meeting(self, client: Client | None = None) -> Call:
        return partial((client or self.owner).post, self.path("meetings"), {"title": "M", "status": "scheduled"})


def check_pair(first: Call, second: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asserts that every schedule has the outcome of a serial order, and that no response is a 500."""
    monkeypatch.setattr("random.choice", lambda options: options[0])
    possible = serial_outcomes(first, second)
    schedules = 0
    for responses, result in every_interleaving(first, second):
        schedules += 1
        assert all(response.status < 500 for response in responses), [response.text for response in responses]
        assert result in possible, f"schedule {schedules}: {[response.text for response in responses]}"
    assert schedules > 1, "neither call sees or prevents what the other writes"
    _check_torn_reads(first, second, possible, monkeypatch)
    _check_torn_reads(second, first, {_swapped(result) for result in possible}, monkeypatch)


def _check_torn_reads(request: Call, other: Call, possible: set[Outcome], monkeypatch: pytest.MonkeyPatch) -> None:
    for split, responses, result in every_torn_read(request, other, monkeypatch):
        assert all(response.status < 500 for response in responses), [response.text for response in responses]
        assert result in possible, f"{split}: {[response.text for response in responses]}"


def _swapped(result: Outcome) -> Outcome:
    (first, second), changes = result
    return (second, first), changes
