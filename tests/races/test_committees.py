"""Races on committees and reports: no document without its committee, no change after finalization."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from governance.ids import UserId, membership_id
from governance.limits import SEATS_PER_CHANGE
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client, Response
from tests.harness.race import Racers

pytestmark = pytest.mark.slow
ROUNDS = 40


def committee(scenario: BoardScenario, *user_ids: UserId) -> str:
    seats = [membership_id(scenario.board_id, user_id) for user_id in user_ids]
    body = {"name": "C", "memberIds": seats}
    return str(scenario.owner.client.post(f"{scenario.path}/committees", body).data["id"])


def call(client: Client, method: str, path: str, body: Any = None) -> partial[Response]:
    return partial(client.call, method, path, body)


def check_no_server_error(*responses: Response) -> None:
    """Asserts that no response is a 5xx."""
    assert all(response.status < 500 for response in responses), [response.text for response in responses]


def test_no_document_is_created_in_a_deleted_committee(scenario: BoardScenario, racers: Racers) -> None:
    owner, documents = scenario.owner.client, f"{scenario.path}/documents"
    for _ in range(ROUNDS):
        committee_id = committee(scenario, scenario.owner.id)
        create = call(owner, "POST", documents, {"title": "T", "committeeId": committee_id})
        delete = call(owner, "DELETE", f"{scenario.path}/committees/{committee_id}")
        created, deleted = racers.run(create, delete)
        check_no_server_error(created, deleted)
        assert (created.status, deleted.status) in {(201, 409), (400, 200)}


def test_a_committee_counts_all_of_its_documents(scenario: BoardScenario, racers: Racers) -> None:
    owner, documents = scenario.owner.client, f"{scenario.path}/documents"
    committee_id = committee(scenario, scenario.owner.id)
    path = f"{scenario.path}/committees/{committee_id}"
    for _ in range(ROUNDS // 4):
        creations = [call(owner, "POST", documents, {"title": "T", "committeeId": committee_id})] * 6
        responses = racers.run(*creations, call(owner, "PATCH", path, {"name": "D"}))
        created = [response.data["id"] for response in responses[:-1] if response.status == 201]
        assert all(response.status in {200, 201, 503} for response in responses)
        assert {entry["id"] for entry in owner.all(documents)} == set(created)
        for number, document in enumerate(created, 1):
            assert owner.delete(path).status == 409, number
            assert owner.delete(f"{documents}/{document}").status == 200
    assert owner.delete(path).status == 200


def test_a_member_who_leaves_is_in_no_committee(scenario: BoardScenario, racers: Racers) -> None:
    owner, ben = scenario.owner.client, scenario.member("ben")
    seat = membership_id(scenario.board_id, ben.id)
    committee_id = committee(scenario)
    path = f"{scenario.path}/committees/{committee_id}"
    for _ in range(ROUNDS):
        seated, leaving = racers.run(
            call(owner, "PATCH", path, {"memberIds": [seat]}), call(owner, "DELETE", f"{scenario.path}/members/{seat}")
        )
        check_no_server_error(seated, leaving)
        assert leaving.status == 200
        assert owner.all(f"{scenario.path}/committees")[0]["memberIds"] == []
        scenario.join(ben)


def test_no_dashboard_is_created_in_a_final_report(scenario: BoardScenario, racers: Racers) -> None:
    owner = scenario.owner.client
    for _ in range(ROUNDS):
        report = f"{scenario.path}/reports/{owner.post(f'{scenario.path}/reports', {'title': 'R'}).data['id']}"
        owner.patch(report, {"status": "published"})
        created, final = racers.run(
            call(owner, "POST", f"{report}/dashboards", {"dashboardType": "uniform"}),
            call(owner, "PATCH", report, {"status": "finalized"}),
        )
        check_no_server_error(created, final)
        assert created.status in {201, 409}
        assert final.status == 200
        assert len(owner.all(f"{report}/dashboards")) == (1 if created.status == 201 else 0)


def test_as_many_seats_as_one_request_may_change_are_changed_at_once(scenario: BoardScenario) -> None:
    names = [[f"{side}{number}" for number in range(SEATS_PER_CHANGE // 2)] for side in "ab"]
    first, second = ([scenario.member(name).id for name in side] for side in names)
    committee_id = committee(scenario, *first)
    seats = [membership_id(scenario.board_id, user_id) for user_id in second]
    response = scenario.owner.client.patch(f"{scenario.path}/committees/{committee_id}", {"memberIds": seats})
    assert (response.status, response.data["memberIds"]) == (200, seats)
    assert scenario.owner.client.delete(f"{scenario.path}/committees/{committee_id}").status == 200
