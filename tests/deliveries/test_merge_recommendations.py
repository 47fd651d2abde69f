"""Who seems to be the same person: the owner and the admins hear of each pair once, whoever caused it does not."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.deliveries.inboxes import inbox
from tests.harness.board_scenario import BoardScenario, Person, person
from tests.harness.history import event_items
from tests.harness.meeting_scenario import leave
from tests.harness.merge_scenario import rows_naming
from tests.harness.people import act, add, people
from tests.harness.stream import event_records, process_records, record
from tests.harness.table_snapshot import TableSnapshot


def told(who: Person) -> list[str]:
    """Returns the recommendations that somebody got, newest first."""
    return [entry["message"] for entry in inbox(who) if entry["type"] == "merge_recommendation"]


def settle(scenario: BoardScenario) -> None:
    records = event_records(scenario.board_id)
    assert records == [] or process_records(records) == []


def join(scenario: BoardScenario, name: str = "ben") -> Person:
    """Invites a user and accepts the invite."""
    user = person(name)
    invited = scenario.owner.client.post(f"/api/invite/{scenario.board_id}", {"inviteeEmail": user.email})
    accepted = user.client.put(f"/api/invite/accept/{invited.json['inviteId']}")
    assert accepted.status == 200, accepted.text
    return user


@pytest.fixture
def ada(scenario: BoardScenario) -> Person:
    return scenario.member("ada", admin_role="admin")


MESSAGE = (
    "It seems that “Ben Tester”, who has no account, and the member “Ben Tester” of the board “Board” are the same "
    "person. Merge them if they are."
)


def test_a_person_with_a_members_name_is_recommended_to_all_admins_but_who_added_them(
    scenario: BoardScenario, ada: Person
) -> None:
    ben = scenario.member("ben")
    settle(scenario)
    added = ada.client.post(people(scenario), {"firstName": "BEN", "lastName": "tester"})
    assert added.status == 201
    settle(scenario)
    assert told(scenario.owner) == [MESSAGE.replace("Ben Tester", "BEN tester", 1)]
    assert told(ada) == told(ben) == []
    (entry,) = [entry for entry in inbox(scenario.owner) if entry["type"] == "merge_recommendation"]
    assert (entry["boardId"]["_id"], entry["triggeringUserId"]["_id"]) == (scenario.board_id, ada.id)


@pytest.mark.parametrize(
    ("known", "name"),
    [
        ({"firstName": "Ben", "lastName": "Tester"}, "Ben Tester"),
        ({"firstName": "Somebody", "email": "ben@example.com"}, "Somebody"),
    ],
    ids=["name", "address"],
)
def test_who_joins_with_the_name_or_address_of_a_person_is_recommended_and_the_feed_names_nobody(
    scenario: BoardScenario, ada: Person, known: dict[str, str], name: str
) -> None:
    add(scenario, **known)
    settle(scenario)
    assert told(ada) == []
    ben = join(scenario)
    before = len(event_items(scenario.board_id))
    settle(scenario)
    assert told(scenario.owner) == told(ada) == [MESSAGE.replace("Ben Tester", name, 1)]
    assert told(ben) == []
    assert len(event_items(scenario.board_id)) == before


@pytest.mark.parametrize("again", ["join", "rename", "repeat", "archive"])
def test_of_a_pair_one_hears_once(scenario: BoardScenario, ada: Person, again: str) -> None:
    anna = add(scenario, firstName="Ben", lastName="Tester")
    ben = join(scenario)
    settle(scenario)
    if again == "join":
        leave(scenario, ben)
        join(scenario)
    if again == "rename":
        for name in ("Somebody", "Ben"):
            ada.client.patch(f"{people(scenario)}/{anna['id']}", {"firstName": name})
    if again == "archive":
        act(scenario, anna["id"], "archive")
        act(scenario, anna["id"], "unarchive")
    settle(scenario)
    assert told(scenario.owner) == told(ada) == [MESSAGE]


def test_a_change_that_makes_a_person_resemble_a_member_is_recommended_and_others_are_not(
    scenario: BoardScenario, ada: Person
) -> None:
    scenario.member("ben")
    anna = add(scenario, firstName="Anna", lastName="Tester")
    for change, recommended in (({"receivesMail": False}, []), ({"firstName": "Ben"}, [MESSAGE])):
        scenario.owner.client.patch(f"{people(scenario)}/{anna['id']}", change)
        settle(scenario)
        assert told(ada) == recommended


def test_an_unarchived_person_is_recommended_and_an_archived_one_is_not(scenario: BoardScenario, ada: Person) -> None:
    anna = add(scenario, firstName="Ben", lastName="Tester")
    act(scenario, anna["id"], "archive")
    scenario.member("ben")
    settle(scenario)
    assert told(ada) == []
    act(scenario, anna["id"], "unarchive")
    settle(scenario)
    assert told(ada) == [MESSAGE]


def account_record(user_id: str) -> dict[str, Any]:
    """Returns the record of the stream after an account was changed."""
    ((pk, sk), item) = next(
        (key, item) for key, item in TableSnapshot().items.items() if key[1] == "USER" and item["id"] == user_id
    )
    changed = record({**item, "PK": pk, "SK": sk}, "MODIFY")
    changed["dynamodb"]["ApproximateCreationDateTime"] = time.time()
    return changed


def test_a_member_who_gets_the_name_of_a_person_is_recommended_on_each_of_their_boards(
    scenario: BoardScenario, ada: Person
) -> None:
    add(scenario, firstName="Greta", lastName="Lind")
    ben = scenario.member("ben")
    settle(scenario)
    assert ben.client.patch("/api/v1/me", {"firstName": "Greta", "lastName": "Lind"}).status == 200
    for _ in range(2):
        assert process_records([account_record(ben.id)]) == []
    assert told(ada) == [MESSAGE.replace("Ben Tester", "Greta Lind")]
    assert told(ben) == []


def test_a_session_that_is_noted_is_no_change_of_an_account(scenario: BoardScenario, ada: Person) -> None:
    add(scenario, firstName="Ben", lastName="Tester")
    ben = scenario.member("ben")
    noted = account_record(ben.id)
    noted["dynamodb"]["ApproximateCreationDateTime"] = time.time() + 3600
    assert process_records([noted]) == []
    assert told(ada) == []


def test_a_recommendation_goes_with_the_name_of_a_scrubbed_person_and_does_not_keep_the_id_of_a_merged_one(
    scenario: BoardScenario, ada: Person
) -> None:
    ben = scenario.member("ben")
    for last_name in ("tester", "TESTER"):
        assert scenario.owner.client.post(people(scenario), {"firstName": "BEN", "lastName": last_name}).status == 201
    settle(scenario)
    merged, scrubbed = scenario.owner.client.all(people(scenario))
    assert told(ada) == [MESSAGE.replace("Ben Tester", person["fullName"], 1) for person in (merged, scrubbed)]
    assert act(scenario, scrubbed["id"], "scrub").status == 200
    members = scenario.owner.client.all(f"{scenario.path}/members")
    into = {"memberId": next(member["id"] for member in members if member["userId"] == ben.id)}
    assert scenario.owner.client.post(f"{people(scenario)}/{merged['id']}/merge", into).status == 200
    settle(scenario)
    assert told(ada) == [MESSAGE.replace("Ben Tester", merged["fullName"], 1)]
    assert rows_naming(merged["id"]) == rows_naming(scrubbed["id"]) == []
