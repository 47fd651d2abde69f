"""Polls of calendar feeds: conditional requests, what they cost, and which changes give a board a new stamp."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from governance import instants
from governance.domain.account import tokens
from governance.instants import Instant
from governance.store.calendars import calendars
from governance.store.meetings import meetings
from governance.store.schema.entities import CALENDAR_STAMP
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.usecases.calendars import calendar_content
from tests.calendars.calendar_invitation_mails import settle
from tests.calendars.feeds import fetch, meeting, subscribe
from tests.domain import samples
from tests.harness import engine
from tests.harness.board_scenario import BoardScenario, new_board_scenario
from tests.harness.client import Response
from tests.harness.clock import Clock
from tests.harness.history import event_items
from tests.harness.meeting_scenario import from_now
from tests.harness.store_calls import InlinePool, count_store_calls
from tests.harness.stream import process_records, record

OLD_ENOUGH = {"minutes": 2}
"""After this time, the boards' stamps are old enough for a lasting tag."""


def test_an_unchanged_feed_is_a_304_and_a_changed_one_is_not(scenario: BoardScenario, clock: Clock) -> None:
    id_ = meeting(scenario)
    settle(scenario)
    url = subscribe(scenario.owner)
    clock.advance(**OLD_ENOUGH)
    first = fetch(url)
    for tag in (first.headers["etag"], f'"x", {first.headers["etag"].removeprefix("W/")}', "*"):
        reply = fetch(url, if_none_match=tag)
        assert (reply.status, reply.body) == (304, b"")
        assert reply.headers["etag"] == first.headers["etag"]
    assert scenario.owner.client.patch(f"{scenario.path}/meetings/{id_}", {"title": "New"}).status == 200
    settle(scenario)
    changed = fetch(url, if_none_match=first.headers["etag"])
    assert (changed.status, str(changed.events[id_]["summary"])) == (200, "New")
    assert changed.headers["etag"] != first.headers["etag"]


def test_a_change_that_a_calendar_shows_gives_the_board_a_new_stamp_and_another_does_not(
    scenario: BoardScenario,
) -> None:
    """Which events do is declared by their records (`contract/test_event_effects.py`)."""
    path = f"{scenario.path}/meetings/{meeting(scenario)}"
    settle(scenario)
    stamps = [stamp(scenario)]
    changes: list[Callable[[], Response]] = [
        lambda: scenario.owner.client.put(f"{path}/rsvp", {"status": "accepted"}),
        lambda: scenario.owner.client.patch(path, {"startTime": from_now(days=9)}),
    ]
    for change in changes:
        known = event_items(scenario.board_id)
        assert change().status == 200
        made = [item for item in event_items(scenario.board_id) if item not in known]
        assert process_records([record(item) for item in made]) == []
        stamps.append(stamp(scenario))
    assert stamps[0] == stamps[1] != stamps[2]


def stamp(scenario: BoardScenario) -> str:
    return calendars.stamp_of(read_one(CALENDAR_STAMP.key_for(boardId=scenario.board_id)))


