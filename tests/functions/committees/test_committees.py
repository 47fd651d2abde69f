"""The routes of committees, and the visibility of their documents."""

from __future__ import annotations

from typing import Any

from governance.ids import membership_id
from governance.limits import COMMITTEE_MEMBERS
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.client import Client
from tests.harness.clock import Clock
from tests.harness.counts import join_many
from tests.harness.meeting_scenario import audit_entries
from tests.harness.table_snapshot import TableSnapshot


def seat(scenario: BoardScenario, user: Person) -> str:
    return membership_id(scenario.board_id, user.id)


def create(scenario: BoardScenario, *people: Person) -> Any:
    body = {"name": "Audit", "memberIds": [seat(scenario, user) for user in people]}
    response = scenario.owner.client.post(f"{scenario.path}/committees", body)
    assert response.status == 201, response.text
    return response.data


def committee_path(scenario: BoardScenario, committee: Any) -> str:
    return f"{scenario.path}/committees/{committee['id']}"


def add_document(scenario: BoardScenario, user: Person, committee: Any) -> Any:
    response = user.client.post(f"{scenario.path}/documents", {"title": "Secret", "committeeId": committee["id"]})
    assert response.status == 201, response.text
    return response.data


def sees(caller: Client, scenario: BoardScenario, document: Any) -> bool:
    """Returns whether a caller can list and read the document, and asserts that both agree."""
    listed = document["id"] in [entry["id"] for entry in caller.all(f"{scenario.path}/documents")]
    response = caller.get(f"{scenario.path}/documents/{document['id']}")
    assert response.status == (200 if listed else 404)
    return listed


