"""People without an account: one item each, listed by creation, and found by their address on all boards (ADR people).

The row of an active person's address is the same for all who could have it on a board, so that one has it at most.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from governance.errors import Reason, conflict
from governance.ids import BoardId, MembershipId, PersonId, UserId, user_id_of
from governance.limits import UNREGISTERED_USERS_PER_BOARD
from governance.models.boards.board import Membership
from governance.models.members.unregistered_user import StoredUnregisteredUser, UnregisteredStatus
from governance.store import counters
from governance.store.boards.boards import board_key
from governance.store.decoding import decode_all, decode_or_none
from governance.store.paging import Window, page
from governance.store.schema import ranges
from governance.store.schema.entities import MEMBER, UNREGISTERED_USER, UNREGISTERED_USER_COUNT
from governance.store.schema.keys import Item, Key, Range, is_of_kind, make_item, position
from governance.store.schema.lookups import unregistered_email_key
from governance.store.table import query, read, read_one
from governance.store.writes import ABSENT, Check, Delete, Put, Write, equals, fail_with

_MAX_CHECKED_USERS = 50


def _key(person: StoredUnregisteredUser) -> Key:
    return UNREGISTERED_USER.key_for(boardId=person.board_id, unregisteredUserId=person.id)


def _item(person: StoredUnregisteredUser) -> Item:
    at = list_position(person)
    entries = ranges.UNREGISTERED_USERS.entry(at) | ranges.unregistered_users_of_status(person.status).entry(at)
    return make_item(_key(person), person.item(), **entries)


def _email_key(person: StoredUnregisteredUser) -> Key | None:
    """Returns the key of the row of the person's address; None without an address.

    An active person has it until their merge is complete, so that nobody votes as a guest with the address while the
    votes under it move.
    """
    if person.email is None:
        return None
    has_address = "active" in (person.status, person.merge.status_before if person.merge else None)
    return unregistered_email_key(person.email, person.board_id, None if has_address else person.id)


def _email_writes(old: StoredUnregisteredUser | None, new: StoredUnregisteredUser) -> list[Write]:
    """Returns the writes that move the row of an address.

    They fail with 409 `ADDRESS_IN_USE` if the person takes the address of another active one.
    """
    before, after = _email_key(old) if old else None, _email_key(new)
    if before == after:
        return []
    writes: list[Write] = [Delete(before)] if before else []
    writes += [Put(row, ABSENT, _in_use) for row in rows_elsewhere(new)]
    if new.status != "active" and new.email is not None and (old is None or old.email != new.email):
        writes.append(Check(unregistered_email_key(new.email, new.board_id), ABSENT, _in_use))
    return writes


def _in_use(_: object) -> Exception:
    return conflict(Reason.ADDRESS_IN_USE)


def create(person: StoredUnregisteredUser) -> list[Write]:
    """Returns the writes of a new person.

    They fail with 409: `LIMIT_REACHED` at the limit of a board, `ADDRESS_IN_USE` if another active one has the address.
    """
    counted = counters.add(_count_key(person.board_id), UNREGISTERED_USERS_PER_BOARD)
    return [Put(_item(person), ABSENT), counted, *_email_writes(None, person)]


def replace(old: StoredUnregisteredUser, new: StoredUnregisteredUser) -> list[Write]:
    """Returns the writes that change a person. They fail with `StaleRead` if they changed since they were read.

    Where the person is no longer active, the counter of the board notes it (`check_unchanged`).
    """
    ended = [counters.subtract(_count_key(old.board_id), 0)] if new.status not in ("active", old.status) else []
    return [Put(_item(new), equals(version=old.version)), *ended, *_email_writes(old, new)]


def check_unchanged(board_id: BoardId, counter: Item | None) -> Write:
    """Returns a check that nobody was added, archived or merged since the board's counter was read.

    So it takes one check to name any number of people who are active.
    """
    return counters.subtract_if_unchanged(_count_key(board_id), counter, 0)


def _count_key(board_id: BoardId) -> Key:
    return UNREGISTERED_USER_COUNT.key_for(boardId=board_id)


def check_no_members(board_id: BoardId, user_ids: Iterable[UserId]) -> list[Write]:
    """Returns checks that no user is a member (409 `ADDRESS_IN_USE`); only of the first of many with one address."""
    keys = [MEMBER.key_for(boardId=board_id, userId=user_id) for user_id in user_ids]
    return [Check(key, ABSENT, fail_with(lambda: conflict(Reason.ADDRESS_IN_USE))) for key in keys[:_MAX_CHECKED_USERS]]


def check_as_read(person: StoredUnregisteredUser) -> Write:
    """Returns a check that a person has not changed since they were read (`StaleRead`)."""
    return Check(_key(person), equals(version=person.version))


def check_active(board_id: BoardId, person_id: PersonId, error: Exception) -> Write:
    """Returns a check that a person of the board is active; it fails with this error."""
    key = UNREGISTERED_USER.key_for(boardId=board_id, unregisteredUserId=person_id)
    return Check(key, equals(status="active"), lambda _: error)


def find(board_id: BoardId, person_id: PersonId) -> StoredUnregisteredUser | None:
    """Returns a person; None if there is none, or one that cannot be read."""
    key = UNREGISTERED_USER.key_or_none(boardId=board_id, unregisteredUserId=person_id)
    return decode_or_none(StoredUnregisteredUser, read_one(key)) if key else None


def get_many(board_id: BoardId, person_ids: Iterable[PersonId]) -> dict[PersonId, StoredUnregisteredUser]:
    """Returns the people who exist by id, in one round trip for a hundred of them."""
    keys = [UNREGISTERED_USER.key_or_none(boardId=board_id, unregisteredUserId=id_) for id_ in set(person_ids)]
    items = read(key for key in keys if key is not None)
    return {person.id: person for person in decode_all(StoredUnregisteredUser, items.values())}


def list_of_board(
    board_id: BoardId, status: UnregisteredStatus | None, window: Window
) -> tuple[list[StoredUnregisteredUser], str | None]:
    """Returns a page of a board's people, or of those of one status, by creation, and the last's position."""
    listed = ranges.UNREGISTERED_USERS if status is None else ranges.unregistered_users_of_status(status)
    items, last = page(board_key(board_id).pk, [listed], window)
    return decode_all(StoredUnregisteredUser, items), last


def all_of_board(board_id: BoardId, status: UnregisteredStatus | None = None) -> Iterator[StoredUnregisteredUser]:
    """Yields the people of a board, or those of one status, by creation: `UNREGISTERED_USERS_PER_BOARD` at most."""
    listed = ranges.UNREGISTERED_USERS if status is None else ranges.unregistered_users_of_status(status)
    yield from decode_all(StoredUnregisteredUser, query(listed.within(board_key(board_id).pk)))


def list_position(person: StoredUnregisteredUser) -> str:
    """Returns the position of a person in the list of their board."""
    return position(person.created_at, person.id)


def ids_by_email(email: str) -> list[tuple[BoardId, PersonId]]:
    """Returns the boards and ids of everyone who has an address, whatever their status."""
    rows = query(ranges.UNREGISTERED_USERS_OF_EMAIL.within(unregistered_email_key(email, BoardId("")).pk))
    return [(BoardId(row["boardId"]), PersonId(row["unregisteredUserId"])) for row in rows]


def holder_of(board_id: BoardId, email: str) -> PersonId | None:
    """Returns the id of the person of a board who has an address, active or being merged; None if nobody has."""
    row = unregistered_email_key(email, board_id)
    return next((PersonId(item["unregisteredUserId"]) for item in query(Range(row.pk, row.sk))), None)


def own_address(person: StoredUnregisteredUser) -> str | None:
    """Returns the address that a person has or had last; None if somebody else on the board has it now."""
    email = person.email or person.scrubbed_email
    return email if email and holder_of(person.board_id, email) in (None, person.id) else None


def has_active(board_id: BoardId, email: str) -> bool:
    """Returns whether a person of the board, active or being merged, has an address."""
    return holder_of(board_id, email) is not None


def rows_elsewhere(person: StoredUnregisteredUser) -> list[Item]:
    """Returns the row of a person's address, outside the board; none without an address."""
    key = _email_key(person)
    named = {"boardId": person.board_id, "unregisteredUserId": person.id}
    return [] if key is None else [make_item(key, named)]


def keys_elsewhere(item: Item) -> list[Key]:
    """Returns the keys that the row of a person's address may have, outside the board; none for other items."""
    if not is_of_kind(UNREGISTERED_USER, item) or item.get("email") is None:
        return []
    return [unregistered_email_key(item["email"], BoardId(item["boardId"]), id_) for id_ in (None, item["id"])]


def merged_into(people: Iterable[StoredUnregisteredUser]) -> Mapping[PersonId, MembershipId]:
    """Returns the current members that people were merged into, by the person's id."""
    member_ids = {}
    keys = {}
    for person in people:
        if person.merged_into_member_id is not None:
            user_id = user_id_of(person.board_id, person.merged_into_member_id)
            keys[person.id] = MEMBER.key_for(boardId=person.board_id, userId=user_id), person
    items = read({key for key, _ in keys.values()}) if keys else {}
    for id_, (key, person) in keys.items():
        member = decode_or_none(Membership, items.get(key))
        if member is not None and member.join_id == person.merged_into_join_id:
            member_ids[id_] = member.id
    return member_ids
