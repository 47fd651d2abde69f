"""Boards, their people, tokens and keys under threads: one owner, one answer for a key, nothing under what is gone."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from governance.ids import membership_id
from governance.store.schema import BOARD, Range
from governance.store.table import query
from tests.harness.client import Client, session
from tests.harness.race import Racers
from tests.harness.world import Person, World, new_world

pytestmark = pytest.mark.slow
ROUNDS = 40
MEETING = {"title": "Meeting", "status": "scheduled"}


def member_path(world: World, who: Person) -> str:
    return f"{world.path}/members/{membership_id(world.board_id, who.id)}"


def roles(world: World) -> list[str]:
    return sorted(member["adminRole"] for member in world.owner.client.all(f"{world.path}/members"))


def test_two_transfers_at_once_leave_one_owner(store: str, racers: Racers) -> None:
    del store
    for _ in range(ROUNDS):
        world = new_world()
        heirs = [world.member(name) for name in ("ben", "cleo")]
        bodies = [{"memberId": membership_id(world.board_id, heir.id)} for heir in heirs]
        path = f"{world.path}/ownership-transfer"
        answers = racers.run(*(partial(world.owner.client.post, path, body) for body in bodies))
        assert sorted(answer.status for answer in answers) == [201, 403]
        heir = heirs[0 if answers[0].status == 201 else 1]
        assert roles(World(heir, world.board_id)) == ["admin", "member", "owner"]


def test_of_two_admins_who_remove_each_other_one_stays(store: str, racers: Racers) -> None:
    del store
    for _ in range(ROUNDS):
        world = new_world()
        ben, cleo = (world.member(name, admin_role="admin") for name in ("ben", "cleo"))
        answers = racers.run(
            partial(ben.client.delete, member_path(world, cleo)), partial(cleo.client.delete, member_path(world, ben))
        )
        assert sorted(answer.status for answer in answers) == [200, 403]
        assert roles(world) == ["admin", "owner"]


def test_eight_requests_under_one_key_are_one_act(world: World, racers: Racers) -> None:
    for number in range(ROUNDS):
        call = partial(world.owner.client.post, f"{world.path}/meetings", MEETING, idempotency_key=f"key-{number}")
        answers = racers.run(*[call] * 8)
        assert {answer.status for answer in answers} <= {201, 409}
        assert len({answer.text for answer in answers if answer.status == 201}) == 1
    assert len(world.owner.client.all(f"{world.path}/meetings", limit=100)) == ROUNDS


def test_nothing_is_made_under_a_board_that_is_being_deleted(store: str, racers: Racers) -> None:
    del store
    for _ in range(ROUNDS):
        world = new_world()
        ben = world.member("ben")
        create = partial(ben.client.post, f"{world.path}/meetings", MEETING)
        deleted, *made = racers.run(partial(world.owner.client.delete, world.path), *[create] * 5)
        assert deleted.status == 200
        assert {answer.status for answer in made} <= {201, 404}
        there = query(Range(BOARD.at(boardId=world.board_id).pk, "MEETING#"))
        assert {item["id"] for item in there} == {answer.data["id"] for answer in made if answer.status == 201}
        assert create().status == 404


def test_a_token_is_dead_once_its_revocation_is_answered(world: World, racers: Racers) -> None:
    body = {"name": "robot", "preset": "read_write", "expiresInDays": None}
    for _ in range(ROUNDS):
        token: dict[str, Any] = world.owner.client.post(f"{world.path}/tokens", body).data
        use = partial(Client(token["secret"]).post, f"{world.path}/meetings", MEETING)
        revoked, *used = racers.run(
            partial(world.owner.client.delete, f"{world.path}/tokens/{token['id']}"), *[use] * 5
        )
        assert revoked.status == 200
        assert {answer.status for answer in used} <= {201, 401}
        assert use().failure == (401, "INVALID_API_TOKEN")


def test_eight_who_ask_first_are_told_one_code(store: str, racers: Racers) -> None:
    del store
    for _ in range(ROUNDS):
        world = new_world()
        ask = partial(world.owner.client.get, f"/api/invite/{world.board_id}/code")
        assert len({answer.json["inviteCode"] for answer in racers.run(*[ask] * 8)}) == 1


def test_a_new_user_who_calls_eight_times_at_once_is_one(store: str, racers: Racers) -> None:
    del store
    for number in range(ROUNDS):
        newcomer = Client(session(f"new{number}@example.com"))
        answers = racers.run(*[partial(newcomer.get, "/api/v1/me")] * 8)
        assert len({answer.text for answer in answers}) == 1
