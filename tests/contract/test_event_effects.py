"""What follows from events without a row of their own: the record of an event (domain/events) must not miss it.

A new event that ends a right, or changes what calendars show or say, needs its name here. writes.txt has audit entries,
and what is told and cleaned up has tests of its own.
"""

from __future__ import annotations

from governance.domain.events.kind import Effect
from governance.domain.events.registry import KINDS
from governance.models.event import Event

PROTECTING = """
board.billing_overridden board.deleted board.ownership_transferred committee.deleted committee.updated
dashboard.access_revoked dashboard.ownership_transferred guest_link.closed member.changed member.left member.removed
token.revoked unregistered_user.archived unregistered_user.flagged unregistered_user.scrubbed unregistered_user.updated
user.purged webhook.deleted webhook.disabled webhook.secret_rotated
"""
"""Events that end a right, so that they are recorded where a history is full."""
INVITATIONS = """
meeting.cancelled_from_calendar meeting.created meeting.deleted meeting.status_changed meeting.updated
meeting.updated_from_calendar
"""
FEEDS = f"{INVITATIONS} agenda.updated board.changed slot.proposed slot.removed"


def _with(effect: Effect) -> set[Event]:
    return {event for event, kind in KINDS.items() if effect in kind.effects}


def test_what_follows_from_an_event_is_declared() -> None:
    assert KINDS.keys() == set(Event)
    assert {event for event, kind in KINDS.items() if kind.is_protecting} == set(PROTECTING.split())
    assert _with(Effect.CHANGES_CALENDAR_INVITATIONS) == set(INVITATIONS.split())
    assert _with(Effect.CHANGES_CALENDAR_FEEDS) == set(FEEDS.split())
