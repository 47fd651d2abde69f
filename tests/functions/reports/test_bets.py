"""Bets: who writes them, what they hold, and the newest figure of their KPI (ADR figures)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.client import Response
from tests.harness.meeting_scenario import leave
from tests.harness.table_snapshot import TableSnapshot

KPI = "revenue.arr"
DUE = "2031-03-31"


@pytest.fixture
def manager(scenario: BoardScenario) -> Person:
    return scenario.member("maya", access_type="manager")


def create(scenario: BoardScenario, manager: Person, **members: Any) -> Response:
    return manager.client.post(f"{scenario.path}/bets", {"title": "ARR grows", "dueOn": DUE, **members})


def bet_path(scenario: BoardScenario, manager: Person, **members: Any) -> str:
    created = create(scenario, manager, **members)
    assert created.status == 201, created.text
    return f"{scenario.path}/bets/{created.data['id']}"


def test_a_bet_has_its_members_and_null_for_what_it_has_not(scenario: BoardScenario, manager: Person) -> None:
    created = create(scenario, manager)
    assert created.status == 201
    assert created.data == {
        **dict.fromkeys(created.data),
        "object": "bet",
        "id": created.data["id"],
        "boardId": scenario.board_id,
        "title": "ARR grows",
        "dueOn": DUE,
        "status": "open",
        "createdAt": created.data["createdAt"],
        "updatedAt": created.data["createdAt"],
    }
    assert manager.client.get(f"{scenario.path}/bets/{created.data['id']}").data == created.data
    assert manager.client.get(f"{scenario.path}/bets").data == [created.data]


def test_a_bet_with_everything_comes_back_as_it_was_given(scenario: BoardScenario, manager: Person) -> None:
    given = {"hypothesis": "Prices rise.", "ownerUserId": manager.id, "rogueId": KPI, "status": "won"}
    created = create(scenario, manager, **given, target={"atLeast": 12.5}).data
    expected = {**given, "target": {"atLeast": 12.5, "atMost": None}}
    assert {name: created[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("members", "field"),
    [
        ({"rogueId": "revenue.unheard-of"}, "rogueId"),
        ({"target": {}}, "target"),
        ({"target": {"atLeast": 1, "atMost": 2}}, "target"),
        ({"target": {"atMost": 1e16}}, "target.atMost"),
        ({"ownerUserId": "a" * 24}, "ownerUserId"),
    ],
)
def test_what_a_bet_cannot_be_is_refused_and_changes_nothing(
    scenario: BoardScenario, manager: Person, members: dict[str, Any], field: str
) -> None:
    path = bet_path(scenario, manager)
    before = TableSnapshot()
    for refused in (create(scenario, manager, **members), manager.client.patch(path, members)):
        assert (refused.status, list(refused.fields)) == (400, [field])
    assert before.changes() == {}


def test_a_bet_of_a_former_member_can_be_changed_until_it_is_nobodys(scenario: BoardScenario, manager: Person) -> None:
    ben = scenario.member("ben")
    path = bet_path(scenario, manager, ownerUserId=ben.id)
    leave(scenario, ben)
    assert manager.client.patch(path, {"status": "dropped"}).status == 200
    assert manager.client.patch(path, {"ownerUserId": ben.id}).status == 200, "the same owner is not a new one"
