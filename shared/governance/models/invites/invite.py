"""Invites (the API specification, sections 2.9, 4.7 and 4.8)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, model_serializer

from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.limits import INVITE_MESSAGE
from governance.models.account.user import PersonName
from governance.models.base import Body, LenientQuery, Resource, Stored
from governance.models.boards.board import AccessType
from governance.models.page import JsonFrame, OrderedQuery
from governance.models.text import Email, has_repeats, text

InviteStatus = Literal["pending", "accepted", "declined", "retracted"]
"""Status of an invite. Only a pending invite can be accepted, declined, retracted or mailed."""
ThrottleReason = Literal["per-invite", "global-recipient"]
"""The limit that is reached, that of the invite or that of the recipient's address."""
BoardPosition = Literal[
    "executive assistant",
    "observer",
    "ceo",
    "board chair",
    "board member",
    "company secretary",
    "cfo",
    "corporate lawyer",
    "investor",
    "management roles",
    "external consultant",
    "it administrator",
    "chief of staff",
    "other",
]
"""A position that an invite can assign."""
DEFAULT_POSITIONS: tuple[BoardPosition, ...] = ("observer",)


def _is_empty(value: object) -> bool:
    return not value


class InviteCreate(Body):
    """The invite to create."""

    invitee_email: Email
    """The e-mail address to invite. It is stored in lower case."""
    message: Annotated[str, text(0, INVITE_MESSAGE)] | None = None
    """A message to the invitee. It is stored escaped for HTML."""
    board_positions: Annotated[list[BoardPosition], Field(min_length=1)] | None = None
    """The positions that the invitee gets on acceptance, without repeats. Left out or null means `observer`, or no
    change of a pending invite.
    """
    access_type: Annotated[AccessType | None, Field(json_schema_extra={"x-extension": True})] = None
    """The access type that the invitee gets on acceptance. Only the owner and admins can give `manager` (403). Left out
    or null means `collaborator`, or no change of a pending invite.
    """

    invitee_first_name: Annotated[PersonName | None, Field(json_schema_extra={"x-extension": True})] = None
    """The invitee's given name, which they get on acceptance if their account has no name, and may change. Left out or
    null means no change of a pending invite.
    """
    invitee_last_name: Annotated[PersonName | None, Field(json_schema_extra={"x-extension": True})] = None
    """The invitee's family name, like the given name."""

    @classmethod
    def field_errors(cls, value: Mapping[str, Any]) -> dict[str, str]:
        """Returns the error of a position that is named twice."""
        repeated = has_repeats(value.get("boardPositions"))
        return {"boardPositions": "must not name a position twice"} if repeated else {}


class StoredInvite(Stored):
    """An invite as it is stored.

    `message` is escaped for HTML already. `access_type` is that of the new member. `link` is the digest of the token in
    its e-mails, None before the first. The names of the invitee are kept while it is pending.
    """

    id: str
    board_id: BoardId
    invitee_email: str
    inviter_id: UserId
    message: str | None
    board_positions: tuple[str, ...]
    access_type: AccessType = "collaborator"
    status: InviteStatus = "pending"
    also_invited_by: tuple[UserId, ...] = ()
    link: str | None = None
    invitee_first_name: str | None = None
    invitee_last_name: str | None = None
    created_at: Instant
    updated_at: Instant
    version: int = 1

    @property
    def senders(self) -> tuple[UserId, ...]:
        """The ids of the inviter and of the users who invited the same address again."""
        return (self.inviter_id, *self.also_invited_by)


class FormerBoard(Stored):
    """A board as somebody who left it knows it."""

    board_id: BoardId
    name: str
    left_at: Instant


class InviteDetail(Resource):
    """An invite, with the current names of the board and the inviter."""

    invite_id: str
    """Identifier of the invite."""
    board_id: BoardId
    """Identifier of the board that the invite is for."""
    board_name: str
    """Display name of the board."""
    board_description: str | None
    """Purpose of the board, or null."""
    invitee_email: str
    """The invited e-mail address, in lower case."""
    inviter_id: str
    """Identifier of the user who first invited the address."""
    inviter_email: str
    """E-mail address of the inviter."""
    inviter_first_name: str
    """Given name of the inviter; empty if it is unknown."""
    inviter_last_name: str
    """Family name of the inviter; empty if it is unknown."""
    invite_message: str | None
    """The message to the invitee, escaped for HTML, or null."""
    status: InviteStatus
    """Status of the invite."""
    created_at: str
    also_invited_by: tuple[str, ...] = Field(default=(), exclude_if=_is_empty)
    """Identifiers of other members who invited the same address while the invite was pending. Absent if there are none.
    """


