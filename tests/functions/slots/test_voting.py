"""The route to vote on slots."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.board_scenario import Person
from tests.harness.clock import Clock
from tests.harness.meeting_scenario import MeetingScenario, from_now, leave, new_meeting_scenario


def of(slot: Any, user: Person) -> Any:
    return next(entry for entry in slot["feedbacks"] if entry["userId"] == user.id)


@pytest.mark.parametrize("choice", ["ok", "challenging", "cant"])
def test_votes_are_listed_in_the_order_of_joining(meeting: MeetingScenario, choice: str) -> None:
    ben, cleo = meeting.board.member("ben"), meeting.board.member("cleo")
    slot = meeting.slot()
    response = meeting.vote(ben.client, slot, choice, comment="If I must")
    assert response.status == 200
    assert [entry["userId"] for entry in response.data["feedbacks"]] == [meeting.board.owner.id, ben.id, cleo.id]
    assert of(response.data, ben) == {
        "userId": ben.id,
        "vote": choice,
        "comment": "If I must",
        "email": None,
        "isGuest": False,
    }
    assert of(response.data, cleo)["vote"] == "didNotVote"
    assert meeting.listed() == [response.data]


def test_a_vote_replaces_the_whole_earlier_vote(meeting: MeetingScenario) -> None:
    slot = meeting.slot()
    caller = meeting.board.owner
    meeting.vote(caller.client, slot, "cant", comment="No")
    response = meeting.vote(caller.client, slot, "ok")
    assert of(response.data, caller)["vote"] == "ok"
    assert of(response.data, caller)["comment"] is None
    assert of(meeting.vote(caller.client, slot, "ok", comment=None).data, caller)["comment"] is None
    assert len(meeting.listed()[0]["feedbacks"]) == 1


@pytest.mark.parametrize("length", [0, 1, 499, 500])
def test_the_length_of_a_comment_counts_code_points(meeting: MeetingScenario, length: int) -> None:
    slot = meeting.slot()
    comment = "\U0001f5d3" * length
    response = meeting.vote(meeting.board.owner.client, slot, comment=comment)
    assert of(response.data, meeting.board.owner)["comment"] == comment


BAD: list[tuple[dict[str, Any], str]] = [
    ({"comment": "x"}, "vote"),
    ({"vote": "didNotVote"}, "vote"),
    ({"vote": "ok", "comment": "a\0b"}, "comment"),
    ({"vote": "ok", "comment": "a\x07"}, "comment"),
    ({"vote": "ok", "comment": "a\r\n"}, "comment"),
    ({"vote": "ok", "comment": "\ud800"}, "comment"),
    ({"vote": "ok", "email": "a@example.com"}, "email"),
]


@pytest.mark.parametrize(("body", "field"), BAD)
def test_an_invalid_vote_is_named_and_changes_nothing(
    meeting: MeetingScenario, body: dict[str, Any], field: str
) -> None:
    slot = meeting.slot()
    response = meeting.board.owner.client.put(f"{meeting.slots}/{slot['id']}/vote", body)
    assert response.failure == (400, "INVALID_REQUEST_BODY"), response.text
    assert set(response.fields) == {field}
    assert meeting.listed() == [slot]


@pytest.mark.parametrize("slot_id", ["0" * 24, "f" * 24, "nonsense", "A" * 24])
def test_an_absent_slot_is_a_404(meeting: MeetingScenario, slot_id: str) -> None:
    meeting.slot()
    assert meeting.vote(meeting.board.owner.client, {"id": slot_id}).failure == (404, "RESOURCE_NOT_FOUND")
    assert meeting.confirm({"id": slot_id}).failure == (404, "RESOURCE_NOT_FOUND")
    assert meeting.remove({"id": slot_id}).failure == (404, "RESOURCE_NOT_FOUND")


def test_a_slot_of_another_meeting_is_a_404(meeting: MeetingScenario) -> None:
    other = new_meeting_scenario(meeting.board)
    slot = other.slot()
    assert meeting.vote(meeting.board.owner.client, slot).status == 404
    assert meeting.confirm(slot).status == 404
    assert meeting.remove(slot).status == 404


def test_a_board_token_cannot_vote_and_a_guest_tier_may_not(meeting: MeetingScenario) -> None:
    slot = meeting.slot()
    gil = meeting.board.member("gil", access_type="guest")
    assert meeting.vote(meeting.board.token(), slot).failure == (403, "FORBIDDEN")
    assert meeting.vote(gil.client, slot).failure == (403, "FORBIDDEN")
    assert meeting.vote(meeting.board.personal_token(meeting.board.owner), slot).status == 200
    meeting.board.set_billing_state("TRIAL_EXPIRED")
    assert meeting.vote(meeting.board.owner.client, slot).failure == (403, "BILLING_RESTRICTED")


@pytest.mark.parametrize("status", ["in_progress", "completed"])
def test_a_meeting_in_progress_takes_no_votes(meeting: MeetingScenario, status: str) -> None:
    slot = meeting.slot()
    meeting.patch(status=status)
    response = meeting.vote(meeting.board.owner.client, slot)
    assert response.failure == (409, "CONFLICT")
    assert response.details == {"reason": "SLOT_VOTES_CLOSED"}
    meeting.patch(status="scheduled")
    assert meeting.vote(meeting.board.owner.client, slot).status == 200


def test_a_slot_in_the_past_takes_no_votes(meeting: MeetingScenario, clock: Clock) -> None:
    slot = meeting.slot(from_now(minutes=10))
    clock.advance(minutes=11)
    assert meeting.vote(meeting.board.owner.client, slot).details == {"reason": "SLOT_VOTES_CLOSED"}


def test_a_booked_meeting_takes_no_votes_until_its_start_is_moved(meeting: MeetingScenario) -> None:
    slot, other = meeting.slot(), meeting.slot(from_now(days=2))
    meeting.confirm(slot)
    caller = meeting.board.owner.client
    for each in (slot, other):
        assert meeting.vote(caller, each, "cant").details == {"reason": "SLOT_VOTES_CLOSED"}
    assert meeting.patch(title="Renamed", startTime=slot["startTime"]).status == 200
    assert meeting.vote(caller, other).status == 409
    assert meeting.patch(startTime=from_now(days=1, hours=1)).status == 200
    assert meeting.vote(caller, other, "cant").status == 200


def test_a_removed_members_vote_disappears_and_does_not_return(meeting: MeetingScenario) -> None:
    ben = meeting.board.member("ben")
    slot = meeting.slot()
    meeting.vote(ben.client, slot, "cant", comment="Old")
    leave(meeting.board, ben)
    assert [entry["userId"] for entry in meeting.listed()[0]["feedbacks"]] == [meeting.board.owner.id]
    meeting.board.join(ben)
    assert of(meeting.listed()[0], ben) == {
        "userId": ben.id,
        "vote": "didNotVote",
        "comment": None,
        "email": None,
        "isGuest": False,
    }
    response = meeting.vote(ben.client, slot, "ok")
    assert of(response.data, ben)["vote"] == "ok"


def test_a_user_who_is_not_a_member_may_not_vote(meeting: MeetingScenario) -> None:
    ben = meeting.board.member("ben")
    slot = meeting.slot()
    leave(meeting.board, ben)
    assert meeting.vote(ben.client, slot).failure == (403, "FORBIDDEN")
