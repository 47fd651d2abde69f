"""Votes on slots through their route."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conftest import Clock
from tests.harness.gathering import Gathering, hence, leave, new_gathering
from tests.harness.world import Person


def of(slot: Any, who: Person) -> Any:
    return next(entry for entry in slot["feedbacks"] if entry["userId"] == who.id)


@pytest.mark.parametrize("choice", ["ok", "challenging", "cant"])
def test_a_vote_is_stored_and_shown_in_the_order_of_joining(meeting: Gathering, choice: str) -> None:
    ben, cleo = meeting.world.member("ben"), meeting.world.member("cleo")
    slot = meeting.slot()
    answer = meeting.vote(ben.client, slot, choice, comment="If I must")
    assert answer.status == 200
    assert [entry["userId"] for entry in answer.data["feedbacks"]] == [meeting.world.owner.id, ben.id, cleo.id]
    assert of(answer.data, ben) == {
        "userId": ben.id,
        "vote": choice,
        "comment": "If I must",
        "email": None,
        "isGuest": False,
    }
    assert of(answer.data, cleo)["vote"] == "didNotVote"
    assert meeting.listed() == [answer.data]


def test_a_vote_replaces_the_whole_earlier_vote(meeting: Gathering) -> None:
    slot = meeting.slot()
    caller = meeting.world.owner
    meeting.vote(caller.client, slot, "cant", comment="No")
    answer = meeting.vote(caller.client, slot, "ok")
    assert of(answer.data, caller)["vote"] == "ok"
    assert of(answer.data, caller)["comment"] is None
    assert of(meeting.vote(caller.client, slot, "ok", comment=None).data, caller)["comment"] is None
    assert len(meeting.listed()[0]["feedbacks"]) == 1


@pytest.mark.parametrize("length", [0, 1, 499, 500])
def test_a_comment_counts_code_points(meeting: Gathering, length: int) -> None:
    slot = meeting.slot()
    comment = "\U0001f5d3" * length
    answer = meeting.vote(meeting.world.owner.client, slot, comment=comment)
    assert of(answer.data, meeting.world.owner)["comment"] == comment


BAD: list[tuple[dict[str, Any], str]] = [
    ({"comment": "x"}, "vote"),
    ({"vote": None}, "vote"),
    ({"vote": "didNotVote"}, "vote"),
    ({"vote": "OK"}, "vote"),
    ({"vote": True}, "vote"),
    ({"vote": ["ok"]}, "vote"),
    ({"vote": "ok", "comment": "\U0001f5d3" * 501}, "comment"),
    ({"vote": "ok", "comment": 1}, "comment"),
    ({"vote": "ok", "comment": "a\0b"}, "comment"),
    ({"vote": "ok", "comment": "\ud800"}, "comment"),
    ({"vote": "ok", "userId": "0" * 24}, "userId"),
    ({"vote": "ok", "email": "a@example.com"}, "email"),
]


@pytest.mark.parametrize(("body", "field"), BAD)
def test_a_bad_vote_is_named_and_changes_nothing(meeting: Gathering, body: dict[str, Any], field: str) -> None:
    slot = meeting.slot()
    answer = meeting.world.owner.client.put(f"{meeting.slots}/{slot['id']}/vote", body)
    assert answer.failure == (400, "INVALID_REQUEST_BODY"), answer.text
    assert set(answer.fields) == {field}
    assert meeting.listed() == [slot]


@pytest.mark.parametrize("slot_id", ["0" * 24, "f" * 24, "nonsense", "A" * 24])
def test_a_slot_that_is_not_there_is_a_404(meeting: Gathering, slot_id: str) -> None:
    meeting.slot()
    assert meeting.vote(meeting.world.owner.client, {"id": slot_id}).failure == (404, "RESOURCE_NOT_FOUND")
    assert meeting.confirm({"id": slot_id}).failure == (404, "RESOURCE_NOT_FOUND")
    assert meeting.remove({"id": slot_id}).failure == (404, "RESOURCE_NOT_FOUND")


def test_a_slot_of_another_meeting_is_a_404(meeting: Gathering) -> None:
    other = new_gathering(meeting.world)
    slot = other.slot()
    assert meeting.vote(meeting.world.owner.client, slot).status == 404
    assert meeting.confirm(slot).status == 404
    assert meeting.remove(slot).status == 404


def test_a_board_token_cannot_vote_and_a_guest_tier_may_not(meeting: Gathering) -> None:
    slot = meeting.slot()
    gil = meeting.world.member("gil", access_type="guest")
    assert meeting.vote(meeting.world.token(), slot).failure == (403, "FORBIDDEN")
    assert meeting.vote(gil.client, slot).failure == (403, "FORBIDDEN")
    assert meeting.vote(meeting.world.personal_token(meeting.world.owner), slot).status == 200
    meeting.world.bill("TRIAL_EXPIRED")
    assert meeting.vote(meeting.world.owner.client, slot).failure == (403, "BILLING_RESTRICTED")


@pytest.mark.parametrize("status", ["in_progress", "completed"])
def test_a_meeting_under_way_takes_no_votes(meeting: Gathering, status: str) -> None:
    slot = meeting.slot()
    meeting.patch(status=status)
    answer = meeting.vote(meeting.world.owner.client, slot)
    assert answer.failure == (409, "CONFLICT")
    assert answer.details == {"reason": "SLOT_VOTES_CLOSED"}
    meeting.patch(status="scheduled")
    assert meeting.vote(meeting.world.owner.client, slot).status == 200


def test_a_slot_that_has_begun_takes_no_votes(meeting: Gathering, clock: Clock) -> None:
    slot = meeting.slot(hence(minutes=10))
    clock.advance(minutes=11)
    assert meeting.vote(meeting.world.owner.client, slot).details == {"reason": "SLOT_VOTES_CLOSED"}


def test_a_booked_meeting_takes_no_votes_until_its_start_is_moved(meeting: Gathering) -> None:
    slot, other = meeting.slot(), meeting.slot(hence(days=2))
    meeting.confirm(slot)
    caller = meeting.world.owner.client
    for each in (slot, other):
        assert meeting.vote(caller, each, "cant").details == {"reason": "SLOT_VOTES_CLOSED"}
    assert meeting.patch(title="Renamed", startTime=slot["startTime"]).status == 200
    assert meeting.vote(caller, other).status == 409
    assert meeting.patch(startTime=hence(days=1, hours=1)).status == 200
    assert meeting.vote(caller, other, "cant").status == 200


def test_a_removed_members_vote_disappears_and_who_rejoins_starts_anew(meeting: Gathering) -> None:
    ben = meeting.world.member("ben")
    slot = meeting.slot()
    meeting.vote(ben.client, slot, "cant", comment="Old")
    leave(meeting.world, ben)
    assert [entry["userId"] for entry in meeting.listed()[0]["feedbacks"]] == [meeting.world.owner.id]
    meeting.world.join(ben)
    assert of(meeting.listed()[0], ben) == {
        "userId": ben.id,
        "vote": "didNotVote",
        "comment": None,
        "email": None,
        "isGuest": False,
    }
    answer = meeting.vote(ben.client, slot, "ok")
    assert of(answer.data, ben)["vote"] == "ok"


def test_a_stranger_may_not_vote(meeting: Gathering) -> None:
    ben = meeting.world.member("ben")
    slot = meeting.slot()
    leave(meeting.world, ben)
    assert meeting.vote(ben.client, slot).failure == (403, "FORBIDDEN")
