"""Polls: until when votes count, and when those who are missing are reminded."""

from __future__ import annotations

import pytest

from governance.domain.meetings import poll as poll_rules
from governance.ids import UserId
from governance.models.boards.board import RosterEntry
from governance.models.meetings.poll import PollBody
from governance.scopes import Tier
from tests.domain.samples import NOW, conflict, just_before, later, meeting, refusal, vote

CLOSES = later(days=3)
BODY = PollBody.model_construct(closes_at=CLOSES, remind=True)
OPEN, POLL = poll_rules.with_poll(meeting(), BODY, NOW)


def test_votes_count_until_the_deadline_and_not_at_it() -> None:
    assert poll_rules.takes_votes(OPEN, just_before(CLOSES))
    assert not poll_rules.takes_votes(OPEN, CLOSES)
    assert poll_rules.takes_votes(poll_rules.without_poll(OPEN), later(CLOSES))


@pytest.mark.parametrize("members", [{"status": "in_progress"}, {"status": "completed"}, {"booked_slot_id": "s"}])
def test_what_collects_no_votes_takes_no_poll(members: dict[str, str]) -> None:
    assert refusal(poll_rules.with_poll, meeting(**members), BODY, NOW) == conflict("SLOT_VOTES_CLOSED")


def test_a_poll_that_is_moved_keeps_its_creation() -> None:
    _, moved = poll_rules.with_poll(OPEN, BODY, later())
    assert (moved.created_at, moved.updated_at) == (NOW, later())


@pytest.mark.parametrize(("days", "after_hours"), [(3, 48), (2, 24), (1, 12)])
def test_the_reminder_is_a_day_before_or_at_half_time_if_that_is_later(days: int, after_hours: int) -> None:
    poll = POLL.model_copy(update={"closes_at": later(days=days)})
    assert poll_rules.reminder_due(poll) == later(hours=after_hours)
    assert poll_rules.reminder_due(poll.model_copy(update={"remind": False})) is None


def test_half_time_of_a_deadline_that_was_moved_is_counted_from_then() -> None:
    _, moved = poll_rules.with_poll(OPEN, BODY, later(days=2))
    assert poll_rules.reminder_due(moved) == later(hours=60)


def test_who_may_vote_and_has_not_voted_with_this_membership_is_missing() -> None:
    members = [
        RosterEntry(UserId(name), "j", tier)
        for name, tier in (("u", Tier.OWNER), ("v", Tier.COLLABORATOR), ("g", Tier.GUEST))
    ]
    votes = [vote(user_id="u", join_id="earlier"), vote(user_id="v", join_id="j", slot_id="other")]
    assert poll_rules.missing(members, votes, ["s"]) == ["u", "v"]
    assert poll_rules.missing(members, [*votes, vote(user_id="v", join_id="j")], ["s"]) == ["u"]
