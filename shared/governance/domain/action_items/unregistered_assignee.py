"""The rules of assignees without an account (ADR people)."""

from __future__ import annotations

from typing import Any

from governance.ids import PersonId
from governance.instants import Instant
from governance.models.action_items.action_item import (
    StoredActionItem,
    StoredUnregisteredAssignee,
    UnregisteredAssignee,
)

UNASSIGNED: dict[str, Any] = {"unregistered_assignee": None, "assignee_user_id": None, "assignee_name": None}
"""The changes that leave an item without an assignee."""


def assigned_to(item: StoredActionItem, person_id: PersonId, now: Instant) -> StoredUnregisteredAssignee:
    """Returns the assignee of an item that is assigned to this person; the same one if they are."""
    old = item.unregistered_assignee
    if old is not None and old.unregistered_user_id == person_id:
        return old
    assigned = StoredUnregisteredAssignee(
        unregistered_user_id=person_id, created_at=old.created_at if old else now, updated_at=now
    )
    return assigned.in_place_of(old)


def to_resource(item: StoredActionItem, assignee: StoredUnregisteredAssignee) -> UnregisteredAssignee:
    """Returns the assignee as the members of the board see them."""
    return UnregisteredAssignee(
        action_item_id=item.id,
        unregistered_user_id=assignee.unregistered_user_id,
        created_at=assignee.created_at,
        updated_at=assignee.updated_at,
    )
