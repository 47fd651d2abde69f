"""People without an account whose mail bounced, or who complained: flagged on every board until that is lifted."""

from __future__ import annotations

from typing import Any

from governance.models.history.event import Event
from tests.harness.board_scenario import BoardScenario, new_board_scenario
from tests.harness.history import event_items
from tests.harness.people import add, people, people_entries
from tests.mail.reports import bounce, report, request_to

ANNA = "anna@example.com"


def flag_of(scenario: BoardScenario, person: dict[str, Any]) -> Any:
    return scenario.owner.client.get(f"{people(scenario)}/{person['id']}").data["bounce"]


def test_a_permanent_bounce_flags_every_active_one_with_the_address_on_every_board(scenario: BoardScenario) -> None:
    other = new_board_scenario("otto", "Another board")
    here, there = add(scenario, email=ANNA), add(other, email=ANNA)
    bob = add(scenario, email="bob@example.com")
    archived = add(scenario, email="old@example.com")
    assert scenario.owner.client.post(f"{people(scenario)}/{archived['id']}/archive").status == 200
    sent = bounce(request_to(ANNA))
    assert report(sent, bounce(request_to("old@example.com"))) == []
    expected = {"kind": "bounce", "at": sent["bounce"]["timestamp"], "reason": "NoEmail"}
    assert flag_of(scenario, here) == flag_of(other, there) == expected
    assert flag_of(scenario, bob) is flag_of(scenario, archived) is None


def test_a_flag_is_an_update_by_nobody_and_an_event_that_names_no_address(scenario: BoardScenario) -> None:
    anna = add(scenario, email=ANNA)
    report(bounce(request_to(ANNA)))
    (entry,) = [
        recorded for recorded in people_entries(scenario) if recorded["action"] == "boardUserUnregisteredUpdate"
    ]
    assert (entry["details"], entry["actorUser"]) == ({"id": anna["id"], "fields": ["bounce"]}, None)
    (event,) = [item for item in event_items(scenario.board_id) if item["type"] == Event.UNREGISTERED_USER_FLAGGED]
    assert event["refs"] == {"unregisteredUserId": anna["id"]}
    assert ANNA not in repr(event)


def test_a_lifted_flag_is_answered_with_the_person_and_recorded(scenario: BoardScenario) -> None:
    anna = add(scenario, email=ANNA)
    report(bounce(request_to(ANNA)))
    lifted = scenario.owner.client.delete(f"{people(scenario)}/{anna['id']}/bounce-flag")
    assert lifted.status == 200
    assert lifted.data == {**anna, "updatedAt": lifted.data["updatedAt"]}
    entry = people_entries(scenario)[-1]
    assert (entry["action"], entry["details"]) == ("boardUserUnregisteredDismissBounceFlag", {"id": anna["id"]})
    assert entry["actorUser"] is not None
    again = scenario.owner.client.delete(f"{people(scenario)}/{anna['id']}/bounce-flag")
    assert again.failure == (404, "RESOURCE_NOT_FOUND")


def test_whose_board_is_gone_is_flagged_no_more(scenario: BoardScenario) -> None:
    other = new_board_scenario("otto", "Another board")
    add(scenario, email=ANNA)
    there = add(other, email=ANNA)
    assert scenario.owner.client.delete(scenario.path).status == 200
    assert report(bounce(request_to(ANNA))) == []
    assert flag_of(other, there) is not None
