"""Limits hold whatever runs at the same time: as many succeed as there is room for, the others are 409."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial

import pytest

from governance.ids import new_id
from governance.instants import now
from governance.limits import (
    ACTION_ITEMS_PER_MEETING,
    COMMITTEES_PER_BOARD,
    DASHBOARDS_PER_REPORT,
    GUEST_VOTES_PER_SLOT,
    MEMBERS_PER_BOARD,
    OPEN_ITEMS_PER_ASSIGNEE,
    PENDING_INVITES_PER_BOARD,
    SLOTS_PER_MEETING,
    TOKENS_PER_BOARD,
)
from governance.store.meetings.action_item_counts import _open_items
from governance.store.schema.entities import (
    ACTION_ITEM_COUNT,
    ACTIVE_BOARD_TOKENS,
    COMMITTEE_COUNT,
    DASHBOARD_COUNT,
    MEMBER_COUNT,
    OPEN_ITEM_COUNT,
    PENDING_INVITE_COUNT,
    SLOT_GUEST_VOTE_COUNT,
)
from governance.store.schema.keys import Key, make_item
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.writes import Put
from tests.harness.board_scenario import BoardScenario, new_board_scenario, person
from tests.harness.client import Client, Response
from tests.harness.counts import count, set_count
from tests.harness.meeting_scenario import from_now, new_meeting_scenario
from tests.harness.race import Call, Race

pytestmark = pytest.mark.slow
RACERS, ROOM, ROUNDS = 8, 3, 3


def call(client: Client, method: str, path: str, body: object = None) -> partial[Response]:
    return partial(client.call, method, path, body)


def check_succeeded(responses: Sequence[Response], room: int) -> int:
    """Asserts that as many requests succeeded as there was room for, and the others are 409; returns how many."""
    statuses = Counter(response.status for response in responses)
    succeeded = statuses[200] + statuses[201]
    assert succeeded == min(room, len(responses))
    assert succeeded + statuses[409] == len(responses)
    return succeeded


def check_filled(race: Race, calls: Sequence[Call], key: Key, limit: int) -> int:
    """Makes the calls while there is room for some of them; returns how many succeeded."""
    set_count(key, limit - ROOM)
    succeeded = check_succeeded(race.without_busy(race.run(*calls)), ROOM)
    assert count(key) == limit - ROOM + succeeded
    return succeeded


def test_a_board_has_no_committee_too_many(scenario: BoardScenario, race: Race) -> None:
    key = COMMITTEE_COUNT.key_for(boardId=scenario.board_id)
    create = call(scenario.owner.client, "POST", f"{scenario.path}/committees", {"name": "C", "memberIds": []})
    for _ in race.rounds(ROUNDS):
        check_filled(race, [create] * RACERS, key, COMMITTEES_PER_BOARD)


def test_a_board_has_no_member_too_many(race: Race) -> None:
    users = [person(f"user{number}") for number in range(RACERS)]
    for number in race.rounds(ROUNDS):
        scenario, accept = new_board_scenario(f"owner{number}"), []
        for user in users:
            body = {"inviteeEmail": user.email}
            invite = scenario.owner.client.post(f"/api/invite/{scenario.board_id}", body).json["inviteId"]
            accept.append(call(user.client, "PUT", f"/api/invite/accept/{invite}"))
        accepted = check_filled(race, accept, MEMBER_COUNT.key_for(boardId=scenario.board_id), MEMBERS_PER_BOARD)
        assert len(scenario.owner.client.all(f"{scenario.path}/members")) == 1 + accepted


def test_a_board_has_no_pending_invite_too_many(scenario: BoardScenario, race: Race) -> None:
    key = PENDING_INVITE_COUNT.key_for(boardId=scenario.board_id)
    path = f"/api/invite/{scenario.board_id}"
    for number in race.rounds(ROUNDS):
        bodies = [{"inviteeEmail": f"guest{number}.{place}@example.org"} for place in range(RACERS)]
        invite = [call(scenario.owner.client, "POST", path, body) for body in bodies]
        check_filled(race, invite, key, PENDING_INVITES_PER_BOARD)


@pytest.mark.parametrize("expired", [0, 2])
def test_a_board_has_no_active_token_too_many(scenario: BoardScenario, race: Race, *, expired: int) -> None:
    key, ended = ACTIVE_BOARD_TOKENS.key_for(boardId=scenario.board_id), now()
    stored = frozenset(f"{new_id()}#{ended if number < expired else ''}" for number in range(TOKENS_PER_BOARD - ROOM))
    mint = call(scenario.owner.client, "POST", f"{scenario.path}/tokens", {"name": "T", "expiresInDays": None})
    for _ in race.rounds(ROUNDS):
        transact([Put(make_item(key, {"active": stored}))])
        minted = check_succeeded(race.without_busy(race.run(*[mint] * RACERS)), ROOM + expired)
        active = (read_one(key) or {})["active"]
        assert len(active) <= TOKENS_PER_BOARD
        assert len(active - stored) == minted


def test_there_is_no_dashboard_too_many(scenario: BoardScenario, race: Race) -> None:
    report = scenario.owner.client.post(f"{scenario.path}/reports", {"title": "R"}).data["id"]
    path, body = f"{scenario.path}/reports/{report}/dashboards", {"title": "D", "dashboardType": "uniform"}
    key = DASHBOARD_COUNT.key_for(boardId=scenario.board_id, reportId=report)
    for _ in race.rounds(ROUNDS):
        check_filled(race, [call(scenario.owner.client, "POST", path, body)] * RACERS, key, DASHBOARDS_PER_REPORT)


def test_a_meeting_has_no_action_item_too_many(scenario: BoardScenario, race: Race) -> None:
    meeting = new_meeting_scenario(scenario)
    create = call(scenario.owner.client, "POST", f"{meeting.path}/action-items", {"title": "T"})
    meeting_id = meeting.path.rpartition("/")[2]
    key = ACTION_ITEM_COUNT.key_for(boardId=scenario.board_id, meetingId=meeting_id)
    for _ in race.rounds(ROUNDS):
        check_filled(race, [create] * RACERS, key, ACTION_ITEMS_PER_MEETING)


def test_open_action_items_of_an_assignee_are_counted_again_before_one_is_too_many(
    scenario: BoardScenario, race: Race
) -> None:
    owner, path = scenario.owner, f"{new_meeting_scenario(scenario).path}/action-items"
    create = call(owner.client, "POST", path, {"title": "T", "assigneeUserId": owner.id})
    key = OPEN_ITEM_COUNT.key_for(boardId=scenario.board_id, userId=owner.id)
    created = 0
    for _ in race.rounds(ROUNDS):
        set_count(key, OPEN_ITEMS_PER_ASSIGNEE - ROOM)
        responses = race.without_busy(race.run(*[create] * RACERS))
        assert {response.status for response in responses} == {201}
        created += len(responses)
        assert count(key) >= created == _open_items(scenario.board_id, owner.id)


def test_a_meeting_has_no_slot_too_many(scenario: BoardScenario, race: Race) -> None:
    meeting = new_meeting_scenario(scenario)
    for number in range(SLOTS_PER_MEETING - 2):
        meeting.slot(from_now(days=1, minutes=number))
    for _ in race.rounds(ROUNDS):
        responses = race.run(
            *[partial(meeting.propose, None, from_now(days=9, minutes=minutes)) for minutes in range(4)]
        )
        check_succeeded(responses, 2)
        for response in responses:
            assert response.status == 409 or meeting.remove(response.data).status == 200


def test_a_slot_has_no_guests_vote_too_many(scenario: BoardScenario, race: Race) -> None:
    meeting = new_meeting_scenario(scenario)
    link = f"/api/v1/guest/{scenario.owner.client.post(f'{meeting.path}/guest-link').data['token']}"
    for number in race.rounds(ROUNDS):
        slot = meeting.slot(from_now(days=1, minutes=number))
        key = SLOT_GUEST_VOTE_COUNT.key_for(boardId=scenario.board_id, meetingId=slot["meetingId"], slotId=slot["id"])
        bodies = [{"email": f"g{number}.{place}@example.com", "vote": "ok"} for place in range(RACERS)]
        votes = [call(Client(), "PUT", f"{link}/slots/{slot['id']}/vote", body) for body in bodies]
        check_filled(race, votes, key, GUEST_VOTES_PER_SLOT)
