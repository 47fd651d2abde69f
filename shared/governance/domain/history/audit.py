"""Which fields an update is said to have changed (ADR history)."""

from __future__ import annotations

from typing import TypeVar

from governance.models.base import Resource

_SILENT_FIELDS = {
    "status",
    "updated_by",
    "updated_at",
    "version",
    "notes_bytes",
    "booked_slot_id",
    "timezone",
    "sequence",
    "links",
}
"""Fields that no update lists as changed: the status, which has its own event, and those that the service sets."""

R = TypeVar("R", bound=Resource)


def changed_fields(old: R, new: R) -> list[str]:
    """Returns the names, in camel case, of the fields that an update changed.

    The status and what the service sets by itself are left out.
    """
    members = {name: field for name, field in type(old).model_fields.items() if name not in _SILENT_FIELDS}
    return [field.alias or name for name, field in members.items() if getattr(old, name) != getattr(new, name)]
