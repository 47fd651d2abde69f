"""Committees through their routes, and what they hide."""

from __future__ import annotations

from typing import Any

import pytest

from governance.ids import membership_id
from governance.limits import COMMITTEE_MEMBERS, COMMITTEE_NAME, MEMBER_COMMITTEES
from governance.store.schema import MEMBER
from governance.store.table import transact
from governance.store.writes import EXISTS, Update
from tests.harness.calls import InlinePool, counted
from tests.harness.client import Client
from tests.harness.world import Person, World, new_world


def seat(world: World, who: Person) -> str:
    return membership_id(world.board_id, who.id)


def create(world: World, *people: Person) -> Any:
    body = {"name": "Audit", "memberIds": [seat(world, who) for who in people]}
    answer = world.owner.client.post(f"{world.path}/committees", body)
    assert answer.status == 201, answer.text
    return answer.data


def at(world: World, committee: Any) -> str:
    return f"{world.path}/committees/{committee['id']}"


def add_document(world: World, who: Person, committee: Any) -> Any:
    answer = who.client.post(f"{world.path}/documents", {"title": "Secret", "committeeId": committee["id"]})
    assert answer.status == 201, answer.text
    return answer.data


def sees(caller: Client, world: World, document: Any) -> bool:
    """Whether a caller lists and reads the document; the two must agree."""
    listed = document["id"] in [entry["id"] for entry in caller.all(f"{world.path}/documents")]
    answer = caller.get(f"{world.path}/documents/{document['id']}")
    assert answer.status == (200 if listed else 404)
    return listed


def test_a_committee_has_exactly_its_members_and_is_listed_newest_first(world: World) -> None:
    ben = world.member("ben")
    first, second = create(world, ben), create(world)
    assert first.keys() == {"object", "id", "boardId", "name", "memberIds", "createdAt", "updatedAt"}
    assert first["memberIds"] == [seat(world, ben)]
    for caller in (ben.client, world.token("read_only"), world.member("gil", access_type="guest").client):
        assert caller.all(f"{world.path}/committees", limit=1) == [second, first]


def test_members_read_and_admins_write(world: World) -> None:
    ben = world.member("ben", access_type="manager")
    path = at(world, create(world))
    for caller in (ben.client, world.token(), world.personal_token(ben)):
        assert caller.get(f"{world.path}/committees").status == 200
        assert caller.post(f"{world.path}/committees", {"name": "X", "memberIds": []}).failure == (403, "FORBIDDEN")
        assert caller.patch(path, {"name": "X"}).failure == (403, "FORBIDDEN")
        assert caller.delete(path).failure == (403, "FORBIDDEN")
    admin = world.member("ada", admin_role="admin").client
    assert admin.patch(path, {"name": "Risk"}).data["name"] == "Risk"
    assert admin.delete(path).data == {"deleted": True}
    assert admin.patch(path, {"name": "Risk"}).failure == (404, "RESOURCE_NOT_FOUND")


@pytest.mark.parametrize(
    ("body", "faults"),
    [
        ({"name": "x" * COMMITTEE_NAME}, []),
        ({"name": "x" * (COMMITTEE_NAME + 1)}, ["name"]),
        ({"name": " "}, ["name"]),
        ({"memberIds": None}, ["memberIds"]),
        ({"memberIds": ["f" * 24] * (COMMITTEE_MEMBERS + 1)}, ["memberIds"]),
        ({"memberIds": ["f" * 24, "nonsense"]}, ["memberIds.0", "memberIds.1"]),
        ({"boardId": "x"}, ["boardId"]),
    ],
)
def test_a_body_at_and_over_each_limit(world: World, body: dict[str, Any], faults: list[str]) -> None:
    answer = world.owner.client.post(f"{world.path}/committees", {"name": "N", "memberIds": [], **body})
    assert answer.status == (400 if faults else 201)
    if faults:
        assert sorted(answer.fields) == faults


def test_nobody_outside_a_committee_knows_of_its_documents(world: World) -> None:
    ben, admin = world.member("ben"), world.member("ada", admin_role="admin")
    committee = create(world, ben)
    document = add_document(world, ben, committee)
    path = f"{world.path}/documents/{document['id']}"
    assert sees(ben.client, world, document)
    for caller in (world.owner.client, admin.client, world.token(), world.personal_token(admin)):
        assert not sees(caller, world, document)
        assert caller.patch(path, {"title": "Seen"}).failure == (404, "RESOURCE_NOT_FOUND")
        assert caller.delete(path).failure == (404, "RESOURCE_NOT_FOUND")
        body = {"title": "T", "committeeId": committee["id"]}
        assert list(caller.post(f"{world.path}/documents", body).fields) == ["committeeId"]
    entries = admin.client.get(f"/api/auditlog/{world.board_id}").json
    assert [entry["details"] for entry in entries if entry["action"] == "documentView"] == [{}]


