"""The legacy routes of action items."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.action_item_scenario import ActionItemScenario, new_action_item_scenario
from tests.harness.board_scenario import BoardScenario, new_board_scenario
from tests.harness.client import Client
from tests.harness.fault_injection import meanwhile
from tests.harness.meeting_scenario import audit_entries, leave

MY = "/api/action-items/my"


def titles(client: Client, query: str = "") -> list[str]:
    response = client.call("GET", MY, query=query)
    assert response.status == 200, response.text
    assert response.json["totalCount"] == len(response.json["actionItems"])
    return [item["title"] for item in response.json["actionItems"]]


def test_my_items_have_exactly_the_specified_fields(meeting: ActionItemScenario) -> None:
    item = meeting.item(assigneeUserId=meeting.board.owner.id)
    assert meeting.board.owner.client.get(MY).json == {
        "actionItems": [
            {
                "_id": item["_id"],
                "boardId": meeting.board.board_id,
                "meetingId": item["meetingId"],
                "title": "Sign",
                "status": "in_progress",
                "board": {"_id": meeting.board.board_id, "name": "Board"},
                "meeting": {"_id": item["meetingId"], "title": "Spring", "meetingStatus": "scheduled"},
            }
        ],
        "totalCount": 1,
    }


def test_my_items_are_the_callers_on_all_boards_newest_first(meeting: ActionItemScenario) -> None:
    ben = meeting.board.member("ben")
    second = new_board_scenario("oscar", "Other")
    second.join(ben)
    other = new_action_item_scenario(second)
    meeting.item(title="first", assigneeUserId=ben.id)
    other.item(title="second", assigneeUserId=ben.id)
    meeting.item(title="third", assigneeUserId=ben.id)
    meeting.item(title="olivia's", assigneeUserId=meeting.board.owner.id)
    meeting.item(title="nobody's", assigneeName="Ben")
    assert titles(ben.client) == ["third", "second", "first"]
    leave(second, ben)
    assert titles(ben.client) == ["third", "first"]
    assert meeting.board.owner.client.delete(meeting.board.path).status == 200
    assert titles(ben.client) == []


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", "i"),
        ("includeCompleted=false", "i"),
        ("includeCompleted=true", "xci"),
        ("status=completed", "c"),
        ("status=completed&includeCompleted=false", "c"),
        ("status=in_progress&includeCompleted=true", "i"),
        ("status=completed&status=cancelled", "xc"),
        ("status=completed,cancelled", "xc"),
        ("status=in_progress,completed&status=cancelled,cancelled", "xci"),
        ("offset=nonsense&sort=x&page=2", "i"),
    ],
)
def test_the_status_filter_wins_and_unknown_parameters_are_ignored(
    meeting: ActionItemScenario, query: str, expected: str
) -> None:
    me = meeting.board.owner
    for title, status in (("i", "in_progress"), ("c", "completed"), ("x", "cancelled")):
        meeting.item(title=title, status=status, assigneeUserId=me.id)
    assert "".join(titles(me.client, query)) == expected


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("includeCompleted=yes", "includeCompleted"),
        ("includeCompleted=", "includeCompleted"),
        ("includeCompleted=true&includeCompleted=false", "includeCompleted"),
        ("status=", "status"),
        ("status=done", "status"),
        ("status=completed,", "status"),
        ("status=completed&status=done", "status"),
        ("status=completed%00", "status"),
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("cursor=forged", "cursor"),
    ],
)
def test_an_invalid_filter_is_named(meeting: ActionItemScenario, query: str, name: str) -> None:
    response = meeting.board.owner.client.call("GET", MY, query=query)
    assert response.failure == (400, "INVALID_QUERY_PARAMETER")
    assert set(response.fields) == {name}


def test_my_items_follow_the_assignee_and_the_status(meeting: ActionItemScenario) -> None:
    ben, cleo = meeting.board.member("ben"), meeting.board.member("cleo")
    item = meeting.item(assigneeUserId=ben.id)
    meeting.change(item, assigneeUserId=cleo.id)
    assert (titles(ben.client), titles(cleo.client)) == ([], ["Sign"])
    meeting.change(item, status="completed")
    assert (titles(cleo.client), titles(cleo.client, "status=completed")) == ([], ["Sign"])
    meeting.change(item, assigneeUserId=None)
    assert titles(cleo.client, "includeCompleted=true") == []


@pytest.mark.parametrize(
    "change", [{"status": "completed"}, {"assigneeUserId": None}, {"assigneeUserId": None, "status": "completed"}]
)
def test_an_item_that_changes_while_my_items_are_read_is_not_shown_as_it_was(
    meeting: ActionItemScenario, change: dict[str, Any]
) -> None:
    ben = meeting.board.member("ben")
    item = meeting.item(assigneeUserId=ben.id)
    stays = meeting.item(title="Stays", assigneeUserId=ben.id)
    with meanwhile(lambda: meeting.change(item, **change), "BatchGetItem"):
        assert titles(ben.client) == [stays["title"]]


def test_an_item_that_is_deleted_while_it_is_read_or_changed_is_gone(meeting: ActionItemScenario) -> None:
    ben = meeting.board.member("ben")
    first, second, stays = (meeting.item(title=title, assigneeUserId=ben.id) for title in ("One", "Two", "Stays"))
    delete = meeting.board.owner.client.delete
    with meanwhile(lambda: delete(f"{meeting.items}/{first['_id']}"), "BatchGetItem"):
        assert titles(ben.client) == [stays["title"], second["title"]]
    with meanwhile(lambda: delete(f"{meeting.items}/{second['_id']}"), "BatchGetItem"):
        assert ben.client.patch(f"/api/action-items/{second['_id']}/status", {"status": "completed"}).status == 404


def test_only_a_user_has_my_items(meeting: ActionItemScenario) -> None:
    scenario = meeting.board
    meeting.item(assigneeUserId=scenario.owner.id)
    assert titles(scenario.personal_token(scenario.owner, "read_only")) == ["Sign"]
    assert scenario.token().get(MY).failure == (403, "FORBIDDEN")
    assert Client().get(MY).failure == (401, "UNAUTHENTICATED")
    scenario.set_billing_state("CANCELLED")
    assert titles(scenario.owner.client) == ["Sign"]


@pytest.mark.parametrize("status", ["in_progress", "completed", "cancelled"])
def test_the_status_is_changed_by_the_items_id(meeting: ActionItemScenario, status: str) -> None:
    ben = meeting.board.member("ben")
    item = meeting.item()
    response = ben.client.patch(f"/api/action-items/{item['_id']}/status", {"status": status})
    assert response.status == 200
    assert response.json == {"_id": item["_id"], "status": status, "updatedAt": response.json["updatedAt"]}
    assert response.json["updatedAt"] > item["updatedAt"]
    (listed,) = meeting.listed_items()
    assert (listed["status"], listed["updatedBy"]) == (status, ben.id)
    assert len(audit_entries(meeting.board, "actionItemStatusChange")) == (status != "in_progress")


def test_a_status_change_by_id_is_checked_in_the_specified_order(meeting: ActionItemScenario) -> None:
    scenario, item = meeting.board, meeting.item()
    path, body = f"/api/action-items/{item['_id']}/status", {"status": "completed"}
    gil, stranger = scenario.member("gil", access_type="guest"), new_board_scenario("stan").owner
    assert Client().patch(path, body).failure == (401, "UNAUTHENTICATED")
    assert scenario.token().patch(path, body).failure == (403, "FORBIDDEN")
    assert scenario.personal_token(scenario.owner, "read_only").patch(path, body).details == {
        "requiredScope": "boards:write"
    }
    for nothing in ("0" * 24, "nonsense"):
        missing = stranger.client.patch(f"/api/action-items/{nothing}/status", {})
        assert missing.failure == (404, "RESOURCE_NOT_FOUND")
    assert stranger.client.patch(path, {}).failure == (403, "FORBIDDEN")
    assert gil.client.patch(path, {}).failure == (403, "FORBIDDEN")
    assert scenario.owner.client.patch(path, {}).failure == (400, "INVALID_REQUEST_BODY")
    scenario.set_billing_state("CANCELLED")
    assert scenario.owner.client.patch(path, {}).failure == (403, "BILLING_RESTRICTED")
    assert meeting.listed_items() == [item]


def test_an_item_of_a_draft_looks_absent_to_others(scenario: BoardScenario) -> None:
    item = new_action_item_scenario(scenario, "draft").item()
    stranger = new_board_scenario("stan").owner
    hidden = stranger.client.patch(f"/api/action-items/{item['_id']}/status", {"status": "completed"})
    absent = stranger.client.patch(f"/api/action-items/{'0' * 24}/status", {"status": "completed"})
    assert hidden.failure == absent.failure == (404, "RESOURCE_NOT_FOUND")


@pytest.mark.parametrize("body", [{}, {"status": "done"}, {"status": None}, {"status": "completed", "title": "x"}])
def test_an_invalid_status_body_changes_nothing(meeting: ActionItemScenario, body: dict[str, str]) -> None:
    item = meeting.item()
    for path in (f"/api/action-items/{item['_id']}/status", f"{meeting.legacy}/{item['_id']}"):
        assert meeting.board.owner.client.patch(path, body).failure == (400, "INVALID_REQUEST_BODY")
    assert meeting.listed_items() == [item]


def test_the_boards_list_has_all_items_in_order(meeting: ActionItemScenario) -> None:
    other = new_action_item_scenario(meeting.board, "completed", "Autumn")
    last = meeting.item(title="last")
    first = other.item(title="first", order=1, status="cancelled")
    second = meeting.item(title="second", order=1.5, assigneeUserId=meeting.board.owner.id)
    for caller in (meeting.board.owner.client, meeting.board.token("read_only")):
        response = caller.get(meeting.legacy, unknown="ignored")
        assert response.status == 200
        assert response.json["totalCount"] == 3
        assert [item["_id"] for item in response.json["actionItems"]] == [first["_id"], second["_id"], last["_id"]]
    assert response.json["actionItems"][0] == {
        "_id": first["_id"],
        "boardId": meeting.board.board_id,
        "meetingId": first["meetingId"],
        "title": "first",
        "status": "cancelled",
        "meeting": {"_id": first["meetingId"], "title": "Autumn", "meetingStatus": "completed"},
    }


def test_only_members_see_the_boards_list(meeting: ActionItemScenario) -> None:
    stranger = new_board_scenario("stan")
    assert stranger.owner.client.get(meeting.legacy).failure == (403, "FORBIDDEN")
    assert stranger.token().get(meeting.legacy).failure == (404, "RESOURCE_NOT_FOUND")
    assert Client().get(meeting.legacy).failure == (401, "UNAUTHENTICATED")
    assert stranger.owner.client.get(f"/api/board/{'0' * 24}/action-items").status == 404


def test_the_boards_route_changes_the_status_and_omits_updated_at(meeting: ActionItemScenario) -> None:
    item = meeting.item()
    path = f"{meeting.legacy}/{item['_id']}"
    response = meeting.board.token().patch(path, {"status": "completed"})
    assert (response.status, response.json) == (200, {"_id": item["_id"], "status": "completed"})
    assert meeting.listed_items()[0]["updatedBy"] is None
    gil = meeting.board.member("gil", access_type="guest")
    assert gil.client.patch(path, {"status": "completed"}).failure == (403, "FORBIDDEN")
    lacking = meeting.board.token("read_only").patch(path, {"status": "completed"})
    assert lacking.details == {"requiredScope": "boards:write"}
    assert meeting.board.owner.client.patch(f"{meeting.legacy}/{'0' * 24}", {"status": "completed"}).status == 404
