"""Example boards: a board with made-up people and content, for a user to try everything on (ADR boards)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from governance.errors import Reason, conflict
from governance.ids import BoardId, UserId, new_id
from governance.instants import Instant
from governance.models.account.user import StoredUser
from governance.models.boards.board import AccessType, AdminRole, StoredBoard

_NAME = "Northwind Robotics (example)"
_DESCRIPTION = "An example: its members and figures are made up, and nobody is sent e-mails. Delete it at any time."


@dataclass(frozen=True)
class Character:
    """A member of an example board, who has no account."""

    name: str
    last_name: str
    admin_role: AdminRole
    access_type: AccessType
    positions: tuple[str, ...]

    @property
    def first_name(self) -> str:
        """The first name."""
        return self.name.capitalize()


CHARACTERS = (
    Character("olivia", "Marsh", "admin", "manager", ("board chair",)),
    Character("adam", "Reyes", "admin", "manager", ("company secretary",)),
    Character("maya", "Lindqvist", "member", "manager", ("cfo",)),
    Character("colin", "Abara", "member", "collaborator", ("board member", "investor")),
    Character("gwen", "Ito", "member", "guest", ("observer",)),
    Character("paul", "Novak", "member", "collaborator", ("ceo",)),
)


def new_example_board(now: Instant) -> StoredBoard:
    """Returns a new example board."""
    return StoredBoard(
        id=BoardId(new_id()),
        name=_NAME,
        description=_DESCRIPTION,
        billing_state="TRIAL_ACTIVE",
        is_example=True,
        created_at=now,
        updated_at=now,
    )


def character_id(board_id: BoardId, name: str) -> UserId:
    """Returns the user id of a character on an example board; no session or token has it."""
    return UserId(hashlib.sha256(f"example\n{board_id}\n{name}".encode()).hexdigest()[:24])


@cache
def character_ids(board_id: BoardId) -> Sequence[UserId]:
    """Returns the user ids of all characters of an example board."""
    return [character_id(board_id, character.name) for character in CHARACTERS]


def character_user(board_id: BoardId, character: Character, now: Instant) -> StoredUser:
    """Returns a character as a user: inactive, with an address of a domain that cannot exist (RFC 2606)."""
    return StoredUser(
        id=character_id(board_id, character.name),
        email=f"{character.name}@northwind.example",
        first_name=character.first_name,
        last_name=character.last_name,
        status="inactive",
        created_at=now,
        updated_at=now,
    )


def check_sends_mail(board: StoredBoard) -> None:
    """Raises 409 `EXAMPLE_BOARD` for an example board, which sends no e-mail."""
    if board.is_example:
        raise conflict(Reason.EXAMPLE_BOARD)
