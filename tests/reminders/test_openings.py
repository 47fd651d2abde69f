"""An opening that moves more than one transaction takes goes on by the clock, until the agenda is full."""

from __future__ import annotations

from typing import Any

import pytest

from governance.agenda_limits import AGENDA_ITEMS
from governance.domain.series.composition import MOVES
from governance.limits import TRANSACTION_WRITES
from governance.store import dynamodb
from tests.functions.series.test_agendas import FIRST, SECOND, backlog, made, opened, titles
from tests.harness.board_scenario import Person
from tests.harness.sample_bodies import SERIES
from tests.reminders.conftest import World


@pytest.fixture
def manager(world: World) -> Person:
    return world.board.member("maya", access_type="manager")


def series_of(world: World, manager: Person, **members: Any) -> str:
    return f"{world.board.path}/series/{made(manager, f'{world.board.path}/series', {**SERIES, **members})}"


def wait(world: World, manager: Person, number: int, **members: Any) -> list[str]:
    """Puts so many items into the backlog; returns their titles."""
    names = [f"Waiting {index}" for index in range(number)]
    for name in names:
        made(manager, f"{world.board.path}/backlog", {"title": name, **members})
    return names


def left_open(world: World, manager: Person, series: str, number: int) -> tuple[str, list[str]]:
    """Opens the first occurrence, with so many items; returns its meeting and their titles."""
    meeting, names = opened(manager, series), [f"Left {index}" for index in range(number)]
    body = {"items": [{"title": name} for name in names]}
    assert manager.client.put(f"{world.board.path}/meetings/{meeting}/agenda", body).status == 200
    return meeting, names


def complete(world: World, manager: Person, meeting: str, *before: str) -> None:
    for status in (*before, "completed"):
        changed = manager.client.patch(f"{world.board.path}/meetings/{meeting}", {"status": status})
        assert changed.status == 200, changed.text


def waiting(world: World, person: Person) -> list[str]:
    """Returns the titles of all that waits, the first that came first."""
    return [item["title"] for item in person.client.get(f"{world.board.path}/backlog", limit="100", order="asc").data]


def test_a_hundred_waiting_items_come_to_one_agenda_and_the_next_one_waits(world: World, manager: Person) -> None:
    series, names = series_of(world, manager), wait(world, manager, AGENDA_ITEMS + 1)
    meeting = opened(manager, series)
    assert titles(world.board, manager, meeting) == names[:MOVES]
    assert set(waiting(world, manager)) == set(names[MOVES:])
    world.pass_time(minutes=1)
    assert titles(world.board, manager, meeting) == names[:AGENDA_ITEMS]
    assert waiting(world, manager) == names[AGENDA_ITEMS:]
    world.pass_time(minutes=1)
    assert len(titles(world.board, manager, meeting)) == AGENDA_ITEMS


def test_template_and_plan_come_first_and_what_a_person_changes_meanwhile_stays(world: World, manager: Person) -> None:
    path = world.board.path
    template = made(manager, f"{path}/agenda-templates", {"name": "T", "items": [{"title": "A"}, {"title": "B"}]})
    made(manager, f"{path}/plan", {"title": "Due", "months": [1]})
    series, names = series_of(world, manager, templateId=template), wait(world, manager, MOVES + 2)
    meeting = opened(manager, series)
    agenda = f"{path}/meetings/{meeting}/agenda"
    items = manager.client.get(agenda).data["items"]
    assert [item["title"] for item in items] == ["A", "B", "Due", *names[:MOVES]]
    assert manager.client.post(f"{agenda}/items/{items[3]['id']}/postpone", {"to": "backlog"}).status == 200
    kept = [{"id": item["id"], "title": item["title"]} for item in items[1:] if item["id"] != items[3]["id"]]
    assert manager.client.put(agenda, {"items": kept}).status == 200
    made(manager, f"{path}/backlog", {"title": "Later"})
    world.pass_time(minutes=1)
    assert titles(world.board, manager, meeting) == ["B", "Due", *names[1:]]
    assert set(waiting(world, manager)) == {names[0], "Later"}


def test_what_was_left_open_comes_after_all_that_waited_and_waits_without_room(world: World, manager: Person) -> None:
    series = series_of(world, manager)
    first, left = left_open(world, manager, series, 2 * MOVES)
    complete(world, manager, first, "in_progress")
    names = wait(world, manager, AGENDA_ITEMS - 10)
    meeting = opened(manager, series, SECOND)
    world.pass_time(minutes=1)
    assert titles(world.board, manager, meeting) == [*names, *left[:10]]
    assert sorted(waiting(world, manager)) == sorted(left[10:])
    complete(world, manager, first, "in_progress")
    world.pass_time(minutes=1)
    assert len(waiting(world, manager)) == len(left) - 10


