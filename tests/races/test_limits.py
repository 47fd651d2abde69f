"""Limits hold whatever runs at the same time: as many succeed as there is room for, the others are 409."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import partial

import pytest

from governance.ids import new_id
from governance.instants import now
from governance.limits import (
    ACTION_ITEMS_PER_MEETING,
    COMMITTEES_PER_BOARD,
    DASHBOARDS_PER_REPORT,
    MEMBERS_PER_BOARD,
    OPEN_ITEMS_PER_ASSIGNEE,
    PENDING_INVITES_PER_BOARD,
    TOKENS_PER_BOARD,
)
from governance.store.action_item_counts import _open_items
from governance.store.schema.entities import (
    ACTION_ITEM_COUNT,
    ACTIVE_BOARD_TOKENS,
    COMMITTEE_COUNT,
    DASHBOARD_COUNT,
    MEMBER_COUNT,
    OPEN_ITEM_COUNT,
    PENDING_INVITE_COUNT,
)
from governance.store.schema.keys import Key, make_item
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.writes import Put
from tests.harness.board_scenario import BoardScenario, person
from tests.harness.client import Client, Response
from tests.harness.counts import count, set_count
from tests.harness.race import Racers

pytestmark = pytest.mark.slow
RACERS, ROOM = 8, 3


def call(client: Client, method: str, path: str, body: object = None) -> partial[Response]:
    return partial(client.call, method, path, body)


def check_filled(responses: Iterable[Response], key: Key, limit: int) -> None:
    """Asserts that exactly as many requests succeeded as there was room for."""
    found = Counter(response.status for response in responses)
    assert found[409] + found[200] + found[201] + found[503] == RACERS
    assert found[200] + found[201] == ROOM - (limit - count(key))
    assert count(key) <= limit
    assert found[503] > 0 or count(key) == limit


def test_a_board_has_no_committee_too_many(scenario: BoardScenario, racers: Racers) -> None:
    key = COMMITTEE_COUNT.key_for(boardId=scenario.board_id)
    set_count(key, COMMITTEES_PER_BOARD - ROOM)
    create = call(scenario.owner.client, "POST", f"{scenario.path}/committees", {"name": "C", "memberIds": []})
    check_filled(racers.run(*[create] * RACERS), key, COMMITTEES_PER_BOARD)


def test_a_board_has_no_member_too_many(scenario: BoardScenario, racers: Racers) -> None:
    users = [person(f"user{number}") for number in range(RACERS)]
    path, accept = f"/api/invite/{scenario.board_id}", []
    for user in users:
        invite = scenario.owner.client.post(path, {"inviteeEmail": user.email}).json["inviteId"]
        accept.append(call(user.client, "PUT", f"/api/invite/accept/{invite}"))
    key = MEMBER_COUNT.key_for(boardId=scenario.board_id)
    set_count(key, MEMBERS_PER_BOARD - ROOM)
    check_filled(racers.run(*accept), key, MEMBERS_PER_BOARD)
    assert len(scenario.owner.client.all(f"{scenario.path}/members")) == 1 + count(key) - (MEMBERS_PER_BOARD - ROOM)


def test_a_board_has_no_pending_invite_too_many(scenario: BoardScenario, racers: Racers) -> None:
    key = PENDING_INVITE_COUNT.key_for(boardId=scenario.board_id)
    set_count(key, PENDING_INVITES_PER_BOARD - ROOM)
    path = f"/api/invite/{scenario.board_id}"
    bodies = [{"inviteeEmail": f"guest{number}@example.org"} for number in range(RACERS)]
    invite = [call(scenario.owner.client, "POST", path, body) for body in bodies]
    check_filled(racers.run(*invite), key, PENDING_INVITES_PER_BOARD)


@pytest.mark.parametrize("expired", [0, 2])
def test_a_board_has_no_active_token_too_many(scenario: BoardScenario, racers: Racers, *, expired: int) -> None:
    key, ended = ACTIVE_BOARD_TOKENS.key_for(boardId=scenario.board_id), now()
    stored = frozenset(f"{new_id()}#{ended if number < expired else ''}" for number in range(TOKENS_PER_BOARD - ROOM))
    transact([Put(make_item(key, {"active": stored}))])
    mint = call(scenario.owner.client, "POST", f"{scenario.path}/tokens", {"name": "T", "expiresInDays": None})
    found = Counter(response.status for response in racers.run(*[mint] * RACERS))
    active = (read_one(key) or {})["active"]
    assert found[201] + found[409] + found[503] == RACERS
    assert len(active) <= TOKENS_PER_BOARD
    assert len(active - stored) == found[201]
    assert found[503] > 0 or found[201] == ROOM + expired


def test_there_is_no_dashboard_too_many(scenario: BoardScenario, racers: Racers) -> None:
    report = scenario.owner.client.post(f"{scenario.path}/reports", {"title": "R"}).data["id"]
    path, body = f"{scenario.path}/reports/{report}/dashboards", {"title": "D", "dashboardType": "uniform"}
    key = DASHBOARD_COUNT.key_for(boardId=scenario.board_id, reportId=report)
    set_count(key, DASHBOARDS_PER_REPORT - ROOM)
    responses = racers.run(*[call(scenario.owner.client, "POST", path, body)] * RACERS)
    check_filled(responses, key, DASHBOARDS_PER_REPORT)


@pytest.mark.parametrize("assigned", [False, True], ids=["on a meeting", "of an assignee"])
def test_there_is_no_action_item_too_many(scenario: BoardScenario, racers: Racers, *, assigned: bool) -> None:
    owner = scenario.owner
    meeting = owner.client.post(f"{scenario.path}/meetings", {"title": "M", "status": "scheduled"}).data["id"]
    body = {"title": "T", "assigneeUserId": owner.id} if assigned else {"title": "T"}
    key, limit = ACTION_ITEM_COUNT.key_for(boardId=scenario.board_id, meetingId=meeting), ACTION_ITEMS_PER_MEETING
    if assigned:
        key, limit = OPEN_ITEM_COUNT.key_for(boardId=scenario.board_id, userId=owner.id), OPEN_ITEMS_PER_ASSIGNEE
    create = call(owner.client, "POST", f"{scenario.path}/meetings/{meeting}/action-items", body)
    set_count(key, limit - ROOM)
    responses = racers.run(*[create] * RACERS)
    if not assigned:
        check_filled(responses, key, limit)
    else:  # the counter was too high: it is counted again, and all have room
        created = sum(response.status == 201 for response in responses)
        assert {response.status for response in responses} <= {201, 503}
        assert created >= RACERS - 1, "so many conflicts are no longer rare"
        assert count(key) >= created == _open_items(scenario.board_id, owner.id)
