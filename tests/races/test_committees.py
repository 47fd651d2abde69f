"""Races on committees and reports: no document without its committee, no change after finalization."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from governance.ids import UserId, membership_id
from governance.limits import COMMITTEE_MEMBERS
from governance.models.boards.board import Membership
from governance.store.boards import boards
from governance.store.boards.seats import seats_in
from governance.store.schema.entities import seats_key
from governance.store.schema.keys import Key
from governance.store.table import read_one
from governance.store.transactions import transact
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client, Response
from tests.harness.counts import join_many
from tests.harness.race import Race

pytestmark = pytest.mark.slow
ROUNDS = 30


def committee(scenario: BoardScenario, *user_ids: UserId) -> str:
    seats = [membership_id(scenario.board_id, user_id) for user_id in user_ids]
    body = {"name": "C", "memberIds": seats}
    return str(scenario.owner.client.post(f"{scenario.path}/committees", body).data["id"])


def call(client: Client, method: str, path: str, body: Any = None) -> partial[Response]:
    return partial(client.call, method, path, body)


def test_no_document_is_created_in_a_deleted_committee(scenario: BoardScenario, race: Race) -> None:
    owner, documents = scenario.owner.client, f"{scenario.path}/documents"
    for _ in race.rounds(ROUNDS, (201, 409), (400, 200)):
        committee_id = committee(scenario, scenario.owner.id)
        create = call(owner, "POST", documents, {"title": "T", "committeeId": committee_id})
        delete = call(owner, "DELETE", f"{scenario.path}/committees/{committee_id}")
        created, deleted = race.run(create, delete)
        race.saw((created.status, deleted.status))
        if created.status == 201:
            owner.delete(f"{documents}/{created.data['id']}")
            owner.delete(f"{scenario.path}/committees/{committee_id}")  # a board has a limit of them


def test_a_committee_counts_all_of_its_documents(scenario: BoardScenario, race: Race) -> None:
    owner, documents = scenario.owner.client, f"{scenario.path}/documents"
    committee_id = committee(scenario, scenario.owner.id)
    path = f"{scenario.path}/committees/{committee_id}"
    for _ in race.rounds(ROUNDS // 3):
        creations = [call(owner, "POST", documents, {"title": "T", "committeeId": committee_id})] * 6
        responses = race.run(*creations, call(owner, "PATCH", path, {"name": "D"}))
        assert responses[-1].status in {200, 503}
        answered = race.without_busy(responses)
        assert {response.status for response in answered} <= {200, 201}
        created = [response.data["id"] for response in answered if response.status == 201]
        assert {entry["id"] for entry in owner.all(documents)} == set(created)
        for number, document in enumerate(created, 1):
            assert owner.delete(path).status == 409, number
            assert owner.delete(f"{documents}/{document}").status == 200
    assert owner.delete(path).status == 200


def test_a_member_who_leaves_is_in_no_committee(scenario: BoardScenario, race: Race) -> None:
    owner, ben = scenario.owner.client, scenario.member("ben")
    seat = membership_id(scenario.board_id, ben.id)
    committee_id = committee(scenario)
    path = f"{scenario.path}/committees/{committee_id}"
    for _ in race.rounds(ROUNDS, (200, 200), (400, 200)):
        seated, leaving = race.run(
            call(owner, "PATCH", path, {"memberIds": [seat]}), call(owner, "DELETE", f"{scenario.path}/members/{seat}")
        )
        race.saw((seated.status, leaving.status))
        assert owner.all(f"{scenario.path}/committees")[0]["memberIds"] == []
        scenario.join(ben)


def test_no_dashboard_is_created_in_a_final_report(scenario: BoardScenario, race: Race) -> None:
    """The dashboards listed after the finalization do not change any more."""
    owner = scenario.owner.client

    def finalize_and_list(report: str) -> list[str]:
        assert owner.patch(report, {"status": "finalized"}).status == 200
        return [dashboard["id"] for dashboard in owner.all(f"{report}/dashboards")]

    for _ in race.rounds(ROUNDS, 201, 409):
        report = f"{scenario.path}/reports/{owner.post(f'{scenario.path}/reports', {'title': 'R'}).data['id']}"
        owner.patch(report, {"status": "published"})
        create = call(owner, "POST", f"{report}/dashboards", {"dashboardType": "uniform"})
        listed, *created = race.run(partial(finalize_and_list, report), *[create] * 5)
        for number, response in enumerate(created, 1):
            race.saw(response.status, 0, number)
        assert sorted(listed) == sorted(response.data["id"] for response in created if response.status == 201)


def test_all_seats_of_the_largest_committee_are_changed_at_once(scenario: BoardScenario) -> None:
    ids = [member.id for member in join_many(scenario.board_id, 2 * COMMITTEE_MEMBERS)]
    body = {"name": "C", "memberIds": ids[:COMMITTEE_MEMBERS]}
    created = scenario.owner.client.post(f"{scenario.path}/committees", body).data
    path, others = f"{scenario.path}/committees/{created['id']}", ids[COMMITTEE_MEMBERS:]
    response = scenario.owner.client.patch(path, {"memberIds": others})
    assert (response.status, response.data["memberIds"]) == (200, others)
    assert scenario.owner.client.delete(path).status == 200


def test_a_member_who_leaves_while_seats_change_keeps_none(scenario: BoardScenario, race: Race) -> None:
    """Two members whose seats share a row are seated while one of them leaves, who is then seen to have no seat."""
    owner, members = scenario.owner.client, join_many(scenario.board_id, 100)
    path = f"{scenario.path}/committees/{committee(scenario)}"
    by_row: dict[Key, list[Membership]] = {}
    for member in members:
        by_row.setdefault(seats_key(member.board_id, member.user_id), []).append(member)
    leaving, staying, *_ = max(by_row.values(), key=len)
    seats = [leaving.id, staying.id]
    for _ in race.rounds(ROUNDS, (200, 200), (400, 200)):
        seated, left = race.run(
            call(owner, "PATCH", path, {"memberIds": seats}),
            call(owner, "DELETE", f"{scenario.path}/members/{leaving.id}"),
        )
        race.saw((seated.status, left.status))
        expected = [staying.id] if seated.status == 200 else []
        assert owner.all(f"{scenario.path}/committees")[0]["memberIds"] == expected
        row = seats_in(read_one(seats_key(scenario.board_id, leaving.user_id)))
        assert (row.of(leaving.user_id), len(row.of(staying.user_id))) == ((), len(expected))
        assert owner.patch(path, {"memberIds": []}).status == 200
        transact(boards.add_member(scenario.stored_board, leaving))
