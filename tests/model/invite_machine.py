"""Invites in the long lives: sent and sent again, answered, taken back; joining by the board's code."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from tests.harness.client import Client
from tests.model.board_machine import Stage, names, picks
from tests.model.board_model import ADMINISTRATOR
from tests.model.invite_model import Invites

positions = st.sampled_from((None, ("cfo",), ("investor", "other")))


class Invitations(Stage):
    """A board whose members invite others."""

    @initialize()
    def begin(self) -> None:
        super().begin()
        self.invites = Invites(self.board)
        self.code = self.people["olivia"].client.get(f"/api/invite/{self.scenario.board_id}/code").json["inviteCode"]

    def invite(self, pick: int) -> str | None:
        known = list(self.invites.known)
        return known[pick % len(known)] if known else None

    def client(self, name: str) -> Client:
        return self.people[name].client

    @rule(name=names, whom=names, chosen=positions)
    def send_invite(self, name: str, whom: str, chosen: tuple[str, ...] | None) -> None:
        open_one = self.invites.pending_for(whom)
        body: dict[str, Any] = {"inviteeEmail": self.people[whom].email.upper()}
        if chosen is not None:
            body["boardPositions"] = list(chosen)
        response = self.client(name).post(f"/api/invite/{self.scenario.board_id}", body)
        if self.told(response, self.invites.create(name, whom)):
            assert response.json["deduped"] == (open_one is not None)
            self.invites.made(response.json["inviteId"], name, whom, chosen)

    @precondition(lambda self: self.invites.known)
    @rule(name=names, pick=picks)
    def accept(self, name: str, pick: int) -> None:
        if key := self.invite(pick):
            self.told(self.client(name).put(f"/api/invite/accept/{key}"), self.invites.accept(name, key))

    @rule(whom=names)
    def invitee_accepts(self, whom: str) -> None:
        if found := self.invites.pending_for(whom):
            self.told(self.client(whom).put(f"/api/invite/accept/{found[0]}"), self.invites.accept(whom, found[0]))

    @precondition(lambda self: self.invites.known)
    @rule(name=names, pick=picks)
    def decline(self, name: str, pick: int) -> None:
        if key := self.invite(pick):
            self.told(self.client(name).put(f"/api/invite/decline/{key}"), self.invites.decline(name, key))

    @precondition(lambda self: self.invites.known)
    @rule(name=names, pick=picks)
    def retract(self, name: str, pick: int) -> None:
        if key := self.invite(pick):
            self.told(self.client(name).put(f"/api/invite/retract/{key}"), self.invites.retract(name, key))

    @rule(name=names)
    def join_by_code(self, name: str) -> None:
        self.told(self.client(name).put(f"/api/invite/join/{self.code}"), self.invites.join(name))

    @rule(name=names, enabled=st.booleans())
    def enable_code(self, name: str, enabled: bool) -> None:
        due = self.board.refusal(name, ADMINISTRATOR) or 200
        if self.told(self.by(name, "PATCH", "", {"inviteCodeEnabled": enabled}), due):
            self.invites.code_enabled = enabled

    # -- what is seen

    @rule(name=names)
    def look_at_invites(self, name: str) -> None:
        sent = self.client(name).get("/api/invite/sent").json
        assert {invite["inviteId"] for invite in sent} == self.invites.sent_by(name)
        listed = self.client(name).get(f"/api/invite/{self.scenario.board_id}/invites")
        by_board = self.client(name).get("/api/invite/all-boards").json
        if name not in self.board.members:
            assert (listed.failure, by_board) == ((403, "FORBIDDEN"), {})
            return
        self.look_at_each(listed.json)
        pending = {key for key, invite in self.invites.known.items() if invite.status == "pending"}
        assert {invite["inviteId"] for invite in by_board[self.scenario.board_id]} == pending

    def look_at_each(self, listed: list[dict[str, Any]]) -> None:
        known = {who.id: name for name, who in self.people.items()}
        shown = {
            invite["inviteId"]: (
                invite["inviteeEmail"],
                [known[sender] for sender in (invite["inviterId"], *invite.get("alsoInvitedBy", ()))],
                invite["status"],
            )
            for invite in listed
        }
        assert len(shown) == len(listed)
        assert shown == {
            key: (self.people[invite.invitee].email, invite.senders, invite.status)
            for key, invite in self.invites.known.items()
        }
