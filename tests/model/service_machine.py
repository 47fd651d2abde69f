"""All rules of the state machine: members and board packs, and here meetings, slots, a token and reads."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from tests.model.board_machine import BoardMachine, names, picks
from tests.model.board_model import COLLABORATOR, OWNER, Meeting, Slot
from tests.model.pack_machine import PackMachine

statuses = st.sampled_from(("draft", "scheduled", "in_progress", "completed", "finalized"))
FIRST_START, *_ = STARTS = [f"2099-01-0{day}T09:00:00.000Z" for day in range(1, 5)]
starts = st.sampled_from(STARTS)


class ServiceMachine(PackMachine):
    """All requests to a board; each rule sends one to the service and applies it to the model."""

    @initialize()
    def begin(self) -> None:
        """Creates a meeting and a slot, so that every rule can take effect from the first step."""
        super().begin()
        compared = BoardMachine.compared
        self.create("ben", "scheduled")
        self.propose("ben", 0, FIRST_START)
        BoardMachine.compared = compared  # only random requests count

    # -- meetings

    @rule(name=names, status=st.sampled_from(("draft", "scheduled")))
    def create(self, name: str, status: str) -> None:
        response = self.by(name, "POST", "/meetings", {"title": "Meeting", "status": status})
        if self.matches(response, self.board.refusal(name, COLLABORATOR) or 201):
            self.board.meetings[response.data["id"]] = Meeting(name, status)

    @precondition(lambda self: self.board.meetings)
    @rule(name=names, pick=picks, status=statuses)
    def set_status(self, name: str, pick: int, status: str) -> None:
        if meeting := self.meeting(pick):
            response = self.by(name, "PATCH", f"/meetings/{meeting[0]}", {"status": status})
            self.matches(response, self.board.set_status(name, meeting[1], status))

    @precondition(lambda self: self.board.meetings)
    @rule(pick=picks, status=statuses)
    def set_status_as_creator(self, pick: int, status: str) -> None:
        """Random members rarely find a draft of their own: most transitions from draft would go untried."""
        if (meeting := self.meeting(pick)) and meeting[1].creator:
            self.set_status(meeting[1].creator, pick, status)

    @precondition(lambda self: self.board.meetings)
    @rule(name=names, pick=picks)
    def delete(self, name: str, pick: int) -> None:
        if meeting := self.meeting(pick):
            self.matches(self.by(name, "DELETE", f"/meetings/{meeting[0]}"), self.board.delete(name, meeting[0]))

    # -- slots

    @precondition(lambda self: self.board.meetings)
    @rule(name=names, pick=picks, start=starts)
    def propose(self, name: str, pick: int, start: str) -> None:
        if meeting := self.meeting(pick):
            body = {"startTime": start, "timezone": "Europe/Paris"}
            response = self.by(name, "POST", f"/meetings/{meeting[0]}/slots", body)
            if self.matches(response, self.board.propose(name, meeting[1], start)):
                meeting[1].slots[response.data["id"]] = Slot(start, {name: "ok"})

    @precondition(lambda self: self.slot(0) is not None)
    @rule(name=names, pick=picks, vote=st.sampled_from(("ok", "challenging", "cant")))
    def vote(self, name: str, pick: int, vote: str) -> None:
        if picked := self.slot(pick):
            key, meeting, slot = picked
            response = self.by(name, "PUT", f"/meetings/{key}/slots/{slot}/vote", {"vote": vote})
            self.matches(response, self.board.vote(name, meeting, slot, vote))

    @precondition(lambda self: self.slot(0) is not None)
    @rule(name=names, pick=picks)
    def confirm(self, name: str, pick: int) -> None:
        if picked := self.slot(pick):
            key, meeting, slot = picked
            response = self.by(name, "POST", f"/meetings/{key}/slots/{slot}/confirm")
            self.matches(response, self.board.confirm(name, meeting, slot))

    @precondition(lambda self: self.slot(0) is not None)
    @rule(name=names, pick=picks)
    def remove_slot(self, name: str, pick: int) -> None:
        if picked := self.slot(pick):
            key, meeting, slot = picked
            response = self.by(name, "DELETE", f"/meetings/{key}/slots/{slot}")
            if self.matches(response, self.board.remove_slot(name, meeting, slot)):
                self.removed.append((key, slot))

    @rule()
    def use_board_token(self) -> None:
        path = f"{self.scenario.path}/meetings"
        assert {meeting["id"] for meeting in self.robot.all(path)} == self.board.visible("")
        response = self.robot.post(path, {"title": "Robot"})
        if self.matches(response, 201):
            self.board.meetings[response.data["id"]] = Meeting("", "scheduled")

    # -- reads

    @rule(name=names)
    def read_meetings(self, name: str) -> None:
        client = self.people[name].client
        if name not in self.board.members:
            assert client.get(f"{self.scenario.path}/meetings").failure == (403, "FORBIDDEN")
            return
        meetings = {meeting["id"]: meeting for meeting in client.all(f"{self.scenario.path}/meetings", limit=2)}
        assert meetings.keys() == self.board.visible(name)
        for key, meeting in meetings.items():
            assert meeting["status"] == self.board.meetings[key].status
            self.check_slots(name, key)

    @rule(name=names)
    def read_members(self, name: str) -> None:
        if name in self.board.members:
            members = self.people[name].client.all(f"{self.scenario.path}/members", limit=3)
            actual = [
                (entry["userId"], entry["adminRole"], entry["accessType"], (*entry["boardPositions"],))
                for entry in members
            ]
            assert sorted(actual) == sorted(
                (self.people[key].id, member.role, member.access, member.positions)
                for key, member in self.board.members.items()
            )

    def check_slots(self, name: str, key: str) -> None:
        slots = self.by(name, "GET", f"/meetings/{key}/slots").data
        expected = self.board.meetings[key]
        assert [slot["startTime"] for slot in slots] == sorted(slot.start for slot in expected.slots.values())
        names_by_id = {person.id: name for name, person in self.people.items()}
        for slot in slots:
            votes = {names_by_id[entry["userId"]]: entry["vote"] for entry in slot["feedbacks"]}
            model_votes = expected.slots[slot["id"]].votes
            assert votes == {member: model_votes.get(member, "didNotVote") for member in self.board.members}

    @invariant()
    def exactly_one_owner(self) -> None:
        if hasattr(self, "board"):
            assert [member.role for member in self.board.members.values()].count(OWNER) == 1
