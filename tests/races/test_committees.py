"""Committees and reports under threads: no document without its committee, no change after the end."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from governance.ids import membership_id
from governance.limits import COMMITTEE_MEMBERS
from tests.harness.client import Answer, Client
from tests.harness.race import Racers
from tests.harness.world import World

pytestmark = pytest.mark.slow
ROUNDS = 40


def committee(world: World, *user_ids: str) -> str:
    seats = [membership_id(world.board_id, user_id) for user_id in user_ids]
    body = {"name": "C", "memberIds": seats}
    return str(world.owner.client.post(f"{world.path}/committees", body).data["id"])


def call(client: Client, method: str, path: str, body: Any = None) -> partial[Answer]:
    return partial(client.call, method, path, body)


def sound(*answers: Answer) -> None:
    """No race makes anything of ours fail."""
    assert all(answer.status < 500 for answer in answers), [answer.text for answer in answers]


def test_a_document_put_into_a_committee_that_is_being_deleted_has_a_committee_or_is_not_there(
    world: World, racers: Racers
) -> None:
    owner, documents = world.owner.client, f"{world.path}/documents"
    for _ in range(ROUNDS):
        known = committee(world, world.owner.id)
        create = call(owner, "POST", documents, {"title": "T", "committeeId": known})
        delete = call(owner, "DELETE", f"{world.path}/committees/{known}")
        created, deleted = racers.run(create, delete)
        sound(created, deleted)
        assert (created.status, deleted.status) in {(201, 409), (400, 200)}


def test_documents_of_one_committee_are_counted_every_one(world: World, racers: Racers) -> None:
    owner, documents = world.owner.client, f"{world.path}/documents"
    known = committee(world, world.owner.id)
    path = f"{world.path}/committees/{known}"
    for _ in range(ROUNDS // 4):
        creations = [call(owner, "POST", documents, {"title": "T", "committeeId": known})] * 6
        answers = racers.run(*creations, call(owner, "PATCH", path, {"name": "D"}))
        made = [answer.data["id"] for answer in answers[:-1] if answer.status == 201]
        assert all(answer.status in {200, 201, 503} for answer in answers)
        assert {entry["id"] for entry in owner.all(documents)} == set(made)
        for number, document in enumerate(made, 1):
            assert owner.delete(path).status == 409, number
            assert owner.delete(f"{documents}/{document}").status == 200
    assert owner.delete(path).status == 200


def test_who_leaves_while_seats_change_is_in_no_committee(world: World, racers: Racers) -> None:
    owner, ben = world.owner.client, world.member("ben")
    seat = membership_id(world.board_id, ben.id)
    known = committee(world)
    path = f"{world.path}/committees/{known}"
    for _ in range(ROUNDS):
        seated, left = racers.run(
            call(owner, "PATCH", path, {"memberIds": [seat]}), call(owner, "DELETE", f"{world.path}/members/{seat}")
        )
        sound(seated, left)
        assert left.status == 200
        assert owner.all(f"{world.path}/committees")[0]["memberIds"] == []
        world.join(ben)


def test_no_dashboard_is_made_once_its_report_is_final(world: World, racers: Racers) -> None:
    owner = world.owner.client
    for _ in range(ROUNDS):
        report = f"{world.path}/reports/{owner.post(f'{world.path}/reports', {'title': 'R'}).data['id']}"
        owner.patch(report, {"status": "published"})
        made, final = racers.run(
            call(owner, "POST", f"{report}/dashboards", {"dashboardType": "uniform"}),
            call(owner, "PATCH", report, {"status": "finalized"}),
        )
        sound(made, final)
        assert made.status in {201, 409}
        assert final.status == 200
        assert len(owner.all(f"{report}/dashboards")) == (1 if made.status == 201 else 0)


def test_a_full_committee_is_exchanged_for_another_at_one_stroke(world: World) -> None:
    names = [[f"{side}{place}" for place in range(COMMITTEE_MEMBERS)] for side in "ab"]
    first, second = ([world.member(name).id for name in side] for side in names)
    known = committee(world, *first)
    seats = [membership_id(world.board_id, user_id) for user_id in second]
    answer = world.owner.client.patch(f"{world.path}/committees/{known}", {"memberIds": seats})
    assert (answer.status, answer.data["memberIds"]) == (200, seats)
    assert world.owner.client.delete(f"{world.path}/committees/{known}").status == 200
