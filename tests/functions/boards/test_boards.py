"""The routes of a board and of its tokens."""

from __future__ import annotations

from typing import Any

import pytest

from governance.scopes import BOARD_PRESETS
from tests.harness.board_scenario import BoardScenario, person
from tests.harness.client import Client
from tests.harness.meeting_scenario import stored_events


@pytest.mark.usefixtures("store")
def test_a_new_board_is_on_trial_and_its_maker_owns_and_manages_it() -> None:
    ann = person("ann").client
    created = ann.post("/api/v1/boards", {"name": "Board", "description": "Of Northwind"})
    assert created.status == 201
    board = created.data
    assert (board["name"], board["description"], board["billingState"]) == ("Board", "Of Northwind", "TRIAL_ACTIVE")
    (member,) = ann.all(f"/api/v1/boards/{board['id']}/members")
    assert (member["adminRole"], member["accessType"]) == ("owner", "manager")
    assert ann.get(f"/api/v1/boards/{board['id']}").data == board


def test_setting_what_is_set_already_is_no_change(scenario: BoardScenario) -> None:
    before = scenario.owner.client.get(scenario.path).data
    assert scenario.owner.client.patch(scenario.path, {"name": before["name"]}).data == before
    assert stored_events(scenario, "board.changed") == []


@pytest.mark.parametrize(
    ("body", "preset"),
    [({}, "read_only"), ({"preset": "read_only"}, "read_only"), ({"preset": "read_write"}, "read_write")],
    ids=["by default", "read only", "read and write"],
)
def test_a_board_token_has_the_scopes_of_its_preset(scenario: BoardScenario, body: Any, preset: Any) -> None:
    minted = scenario.owner.client.post(f"{scenario.path}/tokens", {"name": "T", "expiresInDays": 30, **body})
    assert minted.status == 201
    assert minted.data["preset"] == preset
    assert Client(minted.data["secret"]).get("/api/v1/whoami").json["scopes"] == list(BOARD_PRESETS[preset])


def test_an_unknown_board_token_is_not_found(scenario: BoardScenario) -> None:
    assert scenario.owner.client.delete(f"{scenario.path}/tokens/{'0' * 24}").failure == (404, "RESOURCE_NOT_FOUND")


def test_a_deleted_board_and_its_link_are_gone(scenario: BoardScenario) -> None:
    owner, joining = scenario.owner.client, person("ben").client
    code = owner.get(f"/api/invite/{scenario.board_id}/code").json["inviteCode"]
    assert owner.delete(scenario.path).status == 200
    assert owner.get(scenario.path).status == 404
    assert joining.put(f"/api/invite/join/{code}").status == 404
    assert owner.all("/api/v1/boards") == []
