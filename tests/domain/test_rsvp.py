"""The rules of members' answers to a meeting."""

from __future__ import annotations

from typing import Any

import pytest

from governance.domain.meetings import rsvp as rules
from tests.domain.samples import BOARD, NOW, THEN, conflict, meeting, membership, refusal, rsvp


def test_an_answer_counts_for_the_membership_that_it_was_given_in() -> None:
    assert rules.of_membership(rsvp(status="declined"), membership()) == "declined"
    assert rules.of_membership(rsvp(join_id="earlier"), membership()) == "noAnswer"
    assert rules.of_membership(None, membership()) == "noAnswer"


def test_an_answer_is_to_the_present_revision_of_the_meeting_and_replaces_the_old_one() -> None:
    first = rules.answered(meeting(sequence=5), membership(), None, "tentative", "late", NOW)
    expected = {
        "board_id": BOARD,
        "meeting_id": "m",
        "user_id": "u",
        "join_id": "j",
        "status": "tentative",
        "comment": "late",
        "updated_at": NOW,
        "sequence": 5,
        "stamped_at": NOW,
        "version": 1,
    }
    assert first.model_dump(by_alias=False) == expected
    second = rules.answered(meeting(sequence=6), membership(join_id="k"), first, "declined", None, THEN)
    assert (second.status, second.comment, second.join_id, second.sequence, second.version) == (
        "declined",
        None,
        "k",
        6,
        2,
    )


@pytest.mark.parametrize("status", ["draft", "scheduled", "in_progress", "completed", "finalized"])
def test_a_finalized_meeting_takes_no_answer(status: str) -> None:
    arguments: Any = (meeting(status=status), membership(), None, "accepted", None, NOW)
    if status == "finalized":
        assert refusal(rules.answered, *arguments) == conflict("MEETING_FINALIZED")
    else:
        assert rules.answered(*arguments).status == "accepted"


def test_an_answer_that_was_taken_back_shows_no_time() -> None:
    assert rules.to_resource(rsvp()).updated_at == THEN
    assert rules.to_resource(rsvp(status="noAnswer")).updated_at is None


def test_every_member_has_one_answer_in_the_order_of_members() -> None:
    members = [membership(user_id=name) for name in ("c", "a", "b")]
    given = [
        rsvp(user_id="a"),
        rsvp(user_id="b", join_id="earlier"),
        rsvp(user_id="gone"),
        rsvp(user_id="c", status="declined"),
    ]
    found = rules.of_members("m", members, given)
    assert [(answer.user_id, answer.status) for answer in found] == [
        ("c", "declined"),
        ("a", "accepted"),
        ("b", "noAnswer"),
    ]
    assert (found[2].meeting_id, found[2].comment, found[2].updated_at) == ("m", None, None)
