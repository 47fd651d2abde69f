"""Occurrences: which there are, how one is moved, cancelled, put back and opened (ADR series)."""

from __future__ import annotations

import pytest

from tests.functions.series.conftest import keys, listed, series_path
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.table_snapshot import TableSnapshot

FIRST, SECOND = "2098-01-07T09:00", "2098-02-04T09:00"


def test_occurrences_are_listed_by_start_within_the_days(scenario: BoardScenario, manager: Person) -> None:
    series = series_path(scenario, manager)
    assert [each["key"] for each in listed(manager, series, "2098-01-07", "2098-03-04")] == [FIRST, SECOND]
    moved = manager.client.put(f"{series}/occurrences/{FIRST}", {"startTime": "2098-02-10T09:00:00+01:00"})
    assert moved.data == {
        "object": "occurrence",
        "seriesId": series.rpartition("/")[2],
        "key": FIRST,
        "startTime": "2098-02-10T08:00:00.000Z",
        "status": "planned",
        "meetingId": None,
        "movedFrom": "2098-01-07T08:00:00.000Z",
    }
    assert [each["key"] for each in listed(manager, series, "2098-01-07", "2098-03-04")] == [SECOND, FIRST]
    assert listed(manager, series, "2098-01-01", "2098-02-01") == []
    assert keys(manager.client.get(series))[:2] == [SECOND, FIRST]


@pytest.mark.parametrize(
    "query",
    ["", "?from=2098-01-01", "?from=2098-01-01&to=2098-01-01", "?from=2098-01-01&to=2099-01-03", "?from=x&to=y"],
)
def test_the_days_of_a_list_are_both_given_and_at_most_a_year(
    scenario: BoardScenario, manager: Person, query: str
) -> None:
    series = series_path(scenario, manager)
    assert manager.client.call("GET", f"{series}/occurrences", query=query).status == 400
    assert manager.client.call("GET", f"{series}/occurrences", query="from=2098-01-01&to=2099-01-02").status == 200


def test_a_cancelled_occurrence_is_not_next_and_comes_back(scenario: BoardScenario, manager: Person) -> None:
    series = series_path(scenario, manager)
    cancelled = manager.client.put(f"{series}/occurrences/{FIRST}", {"cancelled": True})
    assert (cancelled.status, cancelled.data["status"]) == (200, "cancelled")
    assert keys(manager.client.get(series))[0] == SECOND
    refused = manager.client.post(f"{series}/occurrences/{FIRST}/open")
    assert (refused.status, refused.details["reason"]) == (409, "OCCURRENCE_CANCELLED")
    assert [each["status"] for each in listed(manager, series, "2098-01-01", "2098-02-01")] == ["cancelled"]
    restored = manager.client.delete(f"{series}/occurrences/{FIRST}")
    assert (restored.status, restored.data["status"]) == (200, "planned")
    assert keys(manager.client.get(series))[0] == FIRST


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"cancelled": False},
        {"startTime": "2020-01-01T00:00:00Z"},
        {"startTime": "2098-01-08T09:00:00Z", "cancelled": True},
        {"startTime": "2098-01-08T09:00"},
        {"startTime": None, "cancelled": None},
    ],
)
def test_a_refused_change_of_an_occurrence_changes_nothing(
    scenario: BoardScenario, manager: Person, body: dict[str, object]
) -> None:
    series = series_path(scenario, manager)
    before = TableSnapshot()
    assert manager.client.put(f"{series}/occurrences/{FIRST}", body).status == 400
    assert before.changes() == {}


@pytest.mark.parametrize(
    "key", ["2098-01-07T09:01", "2098-01-08T09:00", "2097-12-03T09:00", "2098-01-07", "x", "2098-01-07T09:00:00"]
)
def test_what_is_no_occurrence_is_not_found(scenario: BoardScenario, manager: Person, key: str) -> None:
    one = f"{series_path(scenario, manager)}/occurrences/{key}"
    assert manager.client.put(one, {"cancelled": True}).status == 404
    assert manager.client.delete(one).status == 404
    assert manager.client.post(f"{one}/open").status == 404


