"""People without an account: those of a board who never sign in (an extension of the API, ADR people)."""

from typing import Annotated, Literal, Self

from pydantic import Field

from governance.ids import BoardId, MembershipId, PersonId, UserId
from governance.instants import Instant
from governance.limits import BOARD_POSITIONS, PERSON_NAME
from governance.models.account.user import PersonName
from governance.models.base import ApiObject, Body, Patch, Resource, Stored
from governance.models.boards.board import Position
from governance.models.page import ListQuery
from governance.models.text import Email, NamedMembershipId, NoControls, text

UnregisteredStatus = Literal["active", "archived", "merged"]
"""Status of a person without an account. Only `active` ones get e-mails and can be named; `archived` and `merged` ones
stay where they are named already.
"""
BounceKind = Literal["bounce", "complaint"]
"""Whether an e-mail came back for good (`bounce`), or the recipient complained about one (`complaint`)."""


class Bounce(Resource):
    """Why no more e-mails go to an address."""

    kind: BounceKind
    """Whether an e-mail came back for good (`bounce`), or the recipient complained about one (`complaint`)."""
    at: Instant
    """When that was reported."""
    reason: str
    """What the mail service said, without the address."""


class Moved(Resource):
    """How many things become the member's; what is dropped is not counted."""

    agenda_items: int = 0
    """Agenda items that the person presents."""
    attendances: int = 0
    """Entries in the attendance of minutes."""
    action_items: int = 0
    """Action items that are assigned to the person."""
    guest_votes: int = 0
    """Votes on slots under the person's address."""
    rsvps: int = 0
    """Answers to meetings."""

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

    id: PersonId
    board_id: BoardId
    first_name: str
    """Given name; `Former participant` after their data was removed."""
    last_name: str | None = None
    """Family name, or null."""
    email: str | None = None
    """E-mail address, in lower case, or null. It is null below manager and for board access tokens."""
    board_positions: tuple[str, ...] = ()
    """The positions that the person holds, as free text such as `external auditor`."""
    status: UnregisteredStatus = "active"
    """Whether the person is active, archived, or merged into a member."""
    receives_mail: bool = True
    """Whether the person wants e-mails. A one-click unsubscription sets it to false."""
    bounce: Bounce | None = None
    """Why no more e-mails go to the address, or null. It is null below manager and for board access tokens."""
    scrubbed_at: Instant | None = None
    """When the person's data was removed, or null."""
    merged_into_member_id: MembershipId | None = None
    """Identifier of the membership that the person was merged into, or null. It becomes null when that member leaves.
    """
    created_at: Instant
    """When the person was added."""
    updated_at: Instant
    """When the person last changed."""

    @property
    def name(self) -> str:
        """First and last name, as far as they are known."""
        return " ".join(part for part in (self.first_name, self.last_name) if part and not part.isspace())


class UnregisteredUser(UnregisteredUserFields, ApiObject):
    """A person of a board who has no account."""

    object: Literal["unregistered_user"] = "unregistered_user"
    full_name: str
    """First and last name, as far as they are known."""


class StoredUnregisteredUser(UnregisteredUserFields, Stored):
    """A person without an account as they are stored.

    `language` is that of e-mails to them. `merged_into_join_id` is the join of the member that they were merged into,
    which ends when that member leaves. `scrub_pending` says that a scrub has yet to remove what the person wrote, also
    from the guests' votes of `scrubbed_email`. `links` counts how often the links in their e-mails ended.
    `flag_dismissed_at` is when somebody last said that the address works again: what was reported earlier flags them no
    more. `merge` is set while everything of theirs becomes a member's. `recommended` has the users that the person was
    recommended to be merged into, each with the event that caused it.
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
    """The person to add."""

    first_name: PersonName
    """Given name. It must not be blank or contain control characters."""
    last_name: LastName | None = None
    """Family name, without control characters."""
    email: Email | None = None
    """E-mail address. Without one, the person gets no e-mails."""
    board_positions: Positions | None = None
    receives_mail: bool | None = None
    """Whether the person wants e-mails, by default true."""


class UnregisteredUserPatch(Patch):
    """The fields of the person to change; at least one. Null clears a field that may be null."""

    first_name: PersonName = ""
    last_name: LastName | None = None
    email: Email | None = None
    board_positions: Positions = Field(default_factory=list)
    """The positions that the person holds. The list replaces the current one."""
    receives_mail: bool = True
    """Whether the person wants e-mails."""


class MergeBody(Body):
    """The member that the person is merged into."""

    member_id: NamedMembershipId
    dry_run: bool = False
    """Whether to say only what would move. By default, the person is merged."""


class Merge(Resource):
    """What was moved to the member, or would be."""

    object: Literal["merge"] = "merge"
    unregistered_user_id: PersonId
    """Identifier of the person."""
    member_id: str
    """Identifier of the membership."""
    dry_run: bool
    """Whether nothing was changed."""
    moved: Moved
    """How much was moved, or would be, by kind."""


class UnregisteredUsersQuery(ListQuery):
    """The parameters of the list of a board's people without an account."""

    sort: Literal["createdAt"] = "createdAt"
    """The date to sort by. People are sorted by when they were added."""
    status: UnregisteredStatus | None = None
    """Only people with this status. Without it, all of them are returned."""
