"""What becomes due of a meeting and of an action item, and when."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

import pytest

from governance.domain.action_items.due_date import with_due_date
from governance.domain.notifications import due as due_rules
from governance.instants import Instant
from governance.models.meetings.poll import StoredPoll
from governance.models.notifications.reminder import ReminderKind
from tests.domain.samples import NOW, action_item, just_before, later, meeting

POLL = StoredPoll(closes_at=later(days=3), remind=True, created_at=NOW, updated_at=NOW)


def dues(**members: Any) -> dict[str, str]:
    return {due.kind: due.due_at for due in due_rules.of_meeting(meeting(**members), NOW)}


def test_a_meeting_is_due_a_day_before_its_start_and_a_poll_before_its_deadline() -> None:
    assert dues(start_time=later(days=5), poll=POLL) == {"meeting": later(days=4), "poll": later(days=2)}


@pytest.mark.parametrize("members", [{"status": "draft"}, {"status": "in_progress"}, {"status": "completed"}])
def test_only_a_scheduled_meeting_reminds(members: dict[str, str]) -> None:
    assert dues(start_time=later(days=5), poll=POLL, **members) == {}


def test_a_booked_meeting_reminds_of_no_poll_and_one_within_a_day_of_nothing() -> None:
    assert dues(start_time=later(days=5), poll=POLL, booked_slot_id="s") == {"meeting": later(days=4)}
    assert dues(start_time=later(days=1)) == {}


def test_slots_are_asked_about_a_minute_later() -> None:
    assert due_rules.vote_request(meeting(), NOW).due_at == later(minutes=1)


def test_a_task_is_due_where_the_day_begins_first_while_it_is_somebodys_and_in_progress() -> None:
    taken = action_item(assignee_user_id="d" * 24)
    dated, _ = with_due_date(taken, "2099-04-02", NOW)
    rows = {row.kind: row.due_at for row in due_rules.of_item(dated, NOW)}
    assert rows == {"task_before": "2099-03-31T18:00:00.000Z", "task_after": "2099-04-02T18:00:00.000Z"}
    for change in ({"status": "completed"}, {"assignee_user_id": None}, {"due": None}):
        assert due_rules.of_item(dated.model_copy(update=change), NOW) == []


def test_the_rows_of_a_day_are_spread_over_the_hour_before() -> None:
    """A hundred thousand boards' rows at one instant would hold up each other, and whatever is due besides."""
    seconds = set()
    for number in range(200):
        item = action_item(assignee_user_id="d" * 24, id=f"{7919 * number:024x}")
        before, _ = due_rules.of_item(with_due_date(item, "2099-04-02", NOW)[0], NOW)
        assert "2099-03-31T17:00:00.000Z" < before.due_at <= "2099-03-31T18:00:00.000Z"
        seconds.add(before.due_at)
    assert len(seconds) > 150


def test_a_task_that_gets_its_day_late_reminds_while_it_is_still_to_come_in_some_zone() -> None:
    dated, _ = with_due_date(action_item(assignee_user_id="d" * 24), "2099-04-02", NOW)
    last = Instant("2099-04-01T18:00:00.000Z")
    kinds = {at: [row.kind for row in due_rules.of_item(dated, at)] for at in (just_before(last), last)}
    assert kinds == {just_before(last): ["task_before", "task_after"], last: ["task_after"]}


@pytest.mark.parametrize(
    ("kind", "zone", "instant"),
    [
        (ReminderKind.TASK_BEFORE, "UTC", "2027-03-27T08:00:00.000Z"),
        (ReminderKind.TASK_AFTER, "UTC", "2027-03-29T08:00:00.000Z"),
        (ReminderKind.TASK_BEFORE, "Europe/Paris", "2027-03-27T07:00:00.000Z"),
        (ReminderKind.TASK_AFTER, "Europe/Paris", "2027-03-29T06:00:00.000Z"),
    ],
)
def test_an_assignee_is_reminded_at_eight_of_their_own_day(kind: ReminderKind, zone: str, instant: str) -> None:
    assert due_rules.day_instant(kind, "2027-03-28", ZoneInfo(zone)) == instant
