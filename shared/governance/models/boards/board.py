"""Boards and their members (the API specification, sections 2.2 and 2.3)."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from governance.ids import BoardId, MembershipId, UserId
from governance.instants import Instant
from governance.limits import BOARD_DESCRIPTION, BOARD_NAME, BOARD_POSITION, BOARD_POSITIONS
from governance.models.base import Body, Patch, Resource, Stored
from governance.models.text import NamedMembershipId, NoControls, NoReordering, NotBlank, text
from governance.scopes import Tier

AdminRole = Literal["owner", "admin", "member"]
"""Administrative role on a board. Every board has exactly one `owner`; `admin` and `owner` manage members."""
AssignableRole = Literal["admin", "member"]
"""A role that an admin can assign. The owner changes only by a transfer of ownership."""
AccessType = Literal["guest", "collaborator", "manager"]
"""What a member may do. A `guest` reads, a `collaborator` contributes, a `manager` manages documents, reports and
dashboards. Owners and admins count as managers.
"""


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
    """A board, as seen by the caller."""

    object: Literal["board"] = "board"
    id: str
    name: str
    """Display name of the board."""
    description: str | None
    """Purpose of the board, or null."""
    invite_code_enabled: bool
    """Whether invited people can join with the board's invite code."""
    billing_state: str
    """Billing state of the board. `TRIAL_ACTIVE`, `PAID_ACTIVE` and `PAST_DUE_GRACE` allow changes; `TRIAL_EXPIRED`,
    `PAST_DUE_RESTRICTED` and `CANCELLED` make them fail with `BILLING_RESTRICTED`.
    """
    my_role: AdminRole | None
    """Your role on the board; null for a board access token."""
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
    """A user's membership of a board."""

    object: Literal["board_member"] = "board_member"
    id: str
    """Identifier of the membership. It differs from the user's identifier."""
    user_id: UserId
    """Identifier of the user."""
    board_id: BoardId
    email: str | None
    """The user's current e-mail address; null after their personal data was removed."""
    first_name: str | None
    """The user's current given name, or null."""
    last_name: str | None
    """The user's current family name, or null."""
    admin_role: AdminRole
    """Administrative role on the board."""
    access_type: AccessType
    """What the member may do on the board."""
    board_positions: tuple[str, ...]
    """The positions that the member holds, as free text such as `board chair`."""
    is_internal_mgmt: bool
    """Whether the member belongs to the internal management staff."""
    created_at: str
    """When the user joined the board."""
    updated_at: str
    """When the membership last changed."""


class MemberRemoval(Resource):
    """What ends when a member is removed, or leaves."""

    object: Literal["member_removal"] = "member_removal"
    member_id: str
    """Identifier of the membership."""
    guest_links: int
    """How many guest links to meetings stop working, because the member made them."""


BoardName = Annotated[str, text(1, BOARD_NAME), NotBlank, NoReordering]
Description = Annotated[str, text(0, BOARD_DESCRIPTION)]
Position = Annotated[str, text(1, BOARD_POSITION), NotBlank, NoControls]


class BoardCreate(Body):
    """The board to create."""

    name: BoardName
    """Display name of the board. It must not be blank."""
    description: Description | None = None
    """Purpose of the board. Null or left out means none."""


class BoardPatch(Patch):
    """The fields of the board to change; at least one."""

    name: BoardName = ""
    description: Description | None = None
    """Purpose of the board. Null clears it."""
    invite_code_enabled: bool = True


class MemberPatch(Patch):
    """The fields of the membership to change; at least one."""

    admin_role: AssignableRole = "member"
    """Administrative role on the board."""
    access_type: AccessType = "guest"
    """What the member may do on the board."""
    board_positions: Annotated[list[Position], Field(max_length=BOARD_POSITIONS)] = Field(default_factory=list)
    """The positions that the member holds. The list replaces the current one."""
    is_internal_mgmt: bool = False
    """Whether the member belongs to the internal management staff."""


class OwnershipTransfer(Body):
    """The member who becomes the owner."""

    member_id: NamedMembershipId
    """Identifier of the new owner's membership. It must be another member with an active account."""
