"""The counters behind the limits of action items: all of a meeting, and the open ones of an assignee on a board.

Deleting a meeting leaves its open items counted, until the assignee's counter is full and counted again (ADR limits).
"""

from __future__ import annotations

from functools import partial

from governance.ids import BoardId, UserId
from governance.limits import ACTION_ITEMS_PER_MEETING, OPEN_ITEMS_PER_ASSIGNEE
from governance.models.action_items.action_item import OPEN, StoredActionItem
from governance.store import counters
from governance.store.schema import ranges
from governance.store.schema.entities import ACTION_ITEM_COUNT, OPEN_ITEM_COUNT, USER
from governance.store.schema.keys import Key
from governance.store.table import query, read_one
from governance.store.writes import Write

_UNBOUNDED = 1_000_000
_RECOUNTED = 20 * OPEN_ITEMS_PER_ASSIGNEE
"""Rows of an assignee that are read for a recount; an assignee with more rows stays at the limit."""


def created(item: StoredActionItem) -> list[Write]:
    """Returns the writes that count a new item. They fail with 409 `LIMIT_REACHED` if it is one too many."""
    return [counters.add(_of_meeting(item), ACTION_ITEMS_PER_MEETING), *_moved(None, item, OPEN_ITEMS_PER_ASSIGNEE)]


def changed(old: StoredActionItem, new: StoredActionItem) -> list[Write]:
    """Returns the writes that count a changed item; 409 `LIMIT_REACHED` if its assignee would have too many."""
    return _moved(old, new, OPEN_ITEMS_PER_ASSIGNEE)


def taken_over(old: StoredActionItem, new: StoredActionItem) -> list[Write]:
    """Returns the writes that count an item whose new assignee was another person before: never too many."""
    return _moved(old, new, _UNBOUNDED)


def deleted(item: StoredActionItem) -> list[Write]:
    """Returns the writes that subtract an item from the counts."""
    return [counters.subtract(_of_meeting(item)), *_moved(item, None, _UNBOUNDED)]


def _of_meeting(item: StoredActionItem) -> Key:
    return ACTION_ITEM_COUNT.key_for(boardId=item.board_id, meetingId=item.meeting_id)


def _moved(old: StoredActionItem | None, new: StoredActionItem | None, limit: int) -> list[Write]:
    """Returns the writes for an item that leaves one assignee's open items and joins another's; none if it stays."""
    before, after = _open_assignee(old), _open_assignee(new)
    if before == after:
        return []
    removal = [counters.subtract(_of_assignee(old.board_id, before))] if old and before else []
    return [*removal, *([_add(new.board_id, after, limit)] if new and after else [])]


def _open_assignee(item: StoredActionItem | None) -> UserId | None:
    return item.assignee_user_id if item and item.status == OPEN else None


def _add(board_id: BoardId, user_id: UserId, limit: int) -> Write:
    recount = partial(_open_items, board_id, user_id)
    return counters.add(_of_assignee(board_id, user_id), limit, recount)


def open_items_of(board_id: BoardId, user_id: UserId) -> int:
    """Returns how many open items of a board a user has; never too few."""
    return counters.number_in(read_one(_of_assignee(board_id, user_id)))


def _of_assignee(board_id: BoardId, user_id: UserId) -> Key:
    return OPEN_ITEM_COUNT.key_for(boardId=board_id, userId=user_id)


def _open_items(board_id: BoardId, user_id: UserId) -> int:
    """Returns how many open items of a board an assignee has; more than the limit for one with too many rows."""
    rows = query(ranges.assigned(OPEN).within(USER.key_for(userId=user_id).pk), _RECOUNTED)
    return len(rows) if len(rows) == _RECOUNTED else sum(row["boardId"] == board_id for row in rows)
