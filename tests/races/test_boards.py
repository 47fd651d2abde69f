"""Races on boards, members, tokens and idempotency keys: one owner, one response for a key, no orphans."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

import pytest

from governance.ids import membership_id
from governance.store.schema.entities import BOARD, meetings_partition
from governance.store.schema.keys import Range
from governance.store.table import query
from tests.harness.board_scenario import BoardScenario, Person, new_board_scenario
from tests.harness.client import Client, session
from tests.harness.race import Race

pytestmark = pytest.mark.slow
ROUNDS = 30
MEETING = {"title": "Meeting", "status": "scheduled"}


def member_path(scenario: BoardScenario, person: Person) -> str:
    return f"{scenario.path}/members/{membership_id(scenario.board_id, person.id)}"


def roles(scenario: BoardScenario) -> list[str]:
    return sorted(member["adminRole"] for member in scenario.owner.client.all(f"{scenario.path}/members"))


def test_two_concurrent_transfers_leave_one_owner(race: Race) -> None:
    for _ in race.rounds(ROUNDS, 0, 1):
        scenario = new_board_scenario()
        candidates = [scenario.member(name) for name in ("ben", "cleo")]
        bodies = [{"memberId": membership_id(scenario.board_id, candidate.id)} for candidate in candidates]
        path = f"{scenario.path}/ownership-transfer"
        responses = race.run(*(partial(scenario.owner.client.post, path, body) for body in bodies))
        assert sorted(response.status for response in responses) == [200, 403]
        winner = 0 if responses[0].status == 200 else 1
        assert roles(BoardScenario(candidates[winner], scenario.board_id)) == ["admin", "member", "owner"]
        race.saw(winner)


def test_one_of_two_admins_who_remove_each_other_stays(race: Race) -> None:
    for _ in race.rounds(ROUNDS, (200, 403), (403, 200)):
        scenario = new_board_scenario()
        ben, cleo = (scenario.member(name, admin_role="admin") for name in ("ben", "cleo"))
        responses = race.run(
            partial(ben.client.delete, member_path(scenario, cleo)),
            partial(cleo.client.delete, member_path(scenario, ben)),
        )
        race.saw(tuple(response.status for response in responses))
        assert roles(scenario) == ["admin", "owner"]


def test_eight_requests_with_one_idempotency_key_take_effect_once(scenario: BoardScenario, race: Race) -> None:
    for number in race.rounds(ROUNDS):
        call = partial(
            scenario.owner.client.post, f"{scenario.path}/meetings", MEETING, idempotency_key=f"key-{number}"
        )
        responses = race.run(*[call] * 8)
        ((status, _),) = {(response.status, response.text) for response in responses}
        assert status == 201
    assert len(scenario.owner.client.all(f"{scenario.path}/meetings", limit=100)) == number + 1


def test_nothing_is_created_on_a_board_that_is_being_deleted(race: Race) -> None:
    for _ in race.rounds(ROUNDS, 201, 404):
        scenario = new_board_scenario()
        ben = scenario.member("ben", access_type="manager")
        creations = [
            partial(ben.client.post, f"{scenario.path}/{kind}", {"title": "New"})
            for kind in ("meetings", "documents", "reports", "meetings", "documents")
        ]
        deleted, *created = race.run(partial(scenario.owner.client.delete, scenario.path), *creations)
        assert deleted.status == 200
        for creation, response in enumerate(created, 1):
            race.saw(response.status, 0, creation)
        partition = BOARD.key_for(boardId=scenario.board_id).pk
        spans = [
            Range(meetings_partition(scenario.board_id)),
            *(Range(partition, kind) for kind in ("DOCUMENT#", "REPORT#")),
        ]
        stored = [item for span in spans for item in query(span)]
        assert {item["id"] for item in stored} == {
            response.data["id"] for response in created if response.status == 201
        }
        assert [create().status for create in creations] == [404] * len(creations)


def test_a_token_is_refused_once_its_revocation_returned(scenario: BoardScenario, race: Race) -> None:
    body = {"name": "robot", "preset": "read_write", "expiresInDays": None}
    for _ in race.rounds(ROUNDS, 201, 401):
        token: dict[str, Any] = scenario.owner.client.post(f"{scenario.path}/tokens", body).data
        use = partial(Client(token["secret"]).post, f"{scenario.path}/meetings", MEETING)
        revoked, *used = race.run(
            partial(scenario.owner.client.delete, f"{scenario.path}/tokens/{token['id']}"), *[use] * 5
        )
        assert revoked.status == 200
        for number, response in enumerate(used, 1):
            race.saw(response.status, 0, number)
        assert use().failure == (401, "INVALID_API_TOKEN")


def test_eight_first_requests_return_the_same_invite_code(race: Race) -> None:
    for _ in race.rounds(ROUNDS):
        scenario = new_board_scenario()
        get_code = partial(scenario.owner.client.get, f"/api/invite/{scenario.board_id}/code")
        assert len({response.json["inviteCode"] for response in race.run(*[get_code] * 8)}) == 1


def test_eight_concurrent_first_requests_create_one_user(race: Race) -> None:
    for number in race.rounds(ROUNDS):
        newcomer = Client(session(f"new{number}@example.com"))
        responses = race.run(*[partial(newcomer.get, "/api/v1/me")] * 8)
        assert len({response.text for response in responses}) == 1


def test_eight_concurrent_first_requests_of_a_later_session_are_all_answered(race: Race) -> None:
    for number in race.rounds(ROUNDS):
        eve = Client(session("eve@example.com", iat=int(time.time()) - 86_400 + 60 * number))
        responses = race.run(*[partial(eve.get, "/api/v1/me")] * 8)
        assert {response.status for response in responses} == {200}
        assert len({response.text for response in responses}) == 1
