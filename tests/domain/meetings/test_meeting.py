"""The rules of meetings: their status as a table, their times, drafts, deletion, and what counts as a revision.

What is done with the slots of a meeting in which state is in `test_slot.py`.
"""

from __future__ import annotations

from itertools import product
from typing import Any, get_args

import pytest

from governance.domain.history.audit import changed_fields
from governance.domain.meetings import meeting as meeting_rules
from governance.errors import ApiError
from governance.ids import UserId
from governance.models.boards.board import Membership
from governance.models.meetings.cancellation import StoredCancellation
from governance.models.meetings.meeting import (
    MatterOnAgenda,
    MeetingBody,
    MeetingCreate,
    MeetingFields,
    MeetingStatus,
    StoredMeeting,
)
from governance.models.meetings.poll import StoredPoll
from governance.models.series.of_meeting import OccurrenceOfMeeting
from governance.scopes import Tier
from tests.domain.samples import (
    CREATOR,
    FORBIDDEN,
    NOW,
    OTHER,
    THEN,
    changed,
    conflict,
    later,
    meeting,
    membership,
    refusal,
)

STATUSES: tuple[MeetingStatus, ...] = get_args(MeetingStatus)
OPEN = ("draft", "scheduled", "in_progress", "completed")


@pytest.mark.parametrize(("old", "new"), list(product(STATUSES, STATUSES)))
@pytest.mark.parametrize("caller", [CREATOR, OTHER, None])
def test_any_status_follows_any_other_but_only_a_completed_meeting_is_finalized_and_only_its_creator_makes_it_a_draft(
    old: str, new: str, caller: UserId | None
) -> None:
    """Nothing follows the end: a finalized meeting stays so."""
    move = (meeting(status=old), {"status": new}, caller, NOW)
    if new == "draft" != old and caller != CREATOR:
        assert refusal(meeting_rules.patched, *move) == FORBIDDEN
    elif old == "finalized":
        assert refusal(meeting_rules.patched, *move) == conflict("MEETING_FINALIZED")
    elif new == "finalized" and old != "completed":
        assert refusal(meeting_rules.patched, *move) == conflict("INVALID_TRANSITION")
    else:
        assert meeting_rules.patched(*move).status == new


def test_a_board_token_makes_no_draft_of_a_meeting_without_a_creator() -> None:
    assert refusal(meeting_rules.patched, meeting(creator_id=None), {"status": "draft"}, None, NOW) == FORBIDDEN


@pytest.mark.parametrize("caller", [CREATOR, OTHER, None])
def test_a_title_changes_without_a_status_whoever_changes_it(caller: UserId | None) -> None:
    old = meeting(status="draft")
    new = meeting_rules.patched(old, {"title": "Autumn"}, caller, NOW)
    assert changed(old, new) == {"title": "Autumn", "updated_at": NOW, "version": 2}


def test_a_change_of_times_is_checked_before_the_transition() -> None:
    times = {"status": "finalized", "start_time": NOW, "end_time": NOW}
    assert refusal(meeting_rules.patched, meeting(), times, CREATOR, NOW)[0] == 400


@pytest.mark.parametrize(
    ("by_user", "asked", "status"),
    [
        (True, None, "draft"),
        (False, None, "scheduled"),
        *[(True, status, status) for status in OPEN],
        *[(False, status, status) for status in OPEN if status != "draft"],
    ],
)
def test_a_new_meeting_is_a_draft_of_a_user_and_scheduled_by_a_token(by_user: bool, asked: Any, status: str) -> None:
    assert meeting_rules.initial_status(MeetingCreate(title="T", status=asked), by_user=by_user) == status


def test_a_board_token_creates_no_draft() -> None:
    assert refusal(meeting_rules.initial_status, MeetingCreate(title="T", status="draft"), by_user=False) == FORBIDDEN


def test_the_end_is_after_the_start_where_both_are_given() -> None:
    for start, end in ((None, None), (NOW, None), (None, NOW), (NOW, later())):
        meeting_rules.check_times(start, end)
    fields = {"fields": {"endTime": "must be after `startTime`"}}
    assert refusal(meeting_rules.check_times, NOW, NOW) == (400, "INVALID_REQUEST_BODY", fields)
    assert refusal(meeting_rules.check_times, later(), NOW)[0] == 400


