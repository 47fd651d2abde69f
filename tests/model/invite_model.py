"""The invites of a board as they ought to be: who sent which to whom, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.model.board_model import ADMINISTRATOR, COLLABORATOR, Board, Member

PENDING = "pending"


@dataclass
class Invite:
    """An invite to somebody, with everybody who sent it; the first of them is the inviter."""

    invitee: str
    senders: list[str]
    positions: tuple[str, ...]
    status: str = PENDING


@dataclass
class Invites:
    """All invites of a board, by id."""

    board: Board
    known: dict[str, Invite] = field(default_factory=dict)
    code_enabled: bool = True

    def pending_for(self, name: str) -> tuple[str, Invite] | None:
        """The one that is open; there is never another."""
        found = [(key, invite) for key, invite in self.known.items() if invite.invitee == name and _is_open(invite)]
        assert len(found) <= 1
        return found[0] if found else None

    def sent_by(self, name: str) -> set[str]:
        """What he sees of what he sent: nothing, once he is no member."""
        if name not in self.board.members:
            return set()
        return {key for key, invite in self.known.items() if name in invite.senders}

    # -- acts: each gives the status that is due, and happens where that is a 2xx

    def create(self, name: str, whom: str) -> int:
        refused = self.board.refusal(name, COLLABORATOR)
        if refused is not None:
            return refused
        return 400 if whom in self.board.members else 200

    def made(self, key: str, name: str, whom: str, positions: tuple[str, ...] | None) -> None:
        """It is a new one, or the open one once more: what only its inviter may change changes."""
        found = self.pending_for(whom)
        if found is None:
            self.known[key] = Invite(whom, [name], positions or ("observer",))
            return
        assert found[0] == key
        if name not in found[1].senders:
            found[1].senders.append(name)
        elif name == found[1].senders[0] and positions is not None:
            found[1].positions = positions

    def accept(self, name: str, key: str) -> int:
        refused = self._answered(name, key)
        return refused or self._let_in(name, self.known[key])

    def decline(self, name: str, key: str) -> int:
        refused = self._answered(name, key)
        return refused or self._close(self.known[key], "declined")

    def retract(self, name: str, key: str) -> int:
        invite = self.known[key]
        if not _is_open(invite):
            return 404
        member = name in self.board.members
        if not (member and (invite.senders[0] == name or self.board.tier(name) >= ADMINISTRATOR)):
            return 403
        return self._close(invite, "retracted")

    def join(self, name: str) -> int:
        """By the board's code."""
        if not self.code_enabled:
            return 404
        found = self.pending_for(name)
        return 403 if found is None else self._let_in(name, found[1])

    def _answered(self, name: str, key: str) -> int:
        """The refusal that is due to who answers; 0 where he may."""
        invite = self.known[key]
        if not _is_open(invite):
            return 404
        return 0 if invite.invitee == name else 403

    def _let_in(self, name: str, invite: Invite) -> int:
        self.board.members.setdefault(name, Member(positions=invite.positions))
        return self._close(invite, "accepted")

    @staticmethod
    def _close(invite: Invite, status: str) -> int:
        invite.status = status
        return 200


def _is_open(invite: Invite) -> bool:
    return invite.status == PENDING
