"""The rules of action items (the API specification, sections 2.5a and 3.3)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from governance.ids import UserId
from governance.instants import Instant
from governance.models.action_item import ActionItem, StoredActionItem, compact

_TEXTS = ("order", "notes")


def to_stored(members: dict[str, Any]) -> dict[str, Any]:
    """Returns the members as they are stored: `order` and `notes` as JSON texts."""
    texts = {name: compact(members[name]) for name in _TEXTS if members.get(name) is not None}
    return {**members, **texts}


def to_resource(item: StoredActionItem) -> ActionItem:
    """Returns the item as the create endpoint and the management endpoints answer it."""
    texts = {"order": _number(item), "notes": None if item.notes is None else json.loads(item.notes)}
    return ActionItem.model_validate({**item.model_dump(by_alias=False), **texts})


def _number(item: StoredActionItem) -> int | float | None:
    number: int | float | None = None if item.order is None else json.loads(item.order)
    return number


def ordered(items: Iterable[StoredActionItem]) -> list[StoredActionItem]:
    """Returns the items sorted by `order` (items without one last), then by creation, then by id."""
    return sorted(items, key=lambda item: (item.order is None, _number(item) or 0, item.created_at, item.id))


def patched(item: StoredActionItem, changes: dict[str, Any], user_id: UserId | None, now: Instant) -> StoredActionItem:
    """Returns the item with these changes. Any status may follow any other."""
    stamp = {"updated_by": user_id, "updated_at": now, "version": item.version + 1}
    return item.model_copy(update={**to_stored(changes), **stamp})


def new_assignee(old: StoredActionItem | None, new: StoredActionItem) -> UserId | None:
    """Returns the user that a change assigns the item to; None if the assignee stays or there is none."""
    before = None if old is None else old.assignee_user_id
    return new.assignee_user_id if new.assignee_user_id != before else None
