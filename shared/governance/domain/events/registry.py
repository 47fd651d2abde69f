"""All kinds of events, by the type that is stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from governance.domain.events import (
    account,
    action_items,
    boards,
    comments,
    committees,
    documents,
    exports,
    invites,
    meetings,
    members,
    minutes,
    packs,
    paper_requests,
    planning,
    reminders,
    reports,
    resolutions,
    series,
    webhooks,
)
from governance.domain.events.kind import EventKind
from governance.models.history.event import Event

_MODULES = (
    members,
    boards,
    meetings,
    minutes,
    action_items,
    documents,
    reports,
    resolutions,
    comments,
    reminders,
    account,
    committees,
    exports,
    invites,
    packs,
    paper_requests,
    planning,
    series,
    webhooks,
)
KINDS: Mapping[Event, EventKind[Any]] = {
    kind.event_type: kind for module in _MODULES for kind in vars(module).values() if isinstance(kind, EventKind)
}
"""The record of each kind: every one that a module of a subject declares."""
