"""The routes of a meeting's action items."""

from __future__ import annotations

import json
from typing import Any

import pytest

from governance.domain.meetings import action_item as rules
from tests.harness.action_item_scenario import ActionItemScenario, new_action_item_scenario
from tests.harness.board_scenario import BoardScenario, new_board_scenario
from tests.harness.client import Client
from tests.harness.meeting_scenario import audit_entries, leave, stored_events

MEMBERS = {
    "_id",
    "boardId",
    "meetingId",
    "order",
    "title",
    "notes",
    "assigneeUserId",
    "assigneeName",
    "status",
    "createdBy",
    "createdVia",
    "updatedBy",
    "createdAt",
    "updatedAt",
}
SMALLEST_NOTES = len(json.dumps({"text": ""}, separators=(",", ":")))


def notes(size: int) -> dict[str, str]:
    """Returns notes of this size as compact UTF-8; half of the characters take more than one byte."""
    room = size - SMALLEST_NOTES
    return {"text": "é" * (room // 4) + "x" * (room - 2 * (room // 4))}


def test_the_response_has_the_specified_fields(meeting: ActionItemScenario) -> None:
    response = meeting.add()
    assert response.status == 201
    assert set(response.data) == MEMBERS
    nothing = ("order", "notes", "assigneeUserId", "assigneeName", "updatedBy")
    assert all(response.data[name] is None for name in nothing)
    assert response.data["status"] == "in_progress"
    assert response.data["createdBy"] == meeting.board.owner.id
    assert response.data["createdVia"] == "web"
    assert response.data["createdAt"] == response.data["updatedAt"]
    assert meeting.listed_items() == [response.data]


def test_a_request_with_an_api_token_is_created_via_agent(meeting: ActionItemScenario) -> None:
    scenario = meeting.board
    by_person = meeting.item(scenario.personal_token(scenario.owner))
    by_board = meeting.item(scenario.token())
    assert [by_person["createdVia"], by_board["createdVia"]] == ["agent", "agent"]
    assert by_board["createdBy"] == scenario.owner.id
    changed = meeting.change(by_person, scenario.token(), title="Signed").data
    assert (changed["updatedBy"], changed["createdVia"]) == (None, "agent")


GOOD: list[tuple[str, Any]] = [
    ("title", "x"),
    ("notes", {}),
    ("notes", {"type": "doc", "content": [{"n": 1, "f": 1.5, "big": 2**70, "deep": [[None, True]]}]}),
    ("notes", notes(64 * 1024)),
    ("notes", None),
    ("assigneeName", ""),
    ("status", "completed"),
    ("status", "cancelled"),
    ("order", 0),
    ("order", -1),
    ("order", 1.5),
    ("order", 1e-9),
    ("order", 10**15),
    ("order", -1e15),
    ("order", None),
]


@pytest.mark.parametrize(("member", "value"), GOOD, ids=lambda value: str(value)[:30])
def test_a_valid_field_is_stored_unchanged(meeting: ActionItemScenario, member: str, value: Any) -> None:
    item = meeting.item(**{member: value})
    assert item[member] == value
    assert meeting.listed_items()[0][member] == value
    other = meeting.item()
    if member not in {"title", "status"} or value is not None:
        assert meeting.change(other, **{member: value}).data[member] == value


BAD: list[tuple[str, Any]] = [
    ("title", " \u2003"),
    ("title", "a\nb"),
    ("title", "a\tb"),
    ("title", "a\x7fb"),
    ("title", "a\x85b"),
    ("title", "\ud83d"),
    ("notes", notes(64 * 1024 + 1)),
    ("assigneeUserId", "olivia"),
    ("assigneeUserId", "0" * 23),
    ("assigneeUserId", "0" * 24),
    ("assigneeUserId", "G" * 24),
    ("assigneeUserId", 1),
    ("assigneeName", ["x"]),
    ("status", "done"),
    ("status", "COMPLETED"),
    ("status", True),
    ("order", "1"),
    ("order", True),
    ("order", 10**15 + 1),
    ("order", -(10**16)),
    ("order", 1e300),
    ("createdBy", "0" * 24),
    ("_id", "0" * 24),
]


@pytest.mark.parametrize(("member", "value"), BAD, ids=lambda value: str(value)[:30])
def test_an_invalid_field_is_named_and_nothing_changes(meeting: ActionItemScenario, member: str, value: Any) -> None:
    item = meeting.item()
    created = meeting.add(**{member: value})
    changed = meeting.change(item, **{member: value})
    for response in (created, changed):
        assert response.failure == (400, "INVALID_REQUEST_BODY"), response.text
        assert set(response.fields) == {member}
    assert meeting.listed_items() == [item]


def test_a_title_is_required_and_a_patch_is_not_empty(meeting: ActionItemScenario) -> None:
    assert meeting.board.owner.client.post(meeting.items, {}).fields == {"title": "is required"}
    assert meeting.change(meeting.item()).fields == {"body": "must have at least one field"}
    assert set(meeting.change(meeting.item(), status=None).fields) == {"status"}


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


def test_the_list_is_sorted_by_order_then_creation_with_null_last(meeting: ActionItemScenario) -> None:
    orders = [None, 2, 1.5, None, -3, 2, 10**15, 0]
    created = [meeting.item(title=f"item {number}", order=order) for number, order in enumerate(orders)]
    expected = [created[index] for index in (4, 7, 2, 1, 5, 6, 0, 3)]
    assert meeting.listed_items() == expected
    response = meeting.board.owner.client.get(meeting.items)
    assert response.json["meta"] == {"nextCursor": None, "hasMore": False}
    assert meeting.board.owner.client.all(meeting.items, limit=3) == expected
    assert meeting.board.owner.client.get(meeting.items, sort="title").failure == (400, "INVALID_QUERY_PARAMETER")


def test_a_page_ends_early_where_its_notes_outgrow_a_response(
    meeting: ActionItemScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "ACTION_ITEMS_PAGE_BYTES", 300)
    created = [meeting.item(order=number, notes={"text": "n" * 80}) for number in range(7)]
    client = meeting.board.owner.client
    first = client.get(meeting.items, limit=5).json
    assert (first["data"], first["meta"]["hasMore"]) == (created[:3], True)
    assert client.all(meeting.items, limit=5) == created


def test_changed_notes_are_stored(meeting: ActionItemScenario) -> None:
    item = meeting.item(notes={"a": 1})
    for notes in ({"b": 2}, None):
        assert meeting.change(item, notes=notes).data["notes"] == notes
        assert [each["notes"] for each in meeting.board.owner.client.all(meeting.items)] == [notes]


def test_the_same_notes_are_no_change(meeting: ActionItemScenario) -> None:
    item = meeting.item(notes={"a": 1})
    assert meeting.change(item, notes={"a": 1}).data["notes"] == {"a": 1}
    assert stored_events(meeting.board, "action_item.updated") == []


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


def test_a_deleted_item_disappears_everywhere(meeting: ActionItemScenario) -> None:
    item = meeting.item(assigneeUserId=meeting.board.owner.id)
    client = meeting.board.owner.client
    path = f"{meeting.items}/{item['_id']}"
    assert client.delete(path).data == {"deleted": True}
    assert client.delete(path).failure == (404, "RESOURCE_NOT_FOUND")
    assert meeting.change(item, title="x").status == 404
    assert meeting.listed_items() == []
    assert client.get("/api/action-items/my", includeCompleted="true").json["totalCount"] == 0
    assert client.patch(f"/api/action-items/{item['_id']}/status", {"status": "completed"}).status == 404
    assert client.get(meeting.legacy).json["totalCount"] == 0


def test_an_item_is_found_only_under_its_own_meeting(meeting: ActionItemScenario) -> None:
    item = meeting.item()
    other = new_action_item_scenario(meeting.board)
    assert other.change(item, title="x").failure == (404, "RESOURCE_NOT_FOUND")
    assert meeting.board.owner.client.delete(f"{other.items}/{item['_id']}").status == 404
    assert other.listed_items() == []
    for nothing in ("0" * 24, "nonsense"):
        assert meeting.change({"_id": nothing}, title="x").status == 404
        assert meeting.board.owner.client.get(f"{meeting.board.path}/meetings/{nothing}/action-items").status == 404


def test_items_of_a_finalized_meeting_can_be_changed(meeting: ActionItemScenario) -> None:
    item = meeting.item()
    meeting.finalize()
    assert meeting.change(item, status="completed").status == 200
    assert meeting.add().status == 201


def test_a_caller_without_the_right_changes_nothing(meeting: ActionItemScenario) -> None:
    scenario, item = meeting.board, meeting.item()
    gil = scenario.member("gil", access_type="guest")
    callers = [(gil.client, None), (scenario.token("read_only"), "boards:write")]
    for caller, scope in callers:
        for response in (meeting.add(caller), meeting.change(item, caller, title="x")):
            assert response.failure == (403, "FORBIDDEN")
            assert response.details == (scope and {"requiredScope": scope})
        assert meeting.listed_items(caller) == [item]
    scenario.set_billing_state("CANCELLED")
    assert meeting.add().failure == (403, "BILLING_RESTRICTED")
    assert meeting.add(Client()).failure == (401, "UNAUTHENTICATED")
    assert meeting.listed_items() == [item]


def test_the_resources_of_a_draft_are_hidden(scenario: BoardScenario) -> None:
    ben = scenario.member("ben", admin_role="admin")
    draft = new_action_item_scenario(scenario, "draft")
    item = draft.item(assigneeUserId=ben.id)
    status = f"/api/action-items/{item['_id']}/status"
    on_board = f"{draft.legacy}/{item['_id']}"
    for caller in (ben.client, scenario.personal_token(ben), scenario.token()):
        assert caller.get(draft.items).failure == (404, "RESOURCE_NOT_FOUND")
        assert draft.add(caller).status == 404
        assert draft.change(item, caller, title="x").status == 404
        assert caller.delete(f"{draft.items}/{item['_id']}").status == 404
        assert caller.get(draft.legacy).json == {"actionItems": [], "totalCount": 0}
        assert caller.patch(on_board, {"status": "completed"}).status == 404
    for caller in (ben.client, scenario.personal_token(ben)):
        assert caller.get("/api/action-items/my").json == {"actionItems": [], "totalCount": 0}
        assert caller.patch(status, {"status": "completed"}).failure == (404, "RESOURCE_NOT_FOUND")
    assert draft.listed_items() == [item]
    assert draft.patch(status="scheduled").status == 200
    assert ben.client.get("/api/action-items/my").json["totalCount"] == 1


def test_deleting_a_meeting_deletes_its_items(meeting: ActionItemScenario) -> None:
    client = meeting.board.owner.client
    item = meeting.item(assigneeUserId=meeting.board.owner.id)
    assert client.delete(meeting.path).status == 200
    assert client.get(meeting.items).status == 404
    assert client.get("/api/action-items/my").json["totalCount"] == 0
    assert client.get(meeting.legacy).json["totalCount"] == 0
    assert client.patch(f"/api/action-items/{item['_id']}/status", {"status": "completed"}).status == 404
    assert client.patch(f"{meeting.legacy}/{item['_id']}", {"status": "completed"}).status == 404


def test_every_change_writes_an_event_and_an_audit_entry(meeting: ActionItemScenario) -> None:
    scenario = meeting.board
    ben = scenario.member("ben")
    item = meeting.item(assigneeUserId=ben.id)
    meeting.change(item, status="completed", title="Signed")
    meeting.change(item, status="completed")
    meeting.change(item, assigneeUserId=scenario.owner.id)
    scenario.owner.client.delete(f"{meeting.items}/{item['_id']}")
    subject = {"id": item["_id"], "title": "Sign"}
    assert [entry["details"] for entry in audit_entries(scenario, "actionItemCreate")] == [subject]
    (change,) = audit_entries(scenario, "actionItemStatusChange")
    assert change["details"] == {"from": "in_progress", "to": "completed"}
    updates = [entry["details"] for entry in audit_entries(scenario, "actionItemUpdate")]
    assert updates == [{"fields": ["title"]}, {"fields": ["assigneeUserId"]}]
    assert [entry["details"]["title"] for entry in audit_entries(scenario, "actionItemDelete")] == ["Signed"]
    (created,) = stored_events(scenario, "action_item.created")
    assert (created.delivery_data["assigneeUserId"], created.draft_of) == (ben.id, None)
    assert [event.delivery_data["assigneeUserId"] for event in stored_events(scenario, "action_item.updated")] == [
        None,
        scenario.owner.id,
    ]


def test_an_event_of_a_drafts_item_is_hidden(scenario: BoardScenario) -> None:
    new_action_item_scenario(scenario, "draft").item()
    (created,) = stored_events(scenario, "action_item.created")
    assert created.draft_of == scenario.owner.id
