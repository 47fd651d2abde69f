"""The routes of meetings."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.board_scenario import BoardScenario
from tests.harness.history import event_items
from tests.harness.table_snapshot import TableSnapshot


def test_a_draft_is_a_404_except_for_its_creator(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    draft = scenario.owner.client.post(f"{scenario.path}/meetings", {"title": "Secret"}).data
    path = f"{scenario.path}/meetings/{draft['id']}"
    assert scenario.owner.client.get(path).status == 200
    for caller in (ben.client, scenario.token(), scenario.personal_token(ben)):
        assert caller.get(path).failure == (404, "RESOURCE_NOT_FOUND")
        assert caller.all(f"{scenario.path}/meetings") == []
        assert caller.all(f"{scenario.path}/meetings", status="draft") == []
        assert caller.patch(path, {"title": "Seen"}).failure[0] in {403, 404}


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


def test_a_users_meeting_is_a_draft_and_a_tokens_is_scheduled(scenario: BoardScenario) -> None:
    assert create(scenario)["status"] == "draft"
    by_token = scenario.token().post(f"{scenario.path}/meetings", {"title": "T"})
    assert by_token.data["status"] == "scheduled"
    refused = scenario.token().post(f"{scenario.path}/meetings", {"title": "T", "status": "draft"})
    assert refused.failure == (403, "FORBIDDEN")


def test_a_meeting_is_not_created_as_finalized(scenario: BoardScenario) -> None:
    response = scenario.owner.client.post(f"{scenario.path}/meetings", {"title": "T", "status": "finalized"})
    assert response.failure == (400, "INVALID_REQUEST_BODY")
    assert response.fields.keys() == {"status"}


@pytest.mark.parametrize("end", ["2040-01-01T10:00:00Z", "2040-01-01T09:59:59.999Z"])
def test_a_meeting_ends_after_it_starts(scenario: BoardScenario, end: str) -> None:
    body = {"title": "T", "startTime": "2040-01-01T10:00:00Z", "endTime": end}
    response = scenario.owner.client.post(f"{scenario.path}/meetings", body)
    assert (response.failure, response.fields) == (
        (400, "INVALID_REQUEST_BODY"),
        {"endTime": "must be after `startTime`"},
    )
    path = f"{scenario.path}/meetings/{create(scenario, startTime=body['startTime'])['id']}"
    assert scenario.owner.client.patch(path, {"endTime": end}).fields == {"endTime": "must be after `startTime`"}


def test_a_change_answers_the_meeting_as_it_then_is_read(scenario: BoardScenario) -> None:
    path = f"{scenario.path}/meetings/{create(scenario, status='scheduled', location='Room 2')['id']}"
    changed = scenario.owner.client.patch(path, {"title": "Autumn", "location": None}).data
    assert (changed["title"], changed["location"], changed["status"]) == ("Autumn", None, "scheduled")
    assert scenario.owner.client.get(path).data == changed
    assert scenario.owner.client.all(f"{scenario.path}/meetings") == [changed]


def test_a_finalized_meeting_is_neither_changed_nor_deleted(scenario: BoardScenario) -> None:
    path = f"{scenario.path}/meetings/{create(scenario, status='completed')['id']}"
    assert scenario.owner.client.patch(path, {"status": "finalized"}).status == 200
    before = TableSnapshot()
    for refused in (scenario.owner.client.patch(path, {"title": "T"}), scenario.owner.client.delete(path)):
        assert (refused.failure, refused.details) == ((409, "CONFLICT"), {"reason": "MEETING_FINALIZED"})
    assert not before.changes()


def test_only_a_completed_meeting_is_finalized(scenario: BoardScenario) -> None:
    path = f"{scenario.path}/meetings/{create(scenario, status='in_progress')['id']}"
    refused = scenario.owner.client.patch(path, {"status": "finalized"})
    assert (refused.failure, refused.details) == ((409, "CONFLICT"), {"reason": "INVALID_TRANSITION"})


def test_a_deleted_meeting_is_a_404_and_in_no_list(scenario: BoardScenario) -> None:
    path = f"{scenario.path}/meetings/{create(scenario, status='scheduled')['id']}"
    assert scenario.owner.client.delete(path).json["data"] == {"deleted": True}
    assert scenario.owner.client.get(path).failure == (404, "RESOURCE_NOT_FOUND")
    assert scenario.owner.client.delete(path).failure == (404, "RESOURCE_NOT_FOUND")
    assert scenario.owner.client.all(f"{scenario.path}/meetings") == []


def test_another_member_deletes_no_meeting_and_an_admin_does(scenario: BoardScenario) -> None:
    path = f"{scenario.path}/meetings/{create(scenario, status='scheduled')['id']}"
    manager = scenario.member("ben", access_type="manager")
    assert manager.client.delete(path).failure == (403, "FORBIDDEN")
    assert scenario.member("cleo", admin_role="admin").client.delete(path).status == 200


def test_a_list_is_filtered_by_status_and_by_starts_strictly_between(scenario: BoardScenario) -> None:
    starts = [f"2040-01-0{day}T10:00:00.000Z" for day in (1, 2, 3)]
    ids = [create(scenario, status="scheduled", startTime=start)["id"] for start in starts]
    create(scenario, status="completed")
    client, path = scenario.owner.client, f"{scenario.path}/meetings"
    assert [each["status"] for each in client.all(path, status="completed")] == ["completed"]
    between = client.all(path, startAfter=starts[0], startBefore=starts[2], status="scheduled")
    assert [each["id"] for each in between] == [ids[1]]


@pytest.mark.parametrize(
    ("window", "found"),
    [({"startAfter": "2040-01-02T10:00:00Z"}, ["Third"]), ({"startBefore": "2040-01-02T10:00:00Z"}, ["First"])],
)
def test_a_filter_by_start_leaves_out_its_own_instant_and_meetings_without_a_start(
    scenario: BoardScenario, window: dict[str, str], found: list[str]
) -> None:
    for day, title in enumerate(("First", "Second", "Third"), start=1):
        create(scenario, status="scheduled", title=title, startTime=f"2040-01-0{day}T10:00:00.000Z")
    create(scenario, status="scheduled", title="Without a start")
    for query in ({}, {"status": "scheduled"}):
        listed = scenario.owner.client.all(f"{scenario.path}/meetings", **window, **query)
        assert [each["title"] for each in listed] == found


def test_drafts_are_listed_for_their_creator_only_by_themselves_or_among_all(scenario: BoardScenario) -> None:
    ben = scenario.member("ben").client
    assert ben.post(f"{scenario.path}/meetings", {"title": "Of another"}).status == 201
    create(scenario, title="Mine")
    create(scenario, title="Of all", status="scheduled")

    def titles(**query: str) -> set[str]:
        return {each["title"] for each in scenario.owner.client.all(f"{scenario.path}/meetings", **query)}

    assert titles(status="draft") == {"Mine"}
    assert titles() == {"Mine", "Of all"}
    assert {each["title"] for each in scenario.token().all(f"{scenario.path}/meetings")} == {"Of all"}


def test_a_board_token_deletes_no_meeting_not_even_one_that_a_token_created(scenario: BoardScenario) -> None:
    token = scenario.token()
    created = token.post(f"{scenario.path}/meetings", {"title": "Of nobody"}).data
    assert token.delete(f"{scenario.path}/meetings/{created['id']}").failure == (403, "FORBIDDEN")
    assert scenario.token().get(f"{scenario.path}/meetings/{created['id']}").status == 200


def test_an_update_is_audited_with_the_names_of_what_changed(scenario: BoardScenario) -> None:
    meeting_id = create(scenario, status="scheduled")["id"]
    path = f"{scenario.path}/meetings/{meeting_id}"
    assert scenario.owner.client.patch(path, {"title": "Autumn", "status": "completed"}).status == 200
    recorded = [(event["type"], event["details"]) for event in event_items(scenario.board_id)]
    assert ("meeting.updated", {"fields": ["title"]}) in recorded
    assert ("meeting.status_changed", {"from": "scheduled", "to": "completed"}) in recorded