class SentInvitesQuery(OrderedQuery):
    """The parameters of the list of what a board's invites offer."""

    status: InviteStatus | None = None
    """Lists the invites with this status. Without it, all are listed."""


class SentInvite(Resource):
    """What an invite offers to its invitee."""

    object: Literal["sent_invite"] = "sent_invite"
    invite_id: str
    """Identifier of the invite."""
    invitee_email: str
    """The invited e-mail address, in lower case."""
    access_type: AccessType
    """The access type that the invitee gets on acceptance."""
    board_positions: tuple[str, ...]
    """The positions that the invitee gets on acceptance."""
    status: InviteStatus
    """Status of the invite."""
    inviter_id: str
    """Identifier of the user who first invited the address."""
    last_sent_at: str | None
    """When the last e-mail for this invite was sent, or null if none ever was."""
    created_at: str


class InviteName(Resource):
    """The name that a pending invite gives its invitee."""

    object: Literal["invite_name"] = "invite_name"
    invite_id: str
    """Identifier of the invite."""
    first_name: str | None
    """Given name of the invitee, or null."""
    last_name: str | None
    """Family name of the invitee, or null."""


class ByBoardFrame(JsonFrame):
    """The object around the invites of several boards. A position begins with the board of the entry."""

    def lead(self, previous: str | None, position: str) -> str:
        """Returns the text before an invite; it ends the array of the previous board, and begins that of the next."""
        board_id, before = _board_of(position), previous and _board_of(previous)
        if board_id == before:
            return ","
        return f'{"{" if before is None else "],"}"{board_id}":['

    def close(self, last: str | None, count: int) -> str:
        """Returns the text after the last invite."""
        del count
        return "{}" if last is None else "]}"


def _board_of(position: str) -> str:
    return position.partition("#")[0]


class InvitesByBoard(Resource):
    """Pending invites by the id of the board."""

    boards: dict[str, list[InviteDetail]]

    @model_serializer
    def _bare(self) -> dict[str, list[InviteDetail]]:
        return self.boards


class InviteMade(Resource):
    """The result of creating an invite."""

    message: str
    """A sentence that says what was done. Do not parse it."""
    invite_id: str
    """Identifier of the invite, new or existing."""
    deduped: bool
    """Whether the address had a pending invite already."""
    trigger_nudge: bool
    """Whether to suggest that the inviter adds a name to their profile."""


class InviteAccepted(Resource):
    """The result of accepting an invite."""

    message: str
    """A sentence that says what was done. Do not parse it."""
    trigger_nudge: bool
    """Whether to suggest that the new member adds a name to their profile."""


class InviteClosed(Resource):
    """The result of declining or retracting an invite."""

    message: str
    """A sentence that says what was done. Do not parse it."""


class BoardJoined(Resource):
    """The result of joining a board."""

    message: str
    """A sentence that says what was done. Do not parse it."""
    board_id: BoardId
    """Identifier of the board that you joined."""
    board_name: str
    """Display name of the board that you joined."""


class InviteCode(Resource):
    """The invite code of a board."""

    invite_code: str
    """The code, a UUID of version 4."""


class MailSent(Resource):
    """The result of sending a preview."""

    message: str
    """A sentence that says what was done. Do not parse it."""
    sent_to: str
    """The e-mail address that the message is for."""


class InviteMailed(MailSent):
    """The result of sending an invite e-mail."""

    last_sent_at: str | None
    """When the last e-mail for this invite was sent, or null if none ever was."""
    throttled: bool
    """Whether nothing was sent because a limit is reached."""
    throttle_reason: ThrottleReason | None = Field(default=None, exclude_if=_is_empty)
    """Which limit is reached. Absent if the e-mail was sent."""


class LinkQuery(LenientQuery):
    """The parameters of an invite's link: its token."""

    i: str = ""
    """The invite token, a UUID of version 4, from the link in the invite e-mail."""


class InviteProbe(Resource):
    """Whether the invite of an invite link is still pending."""

    pending: bool
    """Whether the invite can still be accepted."""


class InvitePreview(Resource):
    """The invite of an invite link, with its inviter and its board."""

    object: Literal["invite_preview"] = "invite_preview"
    invite_id: str
    """Identifier of the invite, to accept or decline it."""
    board_id: BoardId
    """Identifier of the board that the invite is for."""
    board_name: str
    """Display name of the board."""
    inviter_name: str | None
    """Name of the inviter, or null if it is unknown."""
