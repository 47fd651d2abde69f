"""Series: who writes them, what they hold, and what a change of them leaves (ADR series)."""

from __future__ import annotations

from typing import Any

import pytest

from governance.agenda_limits import SERIES_PER_BOARD
from governance.store.schema.entities import SERIES_COUNT
from governance.store.schema.keys import make_item
from governance.store.transactions import transact
from governance.store.writes import Put
from tests.functions.series.conftest import MONTHLY, create, keys, listed, series_path
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.history import event_items
from tests.harness.table_snapshot import TableSnapshot


def test_a_series_has_its_members_and_shows_what_is_next(scenario: BoardScenario, manager: Person) -> None:
    created = create(scenario, manager)
    assert created.status == 201
    shown = created.data
    assert {**shown, "next": [each["startTime"] for each in shown["next"]]} == {
        **MONTHLY,
        "object": "series",
        "id": shown["id"],
        "boardId": scenario.board_id,
        "location": None,
        "committeeId": None,
        "endsOn": None,
        "count": None,
        "templateId": None,
        "opensDaysBefore": 30,
        "createdByUserId": manager.id,
        "createdAt": shown["createdAt"],
        "updatedAt": shown["createdAt"],
        "next": [
            "2098-01-07T08:00:00.000Z",
            "2098-02-04T08:00:00.000Z",
            "2098-03-04T08:00:00.000Z",
            "2098-04-01T07:00:00.000Z",
            "2098-05-06T07:00:00.000Z",
            "2098-06-03T07:00:00.000Z",
            "2098-07-01T07:00:00.000Z",
            "2098-08-05T07:00:00.000Z",
            "2098-09-02T07:00:00.000Z",
            "2098-10-07T07:00:00.000Z",
            "2098-11-04T08:00:00.000Z",
            "2098-12-02T08:00:00.000Z",
        ],
    }
    path = f"{scenario.path}/series/{shown['id']}"
    assert manager.client.get(path).data == shown
    assert scenario.member("gus", access_type="guest").client.get(f"{scenario.path}/series").data == [shown]


@pytest.mark.parametrize(
    ("members", "fields"),
    [
        ({"rule": "FREQ=DAILY"}, {"rule"}),
        ({"rule": "FREQ=WEEKLY;COUNT=3"}, {"rule"}),
        ({"rule": "FREQ=MONTHLY", "start": "2098-01-29T09:00"}, {"rule"}),
        ({"start": "2098-01-08T09:00"}, {"start"}),
        ({"start": "2098-01-07T09:00Z"}, {"start"}),
        ({"start": "2098-02-30T09:00"}, {"start"}),
        ({"start": "2098-01-07T24:00"}, {"start"}),
        ({"timezone": "Europe/Atlantis"}, {"timezone"}),
        ({"durationMinutes": 4}, {"durationMinutes"}),
        ({"durationMinutes": 1441}, {"durationMinutes"}),
        ({"count": 0}, {"count"}),
        ({"count": 121}, {"count"}),
        ({"count": 3, "endsOn": "2098-12-31"}, {"count"}),
        ({"endsOn": "2098-01-06"}, {"endsOn"}),
        ({"opensDaysBefore": 181}, {"opensDaysBefore"}),
        ({"templateId": "a" * 24}, {"templateId"}),
        ({"committeeId": "a" * 24}, {"committeeId"}),
        ({"title": " ", "location": "a" * 256}, {"title", "location"}),
        ({"every": "month"}, {"every"}),
    ],
)
def test_a_refused_series_names_each_wrong_member_and_changes_nothing(
    scenario: BoardScenario, manager: Person, members: dict[str, Any], fields: set[str]
) -> None:
    before = TableSnapshot()
    refused = create(scenario, manager, **members)
    assert (refused.status, {*refused.fields}) == (400, fields)
    assert before.changes() == {}


def test_a_board_has_at_most_so_many_series(scenario: BoardScenario, manager: Person) -> None:
    key = SERIES_COUNT.key_for(boardId=scenario.board_id)
    transact([Put(make_item(key, {"count": SERIES_PER_BOARD - 1}))])
    assert create(scenario, manager).status == 201
    refused = create(scenario, manager)
    assert (refused.status, refused.details["reason"]) == (409, "LIMIT_REACHED")


