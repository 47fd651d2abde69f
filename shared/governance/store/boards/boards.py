"""Boards and memberships.

A membership is stored in its board's partition, where it authorizes its user. It is written together with the board's
row in the user's list (`board_lists`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from governance.domain.access.access import member_tier
from governance.errors import not_found
from governance.ids import BoardId, MembershipId, UserId, is_id, user_id_of
from governance.instants import Instant
from governance.limits import BOARDS_PER_USER, MEMBERS_PER_BOARD
from governance.models.account.user import StoredUser
from governance.models.boards.board import Membership, RosterEntry, StoredBoard
from governance.scopes import Tier
from governance.store import counters
from governance.store.boards import board_lists
from governance.store.decoding import decode_all, decode_or_none
from governance.store.guards import Guards
from governance.store.paging import Window, page
from governance.store.schema import ranges
from governance.store.schema.entities import BOARD, BOARD_COUNT, MEMBER, MEMBER_COUNT, USER
from governance.store.schema.keys import PK, SK, Item, Key, Range, make_item, position
from governance.store.schema.lookups import board_code_key
from governance.store.table import iter_range, query, read, read_one
from governance.store.writes import ABSENT, EXISTS, Check, Delete, FailureHandler, Put, Write, equals, fail_with

_absent = fail_with(not_found)
_GUARD_ROWS = 8


def _guards(board_id: BoardId) -> Guards:
    return Guards(board_id, _GUARD_ROWS)


def board_key(board_id: BoardId) -> Key:
    """Returns the key of a board. Raises `ValueError` if this is not an id."""
    return BOARD.key_for(boardId=board_id)


def _member_key(membership: Membership) -> Key:
    return MEMBER.key_for(boardId=membership.board_id, userId=membership.user_id)


def find(board_id: BoardId) -> StoredBoard | None:
    """Returns a board by its id; None if there is no such board."""
    key = BOARD.key_or_none(boardId=board_id)
    item = read_one(key) if key else None
    return StoredBoard.model_validate(item) if item else None


def create(board: StoredBoard) -> Write:
    """Returns the write of a new board."""
    return Put(make_item(board_key(board.id), board.item()), ABSENT)


def replace(old: StoredBoard, new: StoredBoard) -> Write:
    """Returns the write that changes a board. It fails with `StaleRead` if the board changed since it was read."""
    return Put(make_item(board_key(new.id), new.item()), equals(version=old.version))


def delete(board: StoredBoard, now: Instant) -> list[Write]:
    """Returns the writes that delete a board and its invite code; the rest of its partition is unreachable.

    They close the board's guards: every write that is under way fails with 404.
    """
    code: list[Write] = [] if board.invite_code is None else [Delete(board_code_key(board.invite_code))]
    root = Delete(board_key(board.id), equals(inviteCode=board.invite_code))
    return [root, *code, *_guards(board.id).close(now)]


def reopen(board_id: BoardId) -> list[Write]:
    """Returns the writes that let others write on a board that is restored."""
    return _guards(board_id).reopen()


_NAMING = (
    "id",
    "boardId",
    "userId",
    "assigneeUserId",
    "inviterId",
    "alsoInvitedBy",
    "createdAt",
    "link",
    "notesVersion",
    "versions",
    "email",
)
"""The attributes by which items of a board name rows outside its partition."""


def rows_under_board(board_id: BoardId) -> Iterator[Item]:
    """Yields the items of a board's partition, page by page: their keys and the attributes that name other rows."""
    return iter_range(Range(board_key(board_id).pk), PK, SK, *_NAMING)


def set_invite_code(old: StoredBoard, new: StoredBoard) -> list[Write]:
    """Returns the writes that give a board its invite code, and the row that finds the board by it."""
    code = new.invite_code or ""
    return [replace(old, new), Put(make_item(board_code_key(code), {"boardId": new.id}), ABSENT)]


def check_exists(board_id: BoardId, unless: FailureHandler = _absent) -> Write:
    """Returns a check that the board exists. It fails with 404, as if a board just deleted had never existed.

    The request must have read the board: the check notices only a deletion since then.
    """
    return _guards(board_id).check(on_failure=unless)


def check_unchanged(board: StoredBoard) -> Write:
    """Returns the check that the board is as it was read; for rare writes only, which contend for its item."""
    return Check(board_key(board.id), equals(version=board.version))


def check_still_member(membership: Membership) -> Write:
    """Returns a check that the member has not left since the membership was read."""
    return Check(_member_key(membership), equals(joinId=membership.join_id))


def check_unchanged_member(membership: Membership) -> Write:
    """Returns a check that the member has not left and has the same role and access as when it was read."""
    return Check(_member_key(membership), equals(version=membership.version, joinId=membership.join_id))


def check_is_member(board_id: BoardId, user_id: UserId, unless: FailureHandler) -> Write:
    """Returns a check that the user is a member of the board, with the error for a user who is not."""
    return Check(MEMBER.key_for(boardId=board_id, userId=user_id), EXISTS, unless)


def has_any_member(board_id: BoardId, user_ids: Iterable[UserId]) -> bool:
    """Returns whether one of these users is a member of the board, with one batch; without users, with none."""
    return bool(read(MEMBER.key_for(boardId=board_id, userId=user_id) for user_id in user_ids))


