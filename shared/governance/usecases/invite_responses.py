"""What ends an invite: accept, join, decline, retract (the API specification, sections 3.4 and 4.7).

Each is one transaction that finds the invite pending as it was read: so an invite ends once, whatever runs beside.
"""

from __future__ import annotations

from collections.abc import Mapping

from governance.domain import invite as rules
from governance.errors import Code, forbidden, not_found
from governance.models.event import Event
from governance.models.invite import BoardJoined, InviteAccepted, InviteClosed, InviteStatus, StoredInvite
from governance.store import boards, invite_links, invites
from governance.store.schema import Key, pending_invite_key
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome, RequestInfo, loads, resolve_board
from governance.usecases.events import record_event
from governance.usecases.members import new_membership


def locate_invite(params: Mapping[str, str]) -> Mapping[str, str] | None:
    """Where the invite lies that the path names."""
    return invites.locate(params["boardInviteId"])


def pending_invite_keys(ask: RequestInfo) -> list[Key]:
    """The pending invite of the address that the named one was for."""
    if "inviteeEmail" not in ask.params:
        return []
    return [pending_invite_key(ask.params["boardId"], ask.params["inviteeEmail"])]


def pending_invite(context: Context) -> StoredInvite | None:
    """The invite that the path names, while it is pending; its address may have another by now."""
    found = invites.pending(context.loaded, context.params["boardId"], context.params["inviteeEmail"])
    return found if found is not None and found.id == context.params["inviteId"] else None


def is_closed(context: Context) -> bool:
    """An invite that is no longer pending is as if it were not there."""
    return pending_invite(context) is None


def _invite(context: Context) -> StoredInvite:
    found = pending_invite(context)
    if found is None:
        raise not_found()
    return found


def _email(context: Context) -> str:
    return context.principal.user.email if context.principal.user else ""


def _addressed(context: Context) -> None:
    rules.check_addressee(_invite(context), _email(context))


@loads(pending_invite_keys)
@resolve_board(locate_invite, is_closed, authorize=_addressed)
def accept_invite(context: Context) -> Outcome[InviteAccepted]:
    """The invitee is a member, with the invite's positions."""
    user = context.principal.user
    answer = InviteAccepted(
        message="The invite was accepted.", trigger_nudge=not (user is not None and user.first_name)
    )
    return Outcome(answer, _acceptance(context, _invite(context)))


def _find_board(params: Mapping[str, str]) -> Mapping[str, str] | None:
    return invite_links.board_of_code(params["inviteCode"])


def _own_invite(ask: RequestInfo) -> list[Key]:
    if "boardId" not in ask.params or ask.email is None:
        return []
    return [pending_invite_key(ask.params["boardId"], ask.email)]


def _code_is_off(context: Context) -> bool:
    return not context.board.invite_code_enabled


def _joinable(context: Context) -> StoredInvite:
    found = invites.find_pending(context.loaded, context.board.id, _email(context))
    if found is None:
        raise forbidden("There is no pending invite for your address on this board.")
    return found


def _invited(context: Context) -> None:
    _joinable(context)


@loads(_own_invite)
@resolve_board(_find_board, _code_is_off, authorize=_invited, not_found_code=Code.INVALID_INVITE_CODE)
def join_board(context: Context) -> Outcome[BoardJoined]:
    """The caller is a member of the board whose code he has, by the pending invite of his address."""
    answer = BoardJoined(message="You joined the board.", board_id=context.board.id, board_name=context.board.name)
    return Outcome(answer, _acceptance(context, _joinable(context)))


def _acceptance(context: Context, invite: StoredInvite) -> list[Write]:
    """The invite is accepted, and the caller a member; one who is a member already stays as he is."""
    member = context.membership or new_membership(
        context.board.id, context.principal.named_user_id, context.now, positions=invite.board_positions
    )
    joining = [boards.check_still_member(member)] if context.membership else boards.add_member(member)
    act = record_event(
        context,
        Event.INVITE_ACCEPTED,
        refs={"inviteId": invite.id, "acceptingUserId": context.principal.named_user_id},
        details={"memberEmail": invite.invitee_email, "positions": list(member.board_positions)},
        data={"inviterIds": list(invite.senders)},
    )
    return [boards.check_exists(context.board.id), *_closed(context, invite, "accepted"), *joining, *act]


def _closed(context: Context, invite: StoredInvite, status: InviteStatus) -> list[Write]:
    return invites.close(invite, rules.close(invite, status, context.now), context.board.invite_code)


_CLOSED = "The invite is no longer open."


@loads(pending_invite_keys)
@resolve_board(locate_invite, is_closed, authorize=_addressed)
def decline_invite(context: Context) -> Outcome[InviteClosed]:
    """The invitee does not want to join."""
    return Outcome(InviteClosed(message=_CLOSED), _closed(context, _invite(context), "declined"))


def _retractable(context: Context) -> None:
    rules.check_retractable(_invite(context), context.user_id, context.tier)


@loads(pending_invite_keys)
@resolve_board(locate_invite, is_closed, authorize=_retractable)
def retract_invite(context: Context) -> Outcome[InviteClosed]:
    """The inviter or an admin takes the invite back."""
    return Outcome(InviteClosed(message=_CLOSED), _closed(context, _invite(context), "retracted"))
