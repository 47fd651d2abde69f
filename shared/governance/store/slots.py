"""Slots and their votes: under the meeting, by instant, so that one query reads all and no instant has two slots.

A vote's key names the slot's id and not only its instant, so that a vote on a deleted slot never counts for another
slot at the same time. The counts behind the limits are on items that the same transaction changes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from governance.domain.calendar import OpenSlot
from governance.errors import ApiError, Code, Reason, conflict
from governance.ids import BoardId
from governance.instants import Instant
from governance.limits import (
    FEED_EVENTS,
    GUEST_VOTES_PER_MEETING,
    GUEST_VOTES_PER_SLOT,
    SLOTS_PER_MEETING,
    TRANSACTION_WRITES,
)
from governance.models.slot import StoredSlot, StoredVote
from governance.store.guards import Guards
from governance.store.schema import (
    BOARD,
    MEETING,
    MEMBER_VOTE,
    PK,
    SEPARATOR,
    SK,
    SLOT,
    SLOT_COUNT,
    Item,
    Key,
    Range,
    guest_vote_key,
    is_vote,
    key_of,
    make_item,
    ranges,
    slot_of_vote,
)
from governance.store.table import iter_range, query, read_one
from governance.store.writes import (
    ABSENT,
    EXISTS,
    Condition,
    Delete,
    FailureHandler,
    Put,
    StaleRead,
    Update,
    Write,
    equals,
    fail_with,
)

_COUNT = "slots"
_GUESTS = "guestVotes"
_VOTES_PER_TRANSACTION = TRANSACTION_WRITES - 2
"""In addition to the counts of the slot and of the meeting."""
_GUARD_ROWS = 8


@dataclass(frozen=True)
class SlotsAndVotes:
    """A meeting's slots in the order of their start, and all votes under them, also on slots that are deleted."""

    slots: list[StoredSlot]
    votes: list[StoredVote]


def _key(slot: StoredSlot) -> Key:
    return SLOT.key_for(boardId=slot.board_id, meetingId=slot.meeting_id, slotId=slot.id)


def _guards(slot: StoredSlot) -> Guards:
    return Guards(slot.id, _GUARD_ROWS)


def list_of_meeting(board_id: BoardId, meeting_id: str) -> SlotsAndVotes:
    """Returns a meeting's slots and votes, with one query; none where an id is malformed."""
    meeting = MEETING.key_or_none(boardId=board_id, meetingId=meeting_id)
    if meeting is None:
        return SlotsAndVotes([], [])
    return _sorted_out(query(ranges.slots_and_votes(meeting).within(meeting.pk)))


def _sorted_out(items: Iterable[Item]) -> SlotsAndVotes:
    result = SlotsAndVotes([], [])
    for item in items:
        if is_vote(key_of(item)):
            result.votes.append(StoredVote.model_validate(item))
        else:
            result.slots.append(StoredSlot.model_validate(item))
    return result


def list_open(board_id: BoardId, since: Instant) -> list[OpenSlot]:
    """Returns the slots of a board that start at an instant or later, of all meetings, the earliest ones first."""
    listed = ranges.SLOTS
    span = Range(BOARD.key_for(boardId=board_id).pk, listed.prefix, listed.index, above=listed.prefix + since)
    return [_open_slot(listed.position_of(item)) for item in query(span, FEED_EVENTS)]


def _open_slot(position: str) -> OpenSlot:
    start_time, slot_id, meeting_id, created_at, minutes, timezone = position.split(SEPARATOR)
    return OpenSlot(slot_id, meeting_id, Instant(start_time), timezone, int(minutes), Instant(created_at))


def has_slots(board_id: BoardId, meeting_id: str) -> bool:
    """Returns whether a meeting has a slot."""
    counter = read_one(SLOT_COUNT.key_for(boardId=board_id, meetingId=meeting_id))
    return counter is not None and counter[_COUNT] > 0


def votes_on(board_id: BoardId, meeting_id: str, slot_id: str) -> list[StoredVote]:
    """Returns the votes on one slot, with one query; none where an id is malformed."""
    slot = SLOT.key_or_none(boardId=board_id, meetingId=meeting_id, slotId=slot_id)
    return [] if slot is None else [StoredVote.model_validate(item) for item in _vote_items(slot, slot_id)]


