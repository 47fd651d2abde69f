"""Due dates of action items (an extension of the API, ADR deliveries)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from governance.domain.access.visibility import can_see_meeting
from governance.domain.action_items import due_date as due_date_rules
from governance.domain.events import action_items as events
from governance.domain.events.kind import EventKind
from governance.errors import not_found
from governance.models.action_items.action_item import DueDate, DueDateBody, StoredActionItem
from governance.models.base import Deleted
from governance.models.history.event import FieldChange
from governance.models.meetings.meeting import StoredMeeting
from governance.models.page import Page, PageQuery
from governance.store.action_items import action_items
from governance.store.meetings import meetings
from governance.store.paging import Window
from governance.store.schema.entities import ACTION_ITEM, MEETING
from governance.store.writes import Write
from governance.usecases.action_items.action_items import requested_item
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import finds, loads
from governance.usecases.event_writes import record_meeting_event
from governance.usecases.meetings.meetings import visible_meeting


@loads(MEETING, ACTION_ITEM)
@finds(visible_meeting, requested_item)
def put_action_item_due_date(
    context: Context, meeting: StoredMeeting, old: StoredActionItem, body: DueDateBody
) -> Outcome[DueDate]:
    """Sets the day on which an action item is due."""
    new, due = due_date_rules.with_due_date(old, body.due_on, context.now)
    return Outcome(due_date_rules.to_resource(new, due), _writes(context, meeting, old, new, events.DUE_DATE_SET))


@loads(MEETING, ACTION_ITEM)
@finds(visible_meeting, requested_item)
def delete_action_item_due_date(context: Context, meeting: StoredMeeting, old: StoredActionItem) -> Outcome[Deleted]:
    """Removes the due date; raises 404 without one."""
    if old.due is None:
        raise not_found()
    writes = _writes(context, meeting, old, due_date_rules.without_due_date(old), events.DUE_DATE_DELETED)
    return Outcome(Deleted(), writes)


def _writes(
    context: Context,
    meeting: StoredMeeting,
    old: StoredActionItem,
    new: StoredActionItem,
    kind: EventKind[events.OfActionItem],
) -> list[Write]:
    days = [item.due.due_on if item.due else None for item in (old, new)]
    change = FieldChange(field="dueOn", before=days[0], after=days[1])
    payload = events.OfActionItem(meeting_id=meeting.id, action_item_id=new.id, changes=[change])
    return [
        meetings.check_open_state(meeting),
        *action_items.replace(old, new, context.now),
        *record_meeting_event(context, kind, meeting, payload),
    ]


def list_action_item_due_dates(context: Context, query: PageQuery) -> Page[DueDate]:
    """Returns a page of the board's due dates, the earliest first, of the items whose meetings the caller may see."""
    window = context.window(query)
    visible: list[StoredActionItem] = []
    for items in _pages(context, window):
        visible += _visible(context, items)
        if len(visible) > query.limit:
            break
    shown = visible[: query.limit]
    last = action_items.due_position(shown[-1]) if len(visible) > query.limit else None
    return Page([due_date_rules.to_resource(item, item.due) for item in shown if item.due], last)


def _pages(context: Context, window: Window) -> Iterator[Sequence[StoredActionItem]]:
    """Yields the items that are due, page by page as needed."""
    while True:
        items, last = action_items.page_by_due_date(context.board.id, window)
        yield items
        if last is None:
            return
        window = replace(window, after=last)


def _visible(context: Context, items: Sequence[StoredActionItem]) -> list[StoredActionItem]:
    known = meetings.get_by_keys(MEETING.key_for(boardId=item.board_id, meetingId=item.meeting_id) for item in items)
    return [
        item
        for item in items
        if (meeting := known.get(item.meeting_id)) is not None and can_see_meeting(context.user_id, meeting)
    ]
