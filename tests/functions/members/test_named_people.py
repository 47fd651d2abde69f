"""Where people without an account stand: agendas, minutes, action items; their names are read with them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.board_scenario import BoardScenario
from tests.harness.meeting_scenario import MeetingScenario, audit_entries
from tests.harness.people import act, add, people


def rename(scenario: BoardScenario, person_id: str, name: str) -> None:
    changed = scenario.owner.client.patch(f"{people(scenario)}/{person_id}", {"firstName": name})
    assert changed.status == 200, changed.text


def test_a_presenter_is_shown_with_their_current_name_and_frozen_agendas_follow(
    scenario: BoardScenario, meeting: MeetingScenario
) -> None:
    client = scenario.owner.client
    anna = add(scenario, lastName="Berg")
    body = {"items": [{"title": "Accounts", "presenterUnregisteredUserId": anna["id"]}]}
    shown = client.put(f"{meeting.path}/agenda", body)
    assert shown.status == 200, shown.text
    item = shown.data["items"][0]
    assert (item["presenterUnregisteredUserId"], item["presenterName"]) == (anna["id"], "Anna Berg")
    assert client.put(f"{meeting.path}/agenda", {"items": [without_start(item)]}).status == 200
    meeting.finalize()
    act(scenario, anna["id"], "scrub")
    item = client.get(f"{meeting.path}/agenda").data["items"][0]
    assert (item["presenterUnregisteredUserId"], item["presenterName"]) == (anna["id"], "Former participant")


def without_start(item: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in item.items() if name != "startsAt"}


@pytest.fixture
def task(scenario: BoardScenario, meeting: MeetingScenario) -> str:
    body = {"title": "Task", "assigneeUserId": scenario.owner.id}
    created = scenario.owner.client.post(f"{meeting.path}/action-items", body)
    return f"{meeting.path}/action-items/{created.json['data']['_id']}"


def shown(scenario: BoardScenario, task: str) -> dict[str, Any]:
    items = scenario.owner.client.get(task.rpartition("/")[0]).data
    (item,) = [item for item in items if item["_id"] == task.rpartition("/")[2]]
    return {name: item[name] for name in ("assigneeUserId", "assigneeName")}


def test_an_item_of_a_person_is_shown_with_their_current_name(scenario: BoardScenario, task: str) -> None:
    client = scenario.owner.client
    anna = add(scenario)["id"]
    path = f"{task}/unregistered-assignee"
    assigned = client.put(path, {"unregisteredUserId": anna}).data
    assert assigned == {
        "object": "unregistered_assignee",
        "actionItemId": task.rpartition("/")[2],
        "unregisteredUserId": anna,
        "createdAt": assigned["createdAt"],
        "updatedAt": assigned["createdAt"],
    }
    assert client.put(path, {"unregisteredUserId": anna}).data == client.get(path).data == assigned
    assert shown(scenario, task) == {"assigneeUserId": None, "assigneeName": "Anna"}
    rename(scenario, anna, "Annie")
    assert shown(scenario, task)["assigneeName"] == "Annie"
    assert client.patch(task, {"title": "Other"}).json["data"]["assigneeName"] == "Annie"
    act(scenario, anna, "scrub")
    assert shown(scenario, task)["assigneeName"] == "Former participant"
    archived = {"unregisteredUserId": add(scenario)["id"]}
    act(scenario, archived["unregisteredUserId"], "archive")
    assert set(client.put(path, archived).fields) == {"unregisteredUserId"}
    assert client.delete(path).status == 200
    assert shown(scenario, task) == {"assigneeUserId": None, "assigneeName": None}
    assert client.delete(path).status == 404
    entries = [entry["details"]["fields"] for entry in audit_entries(scenario, "actionItemUpdate")]
    assert entries == [["assigneeUserId", "assigneeName"], ["title"], ["assigneeName"]]


@pytest.mark.parametrize("has_name", [True, False])
def test_another_assignee_ends_the_link(has_name: bool, scenario: BoardScenario, task: str) -> None:
    client = scenario.owner.client
    client.put(f"{task}/unregistered-assignee", {"unregisteredUserId": add(scenario)["id"]})
    change = {"assigneeName": "Petra"} if has_name else {"assigneeUserId": scenario.owner.id}
    assert client.patch(task, change).status == 200
    assert client.get(f"{task}/unregistered-assignee").status == 404
    assert shown(scenario, task) == {"assigneeUserId": None, "assigneeName": None, **change}
