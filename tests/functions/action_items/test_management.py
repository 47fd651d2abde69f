"""Action items on their meeting, through their routes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.harness.agenda import Agenda, new_agenda
from tests.harness.client import Client
from tests.harness.gathering import audited, events_of, leave
from tests.harness.world import World, new_world

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
    """A document of so many bytes as compact UTF-8; half of its characters take more than one."""
    room = size - SMALLEST_NOTES
    return {"text": "é" * (room // 4) + "x" * (room - 2 * (room // 4))}


def test_an_item_is_answered_in_the_stored_shape(agenda: Agenda) -> None:
    answer = agenda.add()
    assert answer.status == 201
    assert set(answer.data) == MEMBERS
    nothing = ("order", "notes", "assigneeUserId", "assigneeName", "updatedBy")
    assert all(answer.data[name] is None for name in nothing)
    assert answer.data["status"] == "in_progress"
    assert answer.data["createdBy"] == agenda.world.owner.id
    assert answer.data["createdVia"] == "web"
    assert answer.data["createdAt"] == answer.data["updatedAt"]
    assert agenda.listed_items() == [answer.data]


def test_what_comes_through_any_api_token_is_by_an_agent(agenda: Agenda) -> None:
    world = agenda.world
    by_person = agenda.item(world.personal_token(world.owner))
    by_board = agenda.item(world.token())
    assert [by_person["createdVia"], by_board["createdVia"]] == ["agent", "agent"]
    assert by_board["createdBy"] == world.owner.id
    changed = agenda.change(by_person, world.token(), title="Signed").data
    assert (changed["updatedBy"], changed["createdVia"]) == (None, "agent")


GOOD: list[tuple[str, Any]] = [
    ("title", "x"),
    ("title", "\U0001f5d3" * 300),
    ("notes", {}),
    ("notes", {"type": "doc", "content": [{"n": 1, "f": 1.5, "big": 2**70, "deep": [[None, True]]}]}),
    ("notes", notes(64 * 1024)),
    ("notes", None),
    ("assigneeName", ""),
    ("assigneeName", "ü" * 100),
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
def test_a_good_member_is_kept_as_it_was_given(agenda: Agenda, member: str, value: Any) -> None:
    item = agenda.item(**{member: value})
    assert item[member] == value
    assert agenda.listed_items()[0][member] == value
    other = agenda.item()
    if member not in {"title", "status"} or value is not None:
        assert agenda.change(other, **{member: value}).data[member] == value


BAD: list[tuple[str, Any]] = [
    ("title", ""),
    ("title", " \u2003"),
    ("title", "x" * 301),
    ("title", "a\nb"),
    ("title", "a\tb"),
    ("title", "a\x7fb"),
    ("title", "a\x85b"),
    ("title", "\ud83d"),
    ("title", 1),
    ("title", None),
    ("notes", []),
    ("notes", "text"),
    ("notes", notes(64 * 1024 + 1)),
    ("assigneeUserId", "olivia"),
    ("assigneeUserId", "0" * 23),
    ("assigneeUserId", "0" * 24),
    ("assigneeUserId", "G" * 24),
    ("assigneeUserId", 1),
    ("assigneeName", "x" * 101),
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
def test_a_bad_member_is_named_and_nothing_changes(agenda: Agenda, member: str, value: Any) -> None:
    item = agenda.item()
    created = agenda.add(**{member: value})
    changed = agenda.change(item, **{member: value})
    for answer in (created, changed):
        assert answer.failure == (400, "INVALID_REQUEST_BODY"), answer.text
        assert set(answer.fields) == {member}
    assert agenda.listed_items() == [item]


def test_a_title_is_required_and_a_patch_names_something(agenda: Agenda) -> None:
    assert agenda.world.owner.client.post(agenda.items, {}).fields == {"title": "is required"}
    assert agenda.change(agenda.item()).fields == {"body": "must name at least one member"}
    assert set(agenda.change(agenda.item(), status=None).fields) == {"status"}


def test_an_assignee_is_a_current_member(agenda: Agenda) -> None:
    ben = agenda.world.member("ben")
    stranger = new_world("stan").owner
    item = agenda.item(assigneeUserId=ben.id)
    assert item["assigneeUserId"] == ben.id
    for refused in (agenda.add(assigneeUserId=stranger.id), agenda.change(item, assigneeUserId=stranger.id)):
        assert refused.failure == (400, "INVALID_REQUEST_BODY")
        assert set(refused.fields) == {"assigneeUserId"}
    leave(agenda.world, ben)
    assert agenda.change(item, title="Still his").data["assigneeUserId"] == ben.id
    assert agenda.change(item, assigneeUserId=ben.id).status == 400
    assert agenda.change(item, assigneeUserId=None).data["assigneeUserId"] is None


def test_a_list_is_by_order_then_creation_and_null_comes_last(agenda: Agenda) -> None:
    orders = [None, 2, 1.5, None, -3, 2, 10**15, 0]
    created = [agenda.item(title=f"item {number}", order=order) for number, order in enumerate(orders)]
    wanted = [created[index] for index in (4, 7, 2, 1, 5, 6, 0, 3)]
    assert agenda.listed_items() == wanted
    answer = agenda.world.owner.client.get(agenda.items)
    assert answer.json["meta"] == {"nextCursor": None, "hasMore": False}
    assert agenda.world.owner.client.get(agenda.items, limit=1).failure == (400, "INVALID_QUERY_PARAMETER")


def test_a_patch_changes_what_it_names(agenda: Agenda) -> None:
    ben = agenda.world.member("ben")
    item = agenda.item(notes={"a": 1}, assigneeName="Ada", order=1)
    answer = agenda.change(item, ben.client, assigneeName=None, notes=None, order=None, status="cancelled")
    assert answer.status == 200
    stamp = {"updatedBy": ben.id, "updatedAt": answer.data["updatedAt"]}
    cleared = {"assigneeName": None, "notes": None, "order": None, "status": "cancelled"}
    assert answer.data == {**item, **cleared, **stamp}
    assert answer.data["updatedAt"] > item["updatedAt"]
    assert agenda.change(item, status="in_progress").data["status"] == "in_progress"


def test_a_removed_item_is_gone_everywhere(agenda: Agenda) -> None:
    item = agenda.item(assigneeUserId=agenda.world.owner.id)
    client = agenda.world.owner.client
    path = f"{agenda.items}/{item['_id']}"
    assert client.delete(path).data == {"deleted": True}
    assert client.delete(path).failure == (404, "RESOURCE_NOT_FOUND")
    assert agenda.change(item, title="x").status == 404
    assert agenda.listed_items() == []
    assert client.get("/api/action-items/my", includeCompleted="true").json["totalCount"] == 0
    assert client.patch(f"/api/action-items/{item['_id']}/status", {"status": "completed"}).status == 404
    assert client.get(agenda.legacy).json["totalCount"] == 0


def test_an_item_is_found_under_its_own_meeting_only(agenda: Agenda) -> None:
    item = agenda.item()
    other = new_agenda(agenda.world)
    assert other.change(item, title="x").failure == (404, "RESOURCE_NOT_FOUND")
    assert agenda.world.owner.client.delete(f"{other.items}/{item['_id']}").status == 404
    assert other.listed_items() == []
    for nothing in ("0" * 24, "nonsense"):
        assert agenda.change({"_id": nothing}, title="x").status == 404
        assert agenda.world.owner.client.get(f"{agenda.world.path}/meetings/{nothing}/action-items").status == 404


def test_items_of_a_finalized_meeting_stay_editable(agenda: Agenda) -> None:
    item = agenda.item()
    agenda.finalize()
    assert agenda.change(item, status="completed").status == 200
    assert agenda.add().status == 201


def test_who_may_not_contribute_changes_nothing(agenda: Agenda) -> None:
    world, item = agenda.world, agenda.item()
    gil = world.member("gil", access_type="guest")
    callers = [(gil.client, None), (world.token("read_only"), "boards:write")]
    for caller, scope in callers:
        for answer in (agenda.add(caller), agenda.change(item, caller, title="x")):
            assert answer.failure == (403, "FORBIDDEN")
            assert answer.details == (scope and {"requiredScope": scope})
        assert agenda.listed_items(caller) == [item]
    world.bill("CANCELLED")
    assert agenda.add().failure == (403, "BILLING_RESTRICTED")
    assert agenda.add(Client()).failure == (401, "UNAUTHENTICATED")
    assert agenda.listed_items() == [item]


def test_everything_on_a_draft_is_hidden_with_it(world: World) -> None:
    ben = world.member("ben", admin_role="admin")
    draft = new_agenda(world, "draft")
    item = draft.item(assigneeUserId=ben.id)
    status = f"/api/action-items/{item['_id']}/status"
    on_board = f"{draft.legacy}/{item['_id']}"
    for caller in (ben.client, world.personal_token(ben), world.token()):
        assert caller.get(draft.items).failure == (404, "RESOURCE_NOT_FOUND")
        assert draft.add(caller).status == 404
        assert draft.change(item, caller, title="x").status == 404
        assert caller.delete(f"{draft.items}/{item['_id']}").status == 404
        assert caller.get(draft.legacy).json == {"actionItems": [], "totalCount": 0}
        assert caller.patch(on_board, {"status": "completed"}).status == 404
    for caller in (ben.client, world.personal_token(ben)):
        assert caller.get("/api/action-items/my").json == {"actionItems": [], "totalCount": 0}
        assert caller.patch(status, {"status": "completed"}).failure == (404, "RESOURCE_NOT_FOUND")
    assert draft.listed_items() == [item]
    assert draft.patch(status="scheduled").status == 200
    assert ben.client.get("/api/action-items/my").json["totalCount"] == 1


def test_a_deleted_meeting_takes_its_items_along(agenda: Agenda) -> None:
    client = agenda.world.owner.client
    item = agenda.item(assigneeUserId=agenda.world.owner.id)
    assert client.delete(agenda.path).status == 200
    assert client.get(agenda.items).status == 404
    assert client.get("/api/action-items/my").json["totalCount"] == 0
    assert client.get(agenda.legacy).json["totalCount"] == 0
    assert client.patch(f"/api/action-items/{item['_id']}/status", {"status": "completed"}).status == 404
    assert client.patch(f"{agenda.legacy}/{item['_id']}", {"status": "completed"}).status == 404


def test_each_act_leaves_its_event_and_its_audit_entry(agenda: Agenda) -> None:
    world = agenda.world
    ben = world.member("ben")
    item = agenda.item(assigneeUserId=ben.id)
    agenda.change(item, status="completed", title="Signed")
    agenda.change(item, status="completed")
    agenda.change(item, assigneeUserId=world.owner.id)
    world.owner.client.delete(f"{agenda.items}/{item['_id']}")
    subject = {"id": item["_id"], "title": "Sign"}
    assert [entry["details"] for entry in audited(world, "actionItemCreate")] == [subject]
    (change,) = audited(world, "actionItemStatusChange")
    assert change["details"] == {"from": "in_progress", "to": "completed"}
    updates = [entry["details"] for entry in audited(world, "actionItemUpdate")]
    assert updates == [{"fields": ["title"]}, {"fields": ["assigneeUserId"]}]
    assert [entry["details"]["title"] for entry in audited(world, "actionItemDelete")] == ["Signed"]
    (created,) = events_of(world, "action_item.created")
    assert (created.data["assigneeUserId"], created.draft_of) == (ben.id, None)
    assert [event.data["assigneeUserId"] for event in events_of(world, "action_item.updated")] == [None, world.owner.id]


def test_an_event_of_a_drafts_item_is_hidden_with_the_draft(world: World) -> None:
    new_agenda(world, "draft").item()
    (created,) = events_of(world, "action_item.created")
    assert created.draft_of == world.owner.id
