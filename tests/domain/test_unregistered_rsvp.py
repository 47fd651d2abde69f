"""The rules of the answers of people without an account to a meeting."""

from __future__ import annotations

from typing import Any

from governance.domain.meetings import unregistered_rsvp as rules
from governance.models.meetings.unregistered_rsvp import StoredUnregisteredRsvp
from tests.domain.samples import BOARD, NOW, THEN, changed, conflict, later, meeting, person, refusal

ANNA = person(id="a")


def test_who_is_invited_has_given_no_answer_that_a_reply_could_be_older_than() -> None:
    invited = rules.invited(ANNA, "m", THEN)
    members = {"board_id": BOARD, "meeting_id": "m", "unregistered_user_id": "a", "status": "noAnswer", "comment": None}
    assert invited == StoredUnregisteredRsvp.model_validate(
        {**members, "updated_at": THEN, "sequence": 0, "stamped_at": "", "version": 1}
    )
    assert invited.stamped_at < THEN


def test_an_answer_is_to_the_present_revision_of_the_meeting_and_replaces_the_old_one() -> None:
    invited = rules.invited(ANNA, "m", THEN)
    newer = StoredUnregisteredRsvp.model_validate({**vars(invited), "version": 4, "x-newer": 1})
    answer = rules.answered(meeting(sequence=5), ANNA, newer, "tentative", "late", NOW)
    assert changed(invited, answer) == {
        "status": "tentative",
        "comment": "late",
        "updated_at": NOW,
        "sequence": 5,
        "stamped_at": NOW,
        "version": 5,
    }
    assert answer.item()["x-newer"] == 1


def test_the_first_answer_of_who_was_not_invited_has_the_first_version() -> None:
    assert rules.answered(meeting(), ANNA, None, "declined", None, NOW).version == 1


def test_a_finalized_meeting_takes_no_answer() -> None:
    answer: Any = (ANNA, None, "accepted", None, NOW)
    for status in ("draft", "scheduled", "in_progress", "completed"):
        assert rules.answered(meeting(status=status), *answer).status == "accepted"
    assert refusal(rules.answered, meeting(status="finalized"), *answer) == conflict("MEETING_FINALIZED")


def test_the_people_who_were_invited_or_have_answered_are_listed_in_their_order_and_no_answer_shows_no_time() -> None:
    people = [person(id=name) for name in "cab"]
    given = {
        "a": rules.answered(meeting(), person(id="a"), None, "accepted", "Yes", later()),
        "c": rules.invited(person(id="c"), "m", NOW),
        "gone": rules.invited(person(id="gone"), "m", NOW),
    }
    answers = rules.of_people(people, given)
    assert [(answer.unregistered_user_id, answer.status, answer.comment, answer.updated_at) for answer in answers] == [
        ("c", "noAnswer", None, None),
        ("a", "accepted", "Yes", later()),
    ]
    assert {answer.meeting_id for answer in answers} == {"m"}
