"""Invites in a random history: who sends them, who may accept, decline or join by them, and when they end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from governance.scopes import Tier
from tests.model.issued import Invite, Member

if TYPE_CHECKING:
    from tests.model.rights import History


class InviteRights:
    """The invites of a board, and its code."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._board_id = history.scenario.board_id
        self._code = history.owner.get(f"/api/invite/{self._board_id}/code").json["inviteCode"]

    def invite(self, name: str) -> None:
        history = self._history
        sender = name if history.may(name, Tier.COLLABORATOR) else history.owner_name
        invitee = history.chance.choice(
            [other for other in history.people if other not in history.members] or ["nobody"]
        )
        access = history.chance.choice(
            ["guest", "collaborator", "manager"] if history.may(sender, Tier.ADMIN) else ["guest"]
        )
        pending = next((one for one in history.invites if one.invitee == invitee and one.status == "pending"), None)
        body = {"inviteeEmail": f"{invitee}@example.com", "accessType": access}
        made = history.people[sender].client.post(f"/api/invite/{self._board_id}", body)
        assert made.status == 200, made.text
        if pending is None:
            history.invites.append(Invite(made.json["inviteId"], invitee, [sender], access))
            return
        assert made.json["inviteId"] == pending.id
        if sender == pending.senders[0] or history.may(sender, Tier.ADMIN):
            pending.access = access
        if sender not in pending.senders:
            pending.senders.append(sender)

    def accept(self, name: str) -> None:
        """Tries every invite that the user ever got: only a pending one lets them in."""
        for one in self._answered(name, "accept", "accepted"):
            self._history.members.setdefault(name, Member("member", one.access))

    def decline(self, name: str) -> None:
        """Declines what is pending: that invite lets nobody in any more."""
        for _ in self._answered(name, "decline", "declined"):
            assert self._history.people[name].client.put(f"/api/invite/join/{self._code}").status == 403

    def join(self, name: str) -> None:
        """Joins by the code of the board, which is for invited people alone."""
        history = self._history
        pending = [one for one in history.invites if one.invitee == name and one.status == "pending"]
        allowed = bool(pending) and name not in history.suspended
        status = history.people[name].client.put(f"/api/invite/join/{self._code}").status
        assert (status == 200) is allowed, (status, name)
        for one in pending if allowed else ():
            one.status = "accepted"
            history.members.setdefault(name, Member("member", one.access))

    def _answered(self, name: str, how: str, status: str) -> list[Invite]:
        """Answers each invite that the user ever got. Returns those that were pending, which alone take an answer."""
        history = self._history
        answered = []
        for one in [one for one in history.invites if one.invitee == name]:
            allowed = one.status == "pending" and name not in history.suspended and not history.deleted
            answer = history.people[name].client.put(f"/api/invite/{how}/{one.id}")
            assert (answer.status == 200) is allowed, (answer, one)
            if allowed:
                one.status = status
                answered.append(one)
        return answered

    def end(self, *names: str) -> None:
        """Ends or weakens what nobody is left to stand for, after these people's rights changed."""
        history = self._history
        for one in history.invites:
            if one.status == "pending" and {*names} & {*one.senders}:
                tiers = [history.members[sender].tier for sender in one.senders if sender in history.members]
                if max(tiers, default=Tier.GUEST) < Tier.COLLABORATOR:
                    one.status = "retracted"
                elif one.access == "manager" and max(tiers) < Tier.ADMIN:
                    one.access = "collaborator"

    def shown(self) -> dict[str, str]:
        """Returns the status of each invite as the board's owner finds it."""
        entries = self._history.owner.get(f"/api/invite/{self._board_id}/invites").json
        return {entry["inviteId"]: entry["status"] for entry in entries}