def add_member(board: StoredBoard, membership: Membership) -> list[Write]:
    """Returns the writes of a new membership. They fail with `StaleRead` if the user is a member already.

    They fail with 409 `LIMIT_REACHED` if the board has as many members, or the user as many boards, as there may be.
    """
    return [
        Put(_member_item(membership), ABSENT),
        board_lists.add(board, membership.user_id),
        counters.add(MEMBER_COUNT.key_for(boardId=membership.board_id), MEMBERS_PER_BOARD),
        counters.add(_board_count(membership), BOARDS_PER_USER, partial(_number_of_boards, membership.user_id)),
    ]


def _board_count(membership: Membership) -> Key:
    return BOARD_COUNT.key_for(userId=membership.user_id)


def _number_of_boards(user_id: UserId) -> int:
    return len(boards_of(user_id, board_lists.board_ids_of(user_id)))


def replace_member(old: Membership, new: Membership) -> Write:
    """Returns the write that changes a membership. It fails with `StaleRead` if it changed since it was read."""
    return Put(_member_item(new), equals(version=old.version, joinId=old.join_id))


def remove_member(membership: Membership) -> list[Write]:
    """Returns the writes that end a membership. They fail with `StaleRead` if it changed since it was read."""
    return [
        Delete(_member_key(membership), equals(version=membership.version, joinId=membership.join_id)),
        board_lists.remove(membership.board_id, membership.user_id),
        counters.subtract(MEMBER_COUNT.key_for(boardId=membership.board_id)),
        counters.subtract(_board_count(membership)),
    ]


def _member_item(membership: Membership) -> Item:
    member_id, joined = membership.id, membership.created_at
    entries = ranges.MEMBERS.entry(position(joined, member_id)) | ranges.ROSTER.entry(
        ranges.roster_position(joined, member_id, membership.join_id, member_tier(membership))
    )
    return make_item(_member_key(membership), membership.item(), **entries)


def members_page(board_id: BoardId, window: Window) -> tuple[list[Membership], str | None]:
    """Returns a page of a board's members, by when they joined, and the position of the last (None: no more)."""
    items, last = page(board_key(board_id).pk, [ranges.MEMBERS], window)
    return decode_all(Membership, items), last


def members(board_id: BoardId) -> list[Membership]:
    """Returns all current members, in the order of joining, with one query."""
    return decode_all(Membership, query(ranges.MEMBERS.within(board_key(board_id).pk)))


def roster(board_id: BoardId) -> list[RosterEntry]:
    """Returns the roster of all current members, in the order of joining, with one query."""
    items = query(ranges.ROSTER.within(board_key(board_id).pk))
    fields = (ranges.roster_fields(item) for item in items)
    return [RosterEntry(user_id, join_id, Tier(tier)) for user_id, join_id, tier in fields]


def roster_of(board_id: BoardId, user_ids: Iterable[UserId]) -> list[RosterEntry]:
    """Returns the roster entries of the users who are members, with one batch."""
    memberships = members_among(board_id, user_ids)
    return [RosterEntry(member.user_id, member.join_id, member_tier(member)) for member in memberships]


def members_among(board_id: BoardId, user_ids: Iterable[UserId]) -> list[Membership]:
    """Returns the memberships of the users who are members, with one batch."""
    items = read(MEMBER.key_for(boardId=board_id, userId=user_id) for user_id in user_ids)
    return decode_all(Membership, items.values())


def current_members(board_id: BoardId, user_ids: Iterable[UserId]) -> dict[UserId, Membership]:
    """Returns the memberships of the users who are members and were not purged, with one batch."""
    keys = {id_: (MEMBER.key_for(boardId=board_id, userId=id_), USER.key_for(userId=id_)) for id_ in user_ids}
    items = read(key for pair in keys.values() for key in pair)
    member_items = {
        id_: items.get(member) for id_, (member, user) in keys.items() if not items.get(user, {}).get("purged")
    }
    return {id_: Membership.model_validate(item) for id_, item in member_items.items() if item}


def users_of(memberships: Iterable[Membership]) -> dict[UserId, StoredUser]:
    """Returns the users of memberships, by user id, with one batch."""
    items = read(USER.key_for(userId=membership.user_id) for membership in memberships)
    return {user.id: user for user in decode_all(StoredUser, items.values())}


def find_member(board_id: BoardId, member_id: MembershipId) -> tuple[Membership | None, StoredUser | None]:
    """Returns a member by membership id, and the member's user, with one batch; None for what does not exist."""
    if not is_id(member_id):
        return None, None
    user_id = user_id_of(board_id, member_id)
    member_key, user_key = MEMBER.key_for(boardId=board_id, userId=user_id), USER.key_for(userId=user_id)
    items = read([member_key, user_key])
    member, user = items.get(member_key), items.get(user_key)
    return (
        Membership.model_validate(member) if member else None,
        StoredUser.model_validate(user) if user else None,
    )


def boards_of(user_id: UserId, board_ids: Iterable[BoardId]) -> list[tuple[StoredBoard, Membership]]:
    """Returns the boards that exist and have the user as a member, in one round trip."""
    wanted = [{"boardId": board_id, "userId": user_id} for board_id in board_ids]
    items = read(key for values in wanted for key in (BOARD.key_for(**values), MEMBER.key_for(**values)))
    pairs = ((items.get(BOARD.key_for(**values)), items.get(MEMBER.key_for(**values))) for values in wanted)
    decoded = ((decode_or_none(StoredBoard, b), decode_or_none(Membership, m)) for b, m in pairs)
    return [(board, member) for board, member in decoded if board and member]
