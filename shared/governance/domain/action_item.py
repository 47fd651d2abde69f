"""The rules of action items (the API specification, sections 2.5a and 3.3)."""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from governance.ids import UserId
from governance.instants import Instant
from governance.limits import ACTION_ITEMS_PAGE_BYTES
from governance.models.action_item import ActionItem, StoredActionItem, compact
from governance.sizes import sent_bytes

_TEXTS = ("order", "notes")
_SIGN_BIT, _ALL_BITS = 1 << 63, (1 << 64) - 1
_LAST = "~"
"""Behind every hexadecimal digit."""


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


def list_position(item: StoredActionItem) -> str:
    """Returns a text that sorts items by `order` (items without one last), then by creation, then by id."""
    number = _number(item)
    return f"{_LAST if number is None else _sortable(number)}#{item.created_at}#{item.id}"


def fitting(items: Sequence[StoredActionItem]) -> int:
    """Returns how many of the first items one response can carry with their notes; one at least."""
    sizes = accumulate(sent_bytes(item.notes or "") for item in items)
    return sum(size <= ACTION_ITEMS_PAGE_BYTES for size in sizes)


def _sortable(number: float) -> str:
    """Returns hexadecimal digits that sort as numbers do: those of the double, with the bits of negative ones inverted.

    A double holds every number that `order` may be.
    """
    (bits,) = struct.unpack(">Q", struct.pack(">d", number + 0.0))  # minus zero becomes zero
    return f"{bits ^ (_ALL_BITS if bits & _SIGN_BIT else _SIGN_BIT):016x}"


def patched(item: StoredActionItem, changes: dict[str, Any], user_id: UserId | None, now: Instant) -> StoredActionItem:
    """Returns the item with these changes. Any status may follow any other."""
    stamp = {"updated_by": user_id, "updated_at": now, "version": item.version + 1}
    return item.model_copy(update={**to_stored(changes), **stamp})


def new_assignee(old: StoredActionItem | None, new: StoredActionItem) -> UserId | None:
    """Returns the user that a change assigns the item to; None if the assignee stays or there is none."""
    before = None if old is None else old.assignee_user_id
    return new.assignee_user_id if new.assignee_user_id != before else None
