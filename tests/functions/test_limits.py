"""The limits that keep every answer bounded: 409 `LIMIT_REACHED` at each, and room again after a removal (ADR
limits)."""

from __future__ import annotations

from typing import Any

import pytest

from governance.agenda_limits import AGENDA_TEMPLATES_PER_BOARD, BACKLOG_ITEMS_PER_BOARD, PLAN_ITEMS_PER_BOARD
from governance.limits import (
    ACTION_ITEMS_PER_MEETING,
    BETS_PER_BOARD,
    BOARDS_PER_USER,
    COMMENTS_PER_SUBJECT,
    COMMITTEES_PER_BOARD,
    DASHBOARDS_PER_REPORT,
    MEMBERS_PER_BOARD,
    OPEN_ITEMS_PER_ASSIGNEE,
    PENDING_INVITES_PER_BOARD,
    RESOLUTIONS_PER_BOARD,
)
from governance.store.schema.entities import (
    ACTION_ITEM_COUNT,
    AGENDA_TEMPLATE_COUNT,
    BACKLOG_COUNT,
    BET_COUNT,
    BOARD_COUNT,
    COMMITTEE_COUNT,
    DASHBOARD_COUNT,
    MEETING_COMMENT_COUNT,
    MEMBER_COUNT,
    OPEN_ITEM_COUNT,
    PENDING_INVITE_COUNT,
    PLAN_COUNT,
    RESOLUTION_COUNT,
    USER_BOARD,
)
from governance.store.schema.keys import Entity
from governance.store.transactions import transact
from governance.store.writes import Delete
from tests.harness.action_item_scenario import ActionItemScenario, new_action_item_scenario
from tests.harness.board_scenario import BoardScenario, Person, person
from tests.harness.client import Response
from tests.harness.counts import count, set_count
from tests.harness.table_snapshot import TableSnapshot

DUE = "2031-01-31"
COUNTED: dict[str, tuple[Entity, int, str, dict[str, Any]]] = {
    "committees": (COMMITTEE_COUNT, COMMITTEES_PER_BOARD, "committees", {"name": "N", "memberIds": []}),
    "bets": (BET_COUNT, BETS_PER_BOARD, "bets", {"title": "B", "dueOn": DUE}),
    "agenda templates": (
        AGENDA_TEMPLATE_COUNT,
        AGENDA_TEMPLATES_PER_BOARD,
        "agenda-templates",
        {"name": "N", "items": []},
    ),
    "backlog": (BACKLOG_COUNT, BACKLOG_ITEMS_PER_BOARD, "backlog", {"title": "T"}),
    "work plan": (PLAN_COUNT, PLAN_ITEMS_PER_BOARD, "plan", {"title": "T", "months": [1]}),
    "resolutions": (RESOLUTION_COUNT, RESOLUTIONS_PER_BOARD, "resolutions", {"title": "R", "text": "T"}),
    "dashboards of a report": (
        DASHBOARD_COUNT,
        DASHBOARDS_PER_REPORT,
        "reports/{reportId}/dashboards",
        {"title": "D", "dashboardType": "uniform"},
    ),
    "action items of a meeting": (
        ACTION_ITEM_COUNT,
        ACTION_ITEMS_PER_MEETING,
        "meetings/{meetingId}/action-items",
        {"title": "T"},
    ),
    "comments on a meeting": (
        MEETING_COMMENT_COUNT,
        COMMENTS_PER_SUBJECT,
        "meetings/{meetingId}/comments",
        {"text": "T"},
    ),
}
"""What is counted in a row of its own: the counter, the limit, and where and by which body one is created."""


def is_full(response: Response) -> bool:
    return response.failure == (409, "CONFLICT") and response.details == {"reason": "LIMIT_REACHED"}


@pytest.mark.parametrize("kind", COUNTED)
def test_no_more_than_the_limit_are_created_until_one_is_deleted(scenario: BoardScenario, kind: str) -> None:
    counter, limit, collection, body = COUNTED[kind]
    client, ids = scenario.owner.client, {"boardId": scenario.board_id}
    for parent, parents in (("reportId", "reports"), ("meetingId", "meetings")):
        if parent in collection:
            ids[parent] = client.post(f"{scenario.path}/{parents}", {"title": "P", "status": None}).data["id"]
    path = f"{scenario.path}/{collection.format(**ids)}"
    first = client.post(path, body).data
    set_count(counter.key_for(**ids), limit)
    before = TableSnapshot()
    assert is_full(client.post(path, body))
    assert before.changes() == {}
    assert client.delete(f"{path}/{first.get('id') or first['_id']}").status == 200
    assert client.post(path, body).status == 201
    assert is_full(client.post(path, body))


def invite(scenario: BoardScenario, email: str, by: Person | None = None) -> Response:
    return (by or scenario.owner).client.post(f"/api/invite/{scenario.board_id}", {"inviteeEmail": email})


def accept(user: Person, invited: Response) -> Response:
    return user.client.put(f"/api/invite/accept/{invited.json['inviteId']}")


def join(scenario: BoardScenario, user: Person) -> Response:
    code = scenario.owner.client.get(f"/api/invite/{scenario.board_id}/code").json["inviteCode"]
    return user.client.put(f"/api/invite/join/{code}")