def test_a_meeting_that_is_completed_before_its_agenda_is_full_takes_nothing_more(
    world: World, manager: Person
) -> None:
    series = series_of(world, manager)
    first, left = left_open(world, manager, series, 3)
    complete(world, manager, first, "in_progress")
    names = wait(world, manager, MOVES + 1)
    meeting = opened(manager, series, SECOND)
    opened(manager, series, "2098-03-04T09:00")
    complete(world, manager, meeting, "in_progress")
    world.pass_time(minutes=1)
    assert titles(world.board, manager, meeting) == names[:MOVES]
    assert sorted(waiting(world, manager)) == sorted(left)


def test_all_that_is_left_open_waits_for_the_next_occurrence_if_those_that_follow_have_begun(
    world: World, manager: Person
) -> None:
    series = series_of(world, manager)
    first, left = left_open(world, manager, series, AGENDA_ITEMS)
    second = opened(manager, series, SECOND)
    assert manager.client.patch(f"{world.board.path}/meetings/{second}", {"status": "in_progress"}).status == 200
    complete(world, manager, first)
    assert len(waiting(world, manager)) == MOVES
    world.pass_time(minutes=1)
    assert sorted(waiting(world, manager)) == sorted(left)
    world.pass_time(minutes=1)
    assert len(waiting(world, manager)) == len(left)
    third = opened(manager, series, "2098-03-04T09:00")
    world.pass_time(minutes=1)
    assert sorted(titles(world.board, manager, third)) == sorted(left)


@pytest.fixture
def sizes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of writes of all transactions."""
    noted, call = list[int](), dynamodb.raw_call

    def counted(operation: str, **request: Any) -> Any:
        noted.append(len(request.get("TransactItems", ())))
        return call(operation, **request)

    monkeypatch.setattr(dynamodb, "raw_call", counted)
    return noted


KEYED = {"idempotency-key": "once-and-only-once"}


def test_an_opening_fits_a_transaction_however_much_comes_with_it(
    world: World, manager: Person, sizes: list[int]
) -> None:
    committee = world.board.committee(manager)
    series = series_of(world, manager, committeeId=committee)
    first, left = left_open(world, manager, series, 1)
    complete(world, manager, first, "in_progress")
    names = wait(world, manager, MOVES + 1, committeeId=committee)
    created = manager.client.call("POST", f"{series}/occurrences/{SECOND}/open", {}, headers=KEYED)
    assert created.status == 201, created.text
    world.pass_time(minutes=1)
    assert titles(world.board, manager, created.data["id"]) == [*names, *left]
    assert waiting(world, manager) == []
    assert world.board.owner.client.delete(f"{world.board.path}/committees/{committee}").status == 200
    assert 2 * MOVES < max(sizes) <= TRANSACTION_WRITES


def test_a_completion_fits_a_transaction_however_much_changes_with_it(
    world: World, manager: Person, sizes: list[int]
) -> None:
    committee = world.board.committee(manager)
    series = series_of(world, manager, committeeId=committee)
    first, left = left_open(world, manager, series, AGENDA_ITEMS)
    second = opened(manager, series, SECOND)
    body = {"items": [{"title": "Full"}] * (AGENDA_ITEMS - 1)}
    assert manager.client.put(f"{world.board.path}/meetings/{second}/agenda", body).status == 200
    changes = {"status": "completed", "title": "New", "startTime": "2097-01-07T09:00:00Z", "location": "Elsewhere"}
    changed = manager.client.call("PATCH", f"{world.board.path}/meetings/{first}", changes, headers=KEYED)
    assert changed.status == 200, changed.text
    world.pass_time(minutes=1)
    assert titles(world.board, manager, second)[-1:] == left[:1]
    assert sorted(waiting(world, manager)) == sorted(left[1:])
    assert 2 * MOVES < max(sizes) <= TRANSACTION_WRITES


def test_a_series_that_is_deleted_meanwhile_leaves_what_waits(world: World, manager: Person) -> None:
    series, names = series_of(world, manager), wait(world, manager, MOVES + 1)
    meeting = opened(manager, series, FIRST)
    assert manager.client.delete(series).status == 200
    world.pass_time(minutes=1)
    assert titles(world.board, manager, meeting) == names[:MOVES]
    assert [item["title"] for item in backlog(world.board, manager)] == names[MOVES:]
