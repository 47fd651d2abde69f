"""The rules of the approval of minutes: which are approved, by what, and what is written of it."""

from __future__ import annotations

from typing import Any

import pytest

from governance.agenda_limits import MINUTES_ITEMS
from governance.domain.meetings import minutes_approval as approval_rules
from governance.domain.meetings import minutes_versions as version_rules
from governance.models.meetings.minutes import StoredMinutesItem
from governance.models.meetings.minutes_versions import CirculationBody, MinutesApprovalBody, StoredMinutesApproval
from tests.domain.samples import CREATOR, NOW, THEN, conflict, id_of, later, meeting, minutes, refusal

BODY = MinutesApprovalBody.model_construct(manner="as_presented", in_meeting_id=id_of("later"))
ENTRY = StoredMinutesItem(id=id_of("entry"), text="Approved", approved_meeting_id="m")
HELD = meeting(status="completed", start_time=THEN)


def circulated() -> StoredMinutesApproval:
    return version_rules.circulated(HELD, minutes(), None, CirculationBody(), CREATOR, NOW)[0]


def approved() -> StoredMinutesApproval:
    return approval_rules.approved(circulated(), BODY, "2030-1", "e" * 24, CREATOR, later())


def test_minutes_are_approved_once_and_as_they_were_circulated() -> None:
    assert refusal(approval_rules.check_approvable, None, minutes()) == conflict("NOT_CIRCULATED")
    changed = minutes(items=[{"id": id_of("new"), "text": "New"}])
    assert refusal(approval_rules.check_approvable, circulated(), changed) == conflict("MINUTES_CHANGED")
    assert refusal(approval_rules.check_approvable, approved(), minutes()) == conflict("NOT_CIRCULATED")
    assert approval_rules.check_approvable(circulated(), minutes(status="final")) == circulated()


def test_an_approval_is_of_the_version_that_was_circulated() -> None:
    before, after = circulated(), approved()
    assert (after.number, after.sha256, after.version) == (before.number, before.sha256, before.version + 1)
    assert (after.status, after.approved_at, after.book_number) == ("approved", later(), "2030-1")


@pytest.mark.parametrize("status", ["in_progress", "completed", "finalized"])
def test_circulated_minutes_change_until_they_are_approved(status: str) -> None:
    approval_rules.check_changeable(meeting(status=status), circulated())
    assert refusal(approval_rules.check_changeable, meeting(status=status), approved()) == conflict("MINUTES_APPROVED")


def test_minutes_that_were_never_circulated_end_with_their_meeting() -> None:
    final = meeting(status="finalized")
    assert refusal(approval_rules.check_changeable, final, None) == conflict("MEETING_FINALIZED")


@pytest.mark.parametrize(
    ("members", "reason"),
    [({"status": "scheduled"}, "INVALID_TRANSITION"), ({"status": "draft"}, "INVALID_TRANSITION")],
)
def test_a_meeting_that_has_not_begun_approves_nothing(members: dict[str, Any], reason: str) -> None:
    approving = meeting(start_time=later(THEN), **members)
    assert refusal(approval_rules.check_meeting, HELD, approving) == conflict(reason)


def test_the_number_is_of_the_year_of_the_start_or_else_of_the_creation() -> None:
    assert approval_rules.year_of(meeting(start_time="2031-12-31T23:30:00.000Z")) == "2031"
    undated = meeting(start_time=None)
    assert approval_rules.year_of(undated) == undated.created_at[:4]


def test_an_entry_comes_last_and_within_the_limit() -> None:
    running = meeting(status="in_progress")
    asked = (None, ENTRY, CREATOR, NOW)
    assert approval_rules.with_entry(running, None, *asked).items == (ENTRY,)
    items = [{"id": id_of(str(number)), "text": ""} for number in range(MINUTES_ITEMS)]
    room = approval_rules.with_entry(running, minutes(items=items[1:]), *asked)
    assert (len(room.items), room.items[-1]) == (MINUTES_ITEMS, ENTRY)
    assert refusal(approval_rules.with_entry, running, minutes(items=items), *asked) == conflict("LIMIT_REACHED")
    assert refusal(approval_rules.check_deletable, room) == conflict("IN_USE")
