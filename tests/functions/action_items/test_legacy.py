"""Action items on the legacy surface."""

from __future__ import annotations

import pytest

from tests.harness.agenda import Agenda, new_agenda
from tests.harness.client import Client
from tests.harness.gathering import audited, leave
from tests.harness.world import World, new_world

MY = "/api/action-items/my"


def titles(client: Client, query: str = "") -> list[str]:
    answer = client.call("GET", MY, query=query)
    assert answer.status == 200, answer.text
    assert answer.json["totalCount"] == len(answer.json["actionItems"])
    return [item["title"] for item in answer.json["actionItems"]]


def test_my_items_have_exactly_their_members(agenda: Agenda) -> None:
    item = agenda.item(assigneeUserId=agenda.world.owner.id)
    assert agenda.world.owner.client.get(MY).json == {
        "actionItems": [
            {
                "_id": item["_id"],
                "boardId": agenda.world.board_id,
                "meetingId": item["meetingId"],
                "title": "Sign",
                "status": "in_progress",
                "board": {"_id": agenda.world.board_id, "name": "Board"},
                "meeting": {"_id": item["meetingId"], "title": "Spring", "meetingStatus": "scheduled"},
            }
        ],
        "totalCount": 1,
    }


def test_my_items_are_the_callers_across_his_boards_newest_first(agenda: Agenda) -> None:
    ben = agenda.world.member("ben")
    second = new_world("oscar", "Other")
    second.join(ben)
    other = new_agenda(second)
    agenda.item(title="first", assigneeUserId=ben.id)
    other.item(title="second", assigneeUserId=ben.id)
    agenda.item(title="third", assigneeUserId=ben.id)
    agenda.item(title="olivia's", assigneeUserId=agenda.world.owner.id)
    agenda.item(title="nobody's", assigneeName="Ben")
    assert titles(ben.client) == ["third", "second", "first"]
    leave(second, ben)
    assert titles(ben.client) == ["third", "first"]
    assert agenda.world.owner.client.delete(agenda.world.path).status == 200
    assert titles(ben.client) == []


@pytest.mark.parametrize(
    ("query", "wanted"),
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
        ("limit=nonsense&cursor=&sort=x&limit=2", "i"),
    ],
)
def test_status_decides_alone_and_unknown_parameters_are_ignored(agenda: Agenda, query: str, wanted: str) -> None:
    me = agenda.world.owner
    for title, status in (("i", "in_progress"), ("c", "completed"), ("x", "cancelled")):
        agenda.item(title=title, status=status, assigneeUserId=me.id)
    assert "".join(titles(me.client, query)) == wanted


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
    ],
)
def test_a_bad_filter_is_named(agenda: Agenda, query: str, name: str) -> None:
    answer = agenda.world.owner.client.call("GET", MY, query=query)
    assert answer.failure == (400, "INVALID_QUERY_PARAMETER")
    assert {path.split(".")[0] for path in answer.fields} == {name}


def test_an_item_moves_with_its_assignee_and_status(agenda: Agenda) -> None:
    ben, cleo = agenda.world.member("ben"), agenda.world.member("cleo")
    item = agenda.item(assigneeUserId=ben.id)
    agenda.change(item, assigneeUserId=cleo.id)
    assert (titles(ben.client), titles(cleo.client)) == ([], ["Sign"])
    agenda.change(item, status="completed")
    assert (titles(cleo.client), titles(cleo.client, "status=completed")) == ([], ["Sign"])
    agenda.change(item, assigneeUserId=None)
    assert titles(cleo.client, "includeCompleted=true") == []


def test_my_items_are_a_users_business(agenda: Agenda) -> None:
    world = agenda.world
    agenda.item(assigneeUserId=world.owner.id)
    assert titles(world.personal_token(world.owner, "read_only")) == ["Sign"]
    assert world.token().get(MY).failure == (403, "FORBIDDEN")
    assert Client().get(MY).failure == (401, "UNAUTHENTICATED")
    world.bill("CANCELLED")
    assert titles(world.owner.client) == ["Sign"]


@pytest.mark.parametrize("status", ["in_progress", "completed", "cancelled"])
def test_a_status_is_changed_by_the_items_id_alone(agenda: Agenda, status: str) -> None:
    ben = agenda.world.member("ben")
    item = agenda.item()
    answer = ben.client.patch(f"/api/action-items/{item['_id']}/status", {"status": status})
    assert answer.status == 200
    assert answer.json == {"_id": item["_id"], "status": status, "updatedAt": answer.json["updatedAt"]}
    assert answer.json["updatedAt"] > item["updatedAt"]
    (listed,) = agenda.listed_items()
    assert (listed["status"], listed["updatedBy"]) == (status, ben.id)
    assert len(audited(agenda.world, "actionItemStatusChange")) == (status != "in_progress")


