"""The rules of invites (the API specification, sections 3.4, 4.8 and 4.9)."""

from __future__ import annotations

from html import escape

from governance.errors import ApiError, Reason, conflict, forbidden, invalid_body
from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.limits import RE_INVITERS
from governance.models.invite import DEFAULT_POSITIONS, InviteCreate, InviteStatus, StoredInvite
from governance.models.user import StoredUser
from governance.scopes import Tier


def new_invite(body: InviteCreate, invite_id: str, board_id: BoardId, inviter_id: UserId, now: Instant) -> StoredInvite:
    """Returns a new pending invite; its message is escaped for HTML here, once."""
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


def re_invite(invite: StoredInvite, body: InviteCreate, sender_id: UserId, now: Instant) -> StoredInvite:
    """Returns the invite after it was sent again by `sender_id`.

    The original inviter changes the members that the body has. Any other sender is added to `also_invited_by`, and the
    body is ignored. Returns the same object if nothing changes. Raises 409 `LIMIT_REACHED` for one sender too many.
    """
    if sender_id not in invite.senders:
        if len(invite.also_invited_by) >= RE_INVITERS:
            raise conflict(Reason.LIMIT_REACHED)
        return _changed(invite, now, also_invited_by=(*invite.also_invited_by, sender_id))
    if sender_id != invite.inviter_id:
        return invite
    message = invite.message if body.message is None else _escaped(body.message)
    positions = tuple(body.board_positions or invite.board_positions)
    if (message, positions) == (invite.message, invite.board_positions):
        return invite
    return _changed(invite, now, message=message, board_positions=positions)


def close(invite: StoredInvite, status: InviteStatus, now: Instant) -> StoredInvite:
    """Returns the invite in its final status and without a link."""
    return _changed(invite, now, status=status, link=None)


def with_link(invite: StoredInvite, link: str, now: Instant) -> StoredInvite:
    """Returns the invite with a link that is about to be mailed."""
    return _changed(invite, now, link=link)


def check_addressee(invite: StoredInvite, email: str) -> None:
    """Raises 403 unless the invite is addressed to this e-mail address. Both addresses are in lower case."""
    if invite.invitee_email != email:
        raise forbidden("Sign in with the e-mail address that this invite was sent to.")


def check_retractable(invite: StoredInvite, user_id: UserId | None, tier: Tier | None) -> None:
    """Raises 403 unless the caller is the original inviter, also one who has left the board, or a board admin."""
    if user_id != invite.inviter_id and not _is_admin(tier):
        raise forbidden("Ask the inviter or a board admin to retract this invite.")


def may_send(invite: StoredInvite, user_id: UserId | None, tier: Tier | None) -> bool:
    """Returns whether the caller may have the invite mailed: a sender, also one who has left, or a board admin."""
    return user_id in invite.senders or _is_admin(tier)


def _is_admin(tier: Tier | None) -> bool:
    return tier is not None and tier >= Tier.ADMIN


def needs_name(user: StoredUser | None) -> bool:
    """Returns `triggerNudge`: whether the client should ask the user for their first name."""
    return user is None or not user.first_name


def already_member_error() -> ApiError:
    """Returns the 400 for an invite to a current member."""
    return invalid_body({"inviteeEmail": "must not be the address of a member of this board"})


def _escaped(message: str | None) -> str | None:
    return None if message is None else escape(message)


def _changed(invite: StoredInvite, now: Instant, **changes: object) -> StoredInvite:
    return invite.model_copy(update={**changes, "updated_at": now, "version": invite.version + 1})