def test_an_occurrence_is_opened_once_as_a_scheduled_meeting(scenario: BoardScenario, manager: Person) -> None:
    series = series_path(scenario, manager, location="Room 5")
    opened = manager.client.post(f"{series}/occurrences/{FIRST}/open")
    again = manager.client.post(f"{series}/occurrences/{FIRST}/open")
    assert (opened.status, again.status) == (201, 200)
    assert again.data == opened.data
    assert {name: opened.data[name] for name in ("title", "status", "location", "startTime", "endTime")} == {
        "title": "Board meeting",
        "status": "scheduled",
        "location": "Room 5",
        "startTime": "2098-01-07T08:00:00.000Z",
        "endTime": "2098-01-07T09:30:00.000Z",
    }
    (occurrence,) = listed(manager, series, "2098-01-01", "2098-02-01")
    assert (occurrence["status"], occurrence["meetingId"]) == ("opened", opened.data["id"])
    assert manager.client.get(series).data["next"][0] == occurrence
    assert manager.client.get(f"{scenario.path}/meetings/{opened.data['id']}/series").data == {
        "object": "meeting_series",
        "meetingId": opened.data["id"],
        "seriesId": series.rpartition("/")[2],
        "key": FIRST,
        "committeeId": None,
    }
    for refused in (
        manager.client.put(f"{series}/occurrences/{FIRST}", {"cancelled": True}),
        manager.client.delete(f"{series}/occurrences/{FIRST}"),
    ):
        assert (refused.status, refused.details["reason"]) == (409, "OCCURRENCE_OPENED")


def test_a_repeat_with_the_same_idempotency_key_has_the_status_of_the_first(
    scenario: BoardScenario, manager: Person
) -> None:
    path = f"{series_path(scenario, manager)}/occurrences/{FIRST}/open"
    statuses = [manager.client.post(path, idempotency_key=key).status for key in ("a", "a", "b", "b")]
    assert statuses == [201, 201, 200, 200]


def test_an_opened_occurrence_is_where_its_meeting_is(scenario: BoardScenario, manager: Person) -> None:
    series = series_path(scenario, manager)
    meeting = manager.client.post(f"{series}/occurrences/{FIRST}/open").data["id"]
    times = {"startTime": "2098-01-20T08:00:00Z", "endTime": "2098-01-20T09:00:00Z"}
    assert manager.client.patch(f"{scenario.path}/meetings/{meeting}", times).status == 200
    assert listed(manager, series, "2098-01-01", "2098-01-20") == []
    (occurrence,) = listed(manager, series, "2098-01-20", "2098-01-21")
    assert occurrence["movedFrom"] == "2098-01-07T08:00:00.000Z"


def test_an_occurrence_whose_meeting_was_deleted_is_cancelled_for_good(
    scenario: BoardScenario, manager: Person
) -> None:
    series = series_path(scenario, manager)
    meeting = manager.client.post(f"{series}/occurrences/{FIRST}/open").data["id"]
    assert scenario.owner.client.delete(f"{scenario.path}/meetings/{meeting}").status == 200
    assert [each["status"] for each in listed(manager, series, "2098-01-01", "2098-02-01")] == ["cancelled"]
    assert keys(manager.client.get(series))[0] == SECOND
    refused = manager.client.post(f"{series}/occurrences/{FIRST}/open")
    assert (refused.status, refused.details["reason"]) == (409, "OCCURRENCE_CANCELLED")
    assert manager.client.delete(f"{series}/occurrences/{FIRST}").status == 409


def test_what_an_occurrence_left_open_goes_to_the_next_one_once(scenario: BoardScenario, manager: Person) -> None:
    series = series_path(scenario, manager)
    meetings = [manager.client.post(f"{series}/occurrences/{FIRST}/open").data["id"]]
    path = f"{scenario.path}/meetings/"
    assert manager.client.put(f"{path}{meetings[0]}/agenda", {"items": [{"title": "Budget"}]}).status == 200
    assert manager.client.patch(path + meetings[0], {"status": "completed"}).status == 200
    meetings.append(manager.client.post(f"{series}/occurrences/{SECOND}/open").data["id"])
    meetings.append(manager.client.post(f"{series}/occurrences/2098-03-04T09:00/open").data["id"])
    titles = [
        [item["title"] for item in manager.client.get(f"{path}{meeting}/agenda").data["items"]] for meeting in meetings
    ]
    assert titles == [["Budget"], ["Budget"], []]
    assert manager.client.put(f"{path}{meetings[1]}/agenda", {"items": []}).status == 200
    for status in ("scheduled", "completed"):
        assert manager.client.patch(path + meetings[0], {"status": status}).status == 200
    assert manager.client.get(f"{path}{meetings[1]}/agenda").data["items"] == []
    assert manager.client.put(f"{path}{meetings[1]}/agenda", {"items": [{"title": "Audit"}]}).status == 200
    assert manager.client.patch(path + meetings[1], {"status": "completed"}).status == 200
    third = manager.client.get(f"{path}{meetings[2]}/agenda").data["items"]
    assert [item["title"] for item in third] == ["Audit"]
