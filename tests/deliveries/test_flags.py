"""Who is told of the flags of a change."""

from __future__ import annotations

from typing import Any

import pytest

from tests.deliveries.test_announcements import deliver_all, inbox
from tests.harness.board_scenario import BoardScenario, Person

pytestmark = pytest.mark.usefixtures("outbox")
REVENUE, COST, PROFIT = "finance.revenue", "finance.cost-of-revenue", "finance.gross-profit"


def fields(**stated: int) -> dict[str, Any]:
    ids = {"revenue": REVENUE, "cost": COST, "profit": PROFIT}
    shown = [
        {"fieldId": name, "rogueId": ids[name], "isStub": False, "label": name, "displayOrder": 1, "value": value}
        for name, value in stated.items()
    ]
    return {"uniform": {"fields": shown}}


class Flagged:
    """A report of the board's owner, with a dashboard of inputs of ben's and one of a profit of cleo's."""

    def __init__(self, scenario: BoardScenario) -> None:
        self.scenario = scenario
        managers = [scenario.member(name, access_type="manager") for name in ("ben", "cleo", "dan")]
        self.ben, self.cleo, self.dan = managers
        self.report = scenario.owner.client.post(f"{scenario.path}/reports", {"title": "Q1"}).data["id"]
        self.path = f"{scenario.path}/reports/{self.report}/dashboards"
        self.inputs = self.create(self.ben, "Inputs", revenue=100, cost=40)
        self.profit = self.create(self.cleo, "Profit", profit=60)

    def create(self, person: Person, title: str, **stated: int) -> str:
        body = {"dashboardType": "uniform", "title": title, **fields(**stated)}
        return str(person.client.post(self.path, body).data["id"])

    def change(self, person: Person, dashboard: str, **stated: int) -> None:
        assert person.client.patch(f"{self.path}/{dashboard}", fields(**stated)).status == 200

    def told(self) -> dict[str, list[str]]:
        """The users who were told of flags, each with the dashboard that the notification leads to."""
        for _ in range(2):
            deliver_all(self.scenario)
        people = {"owner": self.scenario.owner, "ben": self.ben, "cleo": self.cleo, "dan": self.dan}
        return {
            name: [entry["dashboardId"]["_id"] for entry in raised]
            for name, person in people.items()
            if (raised := [entry for entry in inbox(person) if entry["type"] == "validation_flag_raised"])
        }


@pytest.fixture
def flagged(scenario: BoardScenario) -> Flagged:
    return Flagged(scenario)


def test_the_dashboards_owner_and_the_reports_creator_are_told(flagged: Flagged) -> None:
    flagged.change(flagged.ben, flagged.inputs, revenue=200, cost=40)
    assert flagged.told() == {"owner": [flagged.profit], "cleo": [flagged.profit]}
    (told,) = [entry for entry in inbox(flagged.cleo) if entry["type"] == "validation_flag_raised"]
    assert told["message"] == "A figure contradicts other figures of its report, in the dashboard “Profit”."
    assert told["reportId"]["_id"] == flagged.report


def test_nobody_is_told_of_what_they_caused(flagged: Flagged) -> None:
    flagged.change(flagged.cleo, flagged.profit, profit=70)
    assert flagged.told() == {"owner": [flagged.profit]}


def test_the_same_contradiction_is_told_once(flagged: Flagged) -> None:
    for revenue in (200, 100, 200):
        flagged.change(flagged.ben, flagged.inputs, revenue=revenue, cost=40)
    assert flagged.told() == {"owner": [flagged.profit], "cleo": [flagged.profit]}


def test_all_flags_of_a_change_are_one_notification_for_each_person(flagged: Flagged) -> None:
    flagged.create(flagged.cleo, "Second", profit=60)
    third = flagged.create(flagged.dan, "Third", profit=60)
    flagged.change(flagged.ben, flagged.inputs, revenue=200, cost=40)
    told_to = flagged.told()
    assert {name: len(dashboards) for name, dashboards in told_to.items()} == {"owner": 1, "cleo": 1, "dan": 1}
    assert told_to["dan"] == [third]
    (told,) = [entry for entry in inbox(flagged.dan) if entry["type"] == "validation_flag_raised"]
    assert told["message"].startswith("In a report, 3 figures contradict others")


def test_an_owner_to_whom_a_dashboard_was_handed_over_is_told(flagged: Flagged) -> None:
    transfer = f"{flagged.path}/{flagged.profit}/ownership-transfer"
    assert flagged.scenario.owner.client.post(transfer, {"userId": flagged.dan.id}).status == 200
    flagged.change(flagged.ben, flagged.inputs, revenue=200, cost=40)
    assert flagged.told() == {"owner": [flagged.profit], "dan": [flagged.profit]}


def test_of_what_a_board_token_changes_everybody_concerned_is_told(flagged: Flagged) -> None:
    token = flagged.scenario.token()
    assert token.patch(f"{flagged.path}/{flagged.inputs}", fields(revenue=200, cost=40)).status == 200
    assert flagged.told() == {"owner": [flagged.profit], "cleo": [flagged.profit]}


def test_flags_of_a_report_that_is_gone_are_not_told(flagged: Flagged) -> None:
    flagged.change(flagged.ben, flagged.inputs, revenue=200, cost=40)
    assert flagged.scenario.owner.client.delete(flagged.path.removesuffix("/dashboards")).status == 200
    assert flagged.told() == {}
