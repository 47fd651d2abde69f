"""Rules of the state machine about invites: send, send again, accept, decline, retract, join by code."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from tests.harness.client import Client
from tests.model.board_machine import BoardMachine, names, picks
from tests.model.board_model import ADMINISTRATOR
from tests.model.invite_model import InviteModel

positions = st.sampled_from((None, ("cfo",), ("investor", "other")))


class InviteMachine(BoardMachine):
    """A board whose members invite users."""

    @initialize()
    def begin(self) -> None:
        super().begin()
        self.invites = InviteModel(self.board)
        self.code = self.people["olivia"].client.get(f"/api/invite/{self.scenario.board_id}/code").json["inviteCode"]

    def invite(self, pick: int) -> str | None:
        known = list(self.invites.known)
        return known[pick % len(known)] if known else None

    def client(self, name: str) -> Client:
        return self.people[name].client

    @rule(name=names, invitee=names, chosen=positions)
    def send_invite(self, name: str, invitee: str, chosen: tuple[str, ...] | None) -> None:
        pending = self.invites.pending_for(invitee)
        body: dict[str, Any] = {"inviteeEmail": self.people[invitee].email.upper()}
        if chosen is not None:
            body["boardPositions"] = list(chosen)
        response = self.client(name).post(f"/api/invite/{self.scenario.board_id}", body)
        if self.matches(response, self.invites.create(name, invitee)):
            assert response.json["deduped"] == (pending is not None)
            self.invites.record(response.json["inviteId"], name, invitee, chosen)

    @precondition(lambda self: self.invites.known)
    @rule(name=names, pick=picks)
    def accept(self, name: str, pick: int) -> None:
        if key := self.invite(pick):
            self.matches(self.client(name).put(f"/api/invite/accept/{key}"), self.invites.accept(name, key))

    @rule(invitee=names)
    def invitee_accepts(self, invitee: str) -> None:
        if found := self.invites.pending_for(invitee):
            self.matches(
                self.client(invitee).put(f"/api/invite/accept/{found[0]}"), self.invites.accept(invitee, found[0])
            )

    @precondition(lambda self: self.invites.known)
    @rule(name=names, pick=picks)
    def decline(self, name: str, pick: int) -> None:
        if key := self.invite(pick):
            self.matches(self.client(name).put(f"/api/invite/decline/{key}"), self.invites.decline(name, key))

    @precondition(lambda self: self.invites.known)
    @rule(name=names, pick=picks)
    def retract(self, name: str, pick: int) -> None:
        if key := self.invite(pick):
            self.matches(self.client(name).put(f"/api/invite/retract/{key}"), self.invites.retract(name, key))

    @rule(name=names)
    def join_by_code(self, name: str) -> None:
        self.matches(self.client(name).put(f"/api/invite/join/{self.code}"), self.invites.join(name))

    @rule(name=names, enabled=st.booleans())
    def enable_code(self, name: str, enabled: bool) -> None:
        expected = self.board.refusal(name, ADMINISTRATOR) or 200
        if self.matches(self.by(name, "PATCH", "", {"inviteCodeEnabled": enabled}), expected):
            self.invites.code_enabled = enabled

    # -- reads

    @rule(name=names)
    def read_invites(self, name: str) -> None:
        sent = self.client(name).get("/api/invite/sent").json
        assert {invite["inviteId"] for invite in sent} == self.invites.sent_by(name)
        listed = self.client(name).get(f"/api/invite/{self.scenario.board_id}/invites")
        by_board = self.client(name).get("/api/invite/all-boards").json
        if name not in self.board.members:
            assert (listed.failure, by_board) == ((403, "FORBIDDEN"), {})
            return
        self.check_listed_invites(listed.json)
        pending = {key for key, invite in self.invites.known.items() if invite.status == "pending"}
        assert {invite["inviteId"] for invite in by_board[self.scenario.board_id]} == pending

    def check_listed_invites(self, listed: list[dict[str, Any]]) -> None:
        names_by_id = {person.id: name for name, person in self.people.items()}
        actual = {
            invite["inviteId"]: (
                invite["inviteeEmail"],
                [names_by_id[sender] for sender in (invite["inviterId"], *invite.get("alsoInvitedBy", ()))],
                invite["status"],
            )
            for invite in listed
        }
        assert len(actual) == len(listed)
        assert actual == {
            key: (self.people[invite.invitee].email, invite.senders, invite.status)
            for key, invite in self.invites.known.items()
        }
