"""The rules of cancellations: which meetings are cancelled, and what such a meeting no longer takes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from governance.domain.meetings import cancellation as cancellation_rules
from governance.domain.meetings import meeting as meetings
from governance.domain.meetings import poll, rsvp
from governance.domain.meetings import reminders as reminding
from governance.domain.meetings import slot as slots
from governance.domain.notifications import due
from governance.models.meetings.cancellation import CancellationBody
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.poll import PollBody, StoredPoll
from tests.domain.samples import CREATOR, NOW, OTHER, conflict, later, meeting, membership, refusal, slot

TIMED = meeting(start_time=later(days=3))


def cancelled(found: StoredMeeting = TIMED, reason: str | None = "No quorum") -> StoredMeeting:
    return cancellation_rules.cancelled(found, CancellationBody(reason=reason), CREATOR, NOW)


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        ("draft", None),
        ("scheduled", None),
        ("in_progress", "INVALID_TRANSITION"),
        ("completed", "INVALID_TRANSITION"),
        ("finalized", "MEETING_FINALIZED"),
    ],
)
def test_a_meeting_is_cancelled_before_it_begins_and_keeps_its_status(status: str, reason: str | None) -> None:
    if reason is None:
        assert cancelled(meeting(status=status)).status == status
    else:
        assert refusal(cancelled, meeting(status=status)) == conflict(reason)


def test_a_cancellation_says_by_whom_when_and_why_and_is_a_revision_for_calendars() -> None:
    new = cancelled()
    shown = cancellation_rules.to_resource(new)
    assert (shown.reason, shown.cancelled_by_user_id, shown.cancelled_at) == ("No quorum", CREATOR, NOW)
    assert (new.sequence, new.version) == (TIMED.sequence + 1, TIMED.version + 1)
    again = cancellation_rules.cancelled(new, CancellationBody(reason="Strike"), OTHER, later())
    assert again.cancellation == new.cancellation.model_copy(update={"reason": "Strike"}) if new.cancellation else False


def test_members_are_told_of_a_cancellation_and_of_its_end_as_of_a_lost_and_a_new_time() -> None:
    new = cancelled()
    back = cancellation_rules.reinstated(new, later())
    assert meetings.news(TIMED, new) == "meeting_cancelled"
    assert meetings.news(new, back) == "meeting_scheduled"
    assert meetings.news(new, None) is None, "its deletion is no news"
    assert back.cancellation is None
    assert meetings.open_state(back) == meetings.open_state(TIMED) != meetings.open_state(new)


def test_a_cancelled_meeting_takes_no_vote_no_answer_no_booking_and_no_other_time_or_status() -> None:
    new = cancelled()
    ahead = slot(start_time=later(days=1))
    acts: list[Callable[[], object]] = [
        lambda: slots.check_vote(new, ahead, NOW),
        lambda: slots.check_proposal(new),
        lambda: slots.booked(new, ahead, NOW),
        lambda: rsvp.answered(new, membership(), None, "accepted", None, NOW),
        lambda: poll.with_poll(new, PollBody.model_construct(closes_at=later(), remind=True), NOW),
        lambda: meetings.patched(new, {"status": "in_progress"}, CREATOR, NOW),
        lambda: meetings.patched(new, {"start_time": later(days=9)}, CREATOR, NOW),
    ]
    assert [refusal(act) for act in acts] == [conflict("MEETING_CANCELLED")] * len(acts)
    assert meetings.patched(new, {"title": "Called off"}, CREATOR, NOW).title == "Called off"


def test_nobody_is_reminded_of_a_cancelled_meeting() -> None:
    asked = StoredPoll(closes_at=later(days=2), remind=True, created_at=NOW, updated_at=NOW)
    found = meeting(start_time=later(days=3), poll=asked)
    assert len(due.of_meeting(found, NOW)) == 2
    assert due.of_meeting(cancelled(found), NOW) == []
    assert reminding.awaits_answers(found, NOW)
    assert not reminding.awaits_answers(cancelled(found), NOW)
    assert not meetings.collects_votes(cancelled(found))
