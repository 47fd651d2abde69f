"""Invites (the API specification, sections 2.9, 4.7 and 4.8)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, model_serializer

from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.limits import INVITE_MESSAGE
from governance.models.base import Body, LenientQuery, Resource, Stored
from governance.models.boards.board import AccessType
from governance.models.page import JsonFrame, OrderedQuery
from governance.models.text import Email, has_repeats, text

InviteStatus = Literal["pending", "accepted", "declined", "retracted"]
ThrottleReason = Literal["per-invite", "global-recipient"]
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
DEFAULT_POSITIONS: tuple[BoardPosition, ...] = ("observer",)


def _is_empty(value: object) -> bool:
    return not value


class InviteCreate(Body):
    """The body that creates an invite; null counts as left out."""

    invitee_email: Email
    message: Annotated[str, text(0, INVITE_MESSAGE)] | None = None
    board_positions: Annotated[list[BoardPosition], Field(min_length=1)] | None = None
    access_type: Annotated[AccessType | None, Field(json_schema_extra={"x-extension": True})] = None

    @classmethod
    def field_errors(cls, value: Mapping[str, Any]) -> dict[str, str]:
        """Returns the error of a position that is named twice."""
        repeated = has_repeats(value.get("boardPositions"))
        return {"boardPositions": "must not name a position twice"} if repeated else {}


class StoredInvite(Stored):
    """An invite as it is stored.

    `message` is escaped for HTML already. `access_type` is that of the new member. `link` is the digest of the token in
    its e-mails, None before the first.
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
    """An invite as the lists show it, with current names."""

    invite_id: str
    board_id: str
    board_name: str
    board_description: str | None
    invitee_email: str
    inviter_id: str
    inviter_email: str
    inviter_first_name: str
    inviter_last_name: str
    invite_message: str | None
    status: InviteStatus
    created_at: str
    also_invited_by: tuple[str, ...] = Field(default=(), exclude_if=_is_empty)


class SentInvitesQuery(OrderedQuery):
    """The parameters of the list of what a board's invites offer."""

    status: InviteStatus | None = None


class SentInvite(Resource):
    """What an invite offers to its invitee; `last_sent_at` is when a mail last went out, None if none did."""

    object: Literal["sent_invite"] = "sent_invite"
    invite_id: str
    invitee_email: str
    access_type: AccessType
    board_positions: tuple[str, ...]
    status: InviteStatus
    inviter_id: str
    last_sent_at: str | None
    created_at: str


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
    """The pending invites of boards, by board id."""

    boards: dict[str, list[InviteDetail]]

    @model_serializer
    def _bare(self) -> dict[str, list[InviteDetail]]:
        return self.boards


class InviteMade(Resource):
    """The response to creating an invite."""

    message: str
    invite_id: str
    deduped: bool
    trigger_nudge: bool


class InviteAccepted(Resource):
    """The response to accepting an invite."""

    message: str
    trigger_nudge: bool


class InviteClosed(Resource):
    """The response to declining or retracting an invite."""

    message: str


class BoardJoined(Resource):
    """The response to joining by a board's invite code."""

    message: str
    board_id: str
    board_name: str


class InviteCode(Resource):
    """A board's invite code."""

    invite_code: str


class MailSent(Resource):
    """The response to sending a test e-mail."""

    message: str
    sent_to: str


class InviteMailed(MailSent):
    """The response to sending an invite's e-mail; `last_sent_at` is when one was last sent, not throttled."""

    last_sent_at: str | None
    throttled: bool
    throttle_reason: ThrottleReason | None = Field(default=None, exclude_if=_is_empty)


class LinkQuery(LenientQuery):
    """The parameters of an invite's link: its token."""

    i: str = ""


class InviteProbe(Resource):
    """Whether the invite of a link is still pending."""

    pending: bool


class InvitePreview(Resource):
    """The invite of a link with its board and its inviter, for anyone who has the link."""

    object: Literal["invite_preview"] = "invite_preview"
    invite_id: str
    board_id: str
    board_name: str
    inviter_name: str | None
