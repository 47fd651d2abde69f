"""People without an account: those of a board who never sign in (an extension of the API, ADR people)."""

from typing import Annotated, Literal, Self

from pydantic import Field

from governance.ids import BoardId, MembershipId, UserId
from governance.instants import Instant
from governance.limits import BOARD_POSITIONS, PERSON_NAME
from governance.models.account.user import PersonName
from governance.models.base import ApiObject, Body, Patch, Resource, Stored
from governance.models.boards.board import Position
from governance.models.page import ListQuery
from governance.models.text import Email, NoControls, text

UnregisteredStatus = Literal["active", "archived", "merged"]
BounceKind = Literal["bounce", "complaint"]


class Bounce(Resource):
    """Why no more mails go to an address: it does not exist, or its holder complained; `reason` holds no address."""

    kind: BounceKind
    at: Instant
    reason: str


class Moved(Resource):
    """How much of a person a merge moves, or has moved, to the member; what it drops is not counted."""

    agenda_items: int = 0
    attendances: int = 0
    action_items: int = 0
    guest_votes: int = 0
    rsvps: int = 0

    def plus(self, name: str, number: int) -> Self:
        """Returns the counts with more of one kind."""
        return self.model_copy(update={name: getattr(self, name) + number})


class StoredMerge(Stored):
    """A merge that has begun: the member, what has moved so far, and how the person was before.

    `actor_user_id` is who asked for it; `due_at` is when the deliveries go on with it, if that was not done by then.
    """

    user_id: UserId
    join_id: str
    actor_user_id: UserId | None
    due_at: Instant
    status_before: UnregisteredStatus
    moved: Moved = Field(default_factory=Moved)


class UnregisteredUserFields(Resource):
    """The fields of a person without an account that their board sees, without the full name."""

    id: str
    board_id: BoardId
    first_name: str
    last_name: str | None = None
    email: str | None = None
    board_positions: tuple[str, ...] = ()
    status: UnregisteredStatus = "active"
    receives_mail: bool = True
    bounce: Bounce | None = None
    scrubbed_at: Instant | None = None
    merged_into_member_id: MembershipId | None = None
    created_at: Instant
    updated_at: Instant

    @property
    def name(self) -> str:
        """First and last name, as far as they are known."""
        return " ".join(part for part in (self.first_name, self.last_name) if part and not part.isspace())


class UnregisteredUser(UnregisteredUserFields, ApiObject):
    """A person without an account as the members of the board see them."""

    object: Literal["unregistered_user"] = "unregistered_user"
    full_name: str


class StoredUnregisteredUser(UnregisteredUserFields, Stored):
    """A person without an account as they are stored.

    `language` is that of e-mails to them. `merged_into_join_id` is the join of the member whom they were merged into,
    which ends when that member leaves. `scrub_pending` says that a scrub has yet to remove what the person wrote, also
    from the guests' votes of `scrubbed_email`. `links` counts how often the links in their e-mails ended.
    `flag_dismissed_at` is when somebody last said that the address works again: what was reported earlier flags them no
    more. `merge` is set while everything of theirs becomes a member's. `recommended` has the users into whom merging
    the person was recommended, each with the event that caused it.
    """

    language: str | None = None
    merged_into_join_id: str | None = None
    scrub_pending: bool = False
    scrubbed_email: str | None = None
    links: int = 0
    flag_dismissed_at: Instant | None = None
    merge: StoredMerge | None = None
    recommended: dict[str, str] = Field(default_factory=dict)
    version: int = 1

    @property
    def is_mailed(self) -> bool:
        """Whether e-mails go to the person."""
        return self.status == "active" and self.email is not None and self.receives_mail and self.bounce is None


LastName = Annotated[str, text(0, PERSON_NAME), NoControls]
Positions = Annotated[list[Position], Field(max_length=BOARD_POSITIONS)]


class UnregisteredUserCreate(Body):
    """The body that adds a person without an account to a board."""

    first_name: PersonName
    last_name: LastName | None = None
    email: Email | None = None
    board_positions: Positions | None = None
    receives_mail: bool | None = None


class UnregisteredUserPatch(Patch):
    """The body that changes a person without an account."""

    first_name: PersonName = ""
    last_name: LastName | None = None
    email: Email | None = None
    board_positions: Positions = Field(default_factory=list)
    receives_mail: bool = True


class MergeBody(Body):
    """The body that merges a person into a member; a dry run says what would move, and changes nothing."""

    member_id: str
    dry_run: bool = False


class Merge(Resource):
    """What a merge has moved to the member, or would move."""

    object: Literal["merge"] = "merge"
    unregistered_user_id: str
    member_id: str
    dry_run: bool
    moved: Moved


class UnregisteredUsersQuery(ListQuery):
    """The parameters of the list of a board's people without an account."""

    sort: Literal["createdAt"] = "createdAt"
    status: UnregisteredStatus | None = None
