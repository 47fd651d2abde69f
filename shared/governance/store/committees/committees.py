"""Committees: one item each, listed by creation; rows of seats say which committees a member is in (ADR boards).

A board's members share the rows of seats. So a transaction changes the seats of any number of members.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from governance.ids import BoardId, MembershipId, UserId
from governance.limits import COMMITTEES_PER_BOARD
from governance.models.account.user import StoredUser
from governance.models.boards.board import Membership, Seats
from governance.models.committees.committee import StoredCommittee
from governance.store import counters
from governance.store.boards.boards import board_key
from governance.store.committees.seats import seats_in
from governance.store.decoding import decode_all
from governance.store.paging import Window, page
from governance.store.schema import ranges
from governance.store.schema.entities import COMMITTEE, COMMITTEE_COUNT, MEMBER, USER, seats_key
from governance.store.schema.keys import Item, Key, make_item, position
from governance.store.table import read
from governance.store.writes import ABSENT, EXISTS, Condition, Delete, Put, Update, Write, equals


def _key(committee: StoredCommittee) -> Key:
    return COMMITTEE.key_for(boardId=committee.board_id, committeeId=committee.id)


def _item(committee: StoredCommittee) -> Item:
    entry = ranges.COMMITTEES.entry(position(committee.created_at, committee.id))
    return make_item(_key(committee), committee.item(), **entry)


def create(committee: StoredCommittee) -> list[Write]:
    """Returns the writes of a new committee; they fail with 409 `LIMIT_REACHED` at the limit of a board."""
    return [Put(_item(committee), ABSENT), counters.add(_count_key(committee), COMMITTEES_PER_BOARD)]


def _count_key(committee: StoredCommittee) -> Key:
    return COMMITTEE_COUNT.key_for(boardId=committee.board_id)


def replace(old: StoredCommittee, new: StoredCommittee) -> Write:
    """Returns the write that changes a committee.

    It fails with `StaleRead` if the committee or the number of its documents changed since it was read.
    """
    return Put(_item(new), equals(version=old.version, documents=old.documents))


def delete(committee: StoredCommittee) -> list[Write]:
    """Returns the writes that delete a committee. They fail with `StaleRead` if it changed or has a document."""
    unchanged = equals(version=committee.version, documents=0)
    return [Delete(_key(committee), unchanged), counters.subtract(_count_key(committee))]


def renew(committee: StoredCommittee) -> Write:
    """Returns the write after which no change holds that was decided on the committee as it was read before.

    It fails with `StaleRead` if the committee changed since it was read.
    """
    return Update(
        _key(committee),
        "SET #v = :v",
        {"#v": "version"},
        {":v": committee.version + 1},
        equals(version=committee.version),
    )


def add_content(board_id: BoardId, committee_id: str, member_id: MembershipId) -> Write:
    """Returns the write that counts one document, matter or waiting item more.

    It fails with `StaleRead` unless this member is in the committee.
    """
    seated = Condition("contains(#m, :m)", {"#m": "memberIds"}, {":m": member_id})
    return _count(board_id, committee_id, 1, seated)


def count_contents(board_id: BoardId, committee_id: str, more: int) -> Write:
    """Returns the write that counts so many of them more, or less. It fails with `StaleRead` without the committee."""
    return _count(board_id, committee_id, more, EXISTS)


def _count(board_id: BoardId, committee_id: str, amount: int, condition: Condition) -> Write:
    key = COMMITTEE.key_for(boardId=board_id, committeeId=committee_id)
    return Update(key, "ADD #d :d", {"#d": "documents"}, {":d": amount}, condition)


def list_of_board(board_id: BoardId, window: Window) -> tuple[list[StoredCommittee], str | None]:
    """Returns a page of a board's committees, by creation, and the position of the last (None: no more)."""
    items, last = page(board_key(board_id).pk, [ranges.COMMITTEES], window)
    return decode_all(StoredCommittee, items), last


def get_many(board_id: BoardId, committee_ids: Iterable[str]) -> list[StoredCommittee]:
    """Returns the committees that exist, in one round trip."""
    items = read(COMMITTEE.key_for(boardId=board_id, committeeId=committee_id) for committee_id in committee_ids)
    return decode_all(StoredCommittee, items.values())


@dataclass(frozen=True)
class MembersToSeat:
    """The items that a change of seats needs: memberships by their id, users, and the rows of seats by their key."""

    members: Mapping[MembershipId, Membership]
    users: Mapping[UserId, StoredUser]
    seats: Mapping[Key, Seats]


def members_to_seat(board_id: BoardId, user_ids: Iterable[UserId]) -> MembersToSeat:
    """Returns the memberships of these users, the users, and the rows of their seats, in two round trips.

    The rows are read first, because a batch is not read at one instant, and a member who leaves changes their row. If a
    member leaves after the first read, their row differs from what was read, and `put_seats` fails.
    """
    ids = list(user_ids)
    members = [MEMBER.key_for(boardId=board_id, userId=user_id) for user_id in ids]
    users = [USER.key_for(userId=user_id) for user_id in ids]
    rows = {seats_key(board_id, user_id) for user_id in ids}
    seats = read(rows)
    items = read([*members, *users])
    memberships = decode_all(Membership, (items[key] for key in members if key in items))
    known = decode_all(StoredUser, (items[key] for key in users if key in items))
    return MembersToSeat(
        {member.id: member for member in memberships},
        {user.id: user for user in known},
        {key: seats_in(seats.get(key)) for key in rows},
    )
