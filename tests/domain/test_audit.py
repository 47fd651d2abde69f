"""The audit trail: the shapes of the details of entries, and the fields that an update names.

Which events leave which entry is the glossary's (`test_event_vocabulary.py`); which fields of a meeting are named,
`test_meeting.py`'s.
"""

from __future__ import annotations

from typing import Any

import pytest

from governance.domain import audit as rules
from governance.domain.events.registry import KINDS
from governance.models.event import Event
from tests.domain.samples import NOW, action_item, meeting, membership

FIELDS, TRANSITION, MEMBERSHIP, SUBJECT, OF_MEMBER = (
    {"fields": ["title"]},
    {"from": "draft", "to": "scheduled"},
    {"memberEmail": None, "positions": ["ceo"]},
    {"id": "x", "title": None},
    {"id": "x", "title": None, "userId": "u"},
)
NUMBERED = {"number": "2030-1"}
OF_PERSON = {"id": "x"}
CHANGED_PERSON = {"id": "x", "fields": ["email"]}
FLAGGED = {"dashboardIds": ["d"], "number": 1}
SHAPES: dict[str, dict[str, Any]] = {
    **dict.fromkeys(("invite.accepted", "member.changed"), MEMBERSHIP),
    **dict.fromkeys(("board.changed", "committee.updated", "webhook.updated", "meeting.updated"), FIELDS),
    **dict.fromkeys(("meeting.updated_from_calendar", "meeting.cancelled_from_calendar"), FIELDS),
    "action_item.updated": FIELDS,
    **dict.fromkeys(("meeting.status_changed", "meeting.rsvp_changed", "action_item.status_changed"), TRANSITION),
    **dict.fromkeys(("report.status_changed", "dashboard.review_status_changed"), TRANSITION),
    **dict.fromkeys(("dashboard.access_granted", "dashboard.access_revoked"), OF_MEMBER),
    "dashboard.ownership_transferred": OF_MEMBER,
    "board.billing_overridden": TRANSITION,
    "reminder.sent": {"about": "votes"},
    "validation_flag.raised": FLAGGED,
    "validation_flag.corrected": FLAGGED,
    "resolution.updated": FIELDS,
    **dict.fromkeys(("resolution.opened", "resolution.withdrawn"), NUMBERED),
    "resolution.recused": {"recused": True},
    "resolution.closed": {"number": "2030-1", "outcome": "carried", "certificateSha256": "f" * 64},
    **dict.fromkeys(("unregistered_user.created", "unregistered_user.archived"), OF_PERSON),
    **dict.fromkeys(("unregistered_user.unarchived", "unregistered_user.scrubbed"), OF_PERSON),
    "unregistered_user.flag_dismissed": OF_PERSON,
    **dict.fromkeys(("unregistered_user.updated", "unregistered_user.merged"), CHANGED_PERSON),
    "unregistered_user.flagged": CHANGED_PERSON,
    "unregistered_rsvp.changed": TRANSITION,
}


WITHOUT = {
    *("invite.created", "board.deleted", "board.example_created", "board.example_filled", "export.requested"),
    *("poll.set", "poll.deleted", "agenda.updated", "minutes.updated", "minutes.deleted"),
    *("due_date.set", "due_date.deleted", "dashboard.figures_changed"),
    *("validation_flag.dismissed", "validation_flag.reopened"),
    *("comment.created", "comment.updated", "comment.deleted", "comment.resolved", "comment.reopened"),
    *("resolution.created", "resolution.deleted", "resolution.proxy_changed"),
    *("resolution.ballot_cast", "resolution.ballot_withdrawn"),
}
"""Events without details."""


@pytest.mark.parametrize("event", Event)
def test_the_details_of_an_event_have_its_shape_and_no_other(event: Event) -> None:
    shape = {} if event.value in WITHOUT else SHAPES.get(event.value, SUBJECT)
    keys = {key for _, part, key in KINDS[event].payload._stored_as() if part == "details"}
    assert keys - {"fields"} == shape.keys() - {"fields"}
    assert "fields" in keys or "fields" not in shape


def test_an_update_names_the_fields_that_differ_as_clients_know_them() -> None:
    changes = {"title": "T", "location_type": "virtual", "start_time": NOW}
    assert rules.changed_fields(meeting(), meeting(**changes)) == ["title", "locationType", "startTime"]
    member = {"admin_role": "admin", "board_positions": ("ceo",)}
    assert rules.changed_fields(membership(), membership(**member)) == ["adminRole", "boardPositions"]


@pytest.mark.parametrize(("name", "value"), [("updated_by", "v"), ("notes_bytes", 9), ("status", "completed")])
def test_what_the_service_sets_of_an_action_item_by_itself_is_not_named(name: str, value: Any) -> None:
    assert rules.changed_fields(action_item(), action_item(**{name: value})) == []
