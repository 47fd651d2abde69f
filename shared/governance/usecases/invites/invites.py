"""Invites: create and list (the API specification, sections 2.9 and 4.7 to 4.9)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from governance.domain.events.invites import INVITE_CREATED, Invited
from governance.domain.invites import invite as invite_rules
from governance.domain.quota import NEW_INVITES
from governance.ids import BoardId, UserId, new_id
from governance.models.account.user import StoredUser
from governance.models.boards.board import StoredBoard
from governance.models.invites.invite import (
    ByBoardFrame,
    InviteCreate,
    InviteDetail,
    InviteMade,
    InvitesByBoard,
    StoredInvite,
)
from governance.models.page import JsonArrayStream, LegacyListQuery, OrderedQuery, Page
from governance.store import quotas
from governance.store.boards import boards
from governance.store.dynamodb import run_async
from governance.store.invites import invites, received_invites, sent_invites
from governance.store.invites.sent_invites import SentInvite
from governance.store.paging import Window
from governance.store.schema.entities import MEMBER
from governance.store.schema.keys import SEPARATOR, Key, position
from governance.store.writes import ABSENT, Check, Write, fail_with
from governance.usecases.boards.boards import own_board_ids
from governance.usecases.chunks import Chunk, first_window, iter_chunks
from governance.usecases.context import Context, Outcome, RequestInfo
from governance.usecases.declarations import loads, prefetch
from governance.usecases.event_writes import record_event

_MAX_CHECKED_USERS = 50
_BOARDS_AT_ONCE = 50
_PENDING_ROWS = 100


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
    invite_rules.check_may_give(body.access_type, context.tier)
    pending, user_ids = invites.pending_and_user_ids(context.board.id, body.invitee_email)
    if context.user_id in user_ids:
        raise invite_rules.already_member_error()
    invite, writes = _create(context, body) if pending is None else _update(context, body, pending)
    response = InviteMade(
        message="The invite was updated." if pending else "The invite was created.",
        invite_id=invite.id,
        deduped=pending is not None,
        trigger_nudge=invite_rules.needs_name(context.principal.user),
    )
    still_member = boards.check_still_member(context.own_membership)
    return Outcome(response, [*_check_no_members(context.board.id, user_ids), still_member, *writes])


def _create(context: Context, body: InviteCreate) -> tuple[StoredInvite, list[Write]]:
    usage = quotas.usage_of(NEW_INVITES, context.principal.named_user_id, context.loaded)
    usage.check(context.now)
    invite = invite_rules.new_invite(body, new_id(), context.board.id, context.principal.named_user_id, context.now)
    event = record_event(
        context,
        INVITE_CREATED,
        Invited(invite_id=invite.id, inviter_id=invite.inviter_id, invitee_email=invite.invitee_email),
    )
    return invite, [usage.claim(context.now).take, *invites.create(invite), *event]


def _update(context: Context, body: InviteCreate, pending: StoredInvite) -> tuple[StoredInvite, list[Write]]:
    sender = context.principal.named_user_id
    invite = invite_rules.re_invite(pending, body, sender, context.tier, context.now)
    if invite is pending:
        return pending, [invites.check_pending(pending)]
    return invite, [invites.change(pending, invite), invites.add_to_sent_list(invite, sender)]


def _check_no_members(board_id: BoardId, user_ids: Iterable[UserId]) -> list[Write]:
    """Checks that no user with the e-mail address is or becomes a member; only the first ones of many such users."""
    keys = [MEMBER.key_for(boardId=board_id, userId=user_id) for user_id in user_ids]
    return [Check(key, ABSENT, fail_with(invite_rules.already_member_error)) for key in keys[:_MAX_CHECKED_USERS]]


# -- lists


def _invites_of_board(info: RequestInfo) -> Chunk[StoredInvite]:
    return invites.page_of_board(info.board_id, first_window(info, descending=True))


@prefetch(_invites_of_board)
def list_board_invites(
    context: Context, first: Chunk[StoredInvite], query: LegacyListQuery
) -> JsonArrayStream[InviteDetail]:
    """Returns all invites of the board, newest first."""
    chunks = iter_chunks(first, partial(invites.page_of_board, context.board.id), descending=True)
    entries = (entry for chunk in chunks for entry in _entries(context.board, chunk, invites.inviters(chunk)))
    return JsonArrayStream(entries, query.limit)


def _entries(
    board: StoredBoard, chunk: Sequence[StoredInvite], users: Mapping[UserId, StoredUser]
) -> Iterator[tuple[str, str]]:
    for invite in chunk:
        yield invites.list_position(invite), to_resource(invite, board, users.get(invite.inviter_id)).to_json()


def _sent_rows(info: RequestInfo) -> Chunk[SentInvite]:
    return sent_invites.page_of_sender(info.known_user_id, first_window(info, descending=True))


@prefetch(_sent_rows)
def list_my_sent_invites(
    context: Context, first: Chunk[SentInvite], query: LegacyListQuery
) -> JsonArrayStream[InviteDetail]:
    """Returns the invites that the caller sent, in any state, newest first.

    Invites of boards that the caller has left show the board and its members as the caller knew them then.
    """
    sender = context.principal.named_user_id
    chunks = iter_chunks(first, partial(sent_invites.page_of_sender, sender), descending=True)
    return JsonArrayStream((entry for rows in chunks for entry in _sent_entries(sender, rows)), query.limit)


def _sent_entries(sender: UserId, rows: Sequence[SentInvite]) -> Iterator[tuple[str, str | None]]:
    sent = sent_invites.invites_behind(sender, rows)
    for row, invite in zip(rows, sent.invites, strict=True):
        board, inviter, former = (
            sent.boards.get(row.board_id),
            sent.inviters.get(row.inviter_id),
            sent.former.get(row.board_id),
        )
        if board and row.board_id not in sent.own:
            board = invite_rules.board_as_left(board, former)
            inviter = inviter if row.inviter_id == sender else invite_rules.person_as_left(inviter, former)
        yield row.position, to_resource(invite, board, inviter).to_json() if invite and board else None


def list_my_received_invites(context: Context, query: OrderedQuery) -> Page[InviteDetail]:
    """Returns a page of the pending invites of the caller's e-mail address, newest first."""
    user = context.principal.user
    received, last = received_invites.page_of_address(user.email if user else "", context.window(query))
    users = invites.inviters(entry.invite for entry in received)
    return Page(
        [to_resource(entry.invite, entry.board, users.get(entry.invite.inviter_id)) for entry in received], last
    )


