"""A plain model of a board's invites: their senders, invitees and statuses."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.model.board_model import ADMINISTRATOR, COLLABORATOR, BoardModel, Member

PENDING = "pending"


@dataclass
class Invite:
    """An invite with all of its senders; the first one is the inviter."""

    invitee: str
    senders: list[str]
    positions: tuple[str, ...]
    status: str = PENDING


@dataclass
class InviteModel:
    """All invites of a board, by id."""

    board: BoardModel
    known: dict[str, Invite] = field(default_factory=dict)
    code_enabled: bool = True

    def pending_for(self, name: str) -> tuple[str, Invite] | None:
        """Returns the pending invite for a user; there is at most one."""
        found = [(key, invite) for key, invite in self.known.items() if invite.invitee == name and _is_open(invite)]
        assert len(found) <= 1
        return found[0] if found else None

    def sent_by(self, name: str) -> set[str]:
        """Returns the invites that a user sees as sent, also after leaving the board."""
        return {key for key, invite in self.known.items() if name in invite.senders}

    # -- requests: each returns the expected status, and takes effect if that is a 2xx

    def create(self, name: str, invitee: str) -> int:
        refused = self.board.refusal(name, COLLABORATOR)
        if refused is not None:
            return refused
        return 400 if invitee in self.board.members else 200

    def record(self, key: str, name: str, invitee: str, positions: tuple[str, ...] | None) -> None:
        """Adds a new invite, or another sender to the pending one. Only the inviter changes its positions."""
        found = self.pending_for(invitee)
        if found is None:
            self.known[key] = Invite(invitee, [name], positions or ("observer",))
            return
        assert found[0] == key
        if name not in found[1].senders:
            found[1].senders.append(name)
        elif name == found[1].senders[0] and positions is not None:
            found[1].positions = positions

    def accept(self, name: str, key: str) -> int:
        refused = self._refusal(name, key)
        return refused or self._add_member(name, self.known[key])

    def decline(self, name: str, key: str) -> int:
        refused = self._refusal(name, key)
        return refused or self._close(self.known[key], "declined")

    def retract(self, name: str, key: str) -> int:
        invite = self.known[key]
        if not _is_open(invite):
            return 404
        is_admin = name in self.board.members and self.board.tier(name) >= ADMINISTRATOR
        if invite.senders[0] != name and not is_admin:
            return 403
        return self._close(invite, "retracted")

    def join(self, name: str) -> int:
        """Joins by the board's invite code."""
        if not self.code_enabled:
            return 404
        found = self.pending_for(name)
        return 403 if found is None else self._add_member(name, found[1])

    def _refusal(self, name: str, key: str) -> int:
        """Returns the status of a refused answer, or 0 if the user may answer the invite."""
        invite = self.known[key]
        if not _is_open(invite):
            return 404
        return 0 if invite.invitee == name else 403

    def _add_member(self, name: str, invite: Invite) -> int:
        self.board.members.setdefault(name, Member(positions=invite.positions))
        return self._close(invite, "accepted")

    @staticmethod
    def _close(invite: Invite, status: str) -> int:
        invite.status = status
        return 200


def _is_open(invite: Invite) -> bool:
    return invite.status == PENDING
