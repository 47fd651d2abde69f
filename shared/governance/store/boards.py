"""Boards and memberships.

A membership lies with its board, where it authorizes; a row in the user's own collection says which boards he has.
Both are written together; the row is never trusted for more than a list.
"""

from __future__ import annotations

from collections.abc import Iterable

from governance.errors import not_found
from governance.models.board import Membership, StoredBoard
from governance.models.user import StoredUser
from governance.store.paging import Window, page
from governance.store.schema import (
    BOARD,
    MEMBER,
    PK,
    SK,
    USER,
    USER_BOARD,
    USER_BOARD_PREFIX,
    Item,
    Key,
    board_code,
    key_of,
    make_item,
)
from governance.store.table import Range, iter_range, query, read, read_one
from governance.store.writes import ABSENT, EXISTS, Check, Delete, FailureHandler, Put, Write, equals, fail_with

_MEMBERS = "MEMBERS#"


def board_key(board_id: str) -> Key:
    """Where a board lies."""
    return BOARD.at(boardId=board_id)


def _member_key(membership: Membership) -> Key:
    return MEMBER.at(boardId=membership.board_id, userId=membership.user_id)


def find(board_id: str) -> StoredBoard | None:
    """A board by its id."""
    key = BOARD.key(boardId=board_id)
    item = read_one(key) if key else None
    return StoredBoard.model_validate(item) if item else None


def create(board: StoredBoard) -> Write:
    """A new board."""
    return Put(make_item(board_key(board.id), board.item()), ABSENT)


def replace(old: StoredBoard, new: StoredBoard) -> Write:
    """A board as it is now, if it is still as it was read."""
    return Put(make_item(board_key(new.id), new.item()), equals(version=old.version))


def delete(board: StoredBoard) -> list[Write]:
    """Remove a board, and its invite code; everything under it is out of reach from then on."""
    gone: list[Write] = [Delete(board_key(board.id), equals(inviteCode=board.invite_code))]
    return gone if board.invite_code is None else [*gone, Delete(board_code(board.invite_code))]


def keys_under_board(board_id: str) -> list[Key]:
    """What is left of a board that is gone: the rows by which its members had it, then its own collection."""
    pointers = [USER_BOARD.at(userId=member.user_id, boardId=board_id) for member in members(board_id)]
    return pointers + [key_of(item) for item in iter_range(Range(board_key(board_id).pk, ""), PK, SK)]


def set_invite_code(old: StoredBoard, new: StoredBoard) -> list[Write]:
    """A board has its invite code, by which it is found."""
    code = new.invite_code or ""
    return [replace(old, new), Put(make_item(board_code(code), {"boardId": new.id}), ABSENT)]


def check_exists(board_id: str) -> Write:
    """The board is there; a write under one that is just being deleted fails as if it never was."""
    return Check(board_key(board_id), EXISTS, fail_with(not_found))


def check_still_member(membership: Membership) -> Write:
    """The member has not left since he was read."""
    return Check(_member_key(membership), equals(joinId=membership.join_id))


def check_unchanged_member(membership: Membership) -> Write:
    """The member is still what he was when he was read: he has not left, and his role is the same."""
    return Check(_member_key(membership), equals(version=membership.version, joinId=membership.join_id))


def check_is_member(board_id: str, user_id: str, unless: FailureHandler) -> Write:
    """The user is a member of the board; unless he is, the write fails with this."""
    return Check(MEMBER.at(boardId=board_id, userId=user_id), EXISTS, unless)


def has_any_member(board_id: str, user_ids: Iterable[str]) -> bool:
    """Whether one of these users is a member of the board: one batch, none where there are no users."""
    return bool(read(MEMBER.at(boardId=board_id, userId=user_id) for user_id in user_ids))


def add_member(membership: Membership) -> list[Write]:
    """A user becomes a member; at most once at a time, for the key is the user."""
    pointer = USER_BOARD.at(userId=membership.user_id, boardId=membership.board_id)
    return [
        Put(_member_item(membership), ABSENT),
        Put(make_item(pointer, {"boardId": membership.board_id})),
    ]


def replace_member(old: Membership, new: Membership) -> Write:
    """A membership as it is now, if it is still as it was read."""
    return Put(_member_item(new), equals(version=old.version, joinId=old.join_id))


def remove_member(membership: Membership) -> list[Write]:
    """A user is a member no longer."""
    pointer = USER_BOARD.at(userId=membership.user_id, boardId=membership.board_id)
    return [
        Delete(_member_key(membership), equals(version=membership.version, joinId=membership.join_id)),
        Delete(pointer),
    ]


def _member_item(membership: Membership) -> Item:
    place = f"{_MEMBERS}{membership.created_at}#{membership.id}"
    return make_item(_member_key(membership), membership.item(), L1=place)


def members_page(board_id: str, window: Window) -> tuple[list[Membership], str | None]:
    """A page of a board's members, by when they joined."""
    items, position = page(board_key(board_id).pk, "L1", [_MEMBERS], window)
    return [Membership.model_validate(item) for item in items], position


def members(board_id: str) -> list[Membership]:
    """All current members, in the order of joining: one query."""
    return [Membership.model_validate(item) for item in query(Range(board_key(board_id).pk, _MEMBERS, "L1"))]


def users_of(memberships: Iterable[Membership]) -> dict[str, StoredUser]:
    """The users behind memberships, by id: one batch."""
    found = read(USER.at(userId=membership.user_id) for membership in memberships)
    return {item["id"]: StoredUser.model_validate(item) for item in found.values()}


def board_ids_of(user_id: str) -> list[str]:
    """The boards that a user may be a member of; each membership is still to be read."""
    partition = USER.at(userId=user_id).pk
    return [item["boardId"] for item in query(Range(partition, USER_BOARD_PREFIX))]


def boards_of(user_id: str, board_ids: Iterable[str]) -> list[tuple[StoredBoard, Membership]]:
    """Those of the boards that exist and that the user is a member of: one round trip."""
    wanted = [{"boardId": board_id, "userId": user_id} for board_id in board_ids]
    found = read(key for values in wanted for key in (BOARD.at(**values), MEMBER.at(**values)))
    pairs = ((found.get(BOARD.at(**values)), found.get(MEMBER.at(**values))) for values in wanted)
    return [(StoredBoard.model_validate(b), Membership.model_validate(m)) for b, m in pairs if b and m]
