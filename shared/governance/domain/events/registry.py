"""All kinds of events, by the type that is stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from governance.domain.events import (
    action_items,
    boards,
    comments,
    documents,
    meetings,
    members,
    reminders,
    reports,
    resolutions,
    tokens,
    unregistered_users,
)
from governance.domain.events.kind import EventKind
from governance.models.history.event import Event

_MODULES = (
    members,
    tokens,
    boards,
    meetings,
    action_items,
    documents,
    reports,
    resolutions,
    comments,
    reminders,
    unregistered_users,
)
KINDS: Mapping[Event, EventKind[Any]] = {
    kind.event_type: kind for module in _MODULES for kind in vars(module).values() if isinstance(kind, EventKind)
}
"""The record of each kind: every one that a module of a subject declares."""
