"""People without an account: what they hold, who sees their address, and their life (ADR people)."""

from __future__ import annotations

import pytest

from governance.limits import UNREGISTERED_USERS_PER_BOARD
from governance.store import counters
from governance.store.members.unregistered_users import ids_by_email
from governance.store.schema.entities import UNREGISTERED_USER_COUNT
from governance.store.transactions import transact
from tests.harness.board_scenario import BoardScenario
from tests.harness.meeting_scenario import leave
from tests.harness.people import act, add, people, people_entries, reason

ANNA = {"firstName": "Anna", "lastName": "Berg", "email": "Anna@Example.com", "boardPositions": ["treasurer"]}


@pytest.mark.parametrize("last_name", ["", "  "])
def test_a_last_name_without_a_letter_is_no_part_of_the_full_name(last_name: str, scenario: BoardScenario) -> None:
    assert add(scenario, firstName="Jo", lastName=last_name)["fullName"] == "Jo"


def test_a_person_has_their_members_and_null_for_what_they_have_not(scenario: BoardScenario) -> None:
    added, whole = add(scenario), add(scenario, **ANNA, receivesMail=False)
    assert added == {
        **dict.fromkeys(added),
        "object": "unregistered_user",
        "id": added["id"],
        "boardId": scenario.board_id,
        "firstName": "Anna",
        "fullName": "Anna",
        "boardPositions": [],
        "status": "active",
        "receivesMail": True,
        "createdAt": added["createdAt"],
        "updatedAt": added["createdAt"],
    }
    given = {**ANNA, "email": "anna@example.com", "fullName": "Anna Berg", "receivesMail": False}
    own = {name: whole[name] for name in ("id", "createdAt", "updatedAt")}
    assert whole == {**added, **given, **own}
    assert scenario.owner.client.all(people(scenario), order="asc", limit=1) == [added, whole]
    guest = scenario.member("gus", access_type="guest").client
    assert guest.get(f"{people(scenario)}/{whole['id']}").data == {**whole, "email": None}


def test_a_change_keeps_what_it_does_not_name_and_is_recorded_without_names(scenario: BoardScenario) -> None:
    added = add(scenario, **ANNA)
    path = f"{people(scenario)}/{added['id']}"
    changed = scenario.owner.client.patch(path, {"lastName": None, "email": "berg@example.com"})
    expected = {**added, "lastName": None, "fullName": "Anna", "email": "berg@example.com"}
    assert changed.data == {**expected, "updatedAt": changed.data["updatedAt"]}
    assert scenario.owner.client.patch(path, {"lastName": None}).data == changed.data, "the same changes nothing"
    entries = [(entry["action"], entry["details"]) for entry in people_entries(scenario)]
    assert entries == [
        ("boardUserUnregisteredCreate", {"id": added["id"]}),
        ("boardUserUnregisteredUpdate", {"id": added["id"], "fields": ["lastName", "email"]}),
    ]
    assert ids_by_email("anna@example.com") == []
    assert ids_by_email("berg@example.com") == [(scenario.board_id, added["id"])]


def test_a_scrubbed_person_has_no_name_and_no_address_and_stays_so(scenario: BoardScenario) -> None:
    added = add(scenario, **ANNA)
    scrubbed = act(scenario, added["id"], "scrub").data
    assert scrubbed == {
        **added,
        "firstName": "Former participant",
        "lastName": None,
        "fullName": "Former participant",
        "email": None,
        "boardPositions": [],
        "status": "archived",
        "receivesMail": scrubbed["receivesMail"],
        "scrubbedAt": scrubbed["updatedAt"],
        "updatedAt": scrubbed["updatedAt"],
    }
    assert reason(act(scenario, added["id"], "unarchive")) == (409, "SCRUBBED")
    assert act(scenario, added["id"], "archive").data == scrubbed
    assert ids_by_email("anna@example.com") == []


def test_an_address_is_that_of_one_active_person_of_a_board(scenario: BoardScenario) -> None:
    first = add(scenario, **ANNA)
    second = add(scenario, firstName="Bert")
    path = f"{people(scenario)}/{second['id']}"
    client = scenario.owner.client
    taken = {"email": "anna@example.com"}
    assert reason(client.post(people(scenario), {"firstName": "Carl", **taken})) == (409, "ADDRESS_IN_USE")
    assert reason(client.patch(path, taken)) == (409, "ADDRESS_IN_USE")
    act(scenario, first["id"], "archive")
    assert client.patch(path, taken).status == 200
    assert reason(act(scenario, first["id"], "unarchive")) == (409, "ADDRESS_IN_USE")
    third = add(scenario, firstName="Dora")
    act(scenario, third["id"], "archive")
    assert reason(client.patch(f"{people(scenario)}/{third['id']}", taken)) == (409, "ADDRESS_IN_USE")
    act(scenario, second["id"], "archive")
    assert act(scenario, first["id"], "unarchive").data["status"] == "active"


def test_the_address_of_a_member_is_refused_when_it_is_set(scenario: BoardScenario) -> None:
    carl = scenario.member("carl")
    client = scenario.owner.client
    refused = client.post(people(scenario), {"firstName": "Carl", "email": carl.email})
    assert reason(refused) == (409, "ADDRESS_IN_USE")
    dora = add(scenario, firstName="Dora", email="dora@example.com")
    act(scenario, dora["id"], "archive")
    scenario.member("dora")
    assert reason(act(scenario, dora["id"], "unarchive")) == (409, "ADDRESS_IN_USE")
    assert client.patch(f"{people(scenario)}/{dora['id']}", {"firstName": "D."}).status == 200
    leave(scenario, carl)
    assert add(scenario, firstName="Carl", email=carl.email)["email"] == carl.email


def test_the_people_of_a_status_are_listed_by_creation(scenario: BoardScenario) -> None:
    added = [add(scenario, firstName=name) for name in ("Anna", "Bert", "Carl")]
    ids = [person["id"] for person in sorted(added, key=lambda person: (person["createdAt"], person["id"]))]
    act(scenario, ids[1], "archive")

    def listed(**query: str) -> list[str]:
        return [person["id"] for person in scenario.owner.client.get(people(scenario), **query).data]

    assert listed(order="asc") == ids
    assert listed(status="active") == [ids[2], ids[0]]
    assert listed(status="archived") == [ids[1]]
    assert listed(status="merged") == []


def test_a_board_has_room_for_so_many_people(scenario: BoardScenario) -> None:
    key = UNREGISTERED_USER_COUNT.key_for(boardId=scenario.board_id)
    transact([counters.set_number(key, None, UNREGISTERED_USERS_PER_BOARD - 1)])
    last = add(scenario)
    act(scenario, last["id"], "archive")
    assert reason(scenario.owner.client.post(people(scenario), ANNA)) == (409, "LIMIT_REACHED")
