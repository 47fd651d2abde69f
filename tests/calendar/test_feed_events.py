"""The events of a calendar feed: which meetings and slots it holds, and what it says of them."""

from __future__ import annotations

import random
from typing import Any

import pytest

from governance.domain.calendars import calendar as calendar_rules
from governance.models.meetings.meeting import StoredMeeting
from governance.store.meetings import meetings
from governance.store.table import query
from governance.store.transactions import transact
from governance.usecases.calendars import calendar_content
from tests.calendar.feeds import fetch, meeting, subscribe
from tests.harness.board_scenario import BoardScenario, new_board_scenario
from tests.harness.meeting_scenario import MeetingScenario, from_now, new_meeting_scenario

STRANGE = 'Lunch; bring, \\n a "pen" \r\nBEGIN:VALARM\nEND:VEVENT \u2028 \u0085 ünïcode 🗓' + "é" * 90


def test_an_event_says_what_the_meeting_is(scenario: BoardScenario) -> None:
    body: dict[str, Any] = {"location": "Room 3", "virtualMeetingUrl": "https://meet.example.com/x"}
    id_ = meeting(scenario, startTime="2099-03-01T09:00:00Z", endTime="2099-03-01T10:30:00Z", **body)
    reply = fetch(subscribe(scenario.owner))
    event = reply.events[id_]
    assert reply.headers["content-type"] == "text/calendar; charset=utf-8"
    assert reply.headers["cache-control"] == "private, max-age=300"
    assert event["uid"].endswith("@" + fetch_host())
    assert event["dtstart"].dt.isoformat() == "2099-03-01T09:00:00+00:00"
    assert event["dtend"].dt.isoformat() == "2099-03-01T10:30:00+00:00"
    assert [str(event[name]) for name in ("summary", "status", "location")] == ["Meeting", "CONFIRMED", "Room 3"]
    assert event["url"].endswith(f"/boards/{scenario.board_id}/meetings/{id_}")
    assert {"DTSTAMP", "LAST-MODIFIED", "SEQUENCE"} <= event.keys()
    assert {"REFRESH-INTERVAL", "X-PUBLISHED-TTL", "X-WR-CALNAME"} <= reply.calendar.keys()
    assert "@example.com" not in reply.text.replace("meet.example.com", "")


def fetch_host() -> str:
    from urllib.parse import urlsplit

    from governance.settings import settings

    return str(urlsplit(settings().root_url).hostname)


def test_a_meeting_without_an_end_takes_an_hour(scenario: BoardScenario) -> None:
    id_ = meeting(scenario)
    event = fetch(subscribe(scenario.owner)).events[id_]
    assert (event["dtend"].dt - event["dtstart"].dt).total_seconds() == 3600


