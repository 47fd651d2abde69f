"""Guests' votes, with the counters behind their limits, in a partition of their own for each board (ADR access).

The public function writes only to this partition of a board. The counters are on items that the same transaction
changes: one for a slot, one for a meeting.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence

from governance.ids import BoardId, PersonId
from governance.instants import Instant
from governance.limits import GUEST_VOTES_PER_MEETING, GUEST_VOTES_PER_SLOT, TRANSACTION_WRITES
from governance.models.meetings.slot import StoredSlot, StoredVote
from governance.store import counters
from governance.store.decoding import decode_all
from governance.store.meetings.slots import check_exists
from governance.store.schema import ranges
from governance.store.schema.entities import (
    GUEST_VOTE,
    GUEST_VOTES_OF_SLOT,
    GUESTS_OF_MEETING,
    MEETING_GUEST_VOTE_COUNT,
    SLOT_GUEST_VOTE_COUNT,
    guest_vote_key,
    guests_partition,
)
from governance.store.schema.keys import PK, SEPARATOR, SK, Item, Key, Range, key_of, make_item
from governance.store.table import iter_range, query, read, read_one
from governance.store.writes import ABSENT, EXISTS, Check, Delete, Put, Write, equals

_PERSON = "unregisteredUserId"
_VOTES_PER_TRANSACTION = TRANSACTION_WRITES - 2
"""In addition to the counts of the slot and of the meeting."""


def list_of_meeting(board_id: BoardId, meeting_id: str) -> list[StoredVote]:
    """Returns the guests' votes on a meeting's slots, also on deleted ones; none if an id is malformed."""
    guests = GUESTS_OF_MEETING.key_or_none(boardId=board_id, meetingId=meeting_id)
    return [] if guests is None else _votes(ranges.guest_votes_of_meeting(guests).within(guests.pk))


def list_of_slot(board_id: BoardId, meeting_id: str, slot_id: str) -> list[StoredVote]:
    """Returns the guests' votes on one slot, with one query; none if an id is malformed."""
    votes = GUEST_VOTES_OF_SLOT.key_or_none(boardId=board_id, meetingId=meeting_id, slotId=slot_id)
    return [] if votes is None else _votes(ranges.under(votes).within(votes.pk))


def _votes(span: Range) -> list[StoredVote]:
    return decode_all(StoredVote, query(span))


def _ids(slot: StoredSlot) -> dict[str, str]:
    return {"boardId": slot.board_id, "meetingId": slot.meeting_id, "slotId": slot.id}


def _key(slot: StoredSlot, email: str) -> Key:
    return guest_vote_key(GUEST_VOTES_OF_SLOT.key_for(**_ids(slot)), hashlib.sha256(email.encode()).hexdigest())


def find(slot: StoredSlot, email: str) -> StoredVote | None:
    """Returns the earlier vote under this address; None if there is none."""
    item = read_one(_key(slot, email))
    return StoredVote.model_validate(item) if item else None


def add(slot: StoredSlot, vote: StoredVote) -> list[Write]:
    """Returns the writes of the first vote under an address.

    They fail with 409 `LIMIT_REACHED` if the slot or the meeting has as many guests' votes as it may have, and with
    `StaleRead` if the slot was deleted or the address has voted.
    """
    ids = _ids(slot)
    return [
        check_exists(slot),
        counters.add(SLOT_GUEST_VOTE_COUNT.key_for(**ids), GUEST_VOTES_PER_SLOT),
        counters.add(MEETING_GUEST_VOTE_COUNT.key_for(**ids), GUEST_VOTES_PER_MEETING),
        Put(_item(slot, vote), ABSENT),
    ]


def replace(slot: StoredSlot, old: StoredVote, new: StoredVote) -> list[Write]:
    """Returns the writes of a later vote under the same address, which replaces the earlier one.

    They fail with `StaleRead` if the slot or the earlier vote was deleted, or a vote was recorded as an event
    meanwhile.
    """
    return [check_exists(slot), Put(_item(slot, new), equals(recordedAt=old.recorded_at))]


def _item(slot: StoredSlot, vote: StoredVote) -> Item:
    return make_item(_key(slot, vote.email or ""), vote.item())


def stop_counting(slot: StoredSlot, counter: Item | None) -> list[Write]:
    """Returns the writes that subtract the votes on a deleted slot from its meeting's count.

    `counter` is the slot's count as it was read. They fail with `StaleRead` if it has changed since.
    """
    key = SLOT_GUEST_VOTE_COUNT.key_for(**_ids(slot))
    if counter is None:
        return [Check(key, ABSENT)]
    of_meeting = MEETING_GUEST_VOTE_COUNT.key_for(**_ids(slot))
    return [counters.delete(key, counter), counters.subtract(of_meeting, counters.number_in(counter))]


def withdraw(slot: StoredSlot, vote: StoredVote) -> list[Write]:
    """Returns the writes that delete a guest's vote on a slot. They fail with `StaleRead` if it was deleted."""
    return delete(_key(slot, vote.email or ""))


