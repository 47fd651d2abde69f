"""The route to vote on slots."""

from __future__ import annotations

from typing import Any

from tests.harness.board_scenario import Person
from tests.harness.meeting_scenario import MeetingScenario, leave


def of(slot: Any, user: Person) -> Any:
    return next(entry for entry in slot["feedbacks"] if entry["userId"] == user.id)


def test_votes_are_listed_in_the_order_of_joining(meeting: MeetingScenario) -> None:
    ben, cleo = meeting.board.member("ben"), meeting.board.member("cleo")
    slot = meeting.slot()
    response = meeting.vote(ben.client, slot, "challenging", comment="If I must")
    assert response.status == 200
    assert [entry["userId"] for entry in response.data["feedbacks"]] == [meeting.board.owner.id, ben.id, cleo.id]
    assert of(response.data, ben) == {
        "userId": ben.id,
        "vote": "challenging",
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


def test_a_removed_members_vote_disappears_and_does_not_return(meeting: MeetingScenario) -> None:
    ben = meeting.board.member("ben")
    slot = meeting.slot()
    meeting.vote(ben.client, slot, "cant", comment="Old")
    leave(meeting.board, ben)
    assert [entry["userId"] for entry in meeting.listed()[0]["feedbacks"]] == [meeting.board.owner.id]
    meeting.board.join(ben)
    back = of(meeting.listed()[0], ben)
    assert (back["vote"], back["comment"]) == ("didNotVote", None)
    assert of(meeting.vote(ben.client, slot, "ok").data, ben)["vote"] == "ok"