def test_the_end_is_compared_with_the_start_of_the_merged_meeting() -> None:
    old = meeting(start_time=NOW, end_time=later(hours=1))
    assert refusal(meeting_rules.patched, old, {"start_time": later(hours=1)}, CREATOR, NOW)[0] == 400
    assert refusal(meeting_rules.patched, old, {"end_time": NOW}, CREATOR, NOW)[0] == 400
    assert meeting_rules.patched(old, {"end_time": None, "start_time": later(hours=2)}, CREATOR, NOW).end_time is None


@pytest.mark.parametrize(
    ("user_id", "tier", "refused"),
    [
        (CREATOR, Tier.COLLABORATOR, None),
        (OTHER, Tier.ADMIN, None),
        (OTHER, Tier.MANAGER, FORBIDDEN),
        (None, Tier.COLLABORATOR, FORBIDDEN),
    ],
)
def test_its_creator_and_admins_cancel_and_delete_a_meeting(user_id: UserId | None, tier: Tier, refused: Any) -> None:
    if refused is None:
        meeting_rules.check_owner(meeting(), user_id, tier)
    else:
        assert refusal(meeting_rules.check_owner, meeting(), user_id, tier) == refused
        assert refusal(meeting_rules.check_owner, meeting(creator_id=None), user_id, tier) == refused


REVISION, NEWS, LISTED = "a revision for calendars", "news to members", "a changed field of the audit log"
CHANGES: dict[str, tuple[Any, set[str]]] = {
    **dict.fromkeys(MeetingBody.model_fields, (later(), {REVISION, NEWS, LISTED})),
    "id": ("b" * 24, {LISTED}),
    "board_id": ("d" * 24, {LISTED}),
    "title": ("T", {LISTED}),
    "status": ("in_progress", {REVISION}),
    "created_by_user_id": (OTHER, {LISTED}),
    "created_at": (later(), {LISTED}),
    "updated_at": (later(), set()),
    "cancellation": (
        StoredCancellation(reason=None, cancelled_by_user_id=CREATOR, cancelled_at=NOW),
        {REVISION, LISTED},
    ),
    "timezone": ("Europe/Paris", {REVISION}),
    "booked_slot_id": ("s", set()),
    "guest_votes_discarded_at": (NOW, {LISTED}),
    "poll": (StoredPoll(closes_at=later(), remind=True, created_at=NOW, updated_at=NOW), {LISTED}),
    "occurrence": (OccurrenceOfMeeting(series_id="s", key="2098-01-07T09:00"), {LISTED}),
    "agenda_summary": ("Budget", {LISTED}),
    "matters": ((MatterOnAgenda(plan_item_id="p", agenda_item_id="i"),), {LISTED}),
    "sequence": (9, set()),
    "creator_id": (OTHER, {LISTED}),
    "version": (9, set()),
}
"""Of each field of a stored meeting: another value, and what its change makes known: all, if a client sets it."""
OTHER_HOMES = """also give a new field of a meeting
- its words and examples, in infra/openapi/reference/meetings.yaml, if clients see it
- its place in calendars, in domain/calendars/calendar.py, or none
- its input and its display, in infra/pages/app/web/views/meetings/meeting-form.js (`meetingForm`,
  `meetingBody`) and meeting.js
"""


def test_every_field_of_a_meeting_makes_known_what_the_table_says() -> None:
    assert CHANGES.keys() == StoredMeeting.model_fields.keys(), OTHER_HOMES
    assert MeetingBody.model_fields.keys() <= MeetingFields.model_fields.keys(), "what clients set, they also read"
    old = meeting(start_time=NOW, sequence=4)
    for name, (value, known) in CHANGES.items():
        new = old.model_copy(update={name: value})
        observed = {
            REVISION: meeting_rules.revised(old, new).sequence == 5,
            NEWS: meeting_rules.news(old, new) == "meeting_changed",
            LISTED: bool(changed_fields(old, new)),
        }
        assert {what for what, holds in observed.items() if holds} == known, (
            f"{name}, by `_TIME_AND_PLACE` and `_SCHEDULE`"
        )


BOOKED = {"booked_slot_id": "s", "timezone": "Europe/Paris", "start_time": NOW, "end_time": later(hours=1)}


def test_another_start_ends_the_booking_and_forgets_its_zone() -> None:
    old = meeting(**BOOKED)
    new = meeting_rules.patched(old, {"start_time": later(minutes=5)}, CREATOR, later())
    moved = {"booked_slot_id": None, "timezone": None, "start_time": later(minutes=5)}
    assert changed(old, new) == {**moved, "updated_at": later(), "version": 2, "sequence": 1}