def test_a_change_of_members_shows_and_hides_at_once(world: World) -> None:
    ben, carl = world.member("ben"), world.member("carl")
    committee = create(world, ben)
    document = add_document(world, ben, committee)
    changed = world.owner.client.patch(at(world, committee), {"memberIds": [seat(world, carl)]}).data
    assert changed["memberIds"] == [seat(world, carl)]
    assert not sees(ben.client, world, document)
    assert sees(carl.client, world, document)
    assert world.owner.client.patch(at(world, committee), {"name": "Same seats"}).status == 200
    assert sees(carl.client, world, document)


def test_a_document_moves_between_committees_and_the_board(world: World) -> None:
    ben, carl = world.member("ben"), world.member("carl")
    one, other, foreign = create(world, ben), create(world, ben, carl), create(world, carl)
    document = add_document(world, ben, one)
    path = f"{world.path}/documents/{document['id']}"
    assert list(ben.client.patch(path, {"committeeId": foreign["id"]}).fields) == ["committeeId"]
    assert ben.client.patch(path, {"committeeId": other["id"]}).data["committeeId"] == other["id"]
    assert sees(carl.client, world, document)
    assert world.owner.client.delete(at(world, one)).status == 200
    assert world.owner.client.delete(at(world, other)).details == {"reason": "COMMITTEE_IN_USE"}
    assert ben.client.patch(path, {"committeeId": None}).data["committeeId"] is None
    assert sees(world.token(), world, document)
    assert world.owner.client.delete(at(world, other)).status == 200


def test_a_committee_is_deleted_once_its_last_document_is(world: World) -> None:
    ben = world.member("ben")
    committee = create(world, ben)
    document = add_document(world, ben, committee)
    world.owner.client.patch(at(world, committee), {"name": "The count outlives a rename"})
    refused = world.owner.client.delete(at(world, committee))
    assert (refused.failure, refused.details) == ((409, "CONFLICT"), {"reason": "COMMITTEE_IN_USE"})
    ben.client.delete(f"{world.path}/documents/{document['id']}")
    assert world.owner.client.delete(at(world, committee)).status == 200
    body = {"title": "T", "committeeId": committee["id"]}
    assert list(ben.client.post(f"{world.path}/documents", body).fields) == ["committeeId"]


def test_who_leaves_the_board_leaves_its_committees_and_comes_back_to_none(world: World) -> None:
    ben, carl = world.member("ben"), world.member("carl")
    committees = [create(world, ben, carl), create(world, ben)]
    document = add_document(world, ben, committees[0])
    assert world.owner.client.delete(f"{world.path}/members/{seat(world, ben)}").status == 200
    listed = world.owner.client.all(f"{world.path}/committees")
    assert [entry["memberIds"] for entry in listed] == [[], [seat(world, carl)]]
    world.join(ben)
    assert not sees(ben.client, world, document)
    assert sees(carl.client, world, document)


def test_a_member_of_another_board_is_no_member_here(world: World) -> None:
    other = new_world("otto", "Other")
    for member_id in (seat(other, other.owner), seat(world, other.owner)):
        answer = world.owner.client.post(f"{world.path}/committees", {"name": "N", "memberIds": [member_id]})
        assert list(answer.fields) == ["memberIds.0"]


def test_a_member_is_in_so_many_committees_and_no_more(world: World) -> None:
    ben = world.member("ben")
    key = MEMBER.at(boardId=world.board_id, userId=ben.id)
    full = [f"{number:024x}" for number in range(MEMBER_COMMITTEES)]
    transact([Update(key, "SET committeeIds = :c", {}, {":c": full}, EXISTS)])
    answer = world.owner.client.post(f"{world.path}/committees", {"name": "N", "memberIds": [seat(world, ben)]})
    assert (answer.failure, answer.details) == ((409, "CONFLICT"), {"reason": "LIMIT_REACHED"})


def test_the_round_trips_of_each_route(world: World, pool: InlinePool) -> None:
    ben = world.member("ben")
    committee = create(world, ben)
    add_document(world, ben, committee)

    def sequential(method: str, path: str, body: Any = None, caller: Client = world.owner.client) -> list[str]:
        with counted(pool) as calls:
            assert caller.call(method, path, body).status in {200, 201}
        return calls.sequential

    listed, write = f"{world.path}/committees", ["BatchGetItem", "BatchGetItem", "TransactWriteItems"]
    assert sequential("GET", f"{world.path}/documents", caller=ben.client) == ["BatchGetItem", "Query"]
    assert sequential("GET", listed) == ["BatchGetItem"]
    assert sequential("POST", listed, {"name": "N", "memberIds": [seat(world, ben)]}) == write
    assert sequential("PATCH", at(world, committee), {"name": "N"}) == [write[0], write[-1]]
    assert sequential("DELETE", f"{world.path}/members/{seat(world, ben)}") == write
