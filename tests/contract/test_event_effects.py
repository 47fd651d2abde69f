"""What follows from events without a row of their own: the record of an event (domain/events) must not miss it.

A new event that ends a right, or changes what calendars show or say, needs its name here. writes.txt has audit entries,
and what is told and cleaned up has tests of its own.
"""

from __future__ import annotations

import pytest

from governance.domain.events.kind import Effect
from governance.domain.events.registry import KINDS
from governance.models.history.event import Event, StoredEvent
from tests.harness.board_scenario import BoardScenario
from tests.harness.history import event_items
from tests.harness.sample_requests import ROUTE_NAMES, sample_request

PROTECTING = """
board.billing_overridden board.deleted board.ownership_transferred committee.deleted committee.updated
dashboard.access_revoked dashboard.ownership_transferred guest_link.closed member.changed member.left member.removed
token.revoked unregistered_user.archived unregistered_user.flagged unregistered_user.scrubbed unregistered_user.updated
user.purged webhook.deleted webhook.disabled webhook.secret_rotated
"""
"""Events that end a right, so that they are recorded where a history is full."""
INVITATIONS = """
meeting.cancelled meeting.cancelled_from_calendar meeting.created meeting.deleted meeting.reinstated
meeting.status_changed meeting.updated meeting.updated_from_calendar
"""
FEEDS = f"""{INVITATIONS} agenda.updated board.changed slot.proposed slot.removed
series.created series.updated series.deleted
occurrence.moved occurrence.cancelled occurrence.restored occurrence.opened"""


def _with(effect: Effect) -> set[Event]:
    return {event for event, kind in KINDS.items() if effect in kind.effects}


def test_what_follows_from_an_event_is_declared() -> None:
    assert KINDS.keys() == set(Event)
    assert {event for event, kind in KINDS.items() if kind.is_protecting} == set(PROTECTING.split())
    assert _with(Effect.CHANGES_CALENDAR_INVITATIONS) == set(INVITATIONS.split())
    assert _with(Effect.CHANGES_CALENDAR_FEEDS) == set(FEEDS.split())


_OF_OPENED_MEETINGS = (
    "guest-link",
    "pack",
    "publication",
    "reminders",
    "minutes",
    "restoration",
    "circulation",
    "approval",
    "signatures",
    "document",
    "signed-file",
    "{versionId}/complete",
    "corrections",
    "remarks",
    "disposition",
    "{remarkId}",
    "paper-requests",
    "reminder",
)
CHANGING = [
    name
    for name in ROUTE_NAMES
    if "{meetingId}" in name and not name.startswith("GET") and not name.endswith(_OF_OPENED_MEETINGS)
]


@pytest.mark.parametrize("route", CHANGING)
def test_a_change_of_a_draft_is_told_to_its_creator_alone(route: str, scenario: BoardScenario) -> None:
    draft = scenario.owner.client.post(f"{scenario.path}/meetings", {"title": "Draft", "status": "draft"}).data["id"]
    sample = sample_request(route, scenario, meetingId=draft)
    response = scenario.owner.client.call(sample.method, sample.path, sample.body)
    events = [StoredEvent.model_validate(item) for item in event_items(scenario.board_id)]
    told = {event.draft_of for event in events if event.refs.get("meetingId") == draft}
    assert (response.status // 100, told) == (2, {scenario.owner.id})