@pytest.mark.parametrize("change", [{"start_time": NOW}, {"end_time": later(hours=2)}, {"title": "T"}])
def test_what_leaves_the_start_leaves_the_booking_and_its_zone(change: dict[str, Any]) -> None:
    new = meeting_rules.patched(meeting(**BOOKED), change, CREATOR, NOW)
    assert (new.booked_slot_id, new.timezone) == ("s", "Europe/Paris")


def test_guests_votes_are_discarded_up_to_now_except_those_of_a_finalized_meeting() -> None:
    old = meeting(guest_votes_discarded_at=THEN)
    assert changed(old, meeting_rules.without_guest_votes(old, NOW)) == {"guest_votes_discarded_at": NOW, "version": 2}
    assert refusal(meeting_rules.without_guest_votes, meeting(status="finalized"), NOW) == conflict("MEETING_FINALIZED")


def test_the_open_state_depends_on_status_booking_and_discarded_votes_alone() -> None:
    states = {meeting_rules.open_state(meeting(status=status)) for status in STATUSES}
    states |= {meeting_rules.open_state(meeting(booked_slot_id=booked)) for booked in ("s", "t")}
    states |= {meeting_rules.open_state(meeting(guest_votes_discarded_at=at)) for at in (NOW, THEN)}
    assert len(states) == 9
    assert meeting_rules.open_state(meeting()) == "scheduled - -"
    assert meeting_rules.open_state(meeting(title="T", start_time=NOW, version=7)) == "scheduled - -"
    assert meeting_rules.open_state(meeting(booked_slot_id="s", guest_votes_discarded_at=NOW)) == f"scheduled s {NOW}"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (None, {}, None),
        (None, {"start_time": NOW}, "meeting_scheduled"),
        ({}, {"start_time": NOW}, "meeting_scheduled"),
        ({"start_time": NOW, "status": "draft"}, {"start_time": NOW}, "meeting_scheduled"),
        ({"start_time": NOW}, {"start_time": later(days=1)}, "meeting_changed"),
        ({"start_time": NOW}, {"start_time": NOW, "location": "Hall"}, "meeting_changed"),
        ({"start_time": NOW}, {"start_time": NOW, "title": "Other", "status": "completed"}, None),
        ({"start_time": NOW}, {}, "meeting_cancelled"),
        ({"start_time": NOW}, None, "meeting_cancelled"),
        ({"start_time": NOW}, {"start_time": NOW, "status": "draft"}, None),
        ({"start_time": NOW, "status": "draft"}, None, None),
        ({}, {"location": "Hall"}, None),
    ],
)
def test_members_are_told_of_the_time_and_the_place_of_a_meeting_that_has_a_time(
    old: dict[str, Any] | None, new: dict[str, Any] | None, told: str | None
) -> None:
    assert meeting_rules.news(*(None if members is None else meeting(**members) for members in (old, new))) == told


def other(**members: Any) -> Membership:
    return membership(user_id=OTHER, **members)


@pytest.mark.parametrize(
    ("member", "runs"),
    [
        (None, True),
        (other(access_type="collaborator"), False),
        (other(access_type="collaborator", board_positions=["cfo", "Board Chair"]), True),
        (other(access_type="collaborator", board_positions=["company secretary"]), True),
        (other(access_type="collaborator", board_positions=["executive assistant"]), True),
        (other(access_type="guest", board_positions=["board chair"]), False),
        (other(access_type="manager"), True),
        (other(access_type="guest", admin_role="admin"), True),
        (membership(access_type="collaborator"), True),
    ],
)
def test_a_meeting_is_run_by_its_creator_managers_secretaries_and_the_chair(
    member: Membership | None, runs: bool
) -> None:
    assert meeting_rules.may_run(meeting(), member) is runs
    for old, new in (("scheduled", "in_progress"), ("completed", "finalized"), ("in_progress", "scheduled")):
        found = [] if runs else [403]
        assert [code for code in (_refused(old, new, member),) if code] == found
    assert _refused("draft", "scheduled", member) is None, "no part of running it"
    meeting_rules.check_run(meeting(status="completed"), {"title": "T", "status": "completed"}, member)


def _refused(old: str, new: str, member: Membership | None) -> int | None:
    try:
        meeting_rules.check_run(meeting(status=old), {"status": new}, member)
    except ApiError as error:
        return error.code.status
    return None
