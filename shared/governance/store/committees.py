"""Committees: one item each, listed by creation; the memberships of their members name them too (ADR 0051)."""

from __future__ import annotations

from collections.abc import Iterable

from governance.ids import BoardId, MembershipId, UserId
from governance.models.board import Membership
from governance.models.committee import StoredCommittee
from governance.models.user import StoredUser
from governance.store.boards import board_key
from governance.store.paging import Window, page
from governance.store.schema import COMMITTEE, MEMBER, USER, Item, Key, make_item, position, ranges
from governance.store.table import read
from governance.store.writes import ABSENT, EXISTS, Condition, Delete, Put, Update, Write, equals


def _key(committee: StoredCommittee) -> Key:
    return COMMITTEE.key_for(boardId=committee.board_id, committeeId=committee.id)


def _item(committee: StoredCommittee) -> Item:
    entry = ranges.COMMITTEES.entry(position(committee.created_at, committee.id))
    return make_item(_key(committee), committee.item(), **entry)


def create(committee: StoredCommittee) -> Write:
    """Returns the write of a new committee."""
    return Put(_item(committee), ABSENT)


def replace(old: StoredCommittee, new: StoredCommittee) -> Write:
    """Returns the write that changes a committee.

    It fails with `StaleRead` if the committee or the number of its documents changed since it was read.
    """
    return Put(_item(new), equals(version=old.version, documents=old.documents))


def delete(committee: StoredCommittee) -> Write:
    """Returns the write that deletes a committee. It fails with `StaleRead` if it changed or has a document."""
    return Delete(_key(committee), equals(version=committee.version, documents=0))


def add_document(board_id: BoardId, committee_id: str, member_id: MembershipId) -> Write:
    """Returns the write that counts one document more. It fails with `StaleRead` unless this member is in it."""
    seated = Condition("contains(#m, :m)", {"#m": "memberIds"}, {":m": member_id})
    return _count(board_id, committee_id, 1, seated)


def remove_document(board_id: BoardId, committee_id: str) -> Write:
    """Returns the write that counts one document less."""
    return _count(board_id, committee_id, -1, EXISTS)


def _count(board_id: BoardId, committee_id: str, amount: int, condition: Condition) -> Write:
    key = COMMITTEE.key_for(boardId=board_id, committeeId=committee_id)
    return Update(key, "ADD #d :d", {"#d": "documents"}, {":d": amount}, condition)


def list_of_board(board_id: BoardId, window: Window) -> tuple[list[StoredCommittee], str | None]:
    """Returns a page of a board's committees, by creation, and the position of the last (None: no more)."""
    items, last = page(board_key(board_id).pk, [ranges.COMMITTEES], window)
    return [StoredCommittee.model_validate(item) for item in items], last


def get_many(board_id: BoardId, committee_ids: Iterable[str]) -> list[StoredCommittee]:
    """Returns those of the committees that exist, in one round trip."""
    items = read(COMMITTEE.key_for(boardId=board_id, committeeId=committee_id) for committee_id in committee_ids)
    return [StoredCommittee.model_validate(item) for item in items.values()]


def members_of(
    board_id: BoardId, user_ids: Iterable[UserId]
) -> tuple[dict[MembershipId, Membership], dict[UserId, StoredUser]]:
    """Returns the memberships of those users who are members, by membership id, and the users by user id.

    It takes one round trip.
    """
    ids = list(user_ids)
    members = [MEMBER.key_for(boardId=board_id, userId=user_id) for user_id in ids]
    items = read([*members, *(USER.key_for(userId=user_id) for user_id in ids)])
    found = [Membership.model_validate(items[key]) for key in members if key in items]
    users = {user_id: items.get(USER.key_for(userId=user_id)) for user_id in ids}
    return (
        {member.id: member for member in found},
        {user_id: StoredUser.model_validate(item) for user_id, item in users.items() if item},
    )