def test_a_change_that_is_delivered_while_a_feed_is_read_is_in_the_next_one(
    scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The meetings are read beside the stamps: here all meetings first, then the change, then the stamps."""
    path = f"{scenario.path}/meetings/{meeting(scenario)}"
    secret = subscribe(scenario.owner).rpartition("/")[2].removesuffix(".ics")
    read_stamps, now = calendar_content._visible_boards, instants.now()

    def change_first(*args: Any) -> Any:
        monkeypatch.setattr(calendar_content, "_visible_boards", read_stamps)
        assert scenario.owner.client.patch(path, {"title": "New"}).status == 200
        settle(scenario)
        return read_stamps(*args)

    monkeypatch.setattr(calendar_content, "_visible_boards", change_first)
    stale = calendar_content.read_feed(secret, "", now)
    assert [event.title for event in stale.events or []] == ["Meeting"]
    for at in (now, instants.shift(now, minutes=5)):
        reply = calendar_content.read_feed(secret, stale.tag, instants.shift(at, seconds=1))
        assert [event.title for event in reply.events or []] == ["New"]


def test_a_tag_that_shows_that_it_is_outdated_costs_no_round_trip(
    scenario: BoardScenario, pool: InlinePool, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of another day, one of the minute after a change, and a header that names none."""
    meeting(scenario)
    settle(scenario)
    url = subscribe(scenario.owner)
    clock.advance(**OLD_ENOUGH)
    yesterdays = fetch(url).headers["etag"]
    clock.advance(days=2)
    settle(scenario)
    passing = fetch(url).headers["etag"]
    clock.advance(days=2, **OLD_ENOUGH)
    lasting = fetch(url).headers["etag"]
    read_stamps, begun = calendar_content._visible_boards, list[int]()

    def count_reads_before(*args: Any) -> Any:
        begun.append(len(calls.concurrent))
        return read_stamps(*args)

    monkeypatch.setattr(calendar_content, "_visible_boards", count_reads_before)
    for number, header in enumerate((yesterdays, passing, f'{yesterdays}, "x"', "no tag")):
        with count_store_calls(pool) as calls:
            begun.clear()
            reply = fetch(url, if_none_match=header, x_viewer_address=f"198.51.100.{100 + number}")
        assert (reply.status, calls.sequential) == (200, ["BatchGetItem", "BatchGetItem"])
        assert len(calls.concurrent) == begun[0] + 1  # the board's series: which the user sees is known by then
    for number, header in enumerate((lasting, f"{yesterdays}, {lasting.removeprefix('W/')}", "*")):
        with count_store_calls(pool) as calls:
            reply = fetch(url, if_none_match=header, x_viewer_address=f"198.51.100.{number}")
        assert (reply.status, calls.sequential) == (304, ["BatchGetItem", "BatchGetItem"])
        assert len(calls.concurrent) == 1  # the list of the user's boards


def test_a_new_board_changes_the_feed_of_all_boards(scenario: BoardScenario) -> None:
    url = subscribe(scenario.owner)
    tag = fetch(url).headers["etag"]
    other = new_board_scenario("oscar")
    other.join(scenario.owner)
    id_ = meeting(other)
    for headers in ({"if_none_match": tag}, {}):
        assert fetch(url, **headers).events.keys() == {id_}


def test_head_answers_without_a_body(scenario: BoardScenario) -> None:
    url = subscribe(scenario.owner)
    shown, asked = fetch(url), fetch(url, "HEAD")
    assert (asked.status, asked.body) == (200, b"")
    assert asked.headers["etag"] == shown.headers["etag"]


@pytest.mark.slow
def test_a_thousand_events_take_two_round_trips_and_64_kilobytes(
    scenario: BoardScenario, pool: InlinePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in engine.WITHOUT_RATE_LIMIT.items():  # else every few requests lease the address's next block
        monkeypatch.setenv(name, value)
    engine.clear_caches()
    start, writes = instants.now(), []
    for number in range(1005):
        at = instants.shift(start, hours=8 * number)
        stored = samples.meeting(
            id=tokens.token_id(str(number)),
            board_id=scenario.board_id,
            title=f"Meeting of the finance committee, number {number}",
            location="Board room, 3rd floor",
            timezone="Europe/Paris",
            start_time=at,
            end_time=instants.shift(at, minutes=90 + number % 60),
            creator_id=None,
            updated_at=instants.shift(start, seconds=number),
            sequence=number % 7,
        )
        writes += meetings.create(stored)
    for first in range(0, len(writes), 100):
        transact(writes[first : first + 100])
    for url in (subscribe(scenario.owner), subscribe(scenario.owner, boardId=scenario.board_id)):
        fetch(url)  # leases a block of the address's requests
        with count_store_calls(pool) as calls:
            reply = fetch(url, accept_encoding="gzip")
        assert calls.sequential == ["BatchGetItem", "BatchGetItem"]
        assert len(reply.events) == 1000
        assert max(event["dtstart"].dt for event in reply.events.values()) == instants.to_datetime(
            Instant(at[:19] + "Z")
        )
        assert len(reply.body) <= 64 * 1024
        with count_store_calls(pool) as calls:
            assert fetch(url, if_none_match=reply.headers["etag"]).status == 304
        assert calls.sequential == ["BatchGetItem", "BatchGetItem"]
        assert set(calls.concurrent) <= {"Query"}
        assert len(calls.concurrent) <= 1  # the list of the user's boards
