"""The records of events (domain/events) miss no end of a right; tests of their subjects show what else follows."""

from __future__ import annotations

from governance.domain.events.registry import KINDS
from governance.models.event import Event

PROTECTING = """
board.billing_overridden board.deleted board.ownership_transferred committee.deleted committee.updated
dashboard.access_revoked dashboard.ownership_transferred guest_link.closed member.changed member.left member.removed
token.revoked unregistered_user.archived unregistered_user.flagged unregistered_user.scrubbed unregistered_user.updated
user.purged webhook.deleted webhook.disabled webhook.secret_rotated
"""
"""Events that end a right, so that they are recorded where a history is full."""


def test_every_event_has_a_record_and_those_that_end_a_right_find_room_in_a_full_history() -> None:
    assert KINDS.keys() == set(Event)
    assert {event for event, kind in KINDS.items() if kind.is_protecting} == set(PROTECTING.split())
