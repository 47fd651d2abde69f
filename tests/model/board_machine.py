"""The stage of the long lives: a board, its people, what every rule needs, and who is a member."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from governance.ids import membership_id
from tests.harness import engine
from tests.harness.board_scenario import BoardScenario, Person, new_board_scenario, person
from tests.harness.client import Client, Response
from tests.model.board_model import OWNER, Board, Meeting, Member

_UNLIMITED = str(10**9)
NAMES = ("olivia", "ben", "cleo", "dora")
names = st.sampled_from(NAMES)
picks = st.integers(0, 5)


class Stage(RuleBasedStateMachine):
    """A board, its people and their credentials; `compared` counts the answers that were held to the model."""

    compared = 0

    @initialize()
    def begin(self) -> None:
        self.stack = ExitStack()
        self.stack.enter_context(engine.fresh_table(RATE_LIMIT_PRINCIPAL=_UNLIMITED, RATE_LIMIT_ADDRESS=_UNLIMITED))
        self.scenario: BoardScenario = new_board_scenario()
        self.people: dict[str, Person] = {name: person(name) for name in NAMES}
        self.board = Board({"olivia": Member(OWNER, "manager")})
        self.robots: list[tuple[Client, str, str]] = []
        self.removed: list[tuple[str, str]] = []
        self.join("ben", "collaborator")

    def teardown(self) -> None:
        if hasattr(self, "stack"):
            self.stack.close()

    # -- what a rule needs

    def member_path(self, name: str) -> str:
        return f"{self.scenario.path}/members/{membership_id(self.scenario.board_id, self.people[name].id)}"

    def meeting(self, pick: int) -> tuple[str, Meeting] | None:
        known = list(self.board.meetings.items())
        return known[pick % len(known)] if known else None

    def slot(self, pick: int) -> tuple[str, Meeting, str] | None:
        """A slot of a meeting, or one that was removed."""
        known = [(key, slot) for key, meeting in self.board.meetings.items() for slot in meeting.slots]
        known += [(key, slot) for key, slot in self.removed if key in self.board.meetings]
        if not known:
            return None
        key, slot = known[pick % len(known)]
        return key, self.board.meetings[key], slot

    def by(self, name: str, method: str, path: str, body: Any = None) -> Response:
        return self.people[name].client.call(method, f"{self.scenario.path}{path}", body)

    def told(self, response: Response, expected: int) -> bool:
        Stage.compared += 1
        assert response.status == expected, f"{response.status} for {expected}: {response.text}"
        return expected < 300

    # -- members

    @rule(name=names, access=st.sampled_from(("guest", "collaborator", "manager")))
    def join(self, name: str, access: Any) -> None:
        if name not in self.board.members:
            self.scenario.join(self.people[name], access_type=access)
            self.board.members[name] = Member(access=access)

    @rule(name=names, whom=names)
    def remove(self, name: str, whom: str) -> None:
        response = self.people[name].client.delete(self.member_path(whom))
        self.told(response, self.board.remove(name, whom))

    @rule(name=names, whom=names, role=st.sampled_from(("admin", "member")))
    def change(self, name: str, whom: str, role: str) -> None:
        response = self.people[name].client.patch(self.member_path(whom), {"adminRole": role})
        self.told(response, self.board.change(name, whom, role))

    @rule(name=names, whom=names)
    def transfer(self, name: str, whom: str) -> None:
        heir = membership_id(self.scenario.board_id, self.people[whom].id)
        response = self.by(name, "POST", "/ownership-transfer", {"memberId": heir})
        self.told(response, self.board.transfer(name, whom))