# -- the pending invites of all boards


def _boards_from_cursor(info: RequestInfo) -> list[BoardId]:
    """Reads the ids of the caller's boards: all, or those from the cursor on."""
    board_ids = own_board_ids(info)
    if info.after is None:
        return board_ids
    last, _, invite = info.after.partition(SEPARATOR)
    return [board_id for board_id in board_ids if board_id > last or (board_id == last and invite)]


@prefetch(_boards_from_cursor)
def list_pending_invites_by_board(
    context: Context, board_ids: list[BoardId], query: LegacyListQuery
) -> JsonArrayStream[InvitesByBoard]:
    """Returns the pending invites of each of the caller's boards, newest first; a board may have an empty list."""
    counts = run_async(partial(invites.pending_counts, board_ids))
    own_boards = [board for board, _ in boards.boards_of(context.principal.named_user_id, board_ids)]
    entries = _entries_by_board(context, own_boards, counts.result())
    return JsonArrayStream(entries, query.limit, ByBoardFrame())


def _entries_by_board(
    context: Context, own_boards: Sequence[StoredBoard], counts: Mapping[BoardId, int]
) -> Iterator[tuple[str, str]]:
    """Yields the boards' pending invites, and an empty entry for a board without any.

    The invites of some boards are read at a time; boards whose counter is 0 are not read.
    """
    for start in range(0, len(own_boards), _BOARDS_AT_ONCE):
        some = own_boards[start : start + _BOARDS_AT_ONCE]
        first = _first_pending(context, [board.id for board in some if counts.get(board.id)])
        users = invites.inviters(invite for rows, _ in first.values() for invite in rows)
        for board in some:
            rows = first.get(board.id, ([], None))
            if rows[0]:
                yield from _entries_of(board, rows, users)
            elif _after(context, board.id) is None:
                yield position(board.id, ""), ""


def _first_pending(context: Context, board_ids: Iterable[BoardId]) -> dict[BoardId, Chunk[StoredInvite]]:
    windows = {
        board_id: Window(_PENDING_ROWS, descending=True, after=_after(context, board_id)) for board_id in board_ids
    }
    reads = {id_: run_async(partial(invites.pending_page, id_, window)) for id_, window in windows.items()}
    return {board_id: running.result() for board_id, running in reads.items()}


def _entries_of(
    board: StoredBoard, first: Chunk[StoredInvite], users: Mapping[UserId, StoredUser]
) -> Iterator[tuple[str, str]]:
    """Yields the entries of a board, with the board in their position."""
    chunks = iter_chunks(first, partial(invites.pending_page, board.id), descending=True)
    for number, chunk in enumerate(chunks):
        for at, text in _entries(board, chunk, invites.inviters(chunk) if number else users):
            yield position(board.id, at), text


def _after(context: Context, board_id: BoardId) -> str | None:
    """Returns the position of the cursor within a board; None if it is in another board, or there is no cursor."""
    named, _, after = (context.after or "").partition(SEPARATOR)
    return after if named == board_id else None
