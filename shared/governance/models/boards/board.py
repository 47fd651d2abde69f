"""Boards and their members (the API specification, sections 2.2 and 2.3)."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from governance.ids import BoardId, MembershipId, UserId
from governance.instants import Instant
from governance.limits import BOARD_DESCRIPTION, BOARD_NAME, BOARD_POSITION, BOARD_POSITIONS
from governance.models.base import Body, Patch, Resource, Stored
from governance.models.text import NoControls, NotBlank, text
from governance.scopes import Tier

AdminRole = Literal["owner", "admin", "member"]
AssignableRole = Literal["admin", "member"]
AccessType = Literal["guest", "collaborator", "manager"]


class StoredBoard(Stored):
    """A board as it is stored; `invite_code` is made when it is first needed.

    `is_example` marks a board of made-up members and content, which sends no e-mail (ADR boards).
    """

    id: BoardId
    name: str
    description: str | None = None
    invite_code_enabled: bool = True
    invite_code: str | None = None
    billing_state: str
    is_example: bool = False
    created_at: Instant
    updated_at: Instant
    version: int = 1


class Board(Resource):
    """A board as one caller sees it."""

    object: Literal["board"] = "board"
    id: str
    name: str
    description: str | None
    invite_code_enabled: bool
    billing_state: str
    my_role: AdminRole | None
    created_at: str
    updated_at: str


class Membership(Stored):
    """A user's membership of a board; `join_id` is new each time that the user joins."""

    id: MembershipId
    user_id: UserId
    board_id: BoardId
    join_id: str
    admin_role: AdminRole
    access_type: AccessType
    board_positions: tuple[str, ...] = ()
    is_internal_mgmt: bool = False
    created_at: Instant
    updated_at: Instant
    version: int = 1


class Seats(Stored):
    """The committees that some members of a board are in: the rows of this kind share out all members (ADR boards).

    `committee_ids` is by user. `version` is 0 for a row that was never written.
    """

    committee_ids: dict[UserId, tuple[str, ...]] = Field(default_factory=dict)
    version: int = 0

    def of(self, user_id: UserId) -> tuple[str, ...]:
        """Returns the committees that a user is in."""
        return self.committee_ids.get(user_id, ())


@dataclass(frozen=True)
class RosterEntry:
    """A member in the roster of a board: the fields that feedback on slots and deliveries need of every member."""

    user_id: UserId
    join_id: str
    tier: Tier


class BoardMember(Resource):
    """A member of a board, with the user's current name and e-mail address."""

    object: Literal["board_member"] = "board_member"
    id: str
    user_id: str
    board_id: str
    email: str | None
    first_name: str | None
    last_name: str | None
    admin_role: AdminRole
    access_type: AccessType
    board_positions: tuple[str, ...]
    is_internal_mgmt: bool
    created_at: str
    updated_at: str


BoardName = Annotated[str, text(1, BOARD_NAME), NotBlank]
Description = Annotated[str, text(0, BOARD_DESCRIPTION)]
Position = Annotated[str, text(1, BOARD_POSITION), NotBlank, NoControls]


class BoardCreate(Body):
    """The body that creates a board."""

    name: BoardName
    description: Description | None = None


class BoardPatch(Patch):
    """The body that changes a board."""

    name: BoardName = ""
    description: Description | None = None
    invite_code_enabled: bool = True


class MemberPatch(Patch):
    """The body that changes a member; the role of owner is transferred instead."""

    admin_role: AssignableRole = "member"
    access_type: AccessType = "guest"
    board_positions: Annotated[list[Position], Field(max_length=BOARD_POSITIONS)] = Field(default_factory=list)
    is_internal_mgmt: bool = False


class OwnershipTransfer(Body):
    """The body that transfers a board to another member, named by membership id."""

    member_id: MembershipId
