"""The audit trail: which events leave an entry, the shapes of their details, and the fields that an update names."""

from __future__ import annotations

from typing import Any

import pytest

from governance.domain import audit as rules
from governance.domain.events.registry import KINDS
from governance.models.event import Event
from governance.models.meetings.action_item import StoredActionItem
from tests.domain.samples import NOW, later, meeting, membership

ACTIONS = {
    "invite.accepted": "memberChange",
    "member.changed": "memberChange",
    "member.removed": "memberDelete",
    "member.left": "memberLeft",
    "board.ownership_transferred": "ownershipTransfer",
    "meeting.created": "meetingCreate",
    "meeting.updated": "meetingUpdate",
    "meeting.status_changed": "meetingStatusChange",
    "meeting.deleted": "meetingDelete",
    "meeting.updated_from_calendar": "meetingUpdate",
    "meeting.cancelled_from_calendar": "meetingUpdate",
    "guest.slots_viewed": "meetingGuestSlotsViewed",
    "guest.vote_cast": "meetingGuestVoteCast",
    "action_item.created": "actionItemCreate",
    "action_item.updated": "actionItemUpdate",
    "action_item.status_changed": "actionItemStatusChange",
    "action_item.deleted": "actionItemDelete",
    "document.viewed": "documentView",
    "document.deleted": "documentDelete",
    "document.version_deleted": "documentVersionDelete",
    "report.status_changed": "reportStatusChange",
    "dashboard.review_status_changed": "dashboardReviewStatusChange",
    "dashboard.access_granted": "dashboardAccessGranted",
    "dashboard.access_revoked": "dashboardAccessRevoked",
    "dashboard.ownership_transferred": "dashboardOwnershipTransferred",
    "board.billing_overridden": "billingPlanOverride",
    "user.purged": "userHardPurge",
    "unregistered_user.created": "boardUserUnregisteredCreate",
    "unregistered_user.updated": "boardUserUnregisteredUpdate",
    "unregistered_user.archived": "boardUserUnregisteredArchive",
    "unregistered_user.unarchived": "boardUserUnregisteredUnarchive",
    "unregistered_user.scrubbed": "boardUserUnregisteredScrubPii",
    "unregistered_user.merged": "boardUserUnregisteredUpdate",
    "unregistered_user.flagged": "boardUserUnregisteredUpdate",
    "unregistered_user.flag_dismissed": "boardUserUnregisteredDismissBounceFlag",
}
"""As the API specification names them (section 2.11)."""

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
def test_an_event_leaves_the_entry_of_its_action_or_none(event: Event) -> None:
    assert KINDS[event].audit == ACTIONS.get(event.value)


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


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("status", "completed"),
        ("updated_at", later()),
        ("version", 9),
        ("booked_slot_id", "s"),
        ("timezone", "UTC"),
        ("sequence", 9),
    ],
)
def test_what_the_service_sets_of_a_meeting_by_itself_is_not_named(name: str, value: Any) -> None:
    assert rules.changed_fields(meeting(), meeting(**{name: value})) == []


@pytest.mark.parametrize(("name", "value"), [("updated_by", "v"), ("notes_bytes", 9), ("status", "completed")])
def test_what_the_service_sets_of_an_action_item_by_itself_is_not_named(name: str, value: Any) -> None:
    members = {"id": "i", "boardId": "b", "meetingId": "m", "title": "t", "createdBy": "u", "createdVia": "web"}
    item = StoredActionItem.model_validate({**members, "createdAt": NOW, "updatedAt": NOW})
    assert rules.changed_fields(item, item.model_copy(update={name: value})) == []
