"""Action items: the item with its board, a row that finds it by id alone, and a row with its assignee.

All are written together. The rows only say where to look. The notes are an item of their own, which no list reads and
no change of status writes (ADR table).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from governance.domain.action_items.action_item import list_position
from governance.domain.notifications import due as due_rules
from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.limits import BATCH_KEYS
from governance.models.action_items.action_item import ActionItemStatus, StoredActionItem
from governance.store import due, payloads
from governance.store.boards.boards import board_key
from governance.store.decoding import check_settled, decode_all
from governance.store.paging import Window, page
from governance.store.schema import ranges
from governance.store.schema.entities import (
    ACTION_ITEM,
    ACTION_ITEM_LOCATION,
    ACTION_ITEM_NOTES,
    ASSIGNED,
    USER,
)
from governance.store.schema.keys import PK, SK, Item, Key, Range, SortedList, is_of_kind, key_of, make_item, position
from governance.store.table import iter_range, query, read, read_one
from governance.store.writes import ABSENT, Delete, Put, Write, equals


def item_key(board_id: BoardId, item_id: str) -> Key:
    """Returns the key of an action item."""
    return ACTION_ITEM.key_for(boardId=board_id, actionItemId=item_id)


def _notes_key(item: StoredActionItem) -> Key:
    return ACTION_ITEM_NOTES.key_for(boardId=item.board_id, actionItemId=item.id)


def _item(item: StoredActionItem) -> Item:
    at = list_position(item)
    of_meeting = ranges.action_items_of_meeting(item.meeting_id).entry(at)
    dated = ranges.DUE_DATES.entry(position(item.due.due_on, item.id)) if item.due else {}
    in_order = ranges.ACTION_ITEMS_IN_ORDER.entry(at)
    return make_item(item_key(item.board_id, item.id), item.item(), **of_meeting, **in_order, **dated)


def _location(item: StoredActionItem) -> dict[str, str]:
    return {"id": item.id, "boardId": item.board_id, "meetingId": item.meeting_id}


def _pointer_key(item: StoredActionItem, user_id: UserId) -> Key:
    return ASSIGNED.key_for(userId=user_id, actionItemId=item.id)


def _pointer(item: StoredActionItem) -> list[Write]:
    """Returns the write of the assignee's row, which has the item's status; none without an assignee."""
    if item.assignee_user_id is None:
        return []
    entry = ranges.assigned(item.status).entry(position(item.created_at, item.id))
    members = {**_location(item), "status": item.status}
    return [Put(make_item(_pointer_key(item, item.assignee_user_id), members, **entry))]


def create(item: StoredActionItem, notes: str | None) -> list[Write]:
    """Returns the writes of a new action item with its notes."""
    written = payloads.write(_notes_key(item), notes, 0, item.notes_version)
    return [Put(_item(item), ABSENT), *written, *put_rows_elsewhere(item)]


def put_rows_elsewhere(item: StoredActionItem) -> list[Write]:
    """Returns the writes of the rows that find an item by its id and by its assignee."""
    location = make_item(ACTION_ITEM_LOCATION.key_for(actionItemId=item.id), _location(item))
    return [Put(location), *_pointer(item)]


def replace(old: StoredActionItem, new: StoredActionItem, now: Instant, notes: str | None = None) -> list[Write]:
    """Returns the writes that change an action item. They fail with `StaleRead` if it changed since it was read.

    `notes` are the new notes if they changed.
    """
    former = old.assignee_user_id
    dropped: list[Write] = [Delete(_pointer_key(old, former))] if former and former != new.assignee_user_id else []
    written = payloads.write(_notes_key(new), notes, old.notes_version, new.notes_version)
    reminders = due.move_reminders(due_rules.of_item(old, now), due_rules.of_item(new, now))
    return [Put(_item(new), equals(version=old.version)), *written, *dropped, *_pointer(new), *reminders]


def delete(item: StoredActionItem) -> list[Write]:
    """Returns the writes that delete an action item. They fail with `StaleRead` if it changed since it was read."""
    first, *rows = keys_of(item)
    return [Delete(first, equals(version=item.version)), *(Delete(row) for row in rows)]


def keys_of(item: StoredActionItem) -> list[Key]:
    """Returns the keys of all rows of an item, the item itself first."""
    keys = [item_key(item.board_id, item.id), ACTION_ITEM_LOCATION.key_for(actionItemId=item.id)]
    if item.notes_version:
        keys.append(_notes_key(item))
    return keys if item.assignee_user_id is None else [*keys, _pointer_key(item, item.assignee_user_id)]


def keys_elsewhere(item: Item) -> list[Key]:
    """Returns the keys of the other rows that an action item names; none for an item of another kind."""
    if not is_of_kind(ACTION_ITEM, item):
        return []
    rows = [ACTION_ITEM_LOCATION.key_for(actionItemId=item["id"])]
    if item.get("notesVersion"):
        rows.append(ACTION_ITEM_NOTES.key_for(boardId=item["boardId"], actionItemId=item["id"]))
    assignee = item.get("assigneeUserId")
    return [*rows, ASSIGNED.key_for(userId=assignee, actionItemId=item["id"])] if assignee else rows


def rows_of_meeting(board_id: BoardId, meeting_id: str) -> Iterator[Item]:
    """Yields all items of a meeting as they are stored, read a hundred at a time as needed."""
    listed = iter_range(ranges.action_items_of_meeting(meeting_id).within(board_key(board_id).pk), PK, SK)
    while keys := [key_of(item) for item in islice(listed, BATCH_KEYS)]:
        yield from read(keys).values()


def locate(item_id: str) -> Mapping[str, str] | None:
    """Returns the board and the meeting of an item that is named by its id alone; None if there is no such item."""
    key = ACTION_ITEM_LOCATION.key_or_none(actionItemId=item_id)
    row = read_one(key) if key else None
    return None if row is None else {"boardId": row["boardId"], "meetingId": row["meetingId"]}


def page_of_meeting(board_id: BoardId, meeting_id: str, window: Window) -> tuple[list[StoredActionItem], str | None]:
    """Returns a page of a meeting's items, by `order`, and the position of the last (None: no more)."""
    return _page(board_id, ranges.action_items_of_meeting(meeting_id), window)


