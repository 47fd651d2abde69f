"""The legacy routes of action items."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.action_item_scenario import ActionItemScenario, new_action_item_scenario
from tests.harness.board_scenario import new_board_scenario
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
        ("includeCompleted=true&includeCompleted=false", "includeCompleted"),
        ("status=", "status"),
        ("status=completed,", "status"),
        ("status=completed&status=done", "status"),
        ("limit=101", "limit"),
        ("cursor=forged", "cursor"),
    ],
)
def test_an_invalid_filter_is_named(meeting: ActionItemScenario, query: str, name: str) -> None:
    response = meeting.board.owner.client.call("GET", MY, query=query)
    assert response.failure == (400, "INVALID_QUERY_PARAMETER")
    assert set(response.fields) == {name}


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


def test_the_status_is_changed_by_the_items_id(meeting: ActionItemScenario) -> None:
    ben = meeting.board.member("ben")
    item = meeting.item()
    response = ben.client.patch(f"/api/action-items/{item['_id']}/status", {"status": "cancelled"})
    assert response.status == 200
    assert response.json == {"_id": item["_id"], "status": "cancelled", "updatedAt": response.json["updatedAt"]}
    assert response.json["updatedAt"] > item["updatedAt"]
    (listed,) = meeting.listed_items()
    assert (listed["status"], listed["updatedBy"]) == ("cancelled", ben.id)
    assert len(audit_entries(meeting.board, "actionItemStatusChange")) == 1


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


def test_the_boards_route_changes_the_status_and_omits_updated_at(meeting: ActionItemScenario) -> None:
    item = meeting.item()
    response = meeting.board.token().patch(f"{meeting.legacy}/{item['_id']}", {"status": "completed"})
    assert (response.status, response.json) == (200, {"_id": item["_id"], "status": "completed"})
    assert meeting.listed_items()[0]["updatedBy"] is None
