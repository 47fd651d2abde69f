"""Invites (the API specification, sections 2.9, 4.7 and 4.8)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_serializer

from governance.limits import INVITE_MESSAGE
from governance.models.base import Body, LenientQuery, Resource
from governance.models.text import Email, text

InviteStatus = Literal["pending", "accepted", "declined", "retracted"]
ThrottleReason = Literal["per-invite", "global-recipient"]
InvitePosition = Literal[
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
DEFAULT_POSITIONS: tuple[InvitePosition, ...] = ("observer",)


def _is_empty(value: object) -> bool:
    return not value


def _no_repeats(positions: list[InvitePosition]) -> list[InvitePosition]:
    if len(set(positions)) < len(positions):
        raise ValueError("must not repeat a position")
    return positions


class InviteCreate(Body):
    """What an invite is made of; null means left out."""

    invitee_email: Email
    message: Annotated[str, text(0, INVITE_MESSAGE)] | None = None
    board_positions: Annotated[list[InvitePosition], Field(min_length=1), AfterValidator(_no_repeats)] | None = None


class StoredInvite(Resource):
    """An invite as the store keeps it.

    `message` is escaped for HTML already; `link` is the digest of the token that its mails carry, None before one.
    """

    id: str
    board_id: str
    invitee_email: str
    inviter_id: str
    message: str | None
    board_positions: tuple[str, ...]
    status: InviteStatus = "pending"
    also_invited_by: tuple[str, ...] = ()
    link: str | None = None
    created_at: str
    updated_at: str
    version: int = 1

    @property
    def senders(self) -> tuple[str, ...]:
        """The inviter, and whoever invited the same address again."""
        return (self.inviter_id, *self.also_invited_by)


class InviteDetail(Resource):
    """An invite as the lists show it; names are those of today."""

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


class InvitesByBoard(Resource):
    """The pending invites of boards, by board id."""

    boards: dict[str, list[InviteDetail]]

    @model_serializer
    def _bare(self) -> dict[str, list[InviteDetail]]:
        return self.boards


class InviteMade(Resource):
    """What creating an invite answers."""

    message: str
    invite_id: str
    deduped: bool
    trigger_nudge: bool


class InviteAccepted(Resource):
    """What accepting an invite answers."""

    message: str
    trigger_nudge: bool


class InviteClosed(Resource):
    """What declining or retracting an invite answers."""

    message: str


class BoardJoined(Resource):
    """What joining by a board's code answers."""

    message: str
    board_id: str
    board_name: str


class InviteCode(Resource):
    """A board's invite code."""

    invite_code: str


class MailSent(Resource):
    """What sending a test mail answers."""

    message: str
    sent_to: str


class InviteMailed(MailSent):
    """What sending an invite's mail answers; `last_sent_at` is the last mail that really went out."""

    last_sent_at: str | None
    throttled: bool
    throttle_reason: ThrottleReason | None = Field(default=None, exclude_if=_is_empty)


class LinkQuery(LenientQuery):
    """The token of an invite's link."""

    i: str = ""


class InviteProbe(Resource):
    """Whether the invite of a link is still open."""

    pending: bool


class InvitePreview(Resource):
    """Who invites to what board, for whoever holds the link."""

    object: Literal["invite_preview"] = "invite_preview"
    board_name: str
    inviter_name: str | None
