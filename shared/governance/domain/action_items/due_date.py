"""The rules of the day on which an action item is due (ADR deliveries)."""

from __future__ import annotations

from governance.instants import Instant
from governance.models.action_items.action_item import DueDate, StoredActionItem, StoredDueDate


def with_due_date(item: StoredActionItem, due_on: str, now: Instant) -> tuple[StoredActionItem, StoredDueDate]:
    """Returns the item that is due on this day, and its due date."""
    due = StoredDueDate(due_on=due_on, created_at=item.due.created_at if item.due else now, updated_at=now)
    due = due.in_place_of(item.due)
    return item.model_copy(update={"due": due, "version": item.version + 1}), due


def without_due_date(item: StoredActionItem) -> StoredActionItem:
    """Returns the item without a due date."""
    return item.model_copy(update={"due": None, "version": item.version + 1})


def to_resource(item: StoredActionItem, due: StoredDueDate) -> DueDate:
    """Returns the due date as the members of the board see it."""
    return DueDate(action_item_id=item.id, due_on=due.due_on, created_at=due.created_at, updated_at=due.updated_at)
