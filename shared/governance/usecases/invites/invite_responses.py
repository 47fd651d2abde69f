"""The ways to close an invite: accept, join, decline, retract (the API specification, sections 3.4 and 4.7).

Each is one transaction, on condition that the invite has not changed since it was read. So an invite is closed once,
whatever runs at the same time.
"""

from __future__ import annotations

from collections.abc import Mapping

from governance.domain.events.invites import INVITE_ACCEPTED, Joined
from governance.domain.invites import invite as invite_rules
from governance.errors import ApiError, Code, forbidden, not_found
from governance.ids import BoardId
from governance.models.account.user import StoredUser
from governance.models.invites.invite import BoardJoined, InviteAccepted, InviteClosed, InviteStatus, StoredInvite
from governance.store.account import users
from governance.store.boards import boards
from governance.store.invites import invite_links, invites
from governance.store.schema.entities import pending_invite_key
from governance.store.schema.keys import Key
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome, RequestInfo
from governance.usecases.declarations import finds, loads, resolve_board
from governance.usecases.event_writes import record_event
from governance.usecases.members.members import new_membership


def locate_invite(params: Mapping[str, str]) -> Mapping[str, str] | None:
    """Finds the board and the e-mail address of the invite that the path names; None if there is no such invite."""
    return invites.locate(params["boardInviteId"])


def pending_invite_keys(info: RequestInfo) -> list[Key]:
    """Returns the key of the pending invite of the address that the named invite was for."""
    if "inviteeEmail" not in info.params:
        return []
    return [pending_invite_key(info.board_id, info.params["inviteeEmail"])]


def pending_invite(context: Context) -> StoredInvite:
    """Returns the invite that the path names; raises 404 if it is closed, even if its address has a new one."""
    pending = invites.pending(context.loaded, BoardId(context.params["boardId"]), context.params["inviteeEmail"])
    if pending is None or pending.id != context.params["inviteId"]:
        raise not_found()
    return pending


def _email(context: Context) -> str:
    return context.principal.user.email if context.principal.user else ""


def _invite_to_caller(context: Context) -> StoredInvite:
    invite = pending_invite(context)
    invite_rules.check_addressee(invite, _email(context))
    return invite


@loads(pending_invite_keys)
@resolve_board(locate_invite, _invite_to_caller)
@finds(_invite_to_caller)
def accept_invite(context: Context, invite: StoredInvite) -> Outcome[InviteAccepted]:
    """Makes the invitee a member of the board, with the invite's access and positions."""
    named = _named(context, invite)
    response = InviteAccepted(message="The invite was accepted.", trigger_nudge=invite_rules.needs_name(named))
    return Outcome(response, _accept(context, invite))


def _find_board(params: Mapping[str, str]) -> Mapping[str, str] | None:
    return invite_links.board_of_code(params["inviteCode"])


def _own_invite_key(info: RequestInfo) -> list[Key]:
    if "boardId" not in info.params or info.email is None:
        return []
    return [pending_invite_key(info.board_id, info.email)]


def _own_invite(context: Context) -> StoredInvite:
    """Returns the caller's pending invite; raises 404 if the board's code is disabled, 403 if there is no invite."""
    if not context.board.invite_code_enabled:
        raise ApiError(Code.INVALID_INVITE_CODE)
    invite = invites.find_pending(context.loaded, context.board.id, _email(context))
    if invite is None:
        raise forbidden("There is no pending invite for your e-mail address on this board.")
    return invite


@loads(_own_invite_key)
@resolve_board(_find_board, _own_invite, not_found_code=Code.INVALID_INVITE_CODE)
@finds(_own_invite)
def join_board(context: Context, invite: StoredInvite) -> Outcome[BoardJoined]:
    """Makes the caller a member of the board, by its invite code and the pending invite of their address."""
    response = BoardJoined(message="You joined the board.", board_id=context.board.id, board_name=context.board.name)
    return Outcome(response, _accept(context, invite))


def _accept(context: Context, invite: StoredInvite) -> list[Write]:
    """Closes the invite and adds the caller as a member; a caller who is a member already keeps their membership."""
    member = context.membership or new_membership(
        context.board.id,
        context.principal.named_user_id,
        context.now,
        access_type=invite.access_type,
        positions=invite.board_positions,
    )
    if context.membership:
        membership = [boards.check_still_member(member)]
    else:  # the position of the new row in the member's list follows from the board as it was read
        membership = [*boards.add_member(context.board, member), boards.check_unchanged(context.board)]
    event = record_event(
        context,
        INVITE_ACCEPTED,
        Joined(
            invite_id=invite.id,
            accepting_user_id=context.principal.named_user_id,
            member_email=invite.invitee_email,
            positions=tuple(member.board_positions),
            inviter_ids=list(invite.senders),
        ),
    )
    return [*_close(context, invite, "accepted"), *membership, *event, *_name(context, invite)]


def _name(context: Context, invite: StoredInvite) -> list[Write]:
    """Returns the writes that give the invite's name to a caller without one."""
    user, named = context.principal.user, _named(context, invite)
    return users.replace(user, named) if user and named and named is not user else []


def _named(context: Context, invite: StoredInvite) -> StoredUser | None:
    """Returns the calling user, with the invite's name if they have none."""
    user = context.principal.user
    return invite_rules.named_by(invite, user, context.now) if user else None


def _close(context: Context, invite: StoredInvite, status: InviteStatus) -> list[Write]:
    return invites.close(invite, invite_rules.close(invite, status, context.now), context.board.invite_code)


_CLOSED = "The invite is no longer open."


@loads(pending_invite_keys)
@resolve_board(locate_invite, _invite_to_caller)
@finds(_invite_to_caller)
def decline_invite(context: Context, invite: StoredInvite) -> Outcome[InviteClosed]:
    """Declines an invite, by its invitee."""
    return Outcome(InviteClosed(message=_CLOSED), _close(context, invite, "declined"))


def _retractable_invite(context: Context) -> StoredInvite:
    invite = pending_invite(context)
    invite_rules.check_retractable(invite, context.user_id, context.tier)
    return invite


@loads(pending_invite_keys)
@resolve_board(locate_invite, _retractable_invite)
@finds(_retractable_invite)
def retract_invite(context: Context, invite: StoredInvite) -> Outcome[InviteClosed]:
    """Retracts an invite, by its inviter or an admin."""
    return Outcome(InviteClosed(message=_CLOSED), _close(context, invite, "retracted"))
