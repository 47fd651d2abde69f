"""Action items on their meeting (the API specification, section 4.6, and its management extension).

An item on a draft is hidden with the draft, from everybody and on every route.
"""

from __future__ import annotations

from typing import Any

from governance.domain import action_item as rules
from governance.domain.audit import changed_fields
from governance.errors import invalid_body, not_found
from governance.ids import is_id, new_id
from governance.models.action_item import OPEN, ActionItem, ActionItemCreate, ActionItemPatch, StoredActionItem
from governance.models.base import Deleted
from governance.models.event import Event
from governance.models.meeting import StoredMeeting
from governance.models.page import Page
from governance.store import action_items, boards, meetings
from governance.store.schema import ACTION_ITEM, MEETING
from governance.store.writes import Write, fail_with
from governance.usecases.context import Context, Outcome, RequestInfo, loads, prefetch
from governance.usecases.events import record_event
from governance.usecases.meetings import draft_owner, visible_meeting


def _items_of(ask: RequestInfo) -> list[StoredActionItem]:
    board_id, meeting_id = ask.params["boardId"], ask.params["meetingId"]
    return action_items.list_of_meeting(board_id, meeting_id) if is_id(board_id) and is_id(meeting_id) else []


def named_item(context: Context, meeting_id: str) -> StoredActionItem:
    """The item that the path names, if it is of this meeting."""
    item = context.item(ACTION_ITEM)
    if item is None or item["meetingId"] != meeting_id:
        raise not_found()
    return StoredActionItem.model_validate(item)


@loads(MEETING)
@prefetch(_items_of)
def list_action_items(context: Context) -> Page[ActionItem]:
    """All items of the meeting, by `order`."""
    visible_meeting(context)
    return Page([rules.to_resource(item) for item in rules.ordered(context.prefetched)])


@loads(MEETING)
def create_action_item(context: Context, body: ActionItemCreate) -> Outcome[ActionItem]:
    """A new item of the meeting; an assignee must be a member (400)."""
    meeting = visible_meeting(context)
    item = StoredActionItem.model_validate(
        {
            **rules.to_stored(body.model_dump(by_alias=False)),
            "id": new_id(),
            "board_id": meeting.board_id,
            "meeting_id": meeting.id,
            "status": body.status or OPEN,
            "created_by": context.principal.named_user_id,
            "created_via": context.principal.created_via,
            "created_at": context.now,
            "updated_at": context.now,
        }
    )
    writes = [
        *_still_so(meeting, item.assignee_user_id),
        *action_items.create(item),
        *_record(context, Event.ACTION_ITEM_CREATED, meeting, item, assignee=rules.new_assignee(None, item)),
    ]
    return Outcome(rules.to_resource(item), writes)


def _still_so(meeting: StoredMeeting, assignee: str | None) -> list[Write]:
    """The meeting is as it was read, and who is to have the item is a member."""
    writes = [boards.check_exists(meeting.board_id), meetings.check_unchanged(meeting)]
    if assignee is not None:
        stranger = fail_with(lambda: invalid_body({"assigneeUserId": "must be the user id of a member of the board"}))
        writes.append(boards.check_is_member(meeting.board_id, assignee, stranger))
    return writes


@loads(MEETING, ACTION_ITEM)
def update_action_item(context: Context, body: ActionItemPatch) -> Outcome[ActionItem]:
    """The item with these members changed."""
    meeting = visible_meeting(context)
    new, writes = changed(context, meeting, named_item(context, meeting.id), body.changes())
    return Outcome(rules.to_resource(new), writes)


def changed(
    context: Context, meeting: StoredMeeting, old: StoredActionItem, changes: dict[str, Any]
) -> tuple[StoredActionItem, list[Write]]:
    """The item after these changes, and the writes that make it so; the same again leaves no audit entry."""
    new = rules.patched(old, changes, context.user_id, context.now)
    writes = [*_still_so(meeting, changes.get("assignee_user_id")), *action_items.replace(old, new)]
    if old.status != new.status:
        change = {"from": old.status, "to": new.status}
        writes += _record(context, Event.ACTION_ITEM_STATUS_CHANGED, meeting, new, change)
    fields = changed_fields(old, new)
    if fields:
        assignee = rules.new_assignee(old, new)
        writes += _record(context, Event.ACTION_ITEM_UPDATED, meeting, new, {"fields": fields}, assignee)
    return new, writes


@loads(MEETING, ACTION_ITEM)
def delete_action_item(context: Context) -> Outcome[Deleted]:
    """The item is gone."""
    meeting = visible_meeting(context)
    item = named_item(context, meeting.id)
    writes = [
        *_still_so(meeting, None),
        *action_items.delete(item),
        *_record(context, Event.ACTION_ITEM_DELETED, meeting, item),
    ]
    return Outcome(Deleted(), writes)


def _record(
    context: Context,
    event: Event,
    meeting: StoredMeeting,
    item: StoredActionItem,
    details: dict[str, Any] | None = None,
    assignee: str | None = None,
) -> list[Write]:
    """The record of an act on an item; `data` has the item's title, and who is to be told that he has it now."""
    subject = {"id": item.id, "title": item.title}
    return record_event(
        context,
        event,
        refs={"meetingId": meeting.id, "actionItemId": item.id},
        details=subject if details is None else details,
        data={**subject, "assigneeUserId": assignee},
        draft_of=draft_owner(meeting),
    )
