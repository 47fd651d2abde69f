"""Slots and their votes: under the meeting, by instant, so that one query has them all and no instant has two.

A vote's key names the slot's id and not only its instant: what was cast for a slot that is gone never counts for
another at the same time. The figures of the limits are counted on items that the same transaction changes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from governance.errors import ApiError, Code, Reason, conflict
from governance.limits import GUEST_VOTES_PER_SLOT, SLOTS_PER_MEETING
from governance.models.slot import StoredSlot, StoredVote
from governance.store.schema import MEETING, MEMBER_VOTE, SK, SLOT, SLOT_COUNT, Item, Key, guest_vote, key_of, make_item
from governance.store.table import Range, query, read_one
from governance.store.writes import (
    ABSENT,
    EXISTS,
    Check,
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

_VOTE = "#VOTE#"
_COUNT = "slots"
_GUESTS = "guestVotes"


@dataclass(frozen=True)
class SlotsAndVotes:
    """A meeting's slots in the order of their start, and all votes that lie under them."""

    slots: list[StoredSlot]
    votes: list[StoredVote]


def _key(slot: StoredSlot) -> Key:
    return SLOT.at(boardId=slot.board_id, meetingId=slot.meeting_id, slotId=slot.id)


def list_of_meeting(board_id: str, meeting_id: str) -> SlotsAndVotes:
    """Everything that was proposed for a meeting: one query. Nothing where an id is malformed."""
    meeting = MEETING.key(boardId=board_id, meetingId=meeting_id)
    return SlotsAndVotes([], []) if meeting is None else _sorted_out(query(Range(meeting.pk, f"{meeting.sk}#SLOT#")))


def _sorted_out(items: Iterable[Item]) -> SlotsAndVotes:
    found = SlotsAndVotes([], [])
    for item in items:
        if _VOTE in item[SK]:
            found.votes.append(StoredVote.model_validate(item))
        else:
            found.slots.append(StoredSlot.model_validate(item))
    return found


def votes_on(board_id: str, meeting_id: str, slot_id: str) -> list[StoredVote]:
    """The votes on one slot: one query. None where an id is malformed."""
    key = SLOT.key(boardId=board_id, meetingId=meeting_id, slotId=slot_id)
    if key is None:
        return []
    return [StoredVote.model_validate(item) for item in query(Range(key.pk, f"{key.sk}{_VOTE}{slot_id}#"))]


def create(slot: StoredSlot) -> list[Write]:
    """A new slot; 409 names the one that stands at its instant, or the limit."""
    counter = SLOT_COUNT.at(boardId=slot.board_id, meetingId=slot.meeting_id)
    room = Condition("attribute_not_exists(#n) OR #n < :limit", {}, {":limit": SLOTS_PER_MEETING})
    full = fail_with(lambda: conflict(Reason.LIMIT_REACHED))
    return [
        Put(make_item(_key(slot), slot.item()), ABSENT, _already_proposed),
        Update(counter, "ADD #n :one", {"#n": _COUNT}, {":one": 1}, room, full),
    ]


def _already_proposed(old: Item | None) -> Exception:
    return StaleRead() if old is None else ApiError(Code.CONFLICT, details={"slotId": old["id"]})


def delete(slot: StoredSlot) -> list[Write]:
    """Remove a slot, if it is still there; its votes are out of sight with it."""
    counter = SLOT_COUNT.at(boardId=slot.board_id, meetingId=slot.meeting_id)
    return [
        Delete(_key(slot), equals(id=slot.id)),
        Update(counter, "ADD #n :less", {"#n": _COUNT}, {":less": -1}),
    ]


def check_exists(slot: StoredSlot) -> Write:
    """The slot has not been removed since it was read."""
    return Check(_key(slot), equals(id=slot.id))


def put_vote(slot: StoredSlot, vote: StoredVote) -> Write:
    """A member's vote, in the place of his earlier one."""
    place = {"boardId": slot.board_id, "meetingId": slot.meeting_id, "slotId": slot.id}
    return Put(make_item(MEMBER_VOTE.at(**place, userId=vote.user_id or ""), vote.item()))


def _guest_key(slot: StoredSlot, email: str) -> Key:
    return guest_vote(_key(slot), slot.id, hashlib.sha256(email.encode()).hexdigest())


def guest_vote_of(slot: StoredSlot, email: str) -> StoredVote | None:
    """What was voted under this address before."""
    item = read_one(_guest_key(slot, email))
    return StoredVote.model_validate(item) if item else None


def add_guest_vote(slot: StoredSlot, vote: StoredVote) -> list[Write]:
    """The first vote under an address: one more, if the slot is still there and has room."""
    room = Condition("#id = :id AND #n < :limit", {"#id": "id"}, {":id": slot.id, ":limit": GUEST_VOTES_PER_SLOT})
    return [
        Update(_key(slot), "ADD #n :one", {"#n": _GUESTS}, {":one": 1}, room, _full_or_gone(slot)),
        Put(make_item(_guest_key(slot, vote.email or ""), vote.item()), ABSENT),
    ]


def _full_or_gone(slot: StoredSlot) -> FailureHandler:
    return lambda old: conflict(Reason.LIMIT_REACHED) if old and old["id"] == slot.id else StaleRead()


def replace_guest_vote(slot: StoredSlot, vote: StoredVote) -> list[Write]:
    """A later vote under the same address, in the place of the earlier one."""
    return [check_exists(slot), Put(make_item(_guest_key(slot, vote.email or ""), vote.item()))]


def delete_guest_vote(key: Key, vote: StoredVote) -> list[Write]:
    """A guest's vote is gone, and the slot, where it is still the one that was voted on, counts one less."""
    slot = Key(key.pk, key.sk.partition(_VOTE)[0])
    item = read_one(slot)
    if item is None or item["id"] != vote.slot_id:
        return [Delete(key)]
    return [Delete(key, EXISTS), Update(slot, "ADD #n :less", {"#n": _GUESTS}, {":less": -1}, equals(id=vote.slot_id))]


def keys_of_votes(board_id: str, meeting_id: str, slot_id: str) -> list[Key]:
    """The votes on a slot that is gone, for the sweep."""
    key = SLOT.at(boardId=board_id, meetingId=meeting_id, slotId=slot_id)
    return [key_of(item) for item in query(Range(key.pk, f"{key.sk}{_VOTE}{slot_id}#"))]


def keys_under_meeting(board_id: str, meeting_id: str) -> list[Key]:
    """Slots, votes, the count and the guest link of a meeting that is gone, for the sweep."""
    meeting = MEETING.at(boardId=board_id, meetingId=meeting_id)
    return [key_of(item) for item in query(Range(meeting.pk, f"{meeting.sk}#"))]
