"""Who is still to be reminded."""

from __future__ import annotations

from typing import Any

import pytest

from governance.domain.meetings import reminders as reminders_rules
from governance.ids import UserId
from governance.models.boards.board import RosterEntry
from governance.scopes import Tier
from tests.domain.samples import NOW, later, meeting, slot


@pytest.mark.parametrize(
    ("members", "awaited"),
    [
        ({"start_time": later()}, True),
        ({"start_time": NOW}, False),
        ({}, False),
        ({"start_time": later(), "status": "in_progress"}, False),
        ({"start_time": later(), "status": "draft"}, False),
    ],
)
def test_answers_are_awaited_for_a_scheduled_meeting_ahead(members: dict[str, Any], awaited: bool) -> None:
    assert reminders_rules.awaits_answers(meeting(**members), NOW) is awaited


def test_a_member_without_an_answer_has_answered_nothing() -> None:
    members = [RosterEntry(UserId("u"), "j", Tier.GUEST)]
    assert reminders_rules.with_answer(meeting(), members, [], [], {"noAnswer"}) == ["u"]
    assert reminders_rules.with_answer(meeting(), members, [], [], {"accepted"}) == []


def test_guests_of_the_board_are_not_asked_to_vote() -> None:
    members = [RosterEntry(UserId("u"), "j", Tier.GUEST), RosterEntry(UserId("v"), "j", Tier.COLLABORATOR)]
    assert reminders_rules.without_vote(members, [slot()], []) == ["v"]