def page_of_board(board_id: BoardId, window: Window) -> tuple[list[StoredActionItem], str | None]:
    """Returns a page of a board's items, by `order`, and the position of the last (None: no more)."""
    return _page(board_id, ranges.ACTION_ITEMS_IN_ORDER, window)


def _page(board_id: BoardId, listed: SortedList, window: Window) -> tuple[list[StoredActionItem], str | None]:
    items, last = page(board_key(board_id).pk, [listed], window)
    return decode_all(StoredActionItem, items), last


def list_of_meeting(board_id: BoardId, meeting_id: str) -> list[StoredActionItem]:
    """Returns all items of a meeting, with one query."""
    of_meeting = ranges.action_items_of_meeting(meeting_id).within(board_key(board_id).pk)
    return decode_all(StoredActionItem, query(of_meeting))


def get_by_ids(board_id: BoardId, item_ids: Iterable[str]) -> list[StoredActionItem]:
    """Returns the items of a board that exist among these ids; malformed ids are ignored."""
    keys = (ACTION_ITEM.key_or_none(boardId=board_id, actionItemId=item_id) for item_id in item_ids)
    return decode_all(StoredActionItem, read(key for key in keys if key is not None).values())


def notes_of(items: Iterable[StoredActionItem]) -> dict[str, str]:
    """Returns the notes of the items that have any, by the item's id, in one round trip.

    Raises `StaleRead` if notes changed since the items were read. Notes that do not fit their item, though neither
    changes, are left out.
    """
    noted = {item.id: item for item in items if item.notes_version}
    stored = read(_notes_key(item) for item in noted.values())
    texts = {}
    for id_, item in noted.items():
        notes = stored.get(_notes_key(item))
        if payloads.is_of_version(notes, item.notes_version):
            texts[id_] = payloads.text_of(notes, item.notes_version) or ""
        else:
            row = item_key(item.board_id, id_).attributes | {"version": item.version}
            check_settled([row, *([notes] if notes else [])], () if notes else [_notes_key(item)])
    return texts


def list_of_board(board_id: BoardId) -> list[StoredActionItem]:
    """Returns all items of a board, those on drafts included, with one query."""
    of_board = ranges.ACTION_ITEMS.within(board_key(board_id).pk)
    return decode_all(StoredActionItem, query(of_board))


def find(board_id: BoardId, item_id: str) -> StoredActionItem | None:
    """Returns an action item; None if there is no such item."""
    item = read_one(item_key(board_id, item_id))
    return StoredActionItem.model_validate(item) if item else None


def assigned_position(row: Mapping[str, str]) -> str:
    """Returns the position of an assignee's row in the list of its status, which is the same in every status."""
    return ranges.assigned(row["status"]).position_of(row)


def all_assigned_to(user_id: UserId) -> Iterator[Mapping[str, str]]:
    """Yields the locations of all of a user's items, read page by page as needed."""
    return iter_range(Range(USER.key_for(userId=user_id).pk, ASSIGNED.sk_prefix), "id", "boardId")


def page_of_assignee(
    user_id: UserId, statuses: Iterable[ActionItemStatus], window: Window
) -> tuple[list[Mapping[str, str]], str | None]:
    """Returns a page of the rows of a user's items of these statuses, by creation, and the position of the last."""
    lists = [ranges.assigned(status) for status in sorted(statuses)]
    rows, last = page(USER.key_for(userId=user_id).pk, lists, window)
    return [*rows], last


def page_by_due_date(board_id: BoardId, window: Window) -> tuple[list[StoredActionItem], str | None]:
    """Returns a page of a board's items that have a due date, by that date, and the position of the last."""
    rows, last = page(board_key(board_id).pk, [ranges.DUE_DATES], window)
    items = read(map(key_of, rows))
    return decode_all(StoredActionItem, (items[key] for key in map(key_of, rows) if key in items)), last


def due_position(item: StoredActionItem) -> str:
    """Returns the position of an item in the list by due date."""
    return position(item.due.due_on if item.due else "", item.id)
