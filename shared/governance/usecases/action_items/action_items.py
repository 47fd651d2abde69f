"""Action items on their meeting (the API specification, section 4.6, and its management extension).

An item of a draft meeting is hidden like the draft: only the draft's creator sees it, on every route.
"""

from __future__ import annotations

from typing import Any

from governance.domain.action_items import action_item as action_item_rules
from governance.domain.events import action_items as events
from governance.domain.history.audit import field_changes
from governance.domain.members.unregistered_user import NOBODY
from governance.errors import invalid_body, not_found
from governance.ids import UserId, new_id
from governance.models.action_items.action_item import (
    OPEN,
    ActionItem,
    ActionItemCreate,
    ActionItemPatch,
    StoredActionItem,
)
from governance.models.base import Deleted
from governance.models.meetings.meeting import StoredMeeting
from governance.models.page import Page, PageQuery
from governance.store import payloads
from governance.store.action_items import action_item_counts, action_items
from governance.store.boards import boards
from governance.store.meetings import meetings
from governance.store.schema.entities import ACTION_ITEM, ACTION_ITEM_NOTES, MEETING
from governance.store.writes import Write, fail_with
from governance.usecases.context import Context, Outcome, RequestInfo
from governance.usecases.declarations import creates, finds, loads, prefetch
from governance.usecases.event_writes import record_meeting_event
from governance.usecases.meetings.meetings import visible_meeting
from governance.usecases.members.named_people import people_named


def _items_of_meeting(info: RequestInfo) -> Page[StoredActionItem]:
    window = info.window(info.query_as(PageQuery))
    return Page(*action_items.page_of_meeting(info.board_id, info.params["meetingId"], window))


def requested_item(context: Context) -> StoredActionItem:
    """Returns the item that the path names; raises 404 if it does not exist or belongs to another meeting."""
    item = context.item(ACTION_ITEM)
    if item is None or item["meetingId"] != context.params["meetingId"]:
        raise not_found()
    return StoredActionItem.model_validate(item)


@loads(MEETING)
@prefetch(_items_of_meeting)
@finds(visible_meeting)
def list_meeting_action_items(
    context: Context, _meeting: StoredMeeting, page: Page[StoredActionItem], _query: PageQuery
) -> Page[ActionItem]:
    """Returns a page of the meeting's items, by `order`; it ends early where its notes outgrow a response."""
    items = page.data[: action_item_rules.fitting(page.data)]
    notes = action_items.notes_of(items)
    last = page.next_position if len(items) == len(page.data) else action_item_rules.list_position(items[-1])
    people = people_named(context, action_item_rules.people_of(items))
    return Page([action_item_rules.to_resource(item, notes.get(item.id), people) for item in items], last)


@creates(ACTION_ITEM, "actionItemId")
@loads(MEETING)
@finds(visible_meeting)
def create_action_item(context: Context, meeting: StoredMeeting, body: ActionItemCreate) -> Outcome[ActionItem]:
    """Creates an item of the meeting; raises 400 if the assignee is not a member of the board."""
    stored = action_item_rules.to_stored(body.model_dump(by_alias=False))
    notes: str | None = stored.pop("notes")
    item = StoredActionItem.model_validate(
        {
            **stored,
            **action_item_rules.stored_notes(notes, version=1),
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
    created = events.ActionItemCreated(
        meeting_id=meeting.id,
        action_item_id=item.id,
        id=item.id,
        title=item.title,
        assignee_user_id=action_item_rules.new_assignee(None, item),
    )
    writes = [
        *_check_unchanged(meeting, item.assignee_user_id),
        *action_items.create(item, notes),
        *action_item_counts.created(item),
        *record_meeting_event(context, events.ACTION_ITEM_CREATED, meeting, created),
    ]
    return Outcome(action_item_rules.to_resource(item, notes, NOBODY), writes)


def _check_unchanged(meeting: StoredMeeting, assignee: UserId | None) -> list[Write]:
    """Checks that the meeting has not changed since it was read, and that the new assignee is a member."""
    writes = [meetings.check_open_state(meeting)]
    if assignee is not None:
        not_a_member = fail_with(
            lambda: invalid_body({"assigneeUserId": "must be the user id of a member of the board"})
        )
        writes.append(boards.check_is_member(meeting.board_id, assignee, not_a_member))
    return writes


@loads(MEETING, ACTION_ITEM, ACTION_ITEM_NOTES)
@finds(visible_meeting, requested_item)
def update_action_item(
    context: Context, meeting: StoredMeeting, old: StoredActionItem, body: ActionItemPatch
) -> Outcome[ActionItem]:
    """Changes the fields of an item that the body names."""
    notes = payloads.text_of(context.item(ACTION_ITEM_NOTES), old.notes_version)
    changes = action_item_rules.to_stored(body.changes())
    if changes.get("notes") == notes:
        changes.pop("notes", None)
    new, writes = change_item(context, meeting, old, changes)
    people = people_named(context, action_item_rules.people_of([new]))
    return Outcome(action_item_rules.to_resource(new, changes.get("notes", notes), people), writes)


def change_item(
    context: Context, meeting: StoredMeeting, old: StoredActionItem, changes: dict[str, Any]
) -> tuple[StoredActionItem, list[Write]]:
    """Returns the changed item and the writes; a change that leaves all values as they were records no event.

    The changes are in their stored form: `notes` only if they differ, as a JSON text.
    """
    new = action_item_rules.patched(old, changes, context.user_id, context.now)
    rows = action_items.replace(old, new, context.now, changes.get("notes"))
    writes = [*_check_unchanged(meeting, changes.get("assignee_user_id")), *rows]
    writes += action_item_counts.changed(old, new)
    if old.status != new.status:
        change = events.ActionItemStatusChanged(
            meeting_id=meeting.id, action_item_id=new.id, before=old.status, after=new.status
        )
        writes += record_meeting_event(context, events.ACTION_ITEM_STATUS_CHANGED, meeting, change)
    fields = action_item_rules.updated_fields(old, new)
    if fields:
        updated = events.ActionItemUpdated(
            meeting_id=meeting.id,
            action_item_id=new.id,
            fields=fields,
            changes=field_changes(old, new),
            title=new.title,
            assignee_user_id=action_item_rules.new_assignee(old, new),
            assignee_unregistered_user_id=action_item_rules.new_person(old, new),
        )
        writes += record_meeting_event(context, events.ACTION_ITEM_UPDATED, meeting, updated)
    return new, writes


@loads(MEETING, ACTION_ITEM)
@finds(visible_meeting, requested_item)
def delete_action_item(context: Context, meeting: StoredMeeting, item: StoredActionItem) -> Outcome[Deleted]:
    """Deletes an item."""
    deleted = events.ActionItemDeleted(meeting_id=meeting.id, action_item_id=item.id, id=item.id, title=item.title)
    writes = [
        *_check_unchanged(meeting, None),
        *action_items.delete(item),
        *action_item_counts.deleted(item),
        *record_meeting_event(context, events.ACTION_ITEM_DELETED, meeting, deleted),
    ]
    return Outcome(Deleted(), writes)