def test_drafts_are_in_their_creators_feed_only_and_tentative(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    draft = meeting(scenario, ben.client, status="draft")
    assert str(fetch(subscribe(ben)).events[draft]["status"]) == "TENTATIVE"
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


def test_a_full_feed_keeps_the_newest_slots(scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch) -> None:
    _limit_events(monkeypatch, 2)
    poll = new_meeting_scenario(scenario)
    proposed = [poll.slot(from_now(days=days))["id"] for days in (2, 5, 3, 4)]
    assert fetch(subscribe(scenario.owner)).events.keys() == {proposed[1], proposed[3]}


@pytest.mark.parametrize("drafts", [0, 5])
def test_a_feed_of_many_boards_shows_the_newest_of_all(
    scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch, drafts: int
) -> None:
    """Also where they are all of one board, and of lists that were read to their first share only."""
    _limit_events(monkeypatch, 8)
    ben, others = scenario.member("ben"), [new_board_scenario() for _ in range(5)]
    for other in others:
        other.join(ben)
        for day in (1, 2):
            meeting(other, startTime=from_now(days=day))
    for day in range(3, 3 + drafts):
        meeting(scenario, ben.client, status="draft", startTime=from_now(days=day))
    late = {meeting(scenario, startTime=from_now(days=day)) for day in range(20, 31)}
    poll = new_meeting_scenario(scenario)
    slots = {poll.slot(from_now(days=day))["id"] for day in (40, 41)}
    shown = fetch(subscribe(ben)).events
    assert len(shown) == 8
    assert slots < shown.keys()
    assert len(shown.keys() & late) == 6
    assert min(str(event["dtstart"].dt) for event in shown.values())[:10] == from_now(days=25)[:10]


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
        for each in (scenario, *others):
            meeting(each, startTime=from_now(days=day))
    rows: list[int] = []

    def counting(*args: Any, **options: Any) -> list[Any]:
        found = query(*args, **options)
        rows.append(len(found))
        return found

    monkeypatch.setattr(meetings, "query", counting)
    assert len(fetch(subscribe(ben)).events) == 10
    assert sum(rows) == 20  # of 50: twice as many as are shown


def test_slots_of_a_draft_are_for_its_creator(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    draft = new_meeting_scenario(scenario)
    slot = draft.slot(from_now(days=2))
    draft.patch(status="draft")
    assert fetch(subscribe(ben)).events == {}
    assert fetch(subscribe(scenario.owner)).events.keys() == {slot["id"]}


def test_slots_of_a_meeting_that_started_long_ago_are_found(scenario: BoardScenario) -> None:
    poll = new_meeting_scenario(scenario)
    slot = poll.slot(from_now(days=2))
    poll.patch(startTime=from_now(days=-400))
    assert fetch(subscribe(scenario.owner)).events.keys() == {slot["id"]}


def test_a_feed_goes_ninety_days_back(scenario: BoardScenario) -> None:
    recent, _old = meeting(scenario, startTime=from_now(days=-89)), meeting(scenario, startTime=from_now(days=-92))
    assert fetch(subscribe(scenario.owner)).events.keys() == {recent}


def test_the_sequence_rises_with_time_place_and_status_and_with_nothing_else(scenario: BoardScenario) -> None:
    planned = MeetingScenario(scenario, f"{scenario.path}/meetings/{meeting(scenario)}")
    id_, url = planned.path.rpartition("/")[2], subscribe(scenario.owner)

    def sequence() -> int:
        return int(fetch(url).events[id_]["sequence"])

    assert sequence() == 0
    planned.patch(title="Renamed")
    assert sequence() == 0
    steps: list[dict[str, Any]] = [
        {"startTime": from_now(days=5)},
        {"location": "Room 1"},
        {"status": "in_progress"},
        {"status": "scheduled"},
        {"virtualMeetingUrl": "https://meet.example.com/x"},
    ]
    for number, step in enumerate(steps, 1):
        assert planned.patch(**step).status == 200
        assert sequence() == number
    planned.confirm(planned.slot(from_now(days=6)))
    assert sequence() == len(steps) + 1


def test_a_strange_text_is_one_text(scenario: BoardScenario) -> None:
    id_ = "a" * 24
    stored = StoredMeeting.model_validate(
        {
            "id": id_,
            "board_id": scenario.board_id,
            "title": STRANGE,
            "location": STRANGE,
            "status": "scheduled",
            "start_time": from_now(days=1),
            "creator_id": None,
            "created_by_user_id": scenario.owner.id,
            "created_at": from_now(),
            "updated_at": from_now(),
        }
    )
    transact(meetings.create(stored))
    reply = fetch(subscribe(scenario.owner, name="A; \\n, name"))
    assert reply.events.keys() == {id_}
    assert all(len(line.encode()) <= 75 for line in reply.text.split("\r\n"))
    assert "\n" not in reply.text.replace("\r\n", "")
    assert [part.name for part in reply.calendar.walk()] == ["VCALENDAR", "VEVENT"]
    shown = str(reply.events[id_]["summary"])
    assert shown.startswith('Lunch; bring, \\n a "pen"')
    assert shown.endswith("é" * 90)
    assert str(reply.calendar["x-wr-calname"]) == "A; \\n, name"
