"""Action items on the legacy surface, in its own shapes (the API specification, section 4.11).

A list is read in chunks, each with its meetings and boards in one batch, until the response is full.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from governance.domain.access.visibility import can_see_meeting
from governance.domain.action_items import action_item as action_item_rules
from governance.errors import not_found
from governance.ids import UserId
from governance.models.action_items.action_item import StoredActionItem
from governance.models.action_items.legacy_action_item import (
    BoardItem,
    BoardItems,
    BoardRef,
    ItemsFrame,
    ItemStatus,
    ItemStatusChanged,
    MeetingRef,
    MyItem,
    MyItems,
    MyItemsQuery,
    StatusBody,
)
from governance.models.boards.board import StoredBoard
from governance.models.meetings.meeting import StoredMeeting
from governance.models.page import JsonArrayStream, LegacyListQuery
from governance.store.action_items import action_items
from governance.store.decoding import decode_or_none
from governance.store.meetings import meetings
from governance.store.schema.entities import ACTION_ITEM, BOARD, MEETING, MEMBER
from governance.store.schema.keys import Item, Key
from governance.store.table import read
from governance.usecases.action_items.action_items import change_item, requested_item
from governance.usecases.chunks import Chunk, first_window, iter_chunks
from governance.usecases.context import Context, Outcome, RequestInfo
from governance.usecases.declarations import finds, loads, prefetch, resolve_board
from governance.usecases.meetings.meetings import visible_meeting

_NO_MEETING = "0" * 24


def _meeting_ref(meeting: StoredMeeting) -> MeetingRef:
    return MeetingRef(id=meeting.id, title=meeting.title, meeting_status=meeting.status)


# -- a board's items


def _items_of_board(info: RequestInfo) -> Chunk[StoredActionItem]:
    return action_items.page_of_board(info.board_id, first_window(info, descending=False))


@prefetch(_items_of_board)
def list_board_action_items(
    context: Context, first: Chunk[StoredActionItem], query: LegacyListQuery
) -> JsonArrayStream[BoardItems]:
    """Returns the items of the board whose meetings the caller may see, by `order`."""
    chunks = iter_chunks(first, lambda window: action_items.page_of_board(context.board.id, window), descending=False)
    entries = (entry for items in chunks for entry in _board_entries(context, items))
    return JsonArrayStream(entries, query.limit, ItemsFrame())


def _board_entries(context: Context, items: Sequence[StoredActionItem]) -> Iterator[tuple[str, str | None]]:
    known = meetings.get_by_keys(MEETING.key_for(boardId=context.board.id, meetingId=item.meeting_id) for item in items)
    for item in items:
        meeting = known.get(item.meeting_id)
        visible = meeting is not None and can_see_meeting(context.user_id, meeting)
        yield (
            action_item_rules.list_position(item),
            _board_item(item, meeting).to_json() if meeting and visible else None,
        )


def _board_item(item: StoredActionItem, meeting: StoredMeeting) -> BoardItem:
    return BoardItem.model_validate({**item.model_dump(by_alias=False), "meeting": _meeting_ref(meeting)})


# -- items that are assigned to the caller

Row = Mapping[str, str]


def _assignments(info: RequestInfo) -> Chunk[Row]:
    statuses = info.query_as(MyItemsQuery).statuses
    return action_items.page_of_assignee(info.known_user_id, statuses, first_window(info, descending=True))


@prefetch(_assignments)
def list_my_action_items(context: Context, first: Chunk[Row], query: MyItemsQuery) -> JsonArrayStream[MyItems]:
    """Returns the items that are assigned to the caller, newest first."""
    user_id = context.principal.named_user_id
    read_more = partial(action_items.page_of_assignee, user_id, query.statuses)
    chunks = iter_chunks(first, read_more, descending=True)
    entries = (entry for rows in chunks for entry in _my_entries(user_id, rows))
    return JsonArrayStream(entries, query.limit, ItemsFrame())


def _my_entries(user_id: UserId, rows: Sequence[Row]) -> Iterator[tuple[str, str | None]]:
    """Yields the rows' items; one batch reads items, meetings, boards and memberships."""
    items = read(key for row in rows for key in _keys(row, user_id))
    for row in rows:
        joined = _joined(row, user_id, items)
        yield action_items.assigned_position(row), _my_item(*joined).to_json() if joined else None


