"""Action items: the item with its board, its place by id alone, and a row with its assignee; all written together.

The rows are never trusted for more than where to look.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from governance.models.action_item import ActionStatus, StoredActionItem
from governance.store.boards import board_key
from governance.store.schema import (
    ACTION_ITEM,
    ACTION_ITEM_LOCATION,
    ACTION_ITEM_PREFIX,
    ASSIGNED,
    USER,
    Item,
    Key,
    make_item,
)
from governance.store.table import Range, query, read_one
from governance.store.writes import ABSENT, Delete, Put, Write, equals

_OF_MEETING = "ACTIONS#"
_ASSIGNED = "ASSIGNED#"


def item_key(board_id: str, item_id: str) -> Key:
    """Where an action item lies."""
    return ACTION_ITEM.at(boardId=board_id, actionItemId=item_id)


def _item(item: StoredActionItem) -> Item:
    place = f"{_OF_MEETING}{item.meeting_id}#{item.created_at}#{item.id}"
    return make_item(item_key(item.board_id, item.id), item.item(), L1=place)


def _located_by(item: StoredActionItem) -> dict[str, str]:
    return {"id": item.id, "boardId": item.board_id, "meetingId": item.meeting_id}


def _pointer_key(item: StoredActionItem, user_id: str) -> Key:
    return ASSIGNED.at(userId=user_id, actionItemId=item.id)


def _pointer(item: StoredActionItem) -> list[Write]:
    """The row that says to the assignee that he has the item, and in which state."""
    if item.assignee_user_id is None:
        return []
    place = f"{_ASSIGNED}{item.status}#{item.created_at}#{item.id}"
    members = {**_located_by(item), "status": item.status}
    return [Put(make_item(_pointer_key(item, item.assignee_user_id), members, L1=place))]


def create(item: StoredActionItem) -> list[Write]:
    """A new action item."""
    place = make_item(ACTION_ITEM_LOCATION.at(actionItemId=item.id), _located_by(item))
    return [Put(_item(item), ABSENT), Put(place), *_pointer(item)]


def replace(old: StoredActionItem, new: StoredActionItem) -> list[Write]:
    """An action item as it is now, if it is still as it was read."""
    moved = old.assignee_user_id is not None and old.assignee_user_id != new.assignee_user_id
    dropped: list[Write] = [Delete(_pointer_key(old, old.assignee_user_id))] if moved and old.assignee_user_id else []
    return [Put(_item(new), equals(version=old.version)), *dropped, *_pointer(new)]


def delete(item: StoredActionItem) -> list[Write]:
    """Remove an action item, if it is still as it was read."""
    first, *rows = keys_of(item)
    return [Delete(first, equals(version=item.version)), *(Delete(row) for row in rows)]


def keys_of(item: StoredActionItem) -> list[Key]:
    """Every row of an item, the item itself first."""
    keys = [item_key(item.board_id, item.id), ACTION_ITEM_LOCATION.at(actionItemId=item.id)]
    return keys if item.assignee_user_id is None else [*keys, _pointer_key(item, item.assignee_user_id)]


def locate(item_id: str) -> Mapping[str, str] | None:
    """The board and the meeting of an item that is named by its id alone."""
    key = ACTION_ITEM_LOCATION.key(actionItemId=item_id)
    row = read_one(key) if key else None
    return None if row is None else {"boardId": row["boardId"], "meetingId": row["meetingId"]}


def list_of_meeting(board_id: str, meeting_id: str) -> list[StoredActionItem]:
    """All items of a meeting: one query."""
    span = Range(board_key(board_id).pk, f"{_OF_MEETING}{meeting_id}#", "L1")
    return [StoredActionItem.model_validate(item) for item in query(span)]


def list_of_board(board_id: str) -> list[StoredActionItem]:
    """All items of a board, those on drafts included: one query."""
    return [StoredActionItem.model_validate(item) for item in query(Range(board_key(board_id).pk, ACTION_ITEM_PREFIX))]


def assigned_to(user_id: str, statuses: Iterable[ActionStatus]) -> list[Mapping[str, str]]:
    """Where the items of these states lie that a user has: one query, of one state alone where one is asked for."""
    wanted = set(statuses)
    prefix = f"{_ASSIGNED}{next(iter(wanted))}#" if len(wanted) == 1 else _ASSIGNED
    rows = query(Range(USER.at(userId=user_id).pk, prefix, "L1"))
    return [row for row in rows if row["status"] in wanted]
