"""Boards, their people, tokens and keys under threads: one owner, one answer for a key, nothing under what is gone."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from governance.ids import membership_id
from governance.store.schema import BOARD, Range
from governance.store.table import query
from tests.harness.board_scenario import BoardScenario, Person, new_board_scenario
from tests.harness.client import Client, session
from tests.harness.race import Racers

pytestmark = pytest.mark.slow
ROUNDS = 40
MEETING = {"title": "Meeting", "status": "scheduled"}


def member_path(scenario: BoardScenario, who: Person) -> str:
    return f"{scenario.path}/members/{membership_id(scenario.board_id, who.id)}"


def roles(scenario: BoardScenario) -> list[str]:
    return sorted(member["adminRole"] for member in scenario.owner.client.all(f"{scenario.path}/members"))


def test_two_transfers_at_once_leave_one_owner(store: str, racers: Racers) -> None:
    del store
    for _ in range(ROUNDS):
        scenario = new_board_scenario()
        heirs = [scenario.member(name) for name in ("ben", "cleo")]
        bodies = [{"memberId": membership_id(scenario.board_id, heir.id)} for heir in heirs]
        path = f"{scenario.path}/ownership-transfer"
        responses = racers.run(*(partial(scenario.owner.client.post, path, body) for body in bodies))
        assert sorted(response.status for response in responses) == [201, 403]
        heir = heirs[0 if responses[0].status == 201 else 1]
        assert roles(BoardScenario(heir, scenario.board_id)) == ["admin", "member", "owner"]


def test_of_two_admins_who_remove_each_other_one_stays(store: str, racers: Racers) -> None:
    del store
    for _ in range(ROUNDS):
        scenario = new_board_scenario()
        ben, cleo = (scenario.member(name, admin_role="admin") for name in ("ben", "cleo"))
        responses = racers.run(
            partial(ben.client.delete, member_path(scenario, cleo)),
            partial(cleo.client.delete, member_path(scenario, ben)),
        )
        assert sorted(response.status for response in responses) == [200, 403]
        assert roles(scenario) == ["admin", "owner"]


def test_eight_requests_under_one_key_are_one_act(scenario: BoardScenario, racers: Racers) -> None:
    for number in range(ROUNDS):
        call = partial(
            scenario.owner.client.post, f"{scenario.path}/meetings", MEETING, idempotency_key=f"key-{number}"
        )
        responses = racers.run(*[call] * 8)
        assert {response.status for response in responses} <= {201, 409}
        assert len({response.text for response in responses if response.status == 201}) == 1
    assert len(scenario.owner.client.all(f"{scenario.path}/meetings", limit=100)) == ROUNDS


def test_nothing_is_made_under_a_board_that_is_being_deleted(store: str, racers: Racers) -> None:
    del store
    for _ in range(ROUNDS):
        scenario = new_board_scenario()
        ben = scenario.member("ben")
        create = partial(ben.client.post, f"{scenario.path}/meetings", MEETING)
        deleted, *made = racers.run(partial(scenario.owner.client.delete, scenario.path), *[create] * 5)
        assert deleted.status == 200
        assert {response.status for response in made} <= {201, 404}
        there = query(Range(BOARD.at(boardId=scenario.board_id).pk, "MEETING#"))
        assert {item["id"] for item in there} == {response.data["id"] for response in made if response.status == 201}
        assert create().status == 404


def test_a_token_is_dead_once_its_revocation_is_answered(scenario: BoardScenario, racers: Racers) -> None:
    body = {"name": "robot", "preset": "read_write", "expiresInDays": None}
    for _ in range(ROUNDS):
        token: dict[str, Any] = scenario.owner.client.post(f"{scenario.path}/tokens", body).data
        use = partial(Client(token["secret"]).post, f"{scenario.path}/meetings", MEETING)
        revoked, *used = racers.run(
            partial(scenario.owner.client.delete, f"{scenario.path}/tokens/{token['id']}"), *[use] * 5
        )
        assert revoked.status == 200
        assert {response.status for response in used} <= {201, 401}
        assert use().failure == (401, "INVALID_API_TOKEN")


def test_eight_who_ask_first_are_told_one_code(store: str, racers: Racers) -> None:
    del store
    for _ in range(ROUNDS):
        scenario = new_board_scenario()
        ask = partial(scenario.owner.client.get, f"/api/invite/{scenario.board_id}/code")
        assert len({response.json["inviteCode"] for response in racers.run(*[ask] * 8)}) == 1


def test_a_new_user_who_calls_eight_times_at_once_is_one(store: str, racers: Racers) -> None:
    del store
    for number in range(ROUNDS):
        newcomer = Client(session(f"new{number}@example.com"))
        responses = racers.run(*[partial(newcomer.get, "/api/v1/me")] * 8)
        assert len({response.text for response in responses}) == 1