def _vote_items(slot: Key, slot_id: str) -> list[Item]:
    return query(ranges.votes_on_slot(slot, slot_id).within(slot.pk))


def create(slot: StoredSlot) -> list[Write]:
    """Returns the writes of a new slot.

    They fail with 409 if the meeting has a slot at this instant (`details.slotId`) or as many as it may have.
    """
    counter = _counter(slot.board_id, slot.meeting_id)
    room = Condition("attribute_not_exists(#n) OR #n < :limit", {}, {":limit": SLOTS_PER_MEETING})
    full = fail_with(lambda: conflict(Reason.LIMIT_REACHED))
    return [
        Put(
            make_item(_key(slot), slot.item(), **ranges.SLOTS.entry(ranges.slot_position(slot))),
            ABSENT,
            _already_proposed,
        ),
        Update(counter, "ADD #n :one", {"#n": _COUNT}, {":one": 1}, room, full),
    ]


def _already_proposed(old: Item | None) -> Exception:
    return StaleRead() if old is None else ApiError(Code.CONFLICT, details={"slotId": old["id"]})


def delete(slot: StoredSlot, now: Instant) -> list[Write]:
    """Returns the writes that delete a slot, and with it hide its votes.

    They fail with `StaleRead` if it is gone, or the number of its guests' votes has changed since it was read.
    """
    counter = _counter(slot.board_id, slot.meeting_id)
    names, values = {"#n": _COUNT, "#g": _GUESTS}, {":less": -1, ":votes": -slot.guest_votes}
    return [
        Delete(_key(slot), equals(id=slot.id, guestVotes=slot.guest_votes)),
        Update(counter, "ADD #n :less, #g :votes", names, values),
        *_guards(slot).close(now),
    ]


def check_exists(slot: StoredSlot) -> Write:
    """Returns a check that the slot has not been deleted since it was read."""
    return _guards(slot).check()


def put_vote(slot: StoredSlot, vote: StoredVote) -> Write:
    """Returns the write of a member's vote, which replaces the member's earlier one."""
    ids = {"boardId": slot.board_id, "meetingId": slot.meeting_id, "slotId": slot.id}
    return Put(make_item(MEMBER_VOTE.key_for(**ids, userId=vote.user_id or ""), vote.item()))


def _guest_key(slot: StoredSlot, email: str) -> Key:
    return guest_vote_key(_key(slot), slot.id, hashlib.sha256(email.encode()).hexdigest())


def guest_vote_of(slot: StoredSlot, email: str) -> StoredVote | None:
    """Returns the earlier vote under this address; None if there is none."""
    item = read_one(_guest_key(slot, email))
    return StoredVote.model_validate(item) if item else None


def add_guest_vote(slot: StoredSlot, vote: StoredVote) -> list[Write]:
    """Returns the writes of the first vote under an address.

    They fail with 409 `LIMIT_REACHED` if the slot or the meeting has as many guests' votes as it may have, and with
    `StaleRead` if the slot is gone or the address has voted.
    """
    room = Condition("#id = :id AND #n < :limit", {"#id": "id"}, {":id": slot.id, ":limit": GUEST_VOTES_PER_SLOT})
    return [
        Update(_key(slot), "ADD #n :one", {"#n": _GUESTS}, {":one": 1}, room, _full_or_gone(slot)),
        _add_to_meeting(slot),
        Put(_guest_item(slot, vote), ABSENT),
    ]


def _add_to_meeting(slot: StoredSlot) -> Write:
    """Returns the write that counts one guest's vote more on the meeting; it fails with 409 if that is one too many."""
    room = Condition("attribute_not_exists(#n) OR #n < :limit", {}, {":limit": GUEST_VOTES_PER_MEETING})
    full = fail_with(lambda: conflict(Reason.LIMIT_REACHED))
    return Update(_counter(slot.board_id, slot.meeting_id), "ADD #n :one", {"#n": _GUESTS}, {":one": 1}, room, full)


