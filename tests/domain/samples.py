"""Stored resources with plausible members, for the tests of the rules; a test names only what its rule depends on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from governance.errors import ApiError
from governance.ids import BoardId, UserId
from governance.instants import Instant, shift
from governance.models.account.token import StoredToken
from governance.models.account.user import StoredUser
from governance.models.action_items.action_item import StoredActionItem
from governance.models.boards.board import Membership, StoredBoard
from governance.models.calendars.calendar import StoredFeed
from governance.models.documents.document import StoredDocument
from governance.models.meetings.agenda import StoredAgenda, StoredAgendaItem
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.minutes import StoredMinutes
from governance.models.meetings.people import StoredMeetingPeople
from governance.models.meetings.rsvp import StoredRsvp
from governance.models.meetings.slot import StoredSlot, StoredVote
from governance.models.members.unregistered_user import StoredUnregisteredUser
from governance.models.reports.dashboard import DashboardField
from governance.models.webhooks.webhook import StoredDelivery, StoredWebhook

THEN = Instant("2030-01-01T09:00:00.000Z")
NOW = Instant("2030-06-15T12:00:00.000Z")
BOARD = BoardId("b" * 24)
CREATOR, OTHER = UserId("u"), UserId("v")


def id_of(name: str) -> str:
    """The id of what a test calls by a name of up to 12 letters, for bodies, which name nothing by another form."""
    return name.encode().hex().zfill(24)


def later(instant: Instant = NOW, **offset: int) -> Instant:
    return shift(instant, **(offset or {"seconds": 1}))


def just_before(instant: Instant = NOW) -> Instant:
    """The last instant before this one that the service can tell from it; `instant` must be a whole second."""
    return Instant(shift(instant, seconds=-1)[:20] + "999Z")


def meeting(**members: Any) -> StoredMeeting:
    usual = {"id": "m", "board_id": BOARD, "title": "Spring", "status": "scheduled", "creator_id": "u"}
    made = {"created_by_user_id": "u", "created_at": THEN, "updated_at": THEN}
    return StoredMeeting.model_validate({**usual, **made, **members})


def slot(**members: Any) -> StoredSlot:
    usual = {"id": "s", "board_id": BOARD, "meeting_id": "m", "created_by_user_id": "u", "start_time": later(days=1)}
    more = {"timezone": "Europe/Paris", "duration_in_minutes": 60, "created_at": THEN, "updated_at": THEN}
    return StoredSlot.model_validate({**usual, **more, **members})


def vote(**members: Any) -> StoredVote:
    return StoredVote.model_validate({"slot_id": "s", "vote": "ok", "comment": None, "arrived_at": NOW, **members})


def agenda(*items: StoredAgendaItem, **members: Any) -> StoredAgenda:
    made = {"board_id": BOARD, "meeting_id": "m", "created_at": THEN, "updated_at": THEN}
    return StoredAgenda.model_validate({**made, "items": items, **members})


def minutes(**members: Any) -> StoredMinutes:
    made = {"board_id": BOARD, "meeting_id": "m", "created_at": THEN, "updated_at": THEN}
    return StoredMinutes.model_validate({**made, "attendance": (), "items": (), **members})


def chosen(person_ids: tuple[str, ...] | None, **members: Any) -> StoredMeetingPeople:
    """Who of the people without an account was chosen for a meeting; None is all of them."""
    made = {"board_id": BOARD, "meeting_id": "m", "updated_at": THEN}
    return StoredMeetingPeople.model_validate({**made, "unregistered_user_ids": person_ids, **members})


def action_item(**members: Any) -> StoredActionItem:
    usual = {"id": "0" * 24, "board_id": BOARD, "meeting_id": "c" * 24, "title": "Budget", "created_by": "d" * 24}
    made = {"created_via": None, "created_at": THEN, "updated_at": THEN}
    return StoredActionItem.model_validate({**usual, **made, **members})


def person(**members: Any) -> StoredUnregisteredUser:
    """Somebody without an account."""
    usual = {"id": "a" * 24, "board_id": BOARD, "first_name": "Anna", "last_name": "Berg", "email": "anna@example.com"}
    return StoredUnregisteredUser.model_validate({**usual, "created_at": THEN, "updated_at": THEN, **members})


def document(**members: Any) -> StoredDocument:
    usual = {"id": "d", "board_id": BOARD, "title": "T", "creator_id": "u", "created_by_user_id": "u"}
    return StoredDocument.model_validate({**usual, "created_at": THEN, "updated_at": THEN, **members})


def board(**members: Any) -> StoredBoard:
    usual = {"id": BOARD, "name": "Board", "billing_state": "PAID_ACTIVE", "created_at": THEN, "updated_at": THEN}
    return StoredBoard.model_validate({**usual, **members})


def membership(**members: Any) -> Membership:
    usual = {"id": "k", "user_id": "u", "board_id": BOARD, "join_id": "j", "admin_role": "member"}
    made = {"access_type": "collaborator", "created_at": THEN, "updated_at": THEN}
    return Membership.model_validate({**usual, **made, **members})


def user(**members: Any) -> StoredUser:
    usual = {"id": "u", "email": "u@example.com", "created_at": THEN, "updated_at": THEN}
    return StoredUser.model_validate({**usual, **members})


def token(**members: Any) -> StoredToken:
    usual = {"id": "t", "kind": "personal", "board_id": None, "name": "T", "preset": "read_only", "scopes": ()}
    made = {"digest": "d", "created_by_user_id": "a", "created_at": THEN, "expires_at": None}
    return StoredToken.model_validate({**usual, **made, **members})


def rsvp(**members: Any) -> StoredRsvp:
    usual = {"board_id": BOARD, "meeting_id": "m", "user_id": "u", "join_id": "j", "status": "accepted"}
    return StoredRsvp.model_validate({**usual, "comment": None, "updated_at": THEN, "stamped_at": THEN, **members})


def feed(**members: Any) -> StoredFeed:
    usual = {"id": "f", "user_id": "u", "board_id": None, "board_ids": (), "name": None, "digest": "d"}
    return StoredFeed.model_validate({**usual, "created_at": THEN, **members})


def webhook(**members: Any) -> StoredWebhook:
    usual = {"id": "w", "url": "https://hooks.example.com/x", "name": None, "events": ("*",), "enabled": True}
    more = {
        "disabled_reason": None,
        "secret": "s1",
        "created_at": THEN,
        "updated_at": THEN,
        "failures_count_from": THEN,
    }
    return StoredWebhook.model_validate({**usual, **more, **members})


def delivery(**members: Any) -> StoredDelivery:
    usual = {"id": "d", "board_id": BOARD, "webhook_id": "w", "event_id": "e", "type": "meeting.created"}
    more = {"refs": {"meetingId": "m"}, "occurred_at": THEN, "due_at": NOW, "created_at": NOW}
    return StoredDelivery.model_validate({**usual, **more, **members})


def field(value: Any, rogue_id: str | None = "finance.revenue", **members: Any) -> DashboardField:
    """A field of a dashboard that states a value."""
    usual = {"field_id": "f", "rogue_id": rogue_id, "is_stub": False, "label": "F", "display_order": 1}
    return DashboardField.model_validate({**usual, "value": value, **members})


def changed(old: Any, new: Any) -> dict[str, Any]:
    """The members of a resource that differ, with their new values."""
    return {name: getattr(new, name) for name in type(old).model_fields if getattr(old, name) != getattr(new, name)}


def refusal(rule: Callable[..., Any], *arguments: Any, **named: Any) -> tuple[int, str, Any]:
    """The status, the code and the details of the error that a rule raises."""
    with pytest.raises(ApiError) as refused:
        rule(*arguments, **named)
    return refused.value.code.status, refused.value.code.name, refused.value.details


def conflict(reason: str) -> tuple[int, str, Any]:
    return 409, "CONFLICT", {"reason": reason}


FORBIDDEN = (403, "FORBIDDEN", None)
