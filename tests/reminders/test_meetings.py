"""Members are told when a meeting gets, moves or loses its time, and reminded of it on the day before (ADR
deliveries)."""

from __future__ import annotations

from typing import Any

import pytest

from governance import instants
from tests.harness.meeting_scenario import MeetingScenario, from_now, leave, new_meeting_scenario, stored_events
from tests.reminders.conftest import World

NEWS = ("meeting_scheduled", "meeting_changed", "meeting_cancelled")
REMINDER = "The meeting “Spring” is tomorrow."


def test_a_booked_time_is_told_to_all_members_but_who_booked_it(world: World, meeting: MeetingScenario) -> None:
    ben, gwen = meeting.board.member("ben"), meeting.board.member("gwen", access_type="guest")
    assert meeting.confirm(meeting.slot()).status == 200
    for user in (ben, gwen):
        assert world.told(user, *NEWS) == ["Olivia Tester set the time of the meeting “Spring”."]
    assert world.told(meeting.board.owner, *NEWS) == []
    row = next(row for row in ben.client.get("/api/notification/").json if row["type"] == "meeting_scheduled")
    assert row["meetingLink"] == meeting.path.removeprefix("/api/v1")
    assert (row["boardId"]["_id"], row["triggeringUserId"]["_id"]) == (meeting.board.board_id, meeting.board.owner.id)


@pytest.mark.parametrize("minutes", [True, False])
def test_all_are_told_of_finalized_minutes_and_of_a_finalized_meeting_without_them_nobody(
    world: World, meeting: MeetingScenario, *, minutes: bool
) -> None:
    ben = meeting.board.member("ben")
    assert meeting.patch(status="completed").status == 200
    if minutes:
        written = meeting.board.owner.client.put(f"{meeting.path}/minutes", {"items": [{"text": "All agreed."}]})
        assert written.status == 200
    assert meeting.patch(status="finalized").status == 200
    told = ["Olivia Tester finalized the minutes of the meeting “Spring”."] if minutes else []
    assert world.told(ben, "post_meeting_minutes_distributed") == told


def _without_times(news: list[str]) -> list[str]:
    return [text.partition(" to ")[0] for text in news]


def test_members_are_told_once_of_each_change_of_time_or_place_and_of_a_draft_once_it_is_opened(world: World) -> None:
    ben, client = world.board.member("ben"), world.board.owner.client
    body = {"title": "Spring", "status": "scheduled", "startTime": from_now(days=3)}
    created = client.post(f"{world.board.path}/meetings", body).data["id"]
    meeting = MeetingScenario(world.board, f"{world.board.path}/meetings/{created}")
    news = ["Olivia Tester set the time of the meeting “Spring”."]
    assert world.told(ben, *NEWS) == news
    moved = {"startTime": from_now(days=4), "location": "Hall", "title": "Autumn"}
    steps: list[tuple[dict[str, Any], list[str]]] = [
        (moved, ["Olivia Tester moved the meeting “Autumn”"]),
        ({"title": "Winter"}, []),
        ({"startTime": None}, ["Olivia Tester cancelled the meeting “Winter”."]),
    ]
    for change, told in steps:
        assert meeting.patch(**change).status == 200
        news = [*told, *news]
        assert _without_times(world.told(ben, *NEWS)) == news
    assert meeting.patch(status="draft", startTime=from_now(days=5)).status == 200
    assert world.told(ben, *NEWS) == []
    assert meeting.patch(status="scheduled").status == 200
    assert _without_times(world.told(ben, *NEWS)) == ["Olivia Tester set the time of the meeting “Winter”.", *news]
    assert client.delete(meeting.path).status == 200
    assert world.told(ben, *NEWS)[0] == "Olivia Tester cancelled the meeting “Winter”."


