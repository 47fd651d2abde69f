"""Long random lives of a board, step by step against the plain model: every answer and everything seen is the same."""

from __future__ import annotations

import os
from contextlib import ExitStack
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from governance.ids import membership_id
from tests.harness import engine
from tests.harness.calls import InlinePool
from tests.harness.client import Answer, Client
from tests.harness.world import Person, World, new_world, person
from tests.model.board import COLLABORATOR, OWNER, Board, Meeting, Member, Slot

pytestmark = pytest.mark.slow
_STEPS = 40
_LIVES = int(os.environ.get("MODEL_LIVES", "10"))
_UNLIMITED = str(10**9)

NAMES = ("olivia", "ben", "cleo", "dora")
names = st.sampled_from(NAMES)
statuses = st.sampled_from(("draft", "scheduled", "in_progress", "completed", "finalized"))
starts = st.sampled_from([f"2099-01-0{day}T09:00:00.000Z" for day in range(1, 5)])
picks = st.integers(0, 5)


class Life(RuleBasedStateMachine):
    """A board, its people and their credentials; each rule acts on the service and on the model alike."""

    @initialize()
    def begin(self) -> None:
        self.stack = ExitStack()
        self.stack.enter_context(engine.fresh_table(RATE_LIMIT_PRINCIPAL=_UNLIMITED, RATE_LIMIT_ADDRESS=_UNLIMITED))
        self.world: World = new_world()
        self.people: dict[str, Person] = {name: person(name) for name in NAMES}
        self.board = Board({"olivia": Member(OWNER)})
        self.robots: list[tuple[Client, str, str]] = []
        self.removed: list[tuple[str, str]] = []
        self.join("ben", "collaborator")

    def teardown(self) -> None:
        if hasattr(self, "stack"):
            self.stack.close()

    # -- what a rule needs

    def member_path(self, name: str) -> str:
        return f"{self.world.path}/members/{membership_id(self.world.board_id, self.people[name].id)}"

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

    def by(self, name: str, method: str, path: str, body: Any = None) -> Answer:
        return self.people[name].client.call(method, f"{self.world.path}{path}", body)

    def told(self, answer: Answer, expected: int) -> bool:
        assert answer.status == expected, f"{answer.status} for {expected}: {answer.text}"
        return expected < 300

    # -- members

    @rule(name=names, access=st.sampled_from(("guest", "collaborator", "manager")))
    def join(self, name: str, access: Any) -> None:
        if name not in self.board.members:
            self.world.join(self.people[name], access_type=access)
            self.board.members[name] = Member(access=access)

    @rule(name=names, whom=names)
    def remove(self, name: str, whom: str) -> None:
        answer = self.people[name].client.delete(self.member_path(whom))
        self.told(answer, self.board.remove(name, whom))

    @rule(name=names, whom=names, role=st.sampled_from(("admin", "member")))
    def change(self, name: str, whom: str, role: str) -> None:
        answer = self.people[name].client.patch(self.member_path(whom), {"adminRole": role})
        self.told(answer, self.board.change(name, whom, role))

    @rule(name=names, whom=names)
    def transfer(self, name: str, whom: str) -> None:
        heir = membership_id(self.world.board_id, self.people[whom].id)
        answer = self.by(name, "POST", "/ownership-transfer", {"memberId": heir})
        self.told(answer, self.board.transfer(name, whom))

    # -- meetings

    @rule(name=names, status=st.sampled_from(("draft", "scheduled")))
    def create(self, name: str, status: str) -> None:
        answer = self.by(name, "POST", "/meetings", {"title": "Meeting", "status": status})
        if self.told(answer, self.board.refusal(name, COLLABORATOR) or 201):
            self.board.meetings[answer.data["id"]] = Meeting(name, status)

    @rule(name=names, pick=picks, status=statuses)
    def set_status(self, name: str, pick: int, status: str) -> None:
        if found := self.meeting(pick):
            answer = self.by(name, "PATCH", f"/meetings/{found[0]}", {"status": status})
            self.told(answer, self.board.set_status(name, found[1], status))

    @rule(name=names, pick=picks)
    def delete(self, name: str, pick: int) -> None:
        if found := self.meeting(pick):
            self.told(self.by(name, "DELETE", f"/meetings/{found[0]}"), self.board.delete(name, found[0]))

    # -- slots

    @rule(name=names, pick=picks, start=starts)
    def propose(self, name: str, pick: int, start: str) -> None:
        if found := self.meeting(pick):
            body = {"startTime": start, "timezone": "Europe/Paris"}
            answer = self.by(name, "POST", f"/meetings/{found[0]}/slots", body)
            if self.told(answer, self.board.propose(name, found[1], start)):
                found[1].slots[answer.data["id"]] = Slot(start, {name: "ok"})

    @rule(name=names, pick=picks, vote=st.sampled_from(("ok", "challenging", "cant")))
    def vote(self, name: str, pick: int, vote: str) -> None:
        if found := self.slot(pick):
            key, meeting, slot = found
            answer = self.by(name, "PUT", f"/meetings/{key}/slots/{slot}/vote", {"vote": vote})
            self.told(answer, self.board.vote(name, meeting, slot, vote))

    @rule(name=names, pick=picks)
    def confirm(self, name: str, pick: int) -> None:
        if found := self.slot(pick):
            key, meeting, slot = found
            answer = self.by(name, "POST", f"/meetings/{key}/slots/{slot}/confirm")
            self.told(answer, self.board.confirm(name, meeting, slot))

    @rule(name=names, pick=picks)
    def remove_slot(self, name: str, pick: int) -> None:
        if found := self.slot(pick):
            key, meeting, slot = found
            answer = self.by(name, "DELETE", f"/meetings/{key}/slots/{slot}")
            if self.told(answer, self.board.remove_slot(name, meeting, slot)):
                self.removed.append((key, slot))

    # -- tokens

    @rule(name=names, preset=st.sampled_from(("read_only", "read_write")))
    def mint(self, name: str, preset: str) -> None:
        answer = self.by(name, "POST", "/tokens", {"name": "robot", "preset": preset, "expiresInDays": 30})
        if self.told(answer, self.board.refusal(name, 4) or 201):
            self.robots.append((Client(answer.data["secret"]), answer.data["id"], preset))

    @rule(name=names, pick=picks)
    def revoke(self, name: str, pick: int) -> None:
        if self.robots:
            _, token_id, _ = self.robots[pick % len(self.robots)]
            if self.told(self.by(name, "DELETE", f"/tokens/{token_id}"), self.board.refusal(name, 4) or 200):
                self.robots = [(c, t, "revoked" if t == token_id else p) for c, t, p in self.robots]

    @rule(pick=picks)
    def robot_sees_and_writes(self, pick: int) -> None:
        if self.robots:
            client, _, preset = self.robots[pick % len(self.robots)]
            path = f"{self.world.path}/meetings"
            if preset == "revoked":
                assert client.get(path).failure == (401, "INVALID_API_TOKEN")
                return
            assert {meeting["id"] for meeting in client.all(path)} == self.board.visible("")
            answer = client.post(path, {"title": "Robot"})
            if self.told(answer, 201 if preset == "read_write" else 403):
                self.board.meetings[answer.data["id"]] = Meeting("", "scheduled")

    # -- what is seen

    @rule(name=names)
    def look(self, name: str) -> None:
        client = self.people[name].client
        if name not in self.board.members:
            assert client.get(f"{self.world.path}/meetings").failure == (403, "FORBIDDEN")
            return
        found = {meeting["id"]: meeting for meeting in client.all(f"{self.world.path}/meetings", limit=2)}
        assert found.keys() == self.board.visible(name)
        for key, meeting in found.items():
            assert meeting["status"] == self.board.meetings[key].status
            self.look_at_slots(name, key)

    def look_at_slots(self, name: str, key: str) -> None:
        shown = self.by(name, "GET", f"/meetings/{key}/slots").data
        expected = self.board.meetings[key]
        assert [slot["startTime"] for slot in shown] == sorted(slot.start for slot in expected.slots.values())
        known = {who.id: name for name, who in self.people.items()}
        for slot in shown:
            votes = {known[entry["userId"]]: entry["vote"] for entry in slot["feedbacks"]}
            cast = expected.slots[slot["id"]].votes
            assert votes == {member: cast.get(member, "didNotVote") for member in self.board.members}

    @invariant()
    def there_is_one_owner(self) -> None:
        if hasattr(self, "board"):
            assert [member.role for member in self.board.members.values()].count(OWNER) == 1


@pytest.mark.usefixtures("_engine")
def test_a_board_lives_as_the_model_says(pool: InlinePool) -> None:
    del pool
    run_state_machine_as_test(
        Life,
        settings=settings(
            max_examples=_LIVES,
            stateful_step_count=_STEPS,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