def test_a_committees_series_is_its_members_alone(scenario: BoardScenario, manager: Person) -> None:
    committee = scenario.committee(manager)
    series = series_path(scenario, manager, committeeId=committee)
    key = keys(manager.client.get(series))[0]
    meeting = manager.client.post(f"{series}/occurrences/{key}/open").data["id"]
    for outsider in (scenario.owner.client, scenario.token()):
        assert outsider.get(f"{scenario.path}/series").data == []
        assert outsider.get(series).status == 404
        assert outsider.get(f"{series}/occurrences", **{"from": "2098-01-01", "to": "2098-02-01"}).status == 404
        assert outsider.get(f"{scenario.path}/meetings/{meeting}").status == 200
        assert outsider.get(f"{scenario.path}/meetings/{meeting}/series").status == 404
    assert scenario.owner.client.patch(series, {"title": "T"}).status == 404
    assert scenario.owner.client.delete(series).status == 404
    assert keys(manager.client.get(series))[0] == key
    assert manager.client.get(f"{scenario.path}/meetings/{meeting}/series").data["committeeId"] == committee
    assert scenario.owner.client.post(f"{scenario.path}/series", {**MONTHLY, "committeeId": committee}).status == 400


def test_a_change_of_the_rule_leaves_what_was_opened_and_begins_the_day_after(
    scenario: BoardScenario, manager: Person
) -> None:
    series = series_path(scenario, manager, count=5)
    assert manager.client.post(f"{series}/occurrences/2098-02-04T09:00/open").status == 201
    moved = {"startTime": "2098-03-11T08:00:00Z"}
    assert manager.client.put(f"{series}/occurrences/2098-03-04T09:00", moved).status == 200
    changed = manager.client.patch(series, {"rule": "FREQ=MONTHLY;BYDAY=3WE", "start": "2098-01-15T10:00"})
    assert changed.status == 200, changed.text
    expected = ["2098-01-07T09:00", "2098-02-04T09:00", "2098-02-19T10:00", "2098-03-19T10:00", "2098-04-16T10:00"]
    assert [each["key"] for each in listed(manager, series)] == keys(changed) == expected
    assert listed(manager, series, "2098-03-01", "2098-03-19") == []
    again = manager.client.patch(series, {"rule": MONTHLY["rule"], "start": MONTHLY["start"], "count": None})
    assert keys(again)[:3] == ["2098-01-07T09:00", "2098-02-04T09:00", "2098-03-04T09:00"]
    assert [each["movedFrom"] for each in again.data["next"]] == [None] * 12


def test_the_same_values_change_nothing_and_an_end_replaces_the_other(scenario: BoardScenario, manager: Person) -> None:
    series = series_path(scenario, manager, count=3)
    before, shown = TableSnapshot(), manager.client.get(series).data
    assert manager.client.patch(series, {"title": MONTHLY["title"], "count": 3}).data == shown
    assert before.changes() == {}
    ended = manager.client.patch(series, {"endsOn": "2098-02-04"}).data
    assert (ended["endsOn"], ended["count"], len(ended["next"])) == ("2098-02-04", None, 2)
    assert manager.client.patch(series, {"endsOn": "2097-01-01"}).status == 400
    assert manager.client.patch(series, {}).status == 400


def test_a_start_in_the_past_lists_nothing_of_it(scenario: BoardScenario, manager: Person) -> None:
    series = series_path(scenario, manager, rule="FREQ=WEEKLY", start="1999-01-05T09:00", opensDaysBefore=1)
    assert listed(manager, series, "1999-01-01", "2000-01-01") == []
    assert manager.client.post(f"{series}/occurrences/1999-01-05T09:00/open").status == 404
    assert len(manager.client.get(series).data["next"]) == 12


def test_a_deleted_series_ends_what_is_planned_and_its_meetings_stay(scenario: BoardScenario, manager: Person) -> None:
    series = series_path(scenario, manager)
    meeting = manager.client.post(f"{series}/occurrences/2098-01-07T09:00/open").data["id"]
    assert manager.client.delete(series).status == 200
    assert manager.client.get(series).status == 404
    assert manager.client.get(f"{scenario.path}/meetings/{meeting}").status == 200
    assert manager.client.get(f"{scenario.path}/meetings/{meeting}/series").status == 404
    recorded = sorted(item["type"] for item in event_items(scenario.board_id))
    assert recorded == ["meeting.created", "occurrence.opened", "series.created", "series.deleted"]
