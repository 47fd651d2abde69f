"""The routes of meetings."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.board_scenario import BoardScenario
from tests.harness.table_snapshot import TableSnapshot

_VALUES = {"title": "Spring", "status": "scheduled", "startTime": "2040-01-01T09:00:00Z", "endTime": None}


@pytest.mark.parametrize(
    ("members", "is_change"),
    [
        (_VALUES, False),
        ({"status": "scheduled"}, False),
        ({"startTime": "2040-01-01T10:00:00+01:00"}, False),
        ({**_VALUES, "title": "Autumn"}, True),
        ({"status": "completed"}, True),
    ],
)
def test_setting_the_same_values_changes_nothing(
    scenario: BoardScenario, members: dict[str, Any], *, is_change: bool
) -> None:
    created = scenario.owner.client.post(f"{scenario.path}/meetings", _VALUES).data
    path, before = f"{scenario.path}/meetings/{created['id']}", TableSnapshot()
    response = scenario.owner.client.patch(path, members)
    assert (response.status, response.data != created, bool(before.changes())) == (200, is_change, is_change)


def create(scenario: BoardScenario, **members: Any) -> dict[str, Any]:
    response = scenario.owner.client.post(f"{scenario.path}/meetings", {"title": "Spring", **members})
    assert response.status == 201, response.text
    return dict(response.data)


def test_a_new_meeting_is_answered_with_all_of_its_members(scenario: BoardScenario) -> None:
    place = {"locationType": "hybrid", "location": "Room 2", "virtualMeetingUrl": "https://meet.example.com/x"}
    times = {"startTime": "2040-01-01T10:00:00.000Z", "endTime": "2040-01-01T11:00:00.000Z"}
    created = create(scenario, status="scheduled", **place, **times)
    made = {name: created.pop(name) for name in ("id", "createdAt", "updatedAt")}
    assert created == {
        **dict.fromkeys(created),
        "object": "meeting",
        "boardId": scenario.board_id,
        "title": "Spring",
        "status": "scheduled",
        **place,
        **times,
        "createdByUserId": scenario.owner.id,
    }
    assert made["createdAt"] == made["updatedAt"]


def test_a_change_answers_the_meeting_as_it_then_is_read(scenario: BoardScenario) -> None:
    path = f"{scenario.path}/meetings/{create(scenario, status='scheduled', location='Room 2')['id']}"
    changed = scenario.owner.client.patch(path, {"title": "Autumn", "location": None}).data
    assert (changed["title"], changed["location"], changed["status"]) == ("Autumn", None, "scheduled")
    assert scenario.owner.client.get(path).data == changed
    assert scenario.owner.client.all(f"{scenario.path}/meetings") == [changed]


@pytest.mark.parametrize(
    ("after", "before", "titles"), [(2, None, ["Third"]), (None, 2, ["First"]), (1, 3, ["Second"])]
)
def test_a_filter_by_start_leaves_out_its_own_instants_and_meetings_without_a_start(
    scenario: BoardScenario, after: int | None, before: int | None, titles: list[str]
) -> None:
    for day, title in enumerate(("First", "Second", "Third"), start=1):
        create(scenario, status="scheduled", title=title, startTime=f"2040-01-0{day}T10:00:00.000Z")
    create(scenario, status="scheduled", title="Without a start")
    create(scenario, status="completed", title="Completed")
    days = {"startAfter": after, "startBefore": before}
    window = {name: f"2040-01-0{day}T10:00:00Z" for name, day in days.items() if day}
    for query in ({}, {"status": "scheduled"}):
        listed = scenario.owner.client.all(f"{scenario.path}/meetings", **window, **query)
        assert [meeting["title"] for meeting in listed] == titles
    assert [
        meeting["title"] for meeting in scenario.owner.client.all(f"{scenario.path}/meetings", status="completed")
    ] == ["Completed"]


def test_drafts_are_listed_for_their_creator_only_by_themselves_or_among_all(scenario: BoardScenario) -> None:
    ben = scenario.member("ben").client
    assert ben.post(f"{scenario.path}/meetings", {"title": "Of another"}).status == 201
    create(scenario, title="Mine")
    create(scenario, title="Of all", status="scheduled")

    def titles(**query: str) -> set[str]:
        return {meeting["title"] for meeting in scenario.owner.client.all(f"{scenario.path}/meetings", **query)}

    assert titles(status="draft") == {"Mine"}
    assert titles() == {"Mine", "Of all"}
    assert {meeting["title"] for meeting in scenario.token().all(f"{scenario.path}/meetings")} == {"Of all"}
