"""All kinds of events, by the type that is stored."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
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
    tokens,
)
from governance.domain.events.kind import EventKind
from governance.models.event import Event

KINDS: Mapping[Event, EventKind[Any]] = {
    kind.event_type: kind
    for kind in chain[EventKind[Any]](
        members.KINDS,
        tokens.KINDS,
        boards.KINDS,
        meetings.KINDS,
        action_items.KINDS,
        documents.KINDS,
        reports.KINDS,
        comments.KINDS,
        reminders.KINDS,
    )
}
"""The record of each kind."""