def test_a_full_board_takes_no_member_by_invite_or_code_until_one_leaves(scenario: BoardScenario) -> None:
    ben, cleo = scenario.member("ben"), person("cleo")
    counter = MEMBER_COUNT.key_for(boardId=scenario.board_id)
    assert count(counter) == 2
    set_count(counter, MEMBERS_PER_BOARD)
    invited = invite(scenario, cleo.email)
    assert is_full(accept(cleo, invited))
    assert is_full(join(scenario, cleo))
    member = ben.client.get(f"{scenario.path}/members", limit=1).data[0]
    assert scenario.owner.client.delete(f"{scenario.path}/members/{member['id']}").status == 200
    assert accept(cleo, invited).status == 200
    assert count(counter) == MEMBERS_PER_BOARD


def test_a_user_of_as_many_boards_as_allowed_neither_creates_nor_joins_one(
    scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    ben = person("ben")
    invited = invite(scenario, ben.email)
    monkeypatch.setattr("governance.store.boards.boards.BOARDS_PER_USER", 3)
    boards = [ben.client.post("/api/v1/boards", {"name": "B"}).data["id"] for _ in range(3)]
    assert is_full(ben.client.post("/api/v1/boards", {"name": "B"}))
    assert is_full(accept(ben, invited))
    assert ben.client.delete(f"/api/v1/boards/{boards[0]}").status == 200
    assert accept(ben, invited).status == 200
    assert is_full(ben.client.post("/api/v1/boards", {"name": "B"}))


def test_a_board_that_its_owner_deleted_makes_room_for_its_members(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    counter = BOARD_COUNT.key_for(userId=ben.id)
    set_count(counter, BOARDS_PER_USER)
    assert scenario.owner.client.delete(scenario.path).status == 200
    transact([Delete(USER_BOARD.key_for(userId=ben.id, boardId=scenario.board_id))])
    assert ben.client.post("/api/v1/boards", {"name": "B"}).status == 201
    assert count(counter) == 1


def test_a_board_has_a_limited_number_of_pending_invites(scenario: BoardScenario) -> None:
    first, counter = (invite(scenario, "first@example.org"), PENDING_INVITE_COUNT.key_for(boardId=scenario.board_id))
    assert count(counter) == 1
    set_count(counter, PENDING_INVITES_PER_BOARD)
    assert is_full(invite(scenario, "late@example.org"))
    assert invite(scenario, "first@example.org").json["deduped"] is True
    assert scenario.owner.client.put(f"/api/invite/retract/{first.json['inviteId']}").status == 200
    assert invite(scenario, "late@example.org").status == 200
    assert is_full(invite(scenario, "later@example.org"))


@pytest.fixture
def meeting(scenario: BoardScenario) -> ActionItemScenario:
    return new_action_item_scenario(scenario)


def open_items(meeting: ActionItemScenario, user: Person) -> int:
    return count(OPEN_ITEM_COUNT.key_for(boardId=meeting.board.board_id, userId=user.id))


def test_the_open_items_of_an_assignee_are_counted_as_they_change(meeting: ActionItemScenario) -> None:
    ben, cleo = meeting.board.member("ben"), meeting.board.member("cleo")
    item = meeting.item(assigneeUserId=ben.id)
    meeting.item(assigneeUserId=ben.id, status="completed")
    meeting.item()
    assert (open_items(meeting, ben), open_items(meeting, cleo)) == (1, 0)
    for change, of_ben, of_cleo in (
        ({"assigneeUserId": cleo.id}, 0, 1),
        ({"status": "completed", "title": "Done"}, 0, 0),
        ({"status": "in_progress"}, 0, 1),
        ({"title": "Again"}, 0, 1),
        ({"assigneeUserId": None}, 0, 0),
        ({"assigneeUserId": ben.id}, 1, 0),
    ):
        assert meeting.change(item, **change).status == 200
        assert (open_items(meeting, ben), open_items(meeting, cleo)) == (of_ben, of_cleo)
    assert meeting.board.owner.client.delete(f"{meeting.items}/{item['_id']}").status == 200
    assert open_items(meeting, ben) == 0


def test_an_assignee_has_a_limited_number_of_open_items(
    meeting: ActionItemScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    ben, client = meeting.board.member("ben"), meeting.board.owner.client
    monkeypatch.setattr("governance.store.action_items.action_item_counts.OPEN_ITEMS_PER_ASSIGNEE", 2)
    first, _ = (meeting.item(assigneeUserId=ben.id) for _ in range(2))
    assert is_full(meeting.add(assigneeUserId=ben.id))
    closed, free = meeting.item(assigneeUserId=ben.id, status="completed"), meeting.item()
    assert is_full(meeting.change(closed, status="in_progress"))
    assert is_full(meeting.change(free, assigneeUserId=ben.id))
    status = f"/api/action-items/{closed['_id']}/status"
    assert is_full(client.patch(status, {"status": "in_progress"}))
    assert meeting.change(first, status="cancelled").status == 200
    assert client.patch(status, {"status": "in_progress"}).status == 200


def test_items_of_a_deleted_meeting_make_room_once_they_are_removed(meeting: ActionItemScenario) -> None:
    ben = meeting.board.member("ben")
    meeting.item(assigneeUserId=ben.id)
    set_count(OPEN_ITEM_COUNT.key_for(boardId=meeting.board.board_id, userId=ben.id), OPEN_ITEMS_PER_ASSIGNEE)
    assert meeting.add(assigneeUserId=ben.id).status == 201
    assert open_items(meeting, ben) == 2
