"""The base of the state machine: a board, its people, helpers for all rules, and the rules about members."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from governance.ids import membership_id
from tests.harness import engine
from tests.harness.board_scenario import BoardScenario, Person, new_board_scenario, person
from tests.harness.client import Client, Response
from tests.model.board_model import OWNER, BoardModel, Meeting, Member

NAMES = ("olivia", "ben", "cleo", "dora")
names = st.sampled_from(NAMES)
picks = st.integers(0, 5)


class BoardMachine(RuleBasedStateMachine):
    """A board, its people and a token of the board. `compared` counts the responses compared with the model."""

    compared = 0

    @initialize()
    def begin(self) -> None:
        self.stack = ExitStack()
        self.stack.enter_context(engine.fresh_table(**engine.WITHOUT_RATE_LIMIT))
        self.scenario: BoardScenario = new_board_scenario()
        self.people: dict[str, Person] = {name: person(name) for name in NAMES}
        self.board = BoardModel({"olivia": Member(OWNER, "manager")})
        self.robot: Client = self.scenario.token()
        self.removed: list[tuple[str, str]] = []
        self.join("ben", "collaborator")
        self.join("cleo", "manager")

    def teardown(self) -> None:
        if hasattr(self, "stack"):
            self.stack.close()

    # -- helpers

    def member_path(self, name: str) -> str:
        return self.scenario.member_path(self.people[name])

    def meeting(self, pick: int) -> tuple[str, Meeting] | None:
        known = list(self.board.meetings.items())
        return known[pick % len(known)] if known else None

    def slot(self, pick: int) -> tuple[str, Meeting, str] | None:
        """Returns a slot of a meeting, possibly one that was removed."""
        known = [(key, slot) for key, meeting in self.board.meetings.items() for slot in meeting.slots]
        known += [(key, slot) for key, slot in self.removed if key in self.board.meetings]
        if not known:
            return None
        key, slot = known[pick % len(known)]
        return key, self.board.meetings[key], slot

    def by(self, name: str, method: str, path: str, body: Any = None) -> Response:
        return self.people[name].client.call(method, f"{self.scenario.path}{path}", body)

    def matches(self, response: Response, expected: int) -> bool:
        BoardMachine.compared += 1
        assert response.status == expected, f"{response.status} for {expected}: {response.text}"
        return expected < 300

    # -- members

    @rule(name=names, access=st.sampled_from(("guest", "collaborator", "manager")))
    def join(self, name: str, access: Any) -> None:
        if name not in self.board.members:
            self.scenario.join(self.people[name], access_type=access)
            self.board.members[name] = Member(access=access)

    @rule(name=names, other=names)
    def remove(self, name: str, other: str) -> None:
        response = self.people[name].client.delete(self.member_path(other))
        self.matches(response, self.board.remove(name, other))

    @rule(name=names, other=names, role=st.sampled_from(("admin", "member")))
    def change(self, name: str, other: str, role: str) -> None:
        response = self.people[name].client.patch(self.member_path(other), {"adminRole": role})
        self.matches(response, self.board.change(name, other, role))

    @rule(name=names, other=names)
    def transfer(self, name: str, other: str) -> None:
        membership = membership_id(self.scenario.board_id, self.people[other].id)
        response = self.by(name, "POST", "/ownership-transfer", {"memberId": membership})
        self.matches(response, self.board.transfer(name, other))
