"""The limits that keep every answer bounded: 409 `LIMIT_REACHED` at each, and room again after a removal (ADR
limits)."""

from __future__ import annotations

from typing import Any

import pytest

from governance.ids import UserId
from governance.limits import (
    ACTION_ITEMS_PER_MEETING,
    BOARDS_PER_USER,
    DASHBOARDS_PER_REPORT,
    MEMBERS_PER_BOARD,
    OPEN_ITEMS_PER_ASSIGNEE,
    PENDING_INVITES_PER_BOARD,
    RE_INVITERS,
)
from governance.store.schema.entities import (
    ACTION_ITEM_COUNT,
    BOARD_COUNT,
    DASHBOARD_COUNT,
    MEMBER_COUNT,
    OPEN_ITEM_COUNT,
    PENDING_INVITE_COUNT,
    USER_BOARD,
    pending_invite_key,
)
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.writes import EXISTS, Delete, Update
from tests.harness.board_scenario import BoardScenario, Person, person
from tests.harness.client import Response
from tests.harness.counts import count, set_count


def is_full(response: Response) -> bool:
    return response.failure == (409, "CONFLICT") and response.details == {"reason": "LIMIT_REACHED"}


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
    assert BOARDS_PER_USER == 500


def test_a_board_that_its_owner_deleted_makes_room_for_its_members(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    counter = BOARD_COUNT.key_for(userId=ben.id)
    set_count(counter, BOARDS_PER_USER)
    assert scenario.owner.client.delete(scenario.path).status == 200
    transact([Delete(USER_BOARD.key_for(userId=ben.id, boardId=scenario.board_id))])
    assert ben.client.post("/api/v1/boards", {"name": "B"}).status == 201
    assert count(counter) == 1


def test_a_board_has_a_limited_number_of_pending_invites(scenario: BoardScenario) -> None:
    first, counter = (
        invite(scenario, "first@example.org"),
        PENDING_INVITE_COUNT.key_for(boardId=scenario.board_id),
    )
    assert count(counter) == 1
    set_count(counter, PENDING_INVITES_PER_BOARD)
    assert is_full(invite(scenario, "late@example.org"))
    assert invite(scenario, "first@example.org").json["deduped"] is True
    assert scenario.owner.client.put(f"/api/invite/retract/{first.json['inviteId']}").status == 200
    assert invite(scenario, "late@example.org").status == 200
    assert is_full(invite(scenario, "later@example.org"))


def test_an_invite_names_a_limited_number_of_users_who_sent_it_again(scenario: BoardScenario) -> None:
    ben, cleo = scenario.member("ben"), scenario.member("cleo")
    assert invite(scenario, "new@example.org").status == 200
    key = pending_invite_key(scenario.board_id, "new@example.org")
    others = [f"{number:024x}" for number in range(RE_INVITERS - 1)]
    transact([Update(key, "SET alsoInvitedBy = :a", {}, {":a": others}, EXISTS)])
    assert invite(scenario, "new@example.org", by=ben).status == 200
    assert is_full(invite(scenario, "new@example.org", by=cleo))
    assert invite(scenario, "new@example.org", by=ben).status == 200


class Items:
    """A meeting of the owner with action items."""

    def __init__(self, scenario: BoardScenario) -> None:
        self.client, self.board_id = scenario.owner.client, scenario.board_id
        meeting = self.client.post(f"{scenario.path}/meetings", {"title": "M", "status": "scheduled"}).data
        self.meeting_id = meeting["id"]
        self.meeting = f"{scenario.path}/meetings/{self.meeting_id}"
        self.path = f"{self.meeting}/action-items"

    def create(self, **members: Any) -> Response:
        return self.client.post(self.path, {"title": "T", **members})

    def patch(self, item: Response, **members: Any) -> Response:
        return self.client.patch(f"{self.path}/{item.data['_id']}", members)


@pytest.fixture
def items(scenario: BoardScenario) -> Items:
    return Items(scenario)


def test_a_meeting_has_a_limited_number_of_action_items(items: Items) -> None:
    counter = ACTION_ITEM_COUNT.key_for(boardId=items.board_id, meetingId=items.meeting_id)
    item = items.create()
    set_count(counter, ACTION_ITEMS_PER_MEETING)
    assert is_full(items.create())
    assert items.patch(item, title="Changed").status == 200
    assert items.client.delete(f"{items.path}/{item.data['_id']}").status == 200
    assert items.create().status == 201
    assert is_full(items.create())


def open_items(items: Items, user: Person) -> int:
    return count(OPEN_ITEM_COUNT.key_for(boardId=items.board_id, userId=user.id))


def test_the_open_items_of_an_assignee_are_counted_as_they_change(scenario: BoardScenario, items: Items) -> None:
    ben, cleo = scenario.member("ben"), scenario.member("cleo")
    item = items.create(assigneeUserId=ben.id)
    items.create(assigneeUserId=ben.id, status="completed")
    items.create()
    assert (open_items(items, ben), open_items(items, cleo)) == (1, 0)
    items.patch(item, assigneeUserId=cleo.id)
    assert (open_items(items, ben), open_items(items, cleo)) == (0, 1)
    items.patch(item, status="completed", title="Done")
    assert open_items(items, cleo) == 0
    items.patch(item, status="in_progress")
    items.patch(item, title="Again")
    assert open_items(items, cleo) == 1
    items.patch(item, assigneeUserId=None)
    assert open_items(items, cleo) == 0
    items.patch(item, assigneeUserId=ben.id)
    assert items.client.delete(f"{items.path}/{item.data['_id']}").status == 200
    assert open_items(items, ben) == 0


def test_an_assignee_has_a_limited_number_of_open_items(
    scenario: BoardScenario, items: Items, monkeypatch: pytest.MonkeyPatch
) -> None:
    ben = scenario.member("ben")
    monkeypatch.setattr("governance.store.meetings.action_item_counts.OPEN_ITEMS_PER_ASSIGNEE", 2)
    first, _ = items.create(assigneeUserId=ben.id), items.create(assigneeUserId=ben.id)
    assert is_full(items.create(assigneeUserId=ben.id))
    closed, free = items.create(assigneeUserId=ben.id, status="completed"), items.create()
    assert closed.status == free.status == 201
    assert is_full(items.patch(closed, status="in_progress"))
    assert is_full(items.patch(free, assigneeUserId=ben.id))
    status = f"/api/action-items/{closed.data['_id']}/status"
    assert is_full(items.client.patch(status, {"status": "in_progress"}))
    assert items.patch(first, status="cancelled").status == 200
    assert items.client.patch(status, {"status": "in_progress"}).status == 200
    assert OPEN_ITEMS_PER_ASSIGNEE == 1000


def test_items_of_a_deleted_meeting_make_room_once_they_are_removed(scenario: BoardScenario, items: Items) -> None:
    ben = scenario.member("ben")
    items.create(assigneeUserId=ben.id)
    set_count(OPEN_ITEM_COUNT.key_for(boardId=items.board_id, userId=ben.id), OPEN_ITEMS_PER_ASSIGNEE)
    assert items.create(assigneeUserId=ben.id).status == 201
    assert open_items(items, ben) == 2


def test_a_report_has_a_limited_number_of_dashboards(scenario: BoardScenario) -> None:
    client = scenario.owner.client
    report = client.post(f"{scenario.path}/reports", {"title": "R"}).data["id"]
    path, counter = (
        f"{scenario.path}/reports/{report}/dashboards",
        DASHBOARD_COUNT.key_for(boardId=scenario.board_id, reportId=report),
    )
    body = {"title": "D", "dashboardType": "uniform"}
    first = client.post(path, body).data["id"]
    assert count(counter) == 1
    set_count(counter, DASHBOARDS_PER_REPORT)
    assert is_full(client.post(path, body))
    assert len(client.all(path)) == 1
    assert client.patch(f"{path}/{first}", {"title": "Changed"}).status == 200
    assert client.delete(f"{path}/{first}").status == 200
    assert client.post(path, body).status == 201
    assert is_full(client.post(path, body))
    assert client.delete(f"{scenario.path}/reports/{report}").status == 200
    assert read_one(counter) is None


def test_another_users_items_do_not_count(scenario: BoardScenario, items: Items) -> None:
    ben = scenario.member("ben")
    items.create(assigneeUserId=scenario.owner.id)
    assert open_items(items, ben) == 0
    assert count(OPEN_ITEM_COUNT.key_for(boardId=items.board_id, userId=UserId(scenario.owner.id))) == 1