def test_a_status_by_id_is_judged_in_its_own_order(agenda: Agenda) -> None:
    world, item = agenda.world, agenda.item()
    path, body = f"/api/action-items/{item['_id']}/status", {"status": "completed"}
    gil, stranger = world.member("gil", access_type="guest"), new_world("stan").owner
    assert Client().patch(path, body).failure == (401, "UNAUTHENTICATED")
    assert world.token().patch(path, body).failure == (403, "FORBIDDEN")
    assert world.personal_token(world.owner, "read_only").patch(path, body).details == {"requiredScope": "boards:write"}
    for nothing in ("0" * 24, "nonsense"):
        missing = stranger.client.patch(f"/api/action-items/{nothing}/status", {})
        assert missing.failure == (404, "RESOURCE_NOT_FOUND")
    assert stranger.client.patch(path, {}).failure == (403, "FORBIDDEN")
    assert gil.client.patch(path, {}).failure == (403, "FORBIDDEN")
    assert world.owner.client.patch(path, {}).failure == (400, "INVALID_REQUEST_BODY")
    world.bill("CANCELLED")
    assert world.owner.client.patch(path, {}).failure == (403, "BILLING_RESTRICTED")
    assert agenda.listed_items() == [item]


def test_a_stranger_learns_nothing_of_a_drafts_item(world: World) -> None:
    item = new_agenda(world, "draft").item()
    stranger = new_world("stan").owner
    hidden = stranger.client.patch(f"/api/action-items/{item['_id']}/status", {"status": "completed"})
    absent = stranger.client.patch(f"/api/action-items/{'0' * 24}/status", {"status": "completed"})
    assert hidden.failure == absent.failure == (404, "RESOURCE_NOT_FOUND")


@pytest.mark.parametrize("body", [{}, {"status": "done"}, {"status": None}, {"status": "completed", "title": "x"}])
def test_a_bad_status_body_changes_nothing(agenda: Agenda, body: dict[str, str]) -> None:
    item = agenda.item()
    for path in (f"/api/action-items/{item['_id']}/status", f"{agenda.legacy}/{item['_id']}"):
        assert agenda.world.owner.client.patch(path, body).failure == (400, "INVALID_REQUEST_BODY")
    assert agenda.listed_items() == [item]


def test_a_boards_list_has_all_items_by_order_in_its_own_shape(agenda: Agenda) -> None:
    other = new_agenda(agenda.world, "completed", "Autumn")
    last = agenda.item(title="last")
    first = other.item(title="first", order=1, status="cancelled")
    second = agenda.item(title="second", order=1.5, assigneeUserId=agenda.world.owner.id)
    for caller in (agenda.world.owner.client, agenda.world.token("read_only")):
        answer = caller.get(agenda.legacy, unknown="ignored")
        assert answer.status == 200
        assert answer.json["totalCount"] == 3
        assert [item["_id"] for item in answer.json["actionItems"]] == [first["_id"], second["_id"], last["_id"]]
    assert answer.json["actionItems"][0] == {
        "_id": first["_id"],
        "boardId": agenda.world.board_id,
        "meetingId": first["meetingId"],
        "title": "first",
        "status": "cancelled",
        "meeting": {"_id": first["meetingId"], "title": "Autumn", "meetingStatus": "completed"},
    }


def test_a_boards_list_is_its_members_alone(agenda: Agenda) -> None:
    stranger = new_world("stan")
    assert stranger.owner.client.get(agenda.legacy).failure == (403, "FORBIDDEN")
    assert stranger.token().get(agenda.legacy).failure == (404, "RESOURCE_NOT_FOUND")
    assert Client().get(agenda.legacy).failure == (401, "UNAUTHENTICATED")
    assert stranger.owner.client.get(f"/api/board/{'0' * 24}/action-items").status == 404


def test_a_status_is_changed_on_the_board_without_updated_at(agenda: Agenda) -> None:
    item = agenda.item()
    path = f"{agenda.legacy}/{item['_id']}"
    answer = agenda.world.token().patch(path, {"status": "completed"})
    assert (answer.status, answer.json) == (200, {"_id": item["_id"], "status": "completed"})
    assert agenda.listed_items()[0]["updatedBy"] is None
    gil = agenda.world.member("gil", access_type="guest")
    assert gil.client.patch(path, {"status": "completed"}).failure == (403, "FORBIDDEN")
    lacking = agenda.world.token("read_only").patch(path, {"status": "completed"})
    assert lacking.details == {"requiredScope": "boards:write"}
    assert agenda.world.owner.client.patch(f"{agenda.legacy}/{'0' * 24}", {"status": "completed"}).status == 404