def delete(key: Key) -> list[Write]:
    """Returns the writes that delete the vote under a key and, if its slot exists, subtract it from the counts."""
    ids = GUEST_VOTE.ids_of(key)
    counter = SLOT_GUEST_VOTE_COUNT.key_for(**ids)
    if read_one(counter) is None:
        return [Delete(key)]
    return [
        Delete(key, EXISTS),
        counters.subtract(counter, condition=EXISTS),
        counters.subtract(MEETING_GUEST_VOTE_COUNT.key_for(**ids)),
    ]


def delete_until(board_id: BoardId, meeting_id: str, until: Instant) -> Iterator[list[Write]]:
    """Yields, one transaction at a time, the writes that delete the guests' votes that arrived until an instant.

    They subtract the votes from the counts, and fail with `StaleRead` if a vote or its slot changed meanwhile.
    """
    ids = {"boardId": board_id, "meetingId": meeting_id}
    guests = GUESTS_OF_MEETING.key_for(**ids)
    by_counter: dict[Key, list[Item]] = {}
    for item in query(ranges.guest_votes_of_meeting(guests).within(guests.pk)):
        if item["arrivedAt"] <= until and not item.get("isPersonal"):
            by_counter.setdefault(SLOT_GUEST_VOTE_COUNT.key_for(**ids, slotId=item["slotId"]), []).append(item)
    of_meeting = MEETING_GUEST_VOTE_COUNT.key_for(**ids)
    for counter, votes in _of_existing_slots(by_counter).items():
        for start in range(0, len(votes), _VOTES_PER_TRANSACTION):
            chunk = votes[start : start + _VOTES_PER_TRANSACTION]
            deletions = [Delete(key_of(vote), equals(arrivedAt=vote["arrivedAt"])) for vote in chunk]
            yield [
                counters.subtract(of_meeting, len(chunk)),
                counters.subtract(counter, len(chunk), EXISTS),
                *deletions,
            ]


def _of_existing_slots(by_counter: Mapping[Key, Sequence[Item]]) -> dict[Key, Sequence[Item]]:
    """Returns the votes on slots that have a counter: votes on a deleted slot are deleted after its own event."""
    counted = read(by_counter)
    return {counter: votes for counter, votes in by_counter.items() if counter in counted}


def keys_of_person(board_id: BoardId, person_id: PersonId, email: str | None) -> Iterator[Key]:
    """Yields the keys of a person's votes on all meetings of a board, read page by page.

    They are those that name the person, under whatever address, and those of nobody else under this address.
    """
    end = f"{SEPARATOR}{hashlib.sha256(email.encode()).hexdigest()}" if email is not None else None
    for item in iter_range(Range(guests_partition(board_id)), PK, SK, _PERSON):
        key, named = key_of(item), item.get(_PERSON)
        if named == person_id or (named is None and end is not None and key.sk.endswith(end)):
            yield key


def rows_of_slot(board_id: BoardId, meeting_id: str, slot_id: str) -> Iterator[Item]:
    """Yields the keys of the guests' votes that a deleted slot left behind, read page by page."""
    votes = GUEST_VOTES_OF_SLOT.key_for(boardId=board_id, meetingId=meeting_id, slotId=slot_id)
    return iter_range(ranges.under(votes).within(votes.pk), PK, SK)


def rows_of_meeting(board_id: BoardId, meeting_id: str) -> Iterator[Item]:
    """Yields the keys of everything that guests wrote about a deleted meeting, page by page."""
    guests = GUESTS_OF_MEETING.key_for(boardId=board_id, meetingId=meeting_id)
    return iter_range(ranges.under(guests).within(guests.pk), PK, SK)


def rows_of_board(board_id: BoardId) -> Iterator[Item]:
    """Yields the keys of everything that guests wrote on a deleted board, page by page."""
    return iter_range(Range(guests_partition(board_id)), PK, SK)


def without_address(board_id: BoardId, person_id: PersonId, email: str | None) -> Iterator[list[Write]]:
    """Yields, one transaction for each, the writes that take address and comment from a person's votes.

    The votes stay, under keys that tell nothing. They fail with `StaleRead` if a vote changed meanwhile.
    """
    for key in keys_of_person(board_id, person_id, email):
        item = read_one(key)
        if item is not None:
            votes, _, digest = key.sk.rpartition(SEPARATOR)
            nameless = hashlib.sha256(f"{person_id}{digest}".encode()).hexdigest()
            moved = Key(key.pk, f"{votes}{SEPARATOR}{nameless}")
            vote = StoredVote.model_validate(item)
            remains = vote.model_copy(update={"email": None, "comment": None, "unregistered_user_id": None})
            unchanged = equals(vote=vote.vote, arrivedAt=vote.arrived_at)
            yield [Put(make_item(moved, remains.item())), Delete(key, unchanged)]
