"""Rules of the state machine about board packs: seats in two committees, agendas with their papers, packs of them."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from governance.ids import membership_id
from governance.limits import PACKS_PER_DAY
from tests.harness.client import Response
from tests.model.board_machine import BoardMachine, names, picks
from tests.model.board_model import OWNER
from tests.model.pack_model import PackModel

COMMITTEES = {"Finance": {"olivia", "ben"}, "Audit": {"olivia", "cleo"}}
which = st.integers(0, len(COMMITTEES) - 1)
papers = st.sets(st.integers(0, len(COMMITTEES)), max_size=len(COMMITTEES) + 1)


class PackMachine(BoardMachine):
    """A board with a paper of its own and one of each committee, from which agendas and packs are made."""

    @initialize()
    def begin(self) -> None:
        super().begin()
        self.packs = PackModel(self.board)
        for name, members in COMMITTEES.items():
            body = {"name": name, "memberIds": sorted(map(self.membership, members))}
            committee = self.by("olivia", "POST", "/committees", body).data["id"]
            self.board.seats[committee] = set(members)
        for committee in (None, *self.board.seats):
            paper = {"title": "Paper", "committeeId": committee}
            self.packs.papers[self.by("olivia", "POST", "/documents", paper).data["id"]] = committee

    def membership(self, name: str) -> str:
        return str(membership_id(self.scenario.board_id, self.people[name].id))

    @rule(name=names, member=names, number=which)
    def seat(self, name: str, member: str, number: int) -> None:
        """Gives somebody a seat, or takes it."""
        committee, before = list(self.board.seats.items())[number]
        after = before ^ {member}
        if member in self.board.members and name in self.board.members:
            body = {"memberIds": sorted(map(self.membership, after))}
            response = self.by(name, "PATCH", f"/committees/{committee}", body)
            self.matches(response, self.packs.seat(name, committee, after))

    @rule(member=names, number=which)
    def seat_as_owner(self, member: str, number: int) -> None:
        """Random members may rarely give seats."""
        self.seat(next(name for name, one in self.board.members.items() if one.role == OWNER), member, number)

    @precondition(lambda self: self.board.meetings)
    @rule(name=names, pick=picks, numbers=papers)
    def plan(self, name: str, pick: int, numbers: set[int]) -> None:
        if meeting := self.meeting(pick):
            named = tuple(list(self.packs.papers)[number] for number in sorted(numbers))
            body = {"items": [{"title": "All", "documentIds": named}]}
            response = self.by(name, "PUT", f"/meetings/{meeting[0]}/agenda", body)
            self.matches(response, self.packs.plan(name, *meeting, named))

    @precondition(lambda self: self.board.meetings)
    @rule(name=names, pick=picks)
    def make_pack(self, name: str, pick: int) -> None:
        if meeting := self.meeting(pick):
            response = self.by(name, "POST", f"/meetings/{meeting[0]}/pack")
            self.check_pack(response, meeting[0], *self.packs.make(name, *meeting))

    @precondition(lambda self: self.board.meetings)
    @rule(number=which, pick=picks, is_all=st.booleans())
    def make_pack_as_committee(self, number: int, pick: int, is_all: bool) -> None:
        """Random members rarely see the papers of an agenda: most packs would be the whole board's."""
        committee, seated = list(self.board.seats.items())[number]
        if seated:
            name = sorted(seated)[pick % len(seated)]
            places = {place for place, paper in enumerate(self.packs.papers) if self.packs.sees(name, paper)}
            self.plan(name, pick, places if is_all else {list(self.packs.papers.values()).index(committee)})
            self.make_pack(name, pick)

    @precondition(lambda self: self.board.meetings)
    @rule(pick=picks)
    def make_pack_as_token(self, pick: int) -> None:
        if meeting := self.meeting(pick):
            response = self.robot.post(f"{self.scenario.path}/meetings/{meeting[0]}/pack")
            self.check_pack(response, meeting[0], *self.packs.make_as_token(*meeting))

    def check_pack(self, response: Response, meeting: str, allowed: int, committee: str | None) -> None:
        """No pack is ever made here: one of a meeting runs from then on, and a board has some a day."""
        expected = 409 if allowed == 201 and meeting in self.packs.running else allowed
        expected = 429 if expected == 201 and len(self.packs.packs) >= PACKS_PER_DAY else expected
        if self.matches(response, expected):
            self.packs.running.add(meeting)
            assert response.data["committeeId"] == committee
            self.packs.packs[response.data["id"]] = committee

    @precondition(lambda self: self.packs.packs)
    @rule(name=names, pick=picks)
    def read_pack(self, name: str, pick: int) -> None:
        document = list(self.packs.packs)[-1 - pick % len(self.packs.packs)]
        for path in ("", "/versions"):
            response = self.by(name, "GET", f"/documents/{document}{path}")
            self.matches(response, self.packs.read(name, document))

    @rule(name=names)
    def read_documents(self, name: str) -> None:
        if name in self.board.members:
            documents = self.people[name].client.all(f"{self.scenario.path}/documents", limit=3)
            assert {document["id"] for document in documents} == self.packs.visible(name)