def test_a_committee_has_exactly_the_specified_fields_and_the_newest_is_first(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    first, second = create(scenario, ben), create(scenario)
    assert first.keys() == {"object", "id", "boardId", "name", "memberIds", "createdAt", "updatedAt"}
    assert first["memberIds"] == [seat(scenario, ben)]
    for caller in (ben.client, scenario.token("read_only"), scenario.member("gil", access_type="guest").client):
        assert caller.all(f"{scenario.path}/committees", limit=1) == [second, first]


def test_the_audit_log_holds_nothing_of_a_committees_document(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    document = add_document(scenario, ben, create(scenario, ben))
    assert sees(ben.client, scenario, document)
    for caller in (scenario.owner.client, scenario.token()):
        assert not sees(caller, scenario, document)
    assert [entry["details"] for entry in audit_entries(scenario, "documentView")] == [{}]


def test_a_change_of_members_takes_effect_at_once(scenario: BoardScenario) -> None:
    ben, carl = scenario.member("ben"), scenario.member("carl")
    committee = create(scenario, ben)
    document = add_document(scenario, ben, committee)
    changed = scenario.owner.client.patch(
        committee_path(scenario, committee), {"memberIds": [seat(scenario, carl)]}
    ).data
    assert changed["memberIds"] == [seat(scenario, carl)]
    assert not sees(ben.client, scenario, document)
    assert sees(carl.client, scenario, document)
    assert scenario.owner.client.patch(committee_path(scenario, committee), {"name": "Same seats"}).status == 200
    assert sees(carl.client, scenario, document)


def test_a_request_changes_all_seats_of_the_largest_committee(scenario: BoardScenario) -> None:
    ids = [member.id for member in join_many(scenario.board_id, 2 * COMMITTEE_MEMBERS)]
    body = {"name": "N", "memberIds": ids[:COMMITTEE_MEMBERS]}
    full = scenario.owner.client.post(f"{scenario.path}/committees", body, idempotency_key="k")
    assert full.data["memberIds"] == ids[:COMMITTEE_MEMBERS]
    path, others = committee_path(scenario, full.data), ids[COMMITTEE_MEMBERS:]
    assert scenario.owner.client.patch(path, {"memberIds": others}).data["memberIds"] == others
    entries = audit_entries(scenario, "memberChange")
    assert len(entries) == len({entry["_id"] for entry in entries}) == 3 * COMMITTEE_MEMBERS
    assert entries == sorted(entries, key=lambda entry: (entry["createdAt"], entry["_id"]))
    paged = scenario.owner.client.linked(f"/api/auditlog/{scenario.board_id}", "limit=100")
    assert [entry for page in paged for entry in page.json if entry["action"] == "memberChange"] == entries
    assert scenario.owner.client.delete(path).status == 200
    assert len(audit_entries(scenario, "memberChange")) == 4 * COMMITTEE_MEMBERS


def test_a_document_moves_between_committees_and_the_board(scenario: BoardScenario) -> None:
    ben, carl = scenario.member("ben"), scenario.member("carl")
    one, other, foreign = create(scenario, ben), create(scenario, ben, carl), create(scenario, carl)
    document = add_document(scenario, ben, one)
    path = f"{scenario.path}/documents/{document['id']}"
    assert list(ben.client.patch(path, {"committeeId": foreign["id"]}).fields) == ["committeeId"]
    assert ben.client.patch(path, {"committeeId": other["id"]}).data["committeeId"] == other["id"]
    assert sees(carl.client, scenario, document)
    assert scenario.owner.client.delete(committee_path(scenario, one)).status == 200
    assert scenario.owner.client.delete(committee_path(scenario, other)).details == {"reason": "COMMITTEE_IN_USE"}
    assert ben.client.patch(path, {"committeeId": None}).data["committeeId"] is None
    assert sees(scenario.token(), scenario, document)
    assert scenario.owner.client.delete(committee_path(scenario, other)).status == 200


def test_setting_the_same_values_changes_nothing(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    committee, before = create(scenario, ben), TableSnapshot()
    for same in ({"name": "Audit"}, {"memberIds": [seat(scenario, ben)]}):
        assert scenario.owner.client.patch(committee_path(scenario, committee), same).data == committee
    assert before.changes() == {}


def test_nobody_seats_themself_among_the_documents_of_others(scenario: BoardScenario) -> None:
    ben, ada = scenario.member("ben"), scenario.member("ada", admin_role="admin")
    committee = create(scenario, ben)
    path, seats = committee_path(scenario, committee), [seat(scenario, ben), seat(scenario, ada)]
    document = add_document(scenario, ben, committee)
    before = TableSnapshot()
    assert ada.client.patch(path, {"memberIds": seats}).failure == (403, "FORBIDDEN")
    assert ada.client.patch(path, {"memberIds": seats[1:]}).failure == (403, "FORBIDDEN")
    assert before.changes() == {}
    assert not sees(ada.client, scenario, document)
    assert scenario.owner.client.patch(path, {"memberIds": seats}).status == 200
    assert sees(ada.client, scenario, document)


def test_a_committee_with_documents_keeps_a_member(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    committee = create(scenario, ben)
    path = committee_path(scenario, committee)
    add_document(scenario, ben, committee)
    refused = scenario.owner.client.patch(path, {"memberIds": []})
    assert refused.failure == (409, "CONFLICT")
    assert refused.details["reason"] == "COMMITTEE_IN_USE"
    assert ben.client.delete(scenario.member_path(ben)).status == 200
    assert scenario.owner.client.patch(path, {"memberIds": [seat(scenario, scenario.owner)]}).status == 200


def test_anybody_may_be_seated_where_no_documents_are(scenario: BoardScenario) -> None:
    ada, ben = scenario.member("ada", admin_role="admin"), scenario.member("ben")
    path = committee_path(scenario, create(scenario, ben))
    assert ada.client.patch(path, {"memberIds": [seat(scenario, ada), seat(scenario, ben)]}).status == 200
    assert ada.client.patch(path, {"memberIds": []}).status == 200


def test_leaving_the_board_ends_the_memberships_in_its_committees(scenario: BoardScenario) -> None:
    ben, carl = scenario.member("ben"), scenario.member("carl")
    committees = [create(scenario, ben, carl), create(scenario, ben)]
    document = add_document(scenario, ben, committees[0])
    assert scenario.owner.client.delete(scenario.member_path(ben)).status == 200
    listed = scenario.owner.client.all(f"{scenario.path}/committees")
    assert [entry["memberIds"] for entry in listed] == [[], [seat(scenario, carl)]]
    scenario.join(ben)
    assert not sees(ben.client, scenario, document)
    assert sees(carl.client, scenario, document)


def test_a_committee_says_when_it_was_changed_also_by_a_member_who_left(scenario: BoardScenario, clock: Clock) -> None:
    ben = scenario.member("ben")
    committee = create(scenario, ben)
    clock.advance(minutes=1)
    renamed = scenario.owner.client.patch(committee_path(scenario, committee), {"name": "Risk"}).data
    clock.advance(minutes=2)
    assert scenario.owner.client.delete(scenario.member_path(ben)).status == 200
    (left,) = scenario.owner.client.all(f"{scenario.path}/committees")
    assert committee["updatedAt"] < renamed["updatedAt"] < left["updatedAt"]
    assert committee["createdAt"] == left["createdAt"]
