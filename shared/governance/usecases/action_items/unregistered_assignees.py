"""Action items that are assigned to people without an account (an extension of the API, ADR people)."""

from __future__ import annotations

from governance.domain.action_items import unregistered_assignee as unregistered_assignee_rules
from governance.domain.members.unregistered_user import NOT_ACTIVE
from governance.errors import invalid_body, not_found
from governance.models.action_items.action_item import (
    StoredActionItem,
    StoredUnregisteredAssignee,
    UnregisteredAssignee,
    UnregisteredAssigneeBody,
)
from governance.models.base import Deleted
from governance.models.meetings.meeting import StoredMeeting
from governance.store.members import unregistered_users
from governance.store.schema.entities import ACTION_ITEM, MEETING
from governance.usecases.action_items.action_items import change_item, requested_item
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import finds, loads
from governance.usecases.meetings.meetings import visible_meeting

_NOT_ACTIVE = {"unregisteredUserId": NOT_ACTIVE}


def _assignee(item: StoredActionItem) -> StoredUnregisteredAssignee:
    if item.unregistered_assignee is None:
        raise not_found()
    return item.unregistered_assignee


@loads(MEETING, ACTION_ITEM)
@finds(visible_meeting, requested_item)
def get_action_item_unregistered_assignee(
    _context: Context, _meeting: StoredMeeting, item: StoredActionItem
) -> UnregisteredAssignee:
    """Returns the assignee without an account; raises 404 without one."""
    return unregistered_assignee_rules.to_resource(item, _assignee(item))


@loads(MEETING, ACTION_ITEM)
@finds(visible_meeting, requested_item)
def put_action_item_unregistered_assignee(
    context: Context, meeting: StoredMeeting, old: StoredActionItem, body: UnregisteredAssigneeBody
) -> Outcome[UnregisteredAssignee]:
    """Assigns the item to an active person of the board (400 for any other), in place of another assignee."""
    person = unregistered_users.find(meeting.board_id, body.unregistered_user_id)
    if person is None or person.status != "active":
        raise invalid_body(_NOT_ACTIVE)
    assignee = unregistered_assignee_rules.assigned_to(old, person.id, context.now)
    if assignee is old.unregistered_assignee:
        return Outcome(unregistered_assignee_rules.to_resource(old, assignee), [])
    new, writes = change_item(
        context, meeting, old, {**unregistered_assignee_rules.UNASSIGNED, "unregistered_assignee": assignee}
    )
    still_active = unregistered_users.check_active(meeting.board_id, person.id, invalid_body(_NOT_ACTIVE))
    return Outcome(unregistered_assignee_rules.to_resource(new, assignee), [*writes, still_active])


@loads(MEETING, ACTION_ITEM)
@finds(visible_meeting, requested_item)
def delete_action_item_unregistered_assignee(
    context: Context, meeting: StoredMeeting, old: StoredActionItem
) -> Outcome[Deleted]:
    """Leaves the item without an assignee; raises 404 if it is assigned to nobody without an account."""
    _assignee(old)
    _, writes = change_item(context, meeting, old, unregistered_assignee_rules.UNASSIGNED)
    return Outcome(Deleted(), writes)
