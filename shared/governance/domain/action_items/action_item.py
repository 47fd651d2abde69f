"""The rules of action items (the API specification, sections 2.5a and 3.3)."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable
from itertools import accumulate
from typing import Any

from governance.domain.history.audit import changed_fields
from governance.domain.members.unregistered_user import NamedPeople
from governance.ids import PersonId, UserId
from governance.instants import Instant
from governance.limits import ACTION_ITEMS_PAGE_BYTES
from governance.models.action_items.action_item import ActionItem, StoredActionItem, compact
from governance.sizes import sent_bytes

_TEXTS = ("order", "notes")
_SIGN_BIT, _ALL_BITS = 1 << 63, (1 << 64) - 1
_SHOWN_AS = {"notesVersion": "notes", "unregisteredAssignee": "assigneeName"}
"""What an audit entry calls fields that are stored in another form."""
_LAST = "~"
"""Sorts behind every hexadecimal digit."""


def to_stored(members: dict[str, Any]) -> dict[str, Any]:
    """Returns the fields as they are stored: `order` and `notes` as JSON texts."""
    texts = {name: compact(members[name]) for name in _TEXTS if members.get(name) is not None}
    return {**members, **texts}


def stored_notes(text: str | None, version: int) -> dict[str, int]:
    """Returns the fields by which an item finds its notes, which are stored apart from it at this version."""
    return {"notes_version": 0 if text is None else version, "notes_bytes": sent_bytes(text or "")}


def assigned_person(item: StoredActionItem | None) -> PersonId | None:
    """Returns the id of the assignee without an account; None if there is none."""
    assignee = item.unregistered_assignee if item else None
    return assignee.unregistered_user_id if assignee else None


def people_of(items: Iterable[StoredActionItem]) -> set[PersonId]:
    """Returns the ids of the assignees without an account."""
    return {person_id for item in items if (person_id := assigned_person(item))}


def to_resource(item: StoredActionItem, notes: str | None, people: NamedPeople) -> ActionItem:
    """Returns the item with its notes (a JSON text), as the create and the management endpoints answer it.

    `people` has the current name of an assignee without an account.
    """
    linked = item.unregistered_assignee
    name = people.name_of(linked.unregistered_user_id) if linked else item.assignee_name
    texts = {"order": _number(item), "notes": None if notes is None else json.loads(notes), "assignee_name": name}
    return ActionItem.model_validate({**item.model_dump(by_alias=False), **texts})


def _number(item: StoredActionItem) -> int | float | None:
    number: int | float | None = None if item.order is None else json.loads(item.order)
    return number


def list_position(item: StoredActionItem) -> str:
    """Returns a text that sorts items by `order` (items without one last), then by creation, then by id."""
    number = _number(item)
    return f"{_LAST if number is None else _sortable(number)}#{item.created_at}#{item.id}"


def fitting(items: Iterable[StoredActionItem]) -> int:
    """Returns how many of the first items of a page one response can carry with their notes."""
    return sum(total <= ACTION_ITEMS_PAGE_BYTES for total in accumulate(item.notes_bytes for item in items))


def _sortable(number: float) -> str:
    """Returns hexadecimal digits that sort as numbers do: those of the double, with the bits of negative ones inverted.

    A double holds every number that `order` may be.
    """
    (bits,) = struct.unpack(">Q", struct.pack(">d", number + 0.0))  # minus zero becomes zero
    return f"{bits ^ (_ALL_BITS if bits & _SIGN_BIT else _SIGN_BIT):016x}"


def patched(item: StoredActionItem, changes: dict[str, Any], user_id: UserId | None, now: Instant) -> StoredActionItem:
    """Returns the item with these changes, `notes` only where they differ. Any status may follow any other.

    A change of the assignee or of their name ends the link to a person without an account.
    """
    version = item.version + 1
    notes = stored_notes(changes["notes"], version) if "notes" in changes else {}
    stamp = {"updated_by": user_id, "updated_at": now, "version": version}
    members = {name: value for name, value in changes.items() if name != "notes"}
    unlinked = {"unregistered_assignee": None} if members.keys() & {"assignee_user_id", "assignee_name"} else {}
    return item.model_copy(update={**unlinked, **members, **notes, **stamp})


def updated_fields(old: StoredActionItem, new: StoredActionItem) -> list[str]:
    """Returns the names of the fields that an update changed, as an audit entry lists them."""
    return list(dict.fromkeys(_SHOWN_AS.get(name, name) for name in changed_fields(old, new)))


def new_assignee(old: StoredActionItem | None, new: StoredActionItem) -> UserId | None:
    """Returns the user that a change assigns the item to; None if the assignee stays or there is none."""
    before = None if old is None else old.assignee_user_id
    return new.assignee_user_id if new.assignee_user_id != before else None


def new_person(old: StoredActionItem, new: StoredActionItem) -> PersonId | None:
    """Returns the person without an account that a change assigns the item to; None if there is none or they stay."""
    person_id = assigned_person(new)
    return None if person_id == assigned_person(old) else person_id
