"""Which fields an update is said to have changed, and which of their values are kept (ADR history)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from governance.models.base import Resource
from governance.models.history.event import FieldChange

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
_KEPT_FIELDS = {
    "title",
    "name",
    "start_time",
    "end_time",
    "location",
    "assignee_user_id",
    "admin_role",
    "access_type",
    "board_positions",
}
"""Fields whose values an event keeps: short, and without what is known of a person."""

R = TypeVar("R", bound=Resource)


def changed_fields(old: R, new: R) -> list[str]:
    """Returns the names, in camel case, of the fields that an update changed.

    The status and what the service sets by itself are left out.
    """
    return [alias for name, alias in _changed(old, new) if name not in _SILENT_FIELDS]


def field_changes(old: R, new: R) -> list[FieldChange]:
    """Returns the values before and after of the fields that an update changed, as far as they are kept."""
    return [
        FieldChange(field=alias, before=_value(getattr(old, name)), after=_value(getattr(new, name)))
        for name, alias in _changed(old, new)
        if name in _KEPT_FIELDS
    ]


def _changed(old: R, new: R) -> Iterator[tuple[str, str]]:
    """Yields the names of the fields that differ, each with the one that clients know."""
    for name, field in type(old).model_fields.items():
        if getattr(old, name) != getattr(new, name):
            yield name, field.alias or name


def _value(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
