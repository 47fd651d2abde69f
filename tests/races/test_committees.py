"""Committees and reports under threads: no document without its committee, no change after the end."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from governance.ids import membership_id
from governance.limits import COMMITTEE_MEMBERS
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client, Response
from tests.harness.race import Racers

pytestmark = pytest.mark.slow
ROUNDS = 40


def committee(scenario: BoardScenario, *user_ids: str) -> str:
    seats = [membership_id(scenario.board_id, user_id) for user_id in user_ids]
    body = {"name": "C", "memberIds": seats}
    return str(scenario.owner.client.post(f"{scenario.path}/committees", body).data["id"])


def call(client: Client, method: str, path: str, body: Any = None) -> partial[Response]:
    return partial(client.call, method, path, body)


def sound(*responses: Response) -> None:
    """No race makes anything of ours fail."""
    assert all(response.status < 500 for response in responses), [response.text for response in responses]


def test_a_document_put_into_a_committee_that_is_being_deleted_has_a_committee_or_is_not_there(
    scenario: BoardScenario, racers: Racers
) -> None:
    owner, documents = scenario.owner.client, f"{scenario.path}/documents"
    for _ in range(ROUNDS):
        known = committee(scenario, scenario.owner.id)
        create = call(owner, "POST", documents, {"title": "T", "committeeId": known})
        delete = call(owner, "DELETE", f"{scenario.path}/committees/{known}")
        created, deleted = racers.run(create, delete)
        sound(created, deleted)
        assert (created.status, deleted.status) in {(201, 409), (400, 200)}


def test_documents_of_one_committee_are_counted_every_one(scenario: BoardScenario, racers: Racers) -> None:
    owner, documents = scenario.owner.client, f"{scenario.path}/documents"
    known = committee(scenario, scenario.owner.id)
    path = f"{scenario.path}/committees/{known}"
    for _ in range(ROUNDS // 4):
        creations = [call(owner, "POST", documents, {"title": "T", "committeeId": known})] * 6
        responses = racers.run(*creations, call(owner, "PATCH", path, {"name": "D"}))
        made = [response.data["id"] for response in responses[:-1] if response.status == 201]
        assert all(response.status in {200, 201, 503} for response in responses)
        assert {entry["id"] for entry in owner.all(documents)} == set(made)
        for number, document in enumerate(made, 1):
            assert owner.delete(path).status == 409, number
            assert owner.delete(f"{documents}/{document}").status == 200
    assert owner.delete(path).status == 200


def test_who_leaves_while_seats_change_is_in_no_committee(scenario: BoardScenario, racers: Racers) -> None:
    owner, ben = scenario.owner.client, scenario.member("ben")
    seat = membership_id(scenario.board_id, ben.id)
    known = committee(scenario)
    path = f"{scenario.path}/committees/{known}"
    for _ in range(ROUNDS):
        seated, left = racers.run(
            call(owner, "PATCH", path, {"memberIds": [seat]}), call(owner, "DELETE", f"{scenario.path}/members/{seat}")
        )
        sound(seated, left)
        assert left.status == 200
        assert owner.all(f"{scenario.path}/committees")[0]["memberIds"] == []
        scenario.join(ben)


def test_no_dashboard_is_made_once_its_report_is_final(scenario: BoardScenario, racers: Racers) -> None:
    owner = scenario.owner.client
    for _ in range(ROUNDS):
        report = f"{scenario.path}/reports/{owner.post(f'{scenario.path}/reports', {'title': 'R'}).data['id']}"
        owner.patch(report, {"status": "published"})
        made, final = racers.run(
            call(owner, "POST", f"{report}/dashboards", {"dashboardType": "uniform"}),
            call(owner, "PATCH", report, {"status": "finalized"}),
        )
        sound(made, final)
        assert made.status in {201, 409}
        assert final.status == 200
        assert len(owner.all(f"{report}/dashboards")) == (1 if made.status == 201 else 0)


def test_a_full_committee_is_exchanged_for_another_at_one_stroke(scenario: BoardScenario) -> None:
    names = [[f"{side}{place}" for place in range(COMMITTEE_MEMBERS)] for side in "ab"]
    first, second = ([scenario.member(name).id for name in side] for side in names)
    known = committee(scenario, *first)
    seats = [membership_id(scenario.board_id, user_id) for user_id in second]
    response = scenario.owner.client.patch(f"{scenario.path}/committees/{known}", {"memberIds": seats})
    assert (response.status, response.data["memberIds"]) == (200, seats)
    assert scenario.owner.client.delete(f"{scenario.path}/committees/{known}").status == 200
