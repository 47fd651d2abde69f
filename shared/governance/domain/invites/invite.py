"""The rules of invites (the API specification, sections 3.4, 4.8 and 4.9)."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from governance.errors import ApiError, Reason, conflict, forbidden, invalid_body
from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.limits import RE_INVITERS
from governance.models.account.user import StoredUser
from governance.models.boards.board import AccessType, StoredBoard
from governance.models.invites.invite import DEFAULT_POSITIONS, FormerBoard, InviteCreate, InviteStatus, StoredInvite
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
        access_type=body.access_type or "collaborator",
        invitee_first_name=body.invitee_first_name,
        invitee_last_name=body.invitee_last_name,
        created_at=now,
        updated_at=now,
    )


def check_may_give(access_type: AccessType | None, tier: Tier | None) -> None:
    """Raises 403 for a caller who may not give an invitee this access: only admins invite managers."""
    if access_type == "manager" and not _is_admin(tier):
        raise forbidden("Ask an admin of the board to invite a manager.")


def re_invite(
    invite: StoredInvite, body: InviteCreate, sender_id: UserId, tier: Tier | None, now: Instant
) -> StoredInvite:
    """Returns the invite after it was sent again by `sender_id`.

    The original inviter changes the fields that the body has. Any other sender is added to `also_invited_by`, and the
    body is ignored, except for the access and the name that an admin gives. Returns the same object if nothing changes.
    Raises 409 `LIMIT_REACHED` for one sender too many.
    """
    changes: dict[str, object] = {}
    if sender_id not in invite.senders:
        if len(invite.also_invited_by) >= RE_INVITERS:
            raise conflict(Reason.LIMIT_REACHED)
        changes["also_invited_by"] = (*invite.also_invited_by, sender_id)
    if body.access_type is not None and (sender_id == invite.inviter_id or _is_admin(tier)):
        changes["access_type"] = body.access_type
    if body.invitee_first_name is not None and (sender_id == invite.inviter_id or _is_admin(tier)):
        changes |= {"invitee_first_name": body.invitee_first_name, "invitee_last_name": body.invitee_last_name}
    if sender_id == invite.inviter_id:
        changes["message"] = invite.message if body.message is None else _escaped(body.message)
        changes["board_positions"] = tuple(body.board_positions or invite.board_positions)
    new = invite.model_copy(update=changes)
    return invite if new == invite else _changed(new, now)


def close(invite: StoredInvite, status: InviteStatus, now: Instant) -> StoredInvite:
    """Returns the invite in its final status, without a link and the invitee's name."""
    return _changed(invite, now, status=status, link=None, invitee_first_name=None, invitee_last_name=None)


def named_by(invite: StoredInvite, user: StoredUser, now: Instant) -> StoredUser:
    """Returns the invitee with the name of the invite if they have none; the same object if nothing changes.

    They did not choose this name: a name in a later session takes its place.
    """
    if user.first_name or user.last_name or not (invite.invitee_first_name or invite.invitee_last_name):
        return user
    names = {"first_name": invite.invitee_first_name, "last_name": invite.invitee_last_name}
    return user.model_copy(update={**names, "updated_at": now, "version": user.version + 1})


def by_right_of(invite: StoredInvite, tiers: Mapping[UserId, Tier], now: Instant) -> StoredInvite:
    """Returns the invite, limited to the present rights of its senders; `tiers` are those of the board's members.

    If none of them may invite any more, it is retracted. If none may invite a manager, it invites a collaborator.
    """
    best = max((tiers[sender] for sender in invite.senders if sender in tiers), default=None)
    if best is None or best < Tier.COLLABORATOR:
        return close(invite, "retracted", now)
    if invite.access_type == "manager" and not _is_admin(best):
        return _changed(invite, now, access_type="collaborator")
    return invite


def strongest(invite: StoredInvite, tiers: Mapping[UserId, Tier]) -> UserId | None:
    """Returns the sender with the highest tier, whose right keeps the invite; None without a member among them."""
    return max(
        (sender for sender in invite.senders if sender in tiers), key=lambda id_: (tiers[id_], id_), default=None
    )


def board_as_left(board: StoredBoard, former: FormerBoard | None) -> StoredBoard:
    """Returns a board as a former member may know it: with the name that it had when they left."""
    return board.model_copy(update={"name": former.name if former else "", "description": None})


def person_as_left(person: StoredUser | None, former: FormerBoard | None) -> StoredUser | None:
    """Returns the user if they have not changed since the viewer left the board; otherwise None."""
    known = person is not None and former is not None and person.updated_at <= former.left_at
    return person if known else None


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
