"""The rules of the answers to a meeting, of members and of people without an account."""

from __future__ import annotations

from typing import Any

import pytest

from governance.domain.meetings import rsvp as rsvp_rules
from governance.ids import PersonId
from governance.models.meetings.rsvp import StoredUnregisteredRsvp
from tests.domain.samples import (
    BOARD,
    NOW,
    THEN,
    changed,
    conflict,
    later,
    meeting,
    membership,
    person,
    refusal,
    rsvp,
    vote,
)

ANNA = person(id="a")


def test_an_answer_counts_for_the_membership_that_it_was_given_in() -> None:
    assert rsvp_rules.status_of(meeting(), membership(), rsvp(status="declined"), []) == "declined"
    assert rsvp_rules.status_of(meeting(), membership(), rsvp(join_id="earlier"), []) == "noAnswer"
    assert rsvp_rules.status_of(meeting(), membership(), None, []) == "noAnswer"


@pytest.mark.parametrize(
    ("cast", "booked", "stored", "status"),
    [
        ({}, "s", None, "accepted"),
        ({"vote": "challenging"}, "s", None, "noAnswer"),
        ({"vote": "cant"}, "s", None, "noAnswer"),
        ({}, "other", None, "noAnswer"),
        ({}, None, None, "noAnswer"),
        ({"join_id": "earlier"}, "s", None, "noAnswer"),
        ({}, "s", {"status": "tentative"}, "tentative"),
        ({}, "s", {"status": "noAnswer"}, "accepted"),
        ({}, "s", {"status": "noAnswer", "booked_slot_id": "s"}, "noAnswer"),
        ({}, "s", {"status": "declined", "join_id": "earlier"}, "accepted"),
    ],
)
def test_a_vote_for_the_booked_slot_is_an_answer_of_a_member_who_has_given_none(
    cast: dict[str, Any], booked: str | None, stored: dict[str, Any] | None, status: str
) -> None:
    votes = [vote(**{"user_id": "u", "join_id": "j", **cast}), vote(email="guest@example.com")]
    given = rsvp(**stored) if stored else None
    assert rsvp_rules.status_of(meeting(booked_slot_id=booked), membership(), given, votes) == status


def test_an_answer_that_is_taken_back_keeps_the_slot_that_was_booked() -> None:
    booked = meeting(booked_slot_id="s")
    assert rsvp_rules.answered(booked, membership(), None, "noAnswer", None, NOW).booked_slot_id == "s"


def test_an_answer_is_to_the_present_revision_of_the_meeting_and_replaces_the_old_one() -> None:
    first = rsvp_rules.answered(meeting(sequence=5), membership(), None, "tentative", "late", NOW)
    expected = {
        "board_id": BOARD,
        "meeting_id": "m",
        "user_id": "u",
        "join_id": "j",
        "status": "tentative",
        "comment": "late",
        "booked_slot_id": None,
        "updated_at": NOW,
        "sequence": 5,
        "stamped_at": NOW,
        "version": 1,
    }
    assert first.model_dump(by_alias=False) == expected
    second = rsvp_rules.answered(meeting(sequence=6), membership(join_id="k"), first, "declined", None, THEN)
    assert (second.status, second.comment, second.join_id) == ("declined", None, "k")
    assert (second.sequence, second.version) == (6, 2)


def test_a_finalized_meeting_takes_no_answer() -> None:
    answer: Any = (membership(), None, "accepted", None, NOW)
    for status in ("draft", "scheduled", "in_progress", "completed"):
        assert rsvp_rules.answered(meeting(status=status), *answer).status == "accepted"
    assert refusal(rsvp_rules.answered, meeting(status="finalized"), *answer) == conflict("MEETING_FINALIZED")


def test_an_answer_that_was_taken_back_shows_no_time() -> None:
    assert rsvp_rules.to_resource(rsvp()).updated_at == THEN
    assert rsvp_rules.to_resource(rsvp(status="noAnswer")).updated_at is None


def test_every_member_has_one_answer_in_the_order_of_members() -> None:
    members = [membership(user_id=name) for name in ("c", "a", "b")]
    given = [
        rsvp(user_id="a"),
        rsvp(user_id="b", join_id="earlier"),
        rsvp(user_id="gone"),
        rsvp(user_id="c", status="declined"),
    ]
    answers = rsvp_rules.of_members("m", members, given)
    assert [(answer.user_id, answer.status) for answer in answers] == [
        ("c", "declined"),
        ("a", "accepted"),
        ("b", "noAnswer"),
    ]
    assert (answers[2].meeting_id, answers[2].comment, answers[2].updated_at) == ("m", None, None)


def test_who_is_invited_has_given_no_answer_that_a_reply_could_be_older_than() -> None:
    invited = rsvp_rules.invited(ANNA, "m", THEN)
    members = {"board_id": BOARD, "meeting_id": "m", "unregistered_user_id": "a", "status": "noAnswer", "comment": None}
    assert invited == StoredUnregisteredRsvp.model_validate(
        {**members, "updated_at": THEN, "sequence": 0, "stamped_at": "", "version": 1}
    )
    assert invited.stamped_at < THEN


def test_an_answer_of_a_person_is_to_the_present_revision_of_the_meeting_and_replaces_the_old_one() -> None:
    invited = rsvp_rules.invited(ANNA, "m", THEN)
    newer = StoredUnregisteredRsvp.model_validate({**vars(invited), "version": 4, "x-newer": 1})
    answer = rsvp_rules.answered_by_person(meeting(sequence=5), ANNA, newer, "tentative", "late", NOW)
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
    assert rsvp_rules.answered_by_person(meeting(), ANNA, None, "declined", None, NOW).version == 1


def test_a_finalized_meeting_takes_no_answer_of_a_person() -> None:
    answer: Any = (ANNA, None, "accepted", None, NOW)
    for status in ("draft", "scheduled", "in_progress", "completed"):
        assert rsvp_rules.answered_by_person(meeting(status=status), *answer).status == "accepted"
    assert refusal(rsvp_rules.answered_by_person, meeting(status="finalized"), *answer) == conflict("MEETING_FINALIZED")


def test_the_people_who_were_invited_or_have_answered_are_listed_in_their_order_and_no_answer_shows_no_time() -> None:
    people = [person(id=name) for name in "cab"]
    given = {
        PersonId("a"): rsvp_rules.answered_by_person(meeting(), person(id="a"), None, "accepted", "Yes", later()),
        PersonId("c"): rsvp_rules.invited(person(id="c"), "m", NOW),
        PersonId("gone"): rsvp_rules.invited(person(id="gone"), "m", NOW),
    }
    answers = rsvp_rules.of_people(people, given)
    assert [(answer.unregistered_user_id, answer.status, answer.comment, answer.updated_at) for answer in answers] == [
        ("c", "noAnswer", None, None),
        ("a", "accepted", "Yes", later()),
    ]
    assert {answer.meeting_id for answer in answers} == {"m"}