def _keys(row: Row, user_id: UserId) -> tuple[Key, Key, Key, Key]:
    names = {"boardId": row["boardId"], "meetingId": row["meetingId"], "actionItemId": row["id"], "userId": user_id}
    return ACTION_ITEM.key_for(**names), MEETING.key_for(**names), BOARD.key_for(**names), MEMBER.key_for(**names)


Joined = tuple[StoredActionItem, StoredMeeting, StoredBoard]


def _joined(row: Row, user_id: UserId, items: Mapping[Key, Item]) -> Joined | None:
    """Returns the item with its meeting and board; None if one is missing or the user may not see it as theirs."""
    of_item, of_meeting, of_board, of_member = (items.get(key) for key in _keys(row, user_id))
    item = decode_or_none(StoredActionItem, of_item)
    meeting, board = decode_or_none(StoredMeeting, of_meeting), decode_or_none(StoredBoard, of_board)
    if item is None or meeting is None or board is None or of_member is None:
        return None
    if item.assignee_user_id != user_id or item.status != row["status"] or not can_see_meeting(user_id, meeting):
        return None
    return item, meeting, board


def _my_item(item: StoredActionItem, meeting: StoredMeeting, board: StoredBoard) -> MyItem:
    joined = {"meeting": _meeting_ref(meeting), "board": BoardRef(id=board.id, name=board.name)}
    return MyItem.model_validate({**item.model_dump(by_alias=False), **joined})


# -- an item's status


def _locate_item(params: Mapping[str, str]) -> Mapping[str, str] | None:
    return action_items.locate(params["actionItemId"])


FoundItem = tuple[StoredMeeting, StoredActionItem]


def _visible_item(context: Context) -> FoundItem:
    """Returns the item and its meeting; raises 404 if either is absent or hidden."""
    return visible_meeting(context), requested_item(context)


@loads(ACTION_ITEM, MEETING)
@resolve_board(_locate_item, _visible_item)
@finds(_visible_item)
def change_action_item_status(
    context: Context, meeting_and_item: FoundItem, body: StatusBody
) -> Outcome[ItemStatusChanged]:
    """Changes the status of an item; setting the same status updates `updatedAt` only."""
    new, writes = change_item(context, *meeting_and_item, {"status": body.status})
    return Outcome(ItemStatusChanged(id=new.id, status=new.status, updated_at=new.updated_at), writes)


def _item_and_its_meeting(context: Context) -> FoundItem:
    """Returns the item and its meeting, which is read after it; raises 404 if either is absent or hidden.

    If there is no such item, a meeting is read all the same, so that the response time does not reveal an item of
    another member's draft.
    """
    item = context.item(ACTION_ITEM)
    meeting = _visible(context, item["meetingId"] if item else _NO_MEETING)
    if item is None or meeting is None:
        raise not_found()
    return meeting, StoredActionItem.model_validate(item)


@loads(ACTION_ITEM)
@finds(_item_and_its_meeting)
def change_board_action_item_status(
    context: Context, meeting_and_item: FoundItem, body: StatusBody
) -> Outcome[ItemStatus]:
    """Changes the status of an item that the path names with its board."""
    new, writes = change_item(context, *meeting_and_item, {"status": body.status})
    return Outcome(ItemStatus(id=new.id, status=new.status), writes)


def _visible(context: Context, meeting_id: str) -> StoredMeeting | None:
    key = MEETING.key_for(boardId=context.board.id, meetingId=meeting_id)
    meeting = meetings.get_by_keys([key]).get(meeting_id)
    return meeting if meeting and can_see_meeting(context.user_id, meeting) else None
