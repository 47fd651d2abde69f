"""Action items on the legacy surface, in its own shapes (the API specification, section 4.11).

A list of any length joins its meetings and boards in one batch.
"""

from __future__ import annotations

from collections.abc import Mapping

from governance.domain import action_item as rules
from governance.domain.visibility import can_see_meeting
from governance.errors import not_found
from governance.ids import is_id
from governance.models.action_item import (
    BoardItem,
    BoardItems,
    BoardRef,
    ItemStatus,
    ItemStatusChanged,
    MeetingRef,
    MyItem,
    MyItems,
    MyItemsQuery,
    StatusBody,
    StoredActionItem,
)
from governance.models.board import StoredBoard
from governance.models.meeting import StoredMeeting
from governance.store import action_items, meetings
from governance.store.schema import ACTION_ITEM, BOARD, MEETING, MEMBER, Item, Key
from governance.store.table import read
from governance.usecases.action_items import changed, named_item
from governance.usecases.context import Context, Outcome, RequestInfo, loads, prefetch, resolve_board
from governance.usecases.meetings import visible_meeting

_NOBODY = "0" * 24


def _meeting_ref(meeting: StoredMeeting) -> MeetingRef:
    return MeetingRef(id=meeting.id, title=meeting.title, meeting_status=meeting.status)


# -- a board's items


def _items_of_board(ask: RequestInfo) -> list[StoredActionItem]:
    board_id = ask.params["boardId"]
    return action_items.list_of_board(board_id) if is_id(board_id) else []


@prefetch(_items_of_board)
def list_of_board(context: Context) -> BoardItems:
    """All items of the board that the caller may know of, by `order`."""
    board_id = context.board.id
    items: list[StoredActionItem] = context.prefetched
    found = meetings.get_by_keys(MEETING.at(boardId=board_id, meetingId=item.meeting_id) for item in items)
    seen = {each.id: each for each in found.values() if can_see_meeting(context.user_id, each)}
    shown = [_board_item(item, seen[item.meeting_id]) for item in rules.ordered(items) if item.meeting_id in seen]
    return BoardItems(action_items=tuple(shown), total_count=len(shown))


def _board_item(item: StoredActionItem, meeting: StoredMeeting) -> BoardItem:
    return BoardItem.model_validate({**item.model_dump(by_alias=False), "meeting": _meeting_ref(meeting)})


# -- what is assigned to the caller


def _assigned(ask: RequestInfo) -> list[Mapping[str, str]]:
    if ask.user_id is None or not isinstance(ask.query, MyItemsQuery):
        return []
    return action_items.assigned_to(ask.user_id, ask.query.statuses)


@prefetch(_assigned)
def list_mine(context: Context, query: MyItemsQuery) -> MyItems:
    """What is assigned to the caller on his boards, newest first; one batch joins items, meetings and boards."""
    user_id = context.principal.named_user_id
    rows: list[Mapping[str, str]] = context.prefetched
    found = read(key for row in rows for key in _keys(row, user_id))
    joined = [mine for row in rows if (mine := _my_item(row, user_id, found)) and mine[0].status in query.statuses]
    joined.sort(key=lambda mine: (mine[0].created_at, mine[0].id), reverse=True)
    return MyItems(action_items=tuple(_shown(*mine) for mine in joined), total_count=len(joined))


def _keys(row: Mapping[str, str], user_id: str) -> tuple[Key, Key, Key, Key]:
    names = {"boardId": row["boardId"], "meetingId": row["meetingId"], "actionItemId": row["id"], "userId": user_id}
    return ACTION_ITEM.at(**names), MEETING.at(**names), BOARD.at(**names), MEMBER.at(**names)


Joined = tuple[StoredActionItem, StoredMeeting, StoredBoard]


def _my_item(row: Mapping[str, str], user_id: str, found: Mapping[Key, Item]) -> Joined | None:
    """The item with its meeting and board, if all are there, it is still his and he may know of it."""
    item, meeting, board, member = (found.get(key) for key in _keys(row, user_id))
    if item is None or meeting is None or board is None or member is None or item["assigneeUserId"] != user_id:
        return None
    of = StoredMeeting.model_validate(meeting)
    if not can_see_meeting(user_id, of):
        return None
    return StoredActionItem.model_validate(item), of, StoredBoard.model_validate(board)


def _shown(item: StoredActionItem, meeting: StoredMeeting, board: StoredBoard) -> MyItem:
    joined = {"meeting": _meeting_ref(meeting), "board": BoardRef(id=board.id, name=board.name)}
    return MyItem.model_validate({**item.model_dump(by_alias=False), **joined})


# -- an item's status


def _place(params: Mapping[str, str]) -> Mapping[str, str] | None:
    return action_items.locate(params["actionItemId"])


def _is_hidden(context: Context) -> bool:
    item, meeting = context.item(ACTION_ITEM), context.item(MEETING)
    return (
        item is None or meeting is None or not can_see_meeting(context.user_id, StoredMeeting.model_validate(meeting))
    )


@resolve_board(_place, _is_hidden)
@loads(ACTION_ITEM, MEETING)
def change_status(context: Context, body: StatusBody) -> Outcome[ItemStatusChanged]:
    """Any status may follow any other; the same again moves `updatedAt`."""
    meeting = visible_meeting(context)
    new, writes = changed(context, meeting, named_item(context, meeting.id), {"status": body.status})
    return Outcome(ItemStatusChanged(id=new.id, status=new.status, updated_at=new.updated_at), writes)


@loads(ACTION_ITEM)
def change_status_on_board(context: Context, body: StatusBody) -> Outcome[ItemStatus]:
    """The same, for an item that is named with its board; its meeting is known only once it is read.

    Where there is no item a meeting is looked up all the same: an item on another's draft takes no longer.
    """
    item = context.item(ACTION_ITEM)
    meeting = _visible(context, item["meetingId"] if item else _NOBODY)
    if meeting is None:
        raise not_found()
    new, writes = changed(context, meeting, named_item(context, meeting.id), {"status": body.status})
    return Outcome(ItemStatus(id=new.id, status=new.status), writes)


def _visible(context: Context, meeting_id: str) -> StoredMeeting | None:
    key = MEETING.at(boardId=context.board.id, meetingId=meeting_id)
    meeting = meetings.get_by_keys([key]).get(meeting_id)
    return meeting if meeting and can_see_meeting(context.user_id, meeting) else None
