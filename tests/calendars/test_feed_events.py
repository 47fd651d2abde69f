"""The events of a calendar feed: which meetings and slots it holds, and what it says of them."""

from __future__ import annotations

import random
from typing import Any
from urllib.parse import urlsplit

import pytest

from governance.domain.calendars import calendar as calendar_rules
from governance.settings import settings
from governance.store.meetings import meetings
from governance.store.table import query
from governance.usecases.calendars import calendar_content
from tests.calendars.feeds import fetch, meeting, subscribe
from tests.harness.board_scenario import BoardScenario, new_board_scenario
from tests.harness.meeting_scenario import MeetingScenario, from_now, new_meeting_scenario


def test_an_event_says_what_the_meeting_is(scenario: BoardScenario) -> None:
    body: dict[str, Any] = {"location": "Room 3", "virtualMeetingUrl": "https://meet.example.com/x"}
    id_ = meeting(scenario, startTime="2099-03-01T09:00:00Z", endTime="2099-03-01T10:30:00Z", **body)
    reply = fetch(subscribe(scenario.owner))
    event = reply.events[id_]
    assert reply.headers["content-type"] == "text/calendar; charset=utf-8"
    assert reply.headers["cache-control"] == "private, max-age=300"
    assert event["uid"].endswith(f"@{urlsplit(settings().root_url).hostname}")
    assert event["dtstart"].dt.isoformat() == "2099-03-01T09:00:00+00:00"
    assert event["dtend"].dt.isoformat() == "2099-03-01T10:30:00+00:00"
    assert [str(event[name]) for name in ("summary", "status", "location")] == ["Meeting", "CONFIRMED", "Room 3"]
    assert event["url"].endswith(f"/boards/{scenario.board_id}/meetings/{id_}")
    assert {"DTSTAMP", "LAST-MODIFIED", "SEQUENCE"} <= event.keys()
    assert {"REFRESH-INTERVAL", "X-PUBLISHED-TTL", "X-WR-CALNAME"} <= reply.calendar.keys()
    assert "@example.com" not in reply.text.replace("meet.example.com", "")


def test_drafts_and_their_slots_are_in_their_creators_feed_only_and_tentative(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    draft = MeetingScenario(scenario, f"{scenario.path}/meetings/{meeting(scenario, ben.client)}")
    slot = draft.slot(from_now(days=2))
    assert ben.client.patch(draft.path, {"status": "draft"}).status == 200
    events = fetch(subscribe(ben)).events
    assert {id_: str(event["status"]) for id_, event in events.items()} == dict.fromkeys(
        (draft.path.rpartition("/")[2], slot["id"]), "TENTATIVE"
    )
    assert fetch(subscribe(scenario.owner)).events == {}


def test_open_slots_are_tentative_events_until_one_is_booked(scenario: BoardScenario) -> None:
    poll = new_meeting_scenario(scenario)
    first, second = poll.slot(from_now(days=2)), poll.slot(from_now(days=4), durationInMinutes=45)
    url = subscribe(scenario.owner)
    events = fetch(url).events
    assert events.keys() == {first["id"], second["id"]}
    event = events[second["id"]]
    assert str(event["status"]) == "TENTATIVE"
    assert (event["dtend"].dt - event["dtstart"].dt).total_seconds() == 45 * 60
    poll.confirm(first)
    assert fetch(url).events.keys() == {poll.path.rpartition("/")[2]}


def _limit_events(monkeypatch: pytest.MonkeyPatch, events: int) -> None:
    for module in (calendar_content, calendar_rules):
        monkeypatch.setattr(module, "FEED_EVENTS", events)
    monkeypatch.setattr(calendar_content, "_LEAST_ROWS", 1)


@pytest.mark.usefixtures("outbox")
@pytest.mark.parametrize("seed", range(3))
def test_a_feed_of_many_boards_shows_the_newest_wherever_they_are(
    scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Whatever its length is: among meetings, drafts and slots of one board, or of several at one instant."""
    rng = random.Random(seed)  # noqa: S311 - reproducible test data
    boards = [scenario, *(new_board_scenario() for _ in range(7))]
    days = [from_now(days=day) for day in range(1, 5)]
    for _ in range(16):
        if rng.random() < 0.5:
            new_meeting_scenario(scenario).slot(rng.choice(days))
        else:
            meeting(rng.choice(boards), status=rng.choice(["draft", "scheduled"]), startTime=rng.choice(days))
    feed = subscribe(scenario.owner)
    everything = sorted((event["dtstart"].dt, id_) for id_, event in fetch(feed).events.items())
    assert len(everything) == 16
    for number in range(1, 16):
        _limit_events(monkeypatch, number)
        assert fetch(feed).events.keys() == {id_ for _, id_ in everything[-number:]}


def test_a_feed_of_many_boards_reads_few_rows_of_each(scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch) -> None:
    _limit_events(monkeypatch, 10)
    ben, others = scenario.member("ben"), [new_board_scenario() for _ in range(4)]
    for other in others:
        other.join(ben)
    for day in range(1, 11):
        for board in (scenario, *others):
            meeting(board, startTime=from_now(days=day))
    rows: list[int] = []

    def counting(*args: Any, **options: Any) -> list[Any]:
        read = query(*args, **options)
        rows.append(len(read))
        return read

    monkeypatch.setattr(meetings, "query", counting)
    assert len(fetch(subscribe(ben)).events) == 10
    assert sum(rows) == 20  # of 50: twice as many as are shown


def test_slots_of_a_meeting_that_started_long_ago_are_found(scenario: BoardScenario) -> None:
    poll = new_meeting_scenario(scenario)
    slot = poll.slot(from_now(days=2))
    poll.patch(startTime=from_now(days=-400))
    assert fetch(subscribe(scenario.owner)).events.keys() == {slot["id"]}


def test_a_feed_goes_ninety_days_back(scenario: BoardScenario) -> None:
    recent, _old = meeting(scenario, startTime=from_now(days=-89)), meeting(scenario, startTime=from_now(days=-92))
    assert fetch(subscribe(scenario.owner)).events.keys() == {recent}
