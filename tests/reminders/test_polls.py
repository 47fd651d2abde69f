"""Polls: a deadline for votes, kept by the clock, and one reminder of it (ADR deliveries)."""

from __future__ import annotations

from typing import Any

from governance import instants
from tests.harness.board_scenario import Person
from tests.harness.client import Response
from tests.harness.meeting_scenario import MeetingScenario, from_now, stored_events
from tests.reminders.conftest import World


def put_poll(meeting: MeetingScenario, closes_at: str, user: Person | None = None, **members: Any) -> Response:
    client = (user or meeting.board.owner).client
    return client.put(f"{meeting.path}/poll", {"closesAt": closes_at, **members})


def poll_of(meeting: MeetingScenario) -> Any:
    return meeting.board.owner.client.get(f"{meeting.path}/poll").data


def test_a_poll_says_until_when_votes_count_and_who_is_missing(meeting: MeetingScenario) -> None:
    ben, _ = meeting.board.member("ben"), meeting.board.member("gwen", access_type="guest")
    slot, closes_at = meeting.slot(), from_now(days=3)
    answered = put_poll(meeting, closes_at, ben)
    assert answered.status == 200
    assert answered.data == {
        "object": "poll",
        "meetingId": meeting.path.rpartition("/")[2],
        "closesAt": closes_at,
        "remind": True,
        "status": "open",
        "missing": [ben.id],
        "createdAt": answered.data["createdAt"],
        "updatedAt": answered.data["createdAt"],
    }
    assert meeting.vote(ben.client, slot).status == 200
    assert poll_of(meeting) == {**answered.data, "missing": []}


def test_from_the_deadline_on_nobody_votes_until_a_later_one_is_set(world: World, meeting: MeetingScenario) -> None:
    ben = meeting.board.member("ben")
    slot, closes_at = meeting.slot(from_now(days=9)), from_now(hours=2)
    assert put_poll(meeting, closes_at).status == 200
    world.stop_clock(instants.shift(closes_at, seconds=-1))
    assert meeting.vote(ben.client, slot).status == 200
    assert poll_of(meeting)["status"] == "open"
    world.stop_clock(closes_at)
    late = meeting.vote(ben.client, slot)
    assert (late.status, late.json["error"]["details"]["reason"]) == (409, "SLOT_VOTES_CLOSED")
    assert poll_of(meeting)["status"] == "closed"
    assert put_poll(meeting, from_now(hours=1)).status == 200
    assert meeting.vote(ben.client, slot, "cant").status == 200


def test_a_poll_that_is_not_there_is_not_found(meeting: MeetingScenario) -> None:
    owner = meeting.board.owner.client
    assert owner.get(f"{meeting.path}/poll").status == 404
    assert owner.delete(f"{meeting.path}/poll").status == 404
    assert put_poll(meeting, from_now(days=1)).status == 200
    assert owner.delete(f"{meeting.path}/poll").data == {"deleted": True}
    assert owner.get(f"{meeting.path}/poll").status == 404
    assert len(stored_events(meeting.board, "poll.set")) == len(stored_events(meeting.board, "poll.deleted")) == 1


def test_who_has_not_voted_is_reminded_once_a_day_before_the_deadline(world: World, meeting: MeetingScenario) -> None:
    ben, cleo = meeting.board.member("ben"), meeting.board.member("cleo")
    guest = meeting.board.member("gwen", access_type="guest")
    slot = meeting.slot(from_now(days=9))
    assert meeting.vote(ben.client, slot).status == 200
    assert put_poll(meeting, from_now(days=3)).status == 200
    world.pass_time(days=2, minutes=-3)
    assert world.told(cleo, "vote_reminder") == []
    world.pass_time(minutes=3, seconds=2)
    reminder = "The vote on the times of the meeting “Spring” ends soon, and you have not voted."
    for _ in range(2):
        assert world.told(cleo, "vote_reminder") == [reminder]
        world.pass_time(minutes=1)
    assert [world.told(user, "vote_reminder") for user in (ben, guest, meeting.board.owner)] == [[], [], []]


def test_a_deadline_that_is_set_again_and_again_reminds_once_a_day(world: World, meeting: MeetingScenario) -> None:
    cleo = meeting.board.member("cleo")
    meeting.slot(from_now(days=20))
    for _ in range(3):
        assert put_poll(meeting, from_now(minutes=4)).status == 200
        world.pass_time(minutes=3)
    assert len(world.told(cleo, "vote_reminder")) == 1
    assert len([mail for mail in world.mails(cleo) if "ends soon" in str(mail["Subject"])]) == 1
    again = meeting.board.owner.client.post(f"{meeting.path}/reminders", {"about": "votes"})
    assert (again.status, int(again.headers["Retry-After"]) > 23 * 3600) == (429, True)
    assert put_poll(meeting, from_now(days=2)).status == 200
    world.pass_time(days=1, minutes=1)
    assert len(world.told(cleo, "vote_reminder")) == 2


def test_a_reminder_that_a_member_sent_is_not_followed_by_that_of_the_deadline(
    world: World, meeting: MeetingScenario
) -> None:
    cleo = meeting.board.member("cleo")
    meeting.slot(from_now(days=20))
    assert put_poll(meeting, from_now(hours=30)).status == 200
    assert meeting.board.owner.client.post(f"{meeting.path}/reminders", {"about": "votes"}).status == 201
    world.pass_time(hours=7)
    assert len(world.told(cleo, "vote_reminder")) == 1


def test_a_deadline_that_reminds_nobody_leaves_the_reminder_to_the_members(
    world: World, meeting: MeetingScenario
) -> None:
    slot = meeting.slot(from_now(days=20))
    assert put_poll(meeting, from_now(hours=2)).status == 200
    assert meeting.vote(meeting.board.owner.client, slot).status == 200
    world.pass_time(hours=1, minutes=1)
    cleo = meeting.board.member("cleo")
    assert meeting.board.owner.client.post(f"{meeting.path}/reminders", {"about": "votes"}).status == 201
    assert len(world.told(cleo, "vote_reminder")) == 1
