"""Invites: create and list (the API specification, sections 2.9 and 4.7 to 4.9)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from governance.domain import invite as rules
from governance.domain.quota import NEW_INVITES
from governance.ids import BoardId, UserId, new_id
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
from governance.usecases.boards import own_board_ids
from governance.usecases.context import Context, Outcome, RequestInfo, loads, prefetch
from governance.usecases.events import record_event

_MAX_CHECKED_USERS = 50


def to_resource(invite: StoredInvite, board: StoredBoard, inviter: StoredUser | None) -> InviteDetail:
    """Returns the invite as lists show it; unknown names of the inviter are empty strings."""
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


def _quota_key(info: RequestInfo) -> list[Key]:
    return [quotas.key(NEW_INVITES, info.user_id)] if info.user_id else []


@loads(_quota_key)
def create_invite(context: Context, body: InviteCreate) -> Outcome[InviteMade]:
    """Creates the pending invite of an e-mail address, or updates the existing one. Sends no e-mail."""
    pending, user_ids = invites.pending_and_user_ids(context.board.id, body.invitee_email)
    if context.user_id in user_ids:
        raise rules.already_member_error()
    invite, writes = _create(context, body) if pending is None else _update(context, body, pending)
    response = InviteMade(
        message="The invite was updated." if pending else "The invite was created.",
        invite_id=invite.id,
        deduped=pending is not None,
        trigger_nudge=rules.needs_name(context.principal.user),
    )
    checks = [boards.check_exists(context.board.id), boards.check_still_member(context.own_membership)]
    return Outcome(response, [*_check_no_members(context.board.id, user_ids), *checks, *writes])


def _create(context: Context, body: InviteCreate) -> tuple[StoredInvite, list[Write]]:
    usage = quotas.usage_of(NEW_INVITES, context.principal.named_user_id, context.loaded)
    usage.check(context.now)
    invite = rules.new_invite(body, new_id(), context.board.id, context.principal.named_user_id, context.now)
    event = record_event(
        context,
        Event.INVITE_CREATED,
        refs={"inviteId": invite.id, "inviterId": invite.inviter_id},
        data={"inviteeEmail": invite.invitee_email},
    )
    return invite, [usage.claim_slot(context.now).claim, *invites.create(invite), *event]


def _update(context: Context, body: InviteCreate, pending: StoredInvite) -> tuple[StoredInvite, list[Write]]:
    sender = context.principal.named_user_id
    invite = rules.re_invite(pending, body, sender, context.now)
    if invite is pending:
        return pending, [invites.check_pending(pending)]
    return invite, [invites.change(pending, invite), invites.add_to_sent_list(invite, sender)]


def _check_no_members(board_id: BoardId, user_ids: Iterable[UserId]) -> list[Write]:
    """Checks that no user with the e-mail address is or becomes a member; of many such users, the first ones only."""
    keys = [MEMBER.key_for(boardId=board_id, userId=user_id) for user_id in user_ids]
    return [Check(key, ABSENT, fail_with(rules.already_member_error)) for key in keys[:_MAX_CHECKED_USERS]]


# -- lists


def _invites_of_board(info: RequestInfo) -> list[StoredInvite]:
    return invites.list_of_board(info.board_id)


@prefetch(_invites_of_board)
def list_board_invites(context: Context, listed: list[StoredInvite]) -> Page[InviteDetail]:
    """Returns all invites of the board, newest first."""
    users = invites.inviters(listed)
    return Page([to_resource(invite, context.board, users.get(invite.inviter_id)) for invite in listed])


def _sent_rows(info: RequestInfo) -> list[SentInvite]:
    return invites.sent_rows(info.known_user_id)


@prefetch(_sent_rows)
def list_sent_invites(_context: Context, rows: list[SentInvite]) -> Page[InviteDetail]:
    """Returns the invites that the caller sent, in any state, newest first, also of boards that they have left."""
    sent = invites.sent_by(rows)
    listed = [invite for invite in sent.invites if invite.board_id in sent.boards]
    return Page(
        [to_resource(invite, sent.boards[invite.board_id], sent.inviters.get(invite.inviter_id)) for invite in listed]
    )


@prefetch(own_board_ids)
def list_pending_by_board(context: Context, board_ids: list[BoardId]) -> InvitesByBoard:
    """Returns the pending invites of each of the caller's boards, newest first; a board may have an empty list."""
    reads = {board_id: run_async(partial(invites.list_pending, board_id)) for board_id in board_ids}
    own_boards = [board for board, _ in boards.boards_of(context.principal.named_user_id, board_ids)]
    pending = {board_id: running.result() for board_id, running in reads.items()}
    return _by_board(own_boards, pending)


def _by_board(own_boards: Sequence[StoredBoard], pending: Mapping[BoardId, list[StoredInvite]]) -> InvitesByBoard:
    users = invites.inviters(invite for board in own_boards for invite in pending[board.id])
    return InvitesByBoard(
        boards={
            board.id: [to_resource(invite, board, users.get(invite.inviter_id)) for invite in pending[board.id]]
            for board in own_boards
        }
    )
