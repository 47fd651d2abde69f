"""New slots are mailed as one request, to those who have not voted on them (ADR deliveries)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from governance.domain.notifications.wording import instant_in_zones
from governance.instants import Instant, now
from tests.harness.board_scenario import Person
from tests.harness.client import Client
from tests.harness.fault_injection import hooked
from tests.harness.meeting_scenario import MeetingScenario, from_now, new_meeting_scenario
from tests.harness.outbox import text_of
from tests.reminders.conftest import World


def subjects(world: World, user: Person) -> list[str]:
    return [str(mail["Subject"]) for mail in world.mails(user)]


def test_slots_of_a_minute_are_one_mail_and_later_ones_wait_ten_minutes(world: World, meeting: MeetingScenario) -> None:
    ben, gwen = meeting.board.member("ben"), meeting.board.member("gwen", access_type="guest")
    for hours in (30, 31, 32):
        meeting.slot(from_now(hours=hours))
    world.pass_time(seconds=50)
    assert subjects(world, ben) == []
    world.pass_time(seconds=11)
    assert subjects(world, ben) == ["Vote on 3 new times for the meeting “Spring”."]
    assert subjects(world, gwen) == subjects(world, meeting.board.owner) == []
    meeting.slot(from_now(hours=33))
    world.pass_time(minutes=2)
    assert len(subjects(world, ben)) == 1
    world.pass_time(minutes=9)
    assert subjects(world, ben)[1:] == ["Vote on 1 new time for the meeting “Spring”."]


def test_the_request_leads_to_the_page_and_to_the_link_that_turns_requests_off(
    world: World, meeting: MeetingScenario
) -> None:
    """What the link does is shown in `functions/notifications/test_unsubscribing.py`."""
    ben = meeting.board.member("ben")
    meeting.slot(from_now(hours=30))
    world.pass_time(seconds=61)
    (mail,) = world.mails(ben)
    assert meeting.path.removeprefix("/api/v1") in text_of(mail)
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    path = "/api/v1" + str(mail["List-Unsubscribe"]).strip("<>").partition("/api/v1")[2]
    assert Client().get(path).data["topic"] == "voteRequests"
    assert ben.client.put("/api/v1/me/calendar", {"voteRequests": False}).status == 200
    meeting.slot(from_now(hours=31))
    world.pass_time(minutes=12)
    assert len(world.mails(ben)) == 1


def test_the_request_names_the_times_that_are_asked_for_and_the_end_of_the_vote(
    world: World, meeting: MeetingScenario
) -> None:
    owner, ben, closes_at = meeting.board.owner.client, meeting.board.member("ben"), from_now(hours=20)
    starts = [from_now(hours=hours) for hours in (32, 30)]
    for start in starts:
        meeting.slot(start)
    assert owner.put(f"{meeting.path}/poll", {"closesAt": closes_at, "remind": False}).status == 200
    world.pass_time(seconds=61)
    (mail,) = world.mails(ben)
    times = [instant_in_zones(Instant(start), None, "Europe/Paris", "en") for start in reversed(starts)]
    assert [line for line in text_of(mail).splitlines() if line.startswith("- ")] == [f"- {time}" for time in times]
    assert f"You can vote until {instant_in_zones(Instant(closes_at), None, None, 'en')}" in text_of(mail)
    meeting.slot(from_now(hours=33))
    world.pass_time(minutes=12)
    assert text_of(world.mails(ben)[1]).count("\n- ") == 1, "the second request names the new time alone"


def test_a_draft_asks_for_votes_when_it_is_opened(world: World) -> None:
    ben = world.board.member("ben")
    draft = new_meeting_scenario(world.board, "draft")
    draft.slot(from_now(hours=30))
    world.pass_time(minutes=3)
    assert subjects(world, ben) == []
    assert draft.patch(status="scheduled").status == 200
    world.pass_time(seconds=61)
    assert subjects(world, ben) == ["Vote on 1 new time for the meeting “Spring”."]


def test_who_has_voted_in_time_is_not_asked_and_a_request_of_more_than_a_day_ago_is_dropped(
    world: World, meeting: MeetingScenario
) -> None:
    ben, late = meeting.board.member("ben"), new_meeting_scenario(world.board, title="Late")
    assert meeting.vote(ben.client, meeting.slot(from_now(hours=30))).status == 200
    world.pass_time(seconds=61)
    late.slot(from_now(days=9))
    world.pass_time(hours=24, minutes=2)
    assert subjects(world, ben) == []


def test_a_time_that_is_stored_while_a_request_is_made_is_asked_about_by_the_next(
    world: World, meeting: MeetingScenario
) -> None:
    """Its instant is that of its request, which is no later than that of the request for votes."""
    ben = meeting.board.member("ben")
    meeting.slot(from_now(hours=30))
    world.stop_clock(now())
    late: list[object] = []

    def propose(params: Mapping[str, Any], **_: Any) -> None:
        if b"VOTE_REQUEST#" in params["body"] and not late:
            late.append(meeting)
            late.append(meeting.slot(from_now(hours=31)))

    with hooked("before-call.dynamodb.TransactWriteItems", propose):
        world.pass_time(seconds=61)
    assert len(late) == 2
    world.pass_time(minutes=11)
    world.pass_time(minutes=1)
    assert subjects(world, ben) == ["Vote on 1 new time for the meeting “Spring”."] * 2
