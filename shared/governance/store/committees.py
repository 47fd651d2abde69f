"""Committees: one item each, listed by creation; the memberships of their members name them too (ADR 0051)."""

from __future__ import annotations

from collections.abc import Iterable

from governance.models.board import Membership
from governance.models.committee import StoredCommittee
from governance.store.boards import board_key
from governance.store.paging import Window, page
from governance.store.schema import COMMITTEE, MEMBER, Item, Key, make_item
from governance.store.table import read
from governance.store.writes import ABSENT, EXISTS, Condition, Delete, Put, Update, Write, equals

_COMMITTEES = "COMMITTEES#"


def _key(committee: StoredCommittee) -> Key:
    return COMMITTEE.at(boardId=committee.board_id, committeeId=committee.id)


def _item(committee: StoredCommittee) -> Item:
    place = f"{_COMMITTEES}{committee.created_at}#{committee.id}"
    return make_item(_key(committee), committee.item(), L1=place)


def create(committee: StoredCommittee) -> Write:
    """A new committee."""
    return Put(_item(committee), ABSENT)


def replace(old: StoredCommittee, new: StoredCommittee) -> Write:
    """A committee as it is now, if it and the number of its documents are still as they were read."""
    return Put(_item(new), equals(version=old.version, documents=old.documents))


def delete(committee: StoredCommittee) -> Write:
    """Remove a committee, if it is still as it was read and without a document."""
    return Delete(_key(committee), equals(version=committee.version, documents=0))


def add_document(board_id: str, committee_id: str, member_id: str) -> Write:
    """One document more, if the committee is there and this member is in it."""
    seated = Condition("contains(#m, :m)", {"#m": "memberIds"}, {":m": member_id})
    return _count(board_id, committee_id, 1, seated)


def remove_document(board_id: str, committee_id: str) -> Write:
    """One document less."""
    return _count(board_id, committee_id, -1, EXISTS)


def _count(board_id: str, committee_id: str, amount: int, condition: Condition) -> Write:
    key = COMMITTEE.at(boardId=board_id, committeeId=committee_id)
    return Update(key, "ADD #d :d", {"#d": "documents"}, {":d": amount}, condition)


def list_of_board(board_id: str, window: Window) -> tuple[list[StoredCommittee], str | None]:
    """A page of a board's committees, by creation."""
    items, position = page(board_key(board_id).pk, "L1", [_COMMITTEES], window)
    return [StoredCommittee.model_validate(item) for item in items], position


def get_many(board_id: str, committee_ids: Iterable[str]) -> list[StoredCommittee]:
    """Those of the committees that there are: one round trip."""
    found = read(COMMITTEE.at(boardId=board_id, committeeId=committee_id) for committee_id in committee_ids)
    return [StoredCommittee.model_validate(item) for item in found.values()]


def members_of(board_id: str, user_ids: Iterable[str]) -> dict[str, Membership]:
    """The memberships of those users who are members, by membership id: one round trip."""
    found = read(MEMBER.at(boardId=board_id, userId=user_id) for user_id in user_ids)
    return {item["id"]: Membership.model_validate(item) for item in found.values()}
