"""The clock opens the occurrences of a series, each once, also after a long sleep, unless the board may not change."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from governance.store.schema.entities import COMMITTEE
from governance.store.transactions import transact
from governance.store.writes import Delete
from tests.harness.board_scenario import Person
from tests.reminders.conftest import World


def begun(world: World, manager: Person, *, ahead: int, **members: Any) -> str:
    """Creates a weekly series whose first occurrence is in as many days, an hour later at least."""
    start = (datetime.now(UTC) + timedelta(days=ahead, hours=2)).replace(minute=0)
    body = {
        "title": "Weekly",
        "rule": "FREQ=WEEKLY",
        "start": f"{start:%Y-%m-%dT%H:%M}",
        "timezone": "UTC",
        "durationMinutes": 60,
        "opensDaysBefore": 7,
    }
    created = manager.client.post(f"{world.board.path}/series", {**body, **members})
    assert created.status == 201, created.text
    return f"{world.board.path}/series/{created.data['id']}"


def meetings(world: World) -> list[str]:
    listed = world.board.owner.client.get(f"{world.board.path}/meetings", order="asc").data
    return [meeting["startTime"] for meeting in listed if meeting["title"] == "Weekly"]


def statuses(manager: Person, series: str) -> list[str]:
    return [each["status"] for each in manager.client.get(series).data["next"]][:3]


def test_each_occurrence_is_opened_once_so_many_days_before_and_told(world: World) -> None:
    manager = world.board.member("maya", access_type="manager")
    series = begun(world, manager, ahead=3)
    world.pass_time(minutes=2)
    assert statuses(manager, series) == ["opened", "planned", "planned"]
    assert len(world.told(manager, "meeting_scheduled")) == 1
    for number in (2, 3):
        world.pass_time(days=7)
        world.pass_time(minutes=1)
        assert len(meetings(world)) == number
    assert len(world.told(manager, "meeting_scheduled")) == 3


def test_what_a_person_opened_is_not_opened_again(world: World) -> None:
    manager = world.board.member("maya", access_type="manager")
    series = begun(world, manager, ahead=3)
    key = manager.client.get(series).data["next"][0]["key"]
    assert manager.client.post(f"{series}/occurrences/{key}/open").status == 201
    world.pass_time(minutes=2)
    assert len(meetings(world)) == 1


def test_a_clock_that_slept_opens_what_is_still_to_come(world: World) -> None:
    manager = world.board.member("maya", access_type="manager")
    begun(world, manager, ahead=9, opensDaysBefore=1)
    world.pass_time(days=15)
    world.pass_time(days=1)
    assert len(meetings(world)) == 1
    (opened,) = meetings(world)
    assert opened > (datetime.now(UTC) + timedelta(days=15)).isoformat()


def test_all_that_is_due_when_a_series_is_made_is_opened_at_once_and_moved_ones_are_followed(world: World) -> None:
    manager = world.board.member("maya", access_type="manager")
    series = begun(world, manager, ahead=3, opensDaysBefore=30, count=4)
    first = manager.client.get(series).data["next"][0]
    later = (datetime.now(UTC) + timedelta(days=60)).isoformat()
    assert manager.client.put(f"{series}/occurrences/{first['key']}", {"startTime": later}).status == 200
    world.pass_time(minutes=2)
    assert len(meetings(world)) == 3
    world.pass_time(days=31)
    assert len(meetings(world)) == 4


def test_a_restricted_board_skips_and_its_managers_are_told_once(world: World) -> None:
    manager = world.board.member("maya", access_type="manager")
    series = begun(world, manager, ahead=3)
    world.board.set_billing_state("CANCELLED")
    world.pass_time(minutes=2)
    world.pass_time(days=7)
    world.pass_time(minutes=1)
    assert meetings(world) == []
    assert len(world.told(manager, "board_update")) == 1
    world.board.set_billing_state("PAID_ACTIVE")
    world.pass_time(days=7)
    assert len(meetings(world)) == 1
    assert statuses(manager, series)[:2] == ["opened", "planned"]


def test_a_series_of_a_deleted_committee_is_skipped(world: World) -> None:
    manager = world.board.member("maya", access_type="manager")
    committee = world.board.committee(manager)
    begun(world, manager, ahead=3, committeeId=committee)
    transact([Delete(COMMITTEE.key_for(boardId=world.board.board_id, committeeId=committee))])
    world.pass_time(minutes=2)
    assert meetings(world) == []
    assert len(world.told(manager, "board_update")) >= 1


def test_nothing_is_opened_of_a_deleted_series_or_a_cancelled_occurrence(world: World) -> None:
    manager = world.board.member("maya", access_type="manager")
    cancelled, deleted = begun(world, manager, ahead=3, count=1), begun(world, manager, ahead=3)
    key = manager.client.get(cancelled).data["next"][0]["key"]
    assert manager.client.put(f"{cancelled}/occurrences/{key}", {"cancelled": True}).status == 200
    assert manager.client.delete(deleted).status == 200
    world.pass_time(days=1)
    assert meetings(world) == []
