"""Slots and members' votes: under the meeting, by instant: one query reads all, and no instant has two slots.

Guests' votes are elsewhere (`guest_votes`). A vote's key names the slot's id and not only its instant, so that a vote
on a deleted slot never counts for another slot at the same time. The number of slots is on an item that the same
transaction changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from governance.domain.calendars.calendar import OpenSlot
from governance.errors import ApiError, Code
from governance.ids import BoardId, is_id
from governance.instants import Instant
from governance.limits import SLOTS_PER_MEETING
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.slot import StoredSlot, StoredVote
from governance.store import counters
from governance.store.decoding import decode_all
from governance.store.guards import Guards
from governance.store.schema import ranges
from governance.store.schema.entities import BOARD, MEMBER_VOTE, SLOT, SLOT_COUNT, UNDER_MEETING, is_vote
from governance.store.schema.keys import PK, SEPARATOR, SK, Item, Key, Range, key_of, make_item
from governance.store.table import iter_range, query, read_one
from governance.store.writes import (
    ABSENT,
    EXISTS,
    Delete,
    Put,
    StaleRead,
    Update,
    Write,
    equals,
)

_GUARD_ROWS = 2


@dataclass(frozen=True)
class SlotsAndVotes:
    """A meeting's slots in the order of their start, and all members' votes, also on deleted slots."""

    slots: list[StoredSlot]
    votes: list[StoredVote]


def _key(slot: StoredSlot) -> Key:
    return SLOT.key_for(boardId=slot.board_id, meetingId=slot.meeting_id, slotId=slot.id)


def _guards(slot: StoredSlot) -> Guards:
    return Guards(slot.id, _GUARD_ROWS)


def reopen(slot: StoredSlot) -> list[Write]:
    """Returns the writes that let others vote on a slot that is restored."""
    return _guards(slot).reopen()


def list_of_meeting(board_id: BoardId, meeting_id: str) -> SlotsAndVotes:
    """Returns a meeting's slots and the members' votes, with one query; none if an id is malformed."""
    meeting = UNDER_MEETING.key_or_none(boardId=board_id, meetingId=meeting_id)
    if meeting is None:
        return SlotsAndVotes([], [])
    return _sorted_out(query(ranges.slots_and_votes(meeting).within(meeting.pk)))


def _sorted_out(items: Iterable[Item]) -> SlotsAndVotes:
    slots, votes = list[Item](), list[Item]()
    for item in items:
        (votes if is_vote(key_of(item)) else slots).append(item)
    return SlotsAndVotes(decode_all(StoredSlot, slots), decode_all(StoredVote, votes))


def list_open(board_id: BoardId, since: Instant, rows: int) -> list[OpenSlot]:
    """Returns the latest slots of all meetings of a board that start at an instant or later, the last one first."""
    listed = ranges.SLOTS
    span = Range(BOARD.key_for(boardId=board_id).pk, listed.prefix, listed.index, above=listed.prefix + since)
    return [_open_slot(listed.position_of(item)) for item in query(span, rows, descending=True)]


def _open_slot(position: str) -> OpenSlot:
    start_time, slot_id, meeting_id, created_at, minutes, timezone = position.split(SEPARATOR)
    return OpenSlot(slot_id, meeting_id, Instant(start_time), timezone, int(minutes), Instant(created_at))


def has_slots(board_id: BoardId, meeting_id: str) -> bool:
    """Returns whether a meeting has a slot."""
    return counters.number_in(read_one(SLOT_COUNT.key_for(boardId=board_id, meetingId=meeting_id))) > 0


def votes_on(board_id: BoardId, meeting_id: str, slot_id: str) -> list[StoredVote]:
    """Returns the members' votes on one slot, with one query; none if an id is malformed."""
    slot = SLOT.key_or_none(boardId=board_id, meetingId=meeting_id, slotId=slot_id)
    return [] if slot is None else decode_all(StoredVote, _vote_items(slot, slot_id))


def votes_on_booked(meeting: StoredMeeting) -> list[StoredVote]:
    """Returns the members' votes on the slot that a meeting is booked for; none if it is booked for none."""
    booked = meeting.booked_slot_id
    return [] if booked is None else votes_on(meeting.board_id, meeting.id, booked)


def _vote_items(slot: Key, slot_id: str) -> list[Item]:
    return query(ranges.votes_on_slot(slot, slot_id).within(slot.pk))


def create(slot: StoredSlot) -> list[Write]:
    """Returns the writes of a new slot.

    They fail with 409 if the meeting has a slot at this instant (`details.slotId`), or the most slots allowed.
    """
    return [
        Put(
            make_item(_key(slot), slot.item(), **ranges.SLOTS.entry(ranges.slot_position(slot))),
            ABSENT,
            _already_proposed,
        ),
        counters.add(_count_key(slot), SLOTS_PER_MEETING),
    ]


def _already_proposed(old: Item | None) -> Exception:
    return StaleRead() if old is None else ApiError(Code.CONFLICT, details={"slotId": old["id"]})


def delete(slot: StoredSlot, guards: Mapping[Key, Item], now: Instant) -> list[Write]:
    """Returns the writes that delete a slot, which hides its votes too. `guards` has its guard rows as they were read.

    They fail with `StaleRead` if the slot was deleted, or a member voted on it meanwhile.
    """
    return [
        Delete(_key(slot), equals(id=slot.id)),
        counters.subtract(_count_key(slot)),
        *_guards(slot).close_unmarked(guards, now),
    ]


def guard_keys(slot_id: str) -> list[Key]:
    """Returns the keys of the rows that every vote of a member on the slot marks; none for a malformed id."""
    return Guards(slot_id, _GUARD_ROWS).keys if is_id(slot_id) else []


def check_votable(slot: StoredSlot, now: Instant) -> Write:
    """Returns a check that the slot has not been deleted; its removal notices the vote that it comes with."""
    return _guards(slot).mark(now)


def check_exists(slot: StoredSlot) -> Write:
    """Returns a check that the slot has not been deleted since it was read."""
    return _guards(slot).check()


def put_vote(slot: StoredSlot, vote: StoredVote) -> Write:
    """Returns the write of a member's vote, which replaces the member's earlier one."""
    ids = {"boardId": slot.board_id, "meetingId": slot.meeting_id, "slotId": slot.id}
    return Put(make_item(MEMBER_VOTE.key_for(**ids, userId=vote.user_id or ""), vote.item()))


def delete_comment(vote: Key) -> Write:
    """Returns the write that deletes the comment of a member's vote. It fails with `StaleRead` without the vote."""
    return Update(vote, "SET #c = :none", {"#c": "comment"}, {":none": None}, EXISTS)


def _count_key(slot: StoredSlot) -> Key:
    return SLOT_COUNT.key_for(boardId=slot.board_id, meetingId=slot.meeting_id)


def rows_of_votes(board_id: BoardId, meeting_id: str, slot_id: str) -> Iterator[Item]:
    """Yields the keys of the members' votes that a deleted slot left behind, read page by page."""
    slot = SLOT.key_for(boardId=board_id, meetingId=meeting_id, slotId=slot_id)
    return iter_range(ranges.votes_on_slot(slot, slot_id).within(slot.pk), PK, SK)


def rows_under_meeting(board_id: BoardId, meeting_id: str) -> Iterator[Item]:
    """Yields the keys of the slots, members' votes, counts and guest link of a deleted meeting, page by page."""
    meeting = UNDER_MEETING.key_for(boardId=board_id, meetingId=meeting_id)
    return iter_range(ranges.under(meeting).within(meeting.pk), PK, SK)
