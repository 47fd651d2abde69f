"""The events of action items."""

from governance.domain.events.kind import (
    Audience,
    Changed,
    EventKind,
    Notification,
    Payload,
    Ref,
    Subject,
    Transition,
    notifies,
)
from governance.ids import PersonId, UserId
from governance.models.history.event import Event


class OfActionItem(Payload):
    """An event of an action item."""

    meeting_id: Ref[str]
    action_item_id: Ref[str]


class _MaybeAssigned(OfActionItem):
    """An event that may assign the item: to the member `assignee_user_id`, or to a person without an account."""

    assignee_user_id: UserId | None = None
    assignee_unregistered_user_id: PersonId | None = None


class ActionItemCreated(_MaybeAssigned, Subject):
    """An item was created, or a draft with an assigned item was opened."""


class ActionItemUpdated(_MaybeAssigned, Changed):
    """Fields of an item changed."""

    title: str | None = None


class ActionItemStatusChanged(OfActionItem, Transition):
    """The status of an item changed."""


class ActionItemDeleted(OfActionItem, Subject):
    """An item was deleted."""


_ASSIGNED: Notification[_MaybeAssigned] = Notification(
    "task_assignment",
    Audience(named=lambda item: [item.assignee_user_id], people=lambda item: [item.assignee_unregistered_user_id]),
    "told.task_assigned",
)

ACTION_ITEM_CREATED = EventKind(
    Event.ACTION_ITEM_CREATED, ActionItemCreated, audit="actionItemCreate", notifications=notifies(_ASSIGNED)
)
ACTION_ITEM_UPDATED = EventKind(
    Event.ACTION_ITEM_UPDATED, ActionItemUpdated, audit="actionItemUpdate", notifications=notifies(_ASSIGNED)
)
ACTION_ITEM_STATUS_CHANGED = EventKind(
    Event.ACTION_ITEM_STATUS_CHANGED, ActionItemStatusChanged, audit="actionItemStatusChange"
)
ACTION_ITEM_DELETED = EventKind(Event.ACTION_ITEM_DELETED, ActionItemDeleted, audit="actionItemDelete")
DUE_DATE_SET = EventKind(Event.DUE_DATE_SET, OfActionItem)
DUE_DATE_DELETED = EventKind(Event.DUE_DATE_DELETED, OfActionItem)
