"""The routes of a meeting's action items."""

from __future__ import annotations

import pytest

from governance.domain.action_items import action_item as action_item_rules
from tests.harness.action_item_scenario import ActionItemScenario, new_action_item_scenario
from tests.harness.board_scenario import BoardScenario, new_board_scenario
from tests.harness.meeting_scenario import leave


def test_the_response_has_the_specified_fields(meeting: ActionItemScenario) -> None:
    response = meeting.add()
    assert response.status == 201
    assert response.data == {
        "_id": response.data["_id"],
        "boardId": meeting.board.board_id,
        "meetingId": meeting.path.rpartition("/")[2],
        "order": None,
        "title": "Sign",
        "notes": None,
        "assigneeUserId": None,
        "assigneeName": None,
        "status": "in_progress",
        "createdBy": meeting.board.owner.id,
        "createdVia": "web",
        "updatedBy": None,
        "createdAt": response.data["createdAt"],
        "updatedAt": response.data["createdAt"],
    }
    assert meeting.listed_items() == [response.data]


def test_a_request_with_an_api_token_is_created_via_agent(meeting: ActionItemScenario) -> None:
    scenario = meeting.board
    by_person = meeting.item(scenario.personal_token(scenario.owner))
    by_board = meeting.item(scenario.token())
    assert [by_person["createdVia"], by_board["createdVia"]] == ["agent", "agent"]
    assert by_board["createdBy"] == scenario.owner.id
    changed = meeting.change(by_person, scenario.token(), title="Signed").data
    assert (changed["updatedBy"], changed["createdVia"]) == (None, "agent")


def test_the_assignee_must_be_a_current_member(meeting: ActionItemScenario) -> None:
    ben = meeting.board.member("ben")
    stranger = new_board_scenario("stan").owner
    item = meeting.item(assigneeUserId=ben.id)
    assert item["assigneeUserId"] == ben.id
    for refused in (meeting.add(assigneeUserId=stranger.id), meeting.change(item, assigneeUserId=stranger.id)):
        assert refused.failure == (400, "INVALID_REQUEST_BODY")
        assert set(refused.fields) == {"assigneeUserId"}
    leave(meeting.board, ben)
    assert meeting.change(item, title="Same assignee").data["assigneeUserId"] == ben.id
    assert meeting.change(item, assigneeUserId=ben.id).status == 400
    assert meeting.change(item, assigneeUserId=None).data["assigneeUserId"] is None


def test_a_page_ends_early_where_its_notes_outgrow_a_response(
    meeting: ActionItemScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(action_item_rules, "ACTION_ITEMS_PAGE_BYTES", 300)
    created = [meeting.item(order=number, notes={"text": "n" * 80}) for number in range(7)]
    client = meeting.board.owner.client
    first = client.get(meeting.items, limit=5).json
    assert (first["data"], first["meta"]["hasMore"]) == (created[:3], True)
    assert client.all(meeting.items, limit=5) == created


def test_a_patch_changes_only_its_fields(meeting: ActionItemScenario) -> None:
    ben = meeting.board.member("ben")
    item = meeting.item(notes={"a": 1}, assigneeName="Ada", order=1)
    response = meeting.change(item, ben.client, assigneeName=None, notes=None, order=None, status="cancelled")
    assert response.status == 200
    stamp = {"updatedBy": ben.id, "updatedAt": response.data["updatedAt"]}
    cleared = {"assigneeName": None, "notes": None, "order": None, "status": "cancelled"}
    assert response.data == {**item, **cleared, **stamp}
    assert response.data["updatedAt"] > item["updatedAt"]
    assert meeting.change(item, status="in_progress").data["status"] == "in_progress"


@pytest.mark.parametrize("deleted", ["item", "meeting"])
def test_what_is_deleted_disappears_everywhere(meeting: ActionItemScenario, deleted: str) -> None:
    item = meeting.item(assigneeUserId=meeting.board.owner.id)
    client = meeting.board.owner.client
    path = f"{meeting.items}/{item['_id']}" if deleted == "item" else meeting.path
    assert client.delete(path).data == {"deleted": True}
    assert client.delete(path).failure == (404, "RESOURCE_NOT_FOUND")
    assert meeting.change(item, title="x").status == 404
    assert client.get("/api/action-items/my", includeCompleted="true").json["totalCount"] == 0
    assert client.get(meeting.legacy).json["totalCount"] == 0
    for by_id in (f"/api/action-items/{item['_id']}/status", f"{meeting.legacy}/{item['_id']}"):
        assert client.patch(by_id, {"status": "completed"}).status == 404


def test_the_items_of_a_draft_are_in_no_list_of_others(scenario: BoardScenario) -> None:
    ben = scenario.member("ben", admin_role="admin")
    draft = new_action_item_scenario(scenario, "draft")
    item = draft.item(assigneeUserId=ben.id)
    nothing = {"actionItems": [], "totalCount": 0}
    for caller in (ben.client, scenario.personal_token(ben), scenario.token()):
        assert caller.get(draft.legacy).json == nothing
    assert ben.client.get("/api/action-items/my").json == nothing
    assert draft.listed_items() == [item]
    assert draft.patch(status="scheduled").status == 200
    assert ben.client.get("/api/action-items/my").json["totalCount"] == 1
