"""The rules of action items (the API specification, sections 2.5a and 3.3)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from governance.models.action_item import ActionItem, StoredActionItem, compact

_TEXTS = ("order", "notes")


def to_stored(members: dict[str, Any]) -> dict[str, Any]:
    """The members as they are kept: `order` and `notes` as JSON texts."""
    texts = {name: compact(members[name]) for name in _TEXTS if members.get(name) is not None}
    return {**members, **texts}


def to_resource(item: StoredActionItem) -> ActionItem:
    """The item in the stored shape of the specification."""
    texts = {"order": _number(item), "notes": None if item.notes is None else json.loads(item.notes)}
    return ActionItem.model_validate({**item.model_dump(by_alias=False), **texts})


def _number(item: StoredActionItem) -> int | float | None:
    number: int | float | None = None if item.order is None else json.loads(item.order)
    return number


def ordered(items: Iterable[StoredActionItem]) -> list[StoredActionItem]:
    """By `order`, those without one last; then by creation, then by id."""
    return sorted(items, key=lambda item: (item.order is None, _number(item) or 0, item.created_at, item.id))


def patched(item: StoredActionItem, changes: dict[str, Any], user_id: str | None, now: str) -> StoredActionItem:
    """The item with these changes; any status may follow any other."""
    stamp = {"updated_by": user_id, "updated_at": now, "version": item.version + 1}
    return item.model_copy(update={**to_stored(changes), **stamp})


def new_assignee(old: StoredActionItem | None, new: StoredActionItem) -> str | None:
    """Who has the item from now on, and had it not before."""
    before = None if old is None else old.assignee_user_id
    return new.assignee_user_id if new.assignee_user_id != before else None
