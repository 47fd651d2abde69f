"""Dashboards, and the requests that give, take and use the rights to them."""

from __future__ import annotations

from typing import Any

from governance.ids import membership_id
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.client import Client


def create(caller: Client, report: str, **members: Any) -> str:
    made = caller.post(f"{report}/dashboards", {"dashboardType": "uniform", "title": "Money", **members})
    assert made.status == 201, made.text
    return f"{report}/dashboards/{made.data['id']}"


def grant(by: Person, dashboard: str, to: Person) -> Any:
    return by.client.put(f"{dashboard}/access/{to.id}")


def hand_over(by: Person, dashboard: str, to: Person) -> Any:
    return by.client.post(f"{dashboard}/ownership-transfer", {"userId": to.id})


def owner_of(caller: Person, dashboard: str) -> Any:
    return caller.client.get(f"{dashboard}/access").data["ownerUserId"]


def editors_of(caller: Person, dashboard: str) -> list[str]:
    return [editor["userId"] for editor in caller.client.get(f"{dashboard}/access").data["editors"]]


def leave(scenario: BoardScenario, who: Person) -> None:
    path = f"{scenario.path}/members/{membership_id(scenario.board_id, who.id)}"
    assert who.client.delete(path).status == 200


def may_edit(who: Person, dashboard: str, title: str = "Edited") -> bool:
    """Whether a change is accepted; the evaluation of access must say the same."""
    edited = who.client.patch(dashboard, {"title": title})
    assert edited.status in {200, 403}
    asked = {"action": {"name": "updateDashboard"}, "resource": {"type": "route", "id": dashboard}}
    assert who.client.post("/api/v1/access/evaluation", asked).json["decision"] == (edited.status == 200)
    return bool(edited.status == 200)