def _counter(board_id: BoardId, meeting_id: str) -> Key:
    return SLOT_COUNT.key_for(boardId=board_id, meetingId=meeting_id)


def _count_fewer(counter: Key, votes: int) -> Write:
    return Update(counter, "ADD #n :less", {"#n": _GUESTS}, {":less": -votes})


def _full_or_gone(slot: StoredSlot) -> FailureHandler:
    return lambda old: conflict(Reason.LIMIT_REACHED) if old and old["id"] == slot.id else StaleRead()


def replace_guest_vote(slot: StoredSlot, old: StoredVote, new: StoredVote) -> list[Write]:
    """Returns the writes of a later vote under the same address, which replaces the earlier one.

    They fail with `StaleRead` if the slot or the earlier vote is gone, or a vote was recorded as an event meanwhile.
    """
    return [check_exists(slot), Put(_guest_item(slot, new), equals(recordedAt=old.recorded_at))]


def _guest_item(slot: StoredSlot, vote: StoredVote) -> Item:
    """Returns the item of a guest's vote, without a member's attributes: the public function may not write them."""
    attributes = {name: value for name, value in vote.item().items() if name not in {"userId", "joinId"}}
    return make_item(_guest_key(slot, vote.email or ""), attributes)


def delete_guest_vote(key: Key, vote: StoredVote) -> list[Write]:
    """Returns the writes that delete a guest's vote, and count it no more if its slot still exists."""
    slot = slot_of_vote(key)
    item = read_one(slot)
    if item is None or item["id"] != vote.slot_id:
        return [Delete(key)]
    stored = StoredSlot.model_validate(item)
    return [
        Delete(key, EXISTS),
        Update(slot, "ADD #n :less", {"#n": _GUESTS}, {":less": -1}, equals(id=vote.slot_id)),
        _count_fewer(_counter(stored.board_id, stored.meeting_id), 1),
    ]


def delete_guest_votes(board_id: BoardId, meeting_id: str, until: Instant) -> Iterator[list[Write]]:
    """Yields, one transaction at a time, the writes that delete the guests' votes that arrived until an instant.

    They count the votes no more, and fail with `StaleRead` if a vote or the slot changed meanwhile.
    """
    meeting = MEETING.key_for(boardId=board_id, meetingId=meeting_id)
    items = query(ranges.slots_and_votes(meeting).within(meeting.pk))
    slots = {item["id"]: key_of(item) for item in items if not is_vote(key_of(item))}
    votes: dict[str, list[Item]] = {slot_id: [] for slot_id in slots}
    for item in items:
        if is_vote(key_of(item)) and item["slotId"] in slots and item["email"] and item["arrivedAt"] <= until:
            votes[item["slotId"]].append(item)
    for slot_id, cast in votes.items():
        for start in range(0, len(cast), _VOTES_PER_TRANSACTION):
            chunk = cast[start : start + _VOTES_PER_TRANSACTION]
            yield [_count_fewer(_counter(board_id, meeting_id), len(chunk)), *_deletion(slots[slot_id], slot_id, chunk)]


def _deletion(slot: Key, slot_id: str, votes: Sequence[Item]) -> list[Write]:
    less = Update(slot, "ADD #n :less", {"#n": _GUESTS}, {":less": -len(votes)}, equals(id=slot_id))
    return [less, *(Delete(key_of(vote), equals(arrivedAt=vote["arrivedAt"])) for vote in votes)]


def rows_of_votes(board_id: BoardId, meeting_id: str, slot_id: str) -> Iterator[Item]:
    """Yields the keys of the votes that a deleted slot left behind, read page by page."""
    slot = SLOT.key_for(boardId=board_id, meetingId=meeting_id, slotId=slot_id)
    return iter_range(ranges.votes_on_slot(slot, slot_id).within(slot.pk), PK, SK)


def rows_under_meeting(board_id: BoardId, meeting_id: str) -> Iterator[Item]:
    """Yields the keys of the slots, votes, count and guest link that a deleted meeting left behind, page by page."""
    meeting = MEETING.key_for(boardId=board_id, meetingId=meeting_id)
    return iter_range(ranges.under(meeting).within(meeting.pk), PK, SK)
