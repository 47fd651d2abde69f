"""The rules of invites (the API specification, sections 3.4, 4.8 and 4.9)."""

from __future__ import annotations

from html import escape

from governance.errors import ApiError, forbidden, invalid_body
from governance.models.invite import DEFAULT_POSITIONS, InviteCreate, InviteStatus, StoredInvite
from governance.scopes import Tier


def new_invite(body: InviteCreate, invite_id: str, board_id: str, inviter_id: str, now: str) -> StoredInvite:
    """An invite as it is first written down; its message is escaped here, once."""
    return StoredInvite(
        id=invite_id,
        board_id=board_id,
        invitee_email=body.invitee_email,
        inviter_id=inviter_id,
        message=_escaped(body.message),
        board_positions=tuple(body.board_positions or DEFAULT_POSITIONS),
        created_at=now,
        updated_at=now,
    )


def re_invite(invite: StoredInvite, body: InviteCreate, sender_id: str, now: str) -> StoredInvite:
    """The same invite, sent once more.

    The original inviter changes what he gives and keeps what he leaves out; anybody else is noted beside him, and
    what he gives is ignored. Where nothing changes it is the very same invite.
    """
    if sender_id not in invite.senders:
        return _changed(invite, now, also_invited_by=(*invite.also_invited_by, sender_id))
    if sender_id != invite.inviter_id:
        return invite
    message = invite.message if body.message is None else _escaped(body.message)
    positions = tuple(body.board_positions or invite.board_positions)
    if (message, positions) == (invite.message, invite.board_positions):
        return invite
    return _changed(invite, now, message=message, board_positions=positions)


def close(invite: StoredInvite, status: InviteStatus, now: str) -> StoredInvite:
    """The invite in its last state; its link is dead."""
    return _changed(invite, now, status=status, link=None)


def with_link(invite: StoredInvite, link: str, now: str) -> StoredInvite:
    """The invite with a link that is about to be mailed."""
    return _changed(invite, now, link=link)


def check_addressee(invite: StoredInvite, email: str) -> None:
    """Only whom it is addressed to answers an invite; both addresses are in lower case."""
    if invite.invitee_email != email:
        raise forbidden("This invite is addressed to somebody else.")


def check_retractable(invite: StoredInvite, user_id: str | None, tier: Tier | None) -> None:
    """The original inviter, while a member, or a board admin takes an invite back."""
    if tier is None or not (user_id == invite.inviter_id or tier >= Tier.ADMIN):
        raise forbidden("Only the inviter or a board admin retracts an invite.")


def may_send(invite: StoredInvite, user_id: str | None, tier: Tier | None) -> bool:
    """The inviter, a re-inviter, while members, or a board admin has the invite mailed."""
    return tier is not None and (user_id in invite.senders or tier >= Tier.ADMIN)


def already_member_error() -> ApiError:
    """400: a current member needs no invite."""
    return invalid_body({"inviteeEmail": "is the address of a member of this board"})


def _escaped(message: str | None) -> str | None:
    return None if message is None else escape(message)


def _changed(invite: StoredInvite, now: str, **changes: object) -> StoredInvite:
    return invite.model_copy(update={**changes, "updated_at": now, "version": invite.version + 1})