def test_members_who_accepted_or_have_not_answered_are_reminded_a_day_before(
    world: World, meeting: MeetingScenario
) -> None:
    ben, cleo, dora, gone = (meeting.board.member(name) for name in ("ben", "cleo", "dora", "gone"))
    assert meeting.patch(startTime=from_now(days=3)).status == 200
    for user, status in ((ben, "accepted"), (cleo, "declined")):
        assert user.client.put(f"{meeting.path}/rsvp", {"status": status}).status == 200
    leave(meeting.board, gone)
    world.pass_time(days=2, minutes=-3)
    assert world.told(dora, "meeting_reminder") == []
    world.pass_time(minutes=4)
    assert world.told(ben, "meeting_reminder") == world.told(dora, "meeting_reminder") == [REMINDER]
    assert world.told(cleo, "meeting_reminder") == world.told(gone, "meeting_reminder") == []
    world.pass_time(minutes=1)
    assert world.told(ben, "meeting_reminder") == [REMINDER]


def test_nothing_older_than_a_day_is_sent(world: World, meeting: MeetingScenario) -> None:
    ben = meeting.board.member("ben")
    assert meeting.patch(startTime=from_now(days=4)).status == 200
    world.pass_time(days=4, minutes=-1)
    assert world.told(ben, "meeting_reminder") == [REMINDER]
    late = new_meeting_scenario(world.board, title="Late")
    assert late.patch(startTime=instants.shift(instants.now(), days=9)).status == 200
    world.pass_time(days=9, minutes=1)
    assert REMINDER.replace("Spring", "Late") not in world.told(ben, "meeting_reminder")


@pytest.mark.parametrize("about", ["votes", "answers"])
def test_a_member_reminds_the_others_once_in_a_day(world: World, meeting: MeetingScenario, about: str) -> None:
    ben, cleo = meeting.board.member("ben"), meeting.board.member("cleo")
    slot = meeting.slot(from_now(days=9))
    if about == "votes":
        assert meeting.vote(ben.client, slot).status == 200
    else:
        assert meeting.patch(startTime=from_now(days=8)).status == 200
        assert ben.client.put(f"{meeting.path}/rsvp", {"status": "tentative"}).status == 200
    sent = meeting.board.owner.client.post(f"{meeting.path}/reminders", {"about": about})
    assert (sent.status, sent.data["about"], sent.data["recipients"]) == (201, about, [cleo.id])
    type_ = {"votes": "vote_reminder", "answers": "rsvp_reminder"}[about]
    assert len(world.told(cleo, type_)) == 1
    assert world.told(ben, type_) == world.told(meeting.board.owner, type_) == []
    again = meeting.board.owner.client.post(f"{meeting.path}/reminders", {"about": about})
    assert again.status == 429
    assert 86_000 < int(again.headers["Retry-After"]) <= 86_400
    world.pass_time(days=1)
    assert meeting.board.owner.client.post(f"{meeting.path}/reminders", {"about": about}).status == 201


def test_nobody_is_reminded_of_a_draft_or_of_a_vote_that_is_over(meeting: MeetingScenario) -> None:
    slot, path = meeting.slot(), f"{meeting.path}/reminders"
    assert meeting.patch(status="draft", startTime=from_now(days=3)).status == 200
    for about in ("votes", "answers"):
        refused = meeting.board.owner.client.post(path, {"about": about})
        assert (refused.status, refused.details) == (409, {"reason": "MEETING_IS_DRAFT"})
    assert meeting.patch(status="scheduled").status == 200
    assert meeting.confirm(slot).status == 200
    refused = meeting.board.owner.client.post(path, {"about": "votes"})
    assert (refused.status, refused.details) == (409, {"reason": "SLOT_VOTES_CLOSED"})


def test_where_nothing_is_asked_nobody_is_reminded_and_nothing_is_recorded(meeting: MeetingScenario) -> None:
    """Neither a slot nor a time; the reminder of the day is not used up."""
    meeting.board.member("ben")
    for about in ("votes", "answers") * 2:
        sent = meeting.board.owner.client.post(f"{meeting.path}/reminders", {"about": about})
        assert (sent.status, sent.data["recipients"]) == (201, [])
    assert stored_events(meeting.board, "reminder.sent") == []
