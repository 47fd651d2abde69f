"""Invites: create and list (the API specification, sections 2.9 and 4.7 to 4.9)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from governance.domain import invite as rules
from governance.domain.quota import NEW_INVITES
from governance.ids import is_id, new_id
from governance.models.board import StoredBoard
from governance.models.event import Event
from governance.models.invite import InviteCreate, InviteDetail, InviteMade, InvitesByBoard, StoredInvite
from governance.models.page import Page
from governance.models.user import StoredUser
from governance.store import boards, invites, quotas
from governance.store.invites import SentInvite
from governance.store.schema import MEMBER, Key
from governance.store.table import run_async
from governance.store.writes import ABSENT, Check, Write, fail_with
from governance.usecases.context import Context, Outcome, RequestInfo, loads, prefetch
from governance.usecases.events import record_event

_CHECKED_BEARERS = 50


def to_resource(invite: StoredInvite, board: StoredBoard, inviter: StoredUser | None) -> InviteDetail:
    """The invite as the lists show it; a purged inviter has no name, nor has one who never gave any."""
    return InviteDetail(
        invite_id=invite.id,
        board_id=board.id,
        board_name=board.name,
        board_description=board.description,
        invitee_email=invite.invitee_email,
        inviter_id=invite.inviter_id,
        inviter_email=inviter.email if inviter else "",
        inviter_first_name=(inviter.first_name if inviter else None) or "",
        inviter_last_name=(inviter.last_name if inviter else None) or "",
        invite_message=invite.message,
        status=invite.status,
        created_at=invite.created_at,
        also_invited_by=invite.also_invited_by,
    )


# -- create


def _creations(ask: RequestInfo) -> list[Key]:
    return [quotas.key(NEW_INVITES, ask.user_id)] if ask.user_id else []


@loads(_creations)
def create_invite(context: Context, body: InviteCreate) -> Outcome[InviteMade]:
    """A pending invite for this address: a new one, or the one that it has already. No mail is sent."""
    known, bearers = invites.pending_and_user_ids(context.board.id, body.invitee_email)
    if context.user_id in bearers:
        raise rules.already_member_error()
    made, writes = _new(context, body) if known is None else _again(context, body, known)
    nudge = not (context.principal.user and context.principal.user.first_name)
    answer = InviteMade(
        message="The invite was updated." if known else "The invite was created.",
        invite_id=made.id,
        deduped=known is not None,
        trigger_nudge=nudge,
    )
    standing = [boards.check_exists(context.board.id), boards.check_still_member(context.own_membership)]
    return Outcome(answer, [*_no_members(context.board.id, bearers), *standing, *writes])


def _new(context: Context, body: InviteCreate) -> tuple[StoredInvite, list[Write]]:
    uses = quotas.usage_of(NEW_INVITES, context.principal.named_user_id, context.loaded)
    uses.check(context.now)
    invite = rules.new_invite(body, new_id(), context.board.id, context.principal.named_user_id, context.now)
    act = record_event(
        context,
        Event.INVITE_CREATED,
        refs={"inviteId": invite.id, "inviterId": invite.inviter_id},
        data={"inviteeEmail": invite.invitee_email},
    )
    return invite, [uses.claim_slot(context.now).claim, *invites.create(invite), *act]


def _again(context: Context, body: InviteCreate, known: StoredInvite) -> tuple[StoredInvite, list[Write]]:
    sender = context.principal.named_user_id
    invite = rules.re_invite(known, body, sender, context.now)
    if invite is known:
        return known, [invites.check_pending(known)]
    return invite, [invites.change(known, invite), invites.add_to_sent_list(invite, sender)]


def _no_members(board_id: str, user_ids: Iterable[str]) -> list[Write]:
    """Nobody who bears the address is a member, nor becomes one at this moment; an address has few bearers."""
    keys = [MEMBER.at(boardId=board_id, userId=user_id) for user_id in user_ids]
    return [Check(key, ABSENT, fail_with(rules.already_member_error)) for key in keys[:_CHECKED_BEARERS]]


# -- lists


def _of_board(ask: RequestInfo) -> list[StoredInvite]:
    return invites.list_of_board(ask.params["boardId"]) if is_id(ask.params["boardId"]) else []


@prefetch(_of_board)
def list_board_invites(context: Context) -> Page[InviteDetail]:
    """All invites of the board, newest first."""
    found: list[StoredInvite] = context.prefetched
    users = invites.inviters(found)
    return Page([to_resource(invite, context.board, users.get(invite.inviter_id)) for invite in found])


def _sent(ask: RequestInfo) -> list[SentInvite]:
    return invites.sent_rows(ask.user_id) if ask.user_id else []


@prefetch(_sent)
def list_sent_invites(context: Context) -> Page[InviteDetail]:
    """What the caller sent or sent again, in any state, newest first; of boards that he is still a member of."""
    joined = invites.sent_by(context.principal.named_user_id, context.prefetched)
    known = [invite for invite in joined.invites if invite.board_id in joined.boards]
    return Page(
        [
            to_resource(invite, joined.boards[invite.board_id], joined.inviters.get(invite.inviter_id))
            for invite in known
        ]
    )


def _my_boards(ask: RequestInfo) -> list[str]:
    return boards.board_ids_of(ask.user_id) if ask.user_id else []


@prefetch(_my_boards)
def list_pending_by_board(context: Context) -> InvitesByBoard:
    """The pending invites of every board of the caller, newest first; a board without any has an empty list."""
    board_ids: list[str] = context.prefetched
    reads = {board_id: run_async(partial(invites.list_pending, board_id)) for board_id in board_ids}
    mine = {board.id: board for board, _ in boards.boards_of(context.principal.named_user_id, board_ids)}
    found = {board_id: pending.result() for board_id, pending in reads.items()}
    return _by_board(mine, {board_id: found[board_id] for board_id in mine})


def _by_board(mine: Mapping[str, StoredBoard], found: Mapping[str, list[StoredInvite]]) -> InvitesByBoard:
    users = invites.inviters(invite for pending in found.values() for invite in pending)
    return InvitesByBoard(
        boards={
            board_id: [to_resource(invite, mine[board_id], users.get(invite.inviter_id)) for invite in pending]
            for board_id, pending in found.items()
        }
    )
